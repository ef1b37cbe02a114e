"""Replies to counting questions: the paper's rule, and what a reply means."""

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.core.count import read_count
from metrics.core.count_score import score_counts
from metrics.core.number_words import numbers_in_words

DATA = Path(__file__).resolve().parents[1] / "data"


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


REPLIES = rows("num_replies.jsonl")


@pytest.mark.parametrize("row", REPLIES, ids=lambda row: row["id"])
def test_paper_rule(row: dict[str, Any]) -> None:
    assert read_count(row["response"]).value == row["expected"]


@pytest.mark.parametrize("row", REPLIES, ids=lambda row: row["id"])
def test_meaning_of_the_collected_replies(row: dict[str, Any]) -> None:
    assert read_count(row["response"], mode="meaning").value == row["intended"]


@pytest.mark.parametrize(
    "row", rows("count_meaning.jsonl"), ids=lambda row: ascii(row["reply"])[:40]
)
def test_meaning(row: dict[str, Any]) -> None:
    assert (
        read_count(row["reply"], mode="meaning", counted=row.get("counted")).value
        == row["intended"]
    )


@pytest.mark.parametrize(
    ("reply", "nodes", "arrows"),
    [
        ("4 nodes and 5 arrows", 4, 5),
        ('{"nodes": 5, "arrows": 6}', 5, 6),
        ("Arrows: 6\nNodes: 5", 5, 6),
        ("7", 7, 7),
        ("There are 9 links.", None, 9),
        ("five boxes, no arrows", 5, 0),
    ],
)
def test_counts_of_the_other_thing_are_passed_over(
    reply: str, nodes: int | None, arrows: int | None
) -> None:
    assert read_count(reply, mode="meaning", counted="nodes").value == nodes
    assert read_count(reply, mode="meaning", counted="arrows").value == arrows


@pytest.mark.parametrize(
    ("reply", "mode", "reason"),
    [
        (None, "paper", "missing"),
        (7, "meaning", "not_text"),
        ("", "paper", "empty"),
        ("<think>7", "paper", "empty"),
        ("<think>7", "meaning", "empty"),
        ("several", "paper", "none"),
        ("3.5", "paper", "not_whole"),
        ("9" * 5000, "paper", "too_large"),
        ("5 or 6", "meaning", "inexact"),
        ("7\n8", "meaning", "conflict"),
        ("Sorry, I can't see it.", "meaning", "refusal"),
        ("many arrows", "meaning", "none"),
    ],
)
def test_reasons_for_no_count(reply: object, mode: Any, reason: str) -> None:
    answer = read_count(reply, mode=mode)
    assert (answer.value, answer.reason, answer.span) == (None, reason, None)


@pytest.mark.parametrize(
    ("reply", "reason", "text"),
    [
        ("<think>3</think>There are two dozen arrows.", "count", "two dozen"),
        ("4 + 5 = 9", "total", "9"),
        ("I see 4. Wait, ５.", "answer", "５"),
        ("The answer is 1,024", "answer", "1,024"),
        ("1. a\n2. b", "list", "2"),
        ("Sieben", "word", "Sieben"),
        ("3 + 4", "sum", "3 + 4"),
    ],
)
def test_the_span_shows_what_decided(reply: str, reason: str, text: str) -> None:
    answer = read_count(reply, mode="meaning")
    assert answer.span is not None
    assert (answer.reason, reply[slice(*answer.span)]) == (reason, text)


def test_thoughts_are_stripped_by_the_paper_rule_unless_kept() -> None:
    assert read_count("<think>1?</think>6").value == 6
    assert read_count("<think>1?</think>6", strip_think=False).value == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mode": "exact"}, "expected paper or meaning, got 'exact'"),
        ({"counted": "edges"}, "expected nodes or arrows, got 'edges'"),
    ],
)
def test_unknown_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_count("7", **options)


