import hashlib
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.core.elements import Elements
from metrics.core.mermaid import parse_flowchart
from metrics.core.ve_protocol import (
    GENERATION_PROMPT,
    MIN_BATCH,
    OCR_PROMPT,
    VE_PROMPT,
    batch_sizes,
    element_texts,
    read_ve_reply,
    ve_prompt,
)

ELEMENTS = Elements(nodes=(("Start",), ("End",)), links=(("Start", "End", "Yes"),))


@settings(deadline=None)
@given(st.integers(0, 500))
def test_batches_cover_all_and_are_never_too_small(count: int) -> None:
    sizes = batch_sizes(count)
    assert sum(sizes) == count
    assert all(size >= min(MIN_BATCH, count) for size in sizes)
    assert max(sizes, default=0) - min(sizes, default=0) <= 1


def test_complex_charts_have_fewer_elements_a_call() -> None:
    largest = [max(batch_sizes(count)) for count in (10, 20, 40, 80)]
    assert largest == sorted(largest, reverse=True)
    assert largest[-1] <= MIN_BATCH + 1


def test_prompt_is_the_papers() -> None:
    prompt = ve_prompt(element_texts(ELEMENTS))
    assert prompt.startswith("Look at this flowchart image carefully. For each element listed")
    assert (
        'Elements to check:\n1. Node: "Start"\n2. Node: "End"\n'
        '3. Edge: "Start" --> "End" with label "Yes"\n'
        "Please respond in this exact format:\n1. yes/no\n2. yes/no\n3. yes/no\n"
        "(continue for all 3 elements)"
    ) in prompt
    assert "A node is a textual element insided a bordered shape like rectangle," in prompt


def test_prompts_stay_as_they_are() -> None:
    """Compared with the appendix once, line by line; whoever changes one changes the protocol."""
    digests = {
        GENERATION_PROMPT: "d9f970cced270af6",
        OCR_PROMPT: "f2c1c307bcff5591",
        VE_PROMPT: "ee2a6a530b87665c",
    }
    for prompt, digest in digests.items():
        assert hashlib.sha256(prompt.encode()).hexdigest()[:16] == digest


def test_the_example_of_the_generation_prompt_is_a_flowchart() -> None:
    code = GENERATION_PROMPT.split("```")[1].removeprefix("mermaid\n")
    assert len(parse_flowchart(code).links) == 10


def test_edge_labels_may_be_left_out() -> None:
    assert element_texts(ELEMENTS, edge_labels=False)[-1] == 'Edge: "Start" --> "End"'


Y, N = True, False


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        pytest.param("1. yes\n2. no\n3. yes", [Y, N, Y], id="as asked"),
        pytest.param("1. Yes.\n2. NO!\n3. yes", [Y, N, Y], id="case and points"),
        pytest.param("1) yes\n2) no\n3) yes", [Y, N, Y], id="brackets"),
        pytest.param("1: yes\n2 - no\n3 yes", [Y, N, Y], id="other marks"),
        pytest.param("**1.** yes\n**2. no**\n3. **yes**", [Y, N, Y], id="bold"),
        pytest.param("- 1. yes\n- 2. no\n* 3. yes", [Y, N, Y], id="bullets"),
        pytest.param("1. yes 2. no 3. yes", [Y, N, Y], id="one line"),
        pytest.param("1. yes, 2. no, 3. yes", [Y, N, Y], id="one line, commas"),
        pytest.param("| 1 | yes |\n| 2 | no |\n| 3 | yes |", [Y, N, Y], id="table"),
        pytest.param('{"1": "yes", "2": "no", "3": "yes"}', [Y, N, Y], id="json object"),
        pytest.param('["yes", "no", "yes"]', [Y, N, Y], id="json list"),
        pytest.param("yes\nno\nyes", [Y, N, Y], id="no numbers"),
        pytest.param("yes, no, yes", [Y, N, Y], id="no numbers, one line"),
        pytest.param("Here are the answers:\n\n1. yes\n2. no\n3. yes", [Y, N, Y], id="preamble"),
        pytest.param("1. yes - it is there\n2. no, it is not\n3. yes", [Y, N, Y], id="reasons"),
        pytest.param('1. Node "No": yes\n2. Node "Yes" - no\n3. Edge: yes', [Y, N, Y], id="echo"),
        pytest.param("3. yes\n1. yes\n2. no", [Y, N, Y], id="shuffled"),
        pytest.param("1. true\n2. false\n3. ✓", [Y, N, Y], id="other words"),
        pytest.param("<think>1. no\n2. yes</think>1. yes\n2. no\n3. yes", [Y, N, Y], id="thoughts"),
        pytest.param("```\n1. yes\n2. no\n3. yes\n```", [Y, N, Y], id="fence"),
        pytest.param("Item 1: yes\nItem 2: no\nItem 3: yes", [Y, N, Y], id="items"),
        pytest.param("1.yes\n2.no\n3.yes", [Y, N, Y], id="no spaces"),
    ],
)
def test_usual_replies(reply: str, expected: list[bool]) -> None:
    answers = read_ve_reply(reply, 3)
    assert list(answers.entailed) == expected
    assert (answers.missing, answers.odd, answers.surplus) == (0, 0, 0)


