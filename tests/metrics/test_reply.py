"""The one reading of a reply: thoughts, fences, refusals."""

import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.core.reply import (
    closed_fence,
    find_code,
    hide_thoughts,
    is_refusal,
    looks_like_diagram,
    next_turn,
)


@pytest.mark.parametrize(
    ("reply", "shown"),
    [
        ("plain", "plain"),
        ("<think>a</think>b", "b"),
        ("<THINK>a</Think>b", "b"),
        ("<thinking>a</thinking>b", "b"),
        ("<reasoning>a</reasoning>b", "b"),
        ("◁think▷a◁/think▷b", "b"),
        ("b<think>cut short", "b"),
        ("swallowed opening</think>b", "b"),
        ("a<think>x</think>b<think>y</think>c", "a b c"),
        ("<think>a<think>b</think>c</think>d", "d"),
        ("<think>a</think>b</think>c", "c"),
        ("<thinker>a", "<thinker>a"),
    ],
)
def test_thoughts_are_hidden(reply: str, shown: str) -> None:
    hidden = hide_thoughts(reply)
    assert len(hidden) == len(reply)
    assert " ".join(hidden.split()) == shown


def test_lines_of_thoughts_stay_lines() -> None:
    assert hide_thoughts("<think>a\nb</think>c").count("\n") == 1


FLOW = "flowchart LR\nA-->B"


@pytest.mark.parametrize(
    ("reply", "reading", "code"),
    [
        (f"```mermaid\n{FLOW}\n```", "fence", FLOW),
        (f"```\n{FLOW}\n```", "fence", FLOW),
        (f"```{FLOW}```", "fence", FLOW),
        (f"```mermaid {FLOW}```", "fence", FLOW),
        (f"code: ```Mermaid\r\n{FLOW}\n``` done", "fence", FLOW),
        ("```mermaid LR\nA-->B\n```", "fence", "LR\nA-->B"),
        (f"```mermaid\n{FLOW}\n```\n```mermaid\nflowchart TB\nX-->Y\n```", "fence", FLOW),
        (f"```python\nprint(1 -> 2)\n```\n```mermaid\n{FLOW}\n```", "fence", FLOW),
        (f"~~~mermaid\n{FLOW}\n~~~", "fence", FLOW),
        (f"'''mermaid\n{FLOW}\n'''", "fence", FLOW),
        (f'"""\n{FLOW}\n"""', "fence", FLOW),
        (f":::mermaid\n{FLOW}\n:::", "fence", FLOW),
        (f'<pre class="mermaid">\n{FLOW}\n</pre>', "fence", FLOW),
        (f"````mermaid\n{FLOW}\n````", "fence", FLOW),
        (f"```mermaid\n{FLOW}", "unclosed_fence", FLOW),
        (f"<think>```\nX-->Y\n```</think>```\n{FLOW}\n```", "fence", FLOW),
        ("A ~~~ B\nA-->B", "no_fence", "A ~~~ B\nA-->B"),
        (f"  {FLOW}\n", "no_fence", FLOW),
        (f"```python\nx = 1\n```\n{FLOW}", "no_fence", f"```python\nx = 1\n```\n{FLOW}"),
        ("```\nhello\n```", "fence", "hello"),
        ("digraph G { a -> b }", "no_fence", "digraph G { a -> b }"),
        ("I'm sorry, I cannot see the image.", "refusal", ""),
        (f"I'm sorry for the delay.\n{FLOW}", "no_fence", f"I'm sorry for the delay.\n{FLOW}"),
        ("", "empty", ""),
        ("<think>only", "empty", ""),
        (None, "missing", ""),
        (3.5, "not_text", ""),
    ],
)
def test_code_as_a_careful_person_finds_it(reply: object, reading: str, code: str) -> None:
    found = find_code(reply, "meaning")
    assert (found.reading, found.text.strip()) == (reading, code)
    if isinstance(reply, str):
        assert reply[slice(*found.span)].strip() == code


@pytest.mark.parametrize(
    ("reply", "reading", "code"),
    [
        (f"```mermaid\n{FLOW}\n```", "fence", FLOW),
        (f"```python\nx\n```\n```mermaid\n{FLOW}\n```", "fence", "x"),
        (f"```mermaid\n{FLOW}", "no_fence", ""),
        (FLOW, "no_fence", ""),
        (" ", "empty", ""),
        (None, "missing", ""),
    ],
)
def test_code_as_the_paper_finds_it(reply: object, reading: str, code: str) -> None:
    found = find_code(reply, "paper")
    assert (found.reading, found.text.strip()) == (reading, code)


def test_the_language_of_a_fence() -> None:
    assert find_code("```DOT\ndigraph{a->b}\n```").language == "dot"
    assert find_code("```\ndigraph{a->b}\n```").language == ""
    assert find_code("```stateDiagram-v2\na-->b\n```").language == ""


@pytest.mark.parametrize(
    "reply",
    [
        "I'm sorry, I can't view the flowchart.",
        "I cannot determine the answer.",
        "As an AI language model, I have no eyes.",
        "Please provide the image.",
        "No image was provided.",
        "The image is too blurry.",
        "I am unable to see images.",
        "It cannot be determined.",
        "There is not enough information.",
        "抱歉,我看不到图片。",
    ],
)
def test_refusals(reply: str) -> None:
    assert is_refusal(reply)


@pytest.mark.parametrize("reply", ["True", "The arrow goes from a to b.", "5", FLOW])
def test_answers_are_no_refusals(reply: str) -> None:
    assert not is_refusal(reply)


@pytest.mark.parametrize(
    ("text", "is_diagram"),
    [
        (FLOW, True),
        ("graph TD\n", True),
        ("stateDiagram-v2\n", True),
        ("a -> b", True),
        ("@startuml", True),
        ("strict digraph x {", True),
        ("The flowchart has five nodes.", False),
        ("graph shows a trend", False),
    ],
)
def test_what_looks_like_a_diagram(text: str, is_diagram: bool) -> None:
    assert looks_like_diagram(text) is is_diagram


def test_a_made_up_next_turn_is_found() -> None:
    assert next_turn("True\n\n**Question 2**: more", 4) == 4
    assert next_turn("True\nand so on", 4) == len("True\nand so on")


@given(
    st.text() | st.lists(st.sampled_from(["```", "\n", "<think>", "</think>", "-->"])).map("".join)
)
@settings(max_examples=300, deadline=None)
def test_any_text_is_read(reply: str) -> None:
    assert len(hide_thoughts(reply)) == len(reply)
    for mode in ("paper", "meaning"):
        found = find_code(reply, mode)  # type: ignore[arg-type]
        assert 0 <= found.start <= found.end <= len(reply)
    fence = closed_fence(reply)
    assert fence is None or reply[slice(*fence.span)] == fence.text


@pytest.mark.parametrize(
    "piece", ["```\n", "<think>", "</think>", "'''\n", "<pre ", "graph ", "\n "]
)
def test_long_replies_take_time_in_proportion(piece: Any) -> None:
    reply = piece * (200_000 // len(piece))
    start = time.perf_counter()
    find_code(reply, "meaning")
    assert time.perf_counter() - start < 15