UNITS = [
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    "nineteen",
]
TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def in_words(number: int) -> str:
    """Write a number below a million in English, the plain way."""
    if number < 20:
        return UNITS[number]
    if number < 100:
        return TENS[number // 10] + (f"-{UNITS[number % 10]}" if number % 10 else "")
    scale, name = (1000, "thousand") if number >= 1000 else (100, "hundred")
    rest = number % scale
    return f"{in_words(number // scale)} {name}" + (f" {in_words(rest)}" if rest else "")


@given(st.integers(0, 999_999))
def test_numbers_in_words_round_trip(number: int) -> None:
    text = in_words(number)
    assert [found.value for found in numbers_in_words(text)] == [number]
    assert [found.value for found in numbers_in_words(text.upper().replace("-", " "))] == [number]


PIECE = st.sampled_from(
    [
        *("1", "2.", "3,", "five", "twenty", "dozen", "and", "or", "nodes", "arrows:", "so", "="),
        *("+", "a", "no", "between", "picture", "wait,", "\n", "(", "%", "-"),
    ]
)


@given(st.one_of(st.text(), st.lists(PIECE, max_size=30).map(" ".join)))
@settings(max_examples=300, deadline=None)
def test_any_text_is_read(reply: str) -> None:
    for mode in ("paper", "meaning"):
        answer = read_count(reply, mode=mode)  # type: ignore[arg-type]
        assert answer.value is None or answer.value >= 0
        assert (answer.value is None) == (answer.span is None)
        if answer.span is not None:
            assert 0 <= answer.span[0] < answer.span[1] <= len(reply)


@pytest.mark.parametrize("piece", ["1 ", "1,", "one ", "no, a ", "(", "9", "5 or "])
def test_long_replies_take_time_in_proportion(piece: str) -> None:
    reply = piece * (200_000 // len(piece))
    start = time.perf_counter()
    read_count(reply, mode="meaning")
    assert time.perf_counter() - start < 15


def test_score() -> None:
    score = score_counts(["7", "about 5", None, "several"], [7, "6", 2, 3])
    assert score.accuracy == 0.25
    assert score.mean_absolute_error == 0.5
    assert score.unanswered == 2
    assert score.reasons == {"digits": 2, "missing": 1, "none": 1}
    assert [item.correct for item in score.items] == [True, False, False, False]
    assert score.signature == "count_accuracy|mode:paper|think:strip|counted:any|version:1.0"


def test_no_count_at_all_has_no_error() -> None:
    assert score_counts(["many"], [3]).mean_absolute_error is None


@pytest.mark.parametrize(
    ("predictions", "references", "message"),
    [
        ([], [], "no predictions"),
        (["7"], [7, 8], "1 predictions, but 2 references"),
        (["7"], ["seven"], r"references\[0\]: expected a count, got 'seven'"),
        (["7"], [-1], r"references\[0\]: expected a count, got -1"),
    ],
)
def test_what_nobody_can_score_is_refused(
    predictions: list[str], references: list[int | str], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        score_counts(predictions, references)


# FlowLearn, Tables 4 (all charts) and 10 (the same 100): number of nodes, of arrows.
PRINTED = {
    ("claude", None): (0.52, 0.23),
    ("gpt4v", None): (0.58, 0.26),
    ("gemini-pro-vision", None): (0.02, 0.09),
    ("deepseek-vl-7b-chat", None): (0.22, 0.15),
    ("gemini-pro-vision", 100): (0.04, 0.07),
    ("deepseek-vl-7b-chat", 100): (0.22, 0.12),
}


@pytest.mark.skipif("UPSTREAM_DATA" not in os.environ, reason="UPSTREAM_DATA is not set")
@pytest.mark.parametrize("cell", PRINTED, ids=str)
def test_published_accuracies(cell: tuple[str, int | None]) -> None:
    model, first = cell
    folder = Path(os.environ["UPSTREAM_DATA"]) / "flowlearn" / "results" / "word"
    for things, printed in zip(("Nodes", "Arrows"), PRINTED[cell], strict=True):
        file = folder / f"{model}_Num_{things}_2-shot.json"
        records = list(json.loads(file.read_text(encoding="utf-8")).values())[:first]
        score = score_counts(
            [record["prediction"] for record in records],
            [record["reference"] for record in records],
        )
        assert abs(round(score.accuracy, 2) - printed) < 0.0101


def test_a_long_reply_is_read_at_its_beginning_and_end() -> None:
    reply = "5 nodes. " + "a 7 b " * 40_000 + "So the answer is 12."
    answer = read_count(reply, mode="meaning")
    assert (answer.value, reply[slice(*(answer.span or (0, 0)))]) == (12, "12")