@pytest.mark.parametrize(
    ("reply", "entailed", "missing", "odd", "surplus"),
    [
        pytest.param("1. yes", [Y, N, N], 2, 0, 0, id="too few"),
        pytest.param("1. yes\n2. no\n3. yes\n4. yes", [Y, N, Y], 0, 0, 1, id="too many"),
        pytest.param("1. yes\n2. maybe\n3. yes", [Y, N, Y], 0, 1, 0, id="maybe"),
        pytest.param("1. yes/no\n2. yes\n3. yes", [N, Y, Y], 0, 1, 0, id="the template"),
        pytest.param("1. yes\n1. no\n2. yes\n3. yes", [N, Y, Y], 0, 1, 0, id="contradiction"),
        pytest.param("1. yes\n1. yes\n2. yes\n3. no", [Y, Y, N], 0, 0, 0, id="said twice"),
        pytest.param("All elements are visible.", [N, N, N], 3, 0, 0, id="prose"),
        pytest.param("yes", [N, N, N], 3, 0, 0, id="one word for all"),
        pytest.param("yes\nno", [N, N, N], 3, 0, 0, id="too few without numbers"),
        pytest.param("", [N, N, N], 3, 0, 0, id="empty"),
        pytest.param(None, [N, N, N], 3, 0, 0, id="no reply"),
        pytest.param("I'm sorry, I can't help with that.", [N, N, N], 3, 0, 0, id="refusal"),
        pytest.param("0. yes\n1. yes\n2. yes\n3. yes", [Y, Y, Y], 0, 0, 1, id="zero"),
    ],
)
def test_odd_replies_count_as_no(
    reply: str | None, entailed: list[bool], missing: int, odd: int, surplus: int
) -> None:
    answers = read_ve_reply(reply, 3)
    assert list(answers.entailed) == entailed
    assert (answers.missing, answers.odd, answers.surplus) == (missing, odd, surplus)


@settings(deadline=None)
@given(st.text(max_size=200), st.integers(0, 12))
def test_any_reply_is_read(reply: str, count: int) -> None:
    answers = read_ve_reply(reply, count)
    assert len(answers.entailed) == count
    assert answers.missing + answers.odd + sum(answers.entailed) <= count


@pytest.mark.parametrize("unit", ["1. yes ", "1 ", "yes ", "1.*_|", "\n1. Node yes no "])
def test_time_is_linear(unit: str) -> None:
    start = time.perf_counter()
    read_ve_reply(unit * (1_000_000 // len(unit)), 12)
    assert time.perf_counter() - start < 5
