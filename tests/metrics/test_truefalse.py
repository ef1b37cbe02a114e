"""True/false replies: the paper's token rule, and what a reply means."""

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.core.truefalse import read_truefalse
from metrics.core.truefalse_score import score_truefalse

DATA = Path(__file__).resolve().parents[1] / "data"
WORDS = {"true": True, "false": False, None: None}


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


REPLIES = rows("tf_replies.jsonl")
MEANINGS = rows("tf_meaning.jsonl")


@pytest.mark.parametrize("row", REPLIES, ids=lambda row: row["id"])
def test_paper_rule(row: dict[str, Any]) -> None:
    assert read_truefalse(row["response"]).value is WORDS[row["flowlearn"]]


@pytest.mark.parametrize("row", REPLIES, ids=lambda row: row["id"])
def test_meaning_of_the_collected_replies(row: dict[str, Any]) -> None:
    assert read_truefalse(row["response"], mode="meaning").value is WORDS[row["intended"]]


@pytest.mark.parametrize("row", MEANINGS, ids=lambda row: ascii(row["reply"])[:40])
def test_meaning(row: dict[str, Any]) -> None:
    answer = read_truefalse(row["reply"], mode="meaning")
    assert answer.value is row["intended"]


@pytest.mark.parametrize(
    ("reply", "mode", "reason"),
    [
        (None, "paper", "missing"),
        (7, "meaning", "not_text"),
        ("", "paper", "empty"),
        (" \n", "meaning", "empty"),
        ("<think>true", "meaning", "empty"),
        ("True or false", "paper", "both"),
        ("True.False", "meaning", "both"),
        ("yes", "paper", "none"),
        ("It might be true.", "meaning", "hedged"),
        ("I'm sorry, I can't view the flowchart.", "meaning", "refusal"),
        ("The chart has five nodes.", "meaning", "none"),
    ],
)
def test_reasons_for_no_verdict(reply: object, mode: Any, reason: str) -> None:
    answer = read_truefalse(reply, mode=mode)
    assert (answer.value, answer.reason, answer.span) == (None, reason, None)


@pytest.mark.parametrize(
    ("reply", "reason", "word"),
    [
        ("<think>false</think> It is TRUE.", "verdict", "TRUE"),
        ("B points to A. So it is false.", "conclusion", "false"),
        ("True. Actually no, it is ｆａｌｓｅ.", "answer", "ｆａｌｓｅ"),
        ("Picture 1: false\nPicture 2: true", "last_picture", "true"),
        ("There is no arrow.", "implied", "There is no"),
    ],
)
def test_the_span_shows_what_decided(reply: str, reason: str, word: str) -> None:
    answer = read_truefalse(reply, mode="meaning")
    assert answer.span is not None
    assert (answer.reason, reply[slice(*answer.span)]) == (reason, word)


def test_thoughts_are_kept_by_the_paper_rule_unless_stripped() -> None:
    reply = "<think>true?</think>false"
    assert read_truefalse(reply).reason == "both"
    assert read_truefalse(reply, strip_think=True).value is False


def test_unknown_mode_is_refused() -> None:
    with pytest.raises(ValueError, match="expected paper or meaning, got 'exact'"):
        read_truefalse("true", mode="exact")  # type: ignore[arg-type]


WORD = st.sampled_from(
    ["true", "false", "not", "no", "yes", "if", "maybe", "answer:", "actually", "so", "but"]
)
MARK = st.sampled_from(".,?!\n*")


@given(st.one_of(st.text(), st.lists(WORD | MARK, max_size=30).map(" ".join)))
@settings(max_examples=300, deadline=None)
def test_any_text_is_read(reply: str) -> None:
    for mode in ("paper", "meaning"):
        answer = read_truefalse(reply, mode=mode)  # type: ignore[arg-type]
        assert answer.value in (True, False, None)
        if answer.span is not None:
            assert 0 <= answer.span[0] < answer.span[1] <= len(reply)
        assert (answer.value is None) <= (answer.span is None)


@pytest.mark.parametrize(
    "piece", ["true ", "no, ", "3.", "not very ", "</think>", "answer: ", "\n"]
)
def test_long_replies_take_time_in_proportion(piece: str) -> None:
    reply = piece * (200_000 // len(piece))
    start = time.perf_counter()
    read_truefalse(reply, mode="meaning")
    assert time.perf_counter() - start < 10


def test_score() -> None:
    score = score_truefalse(
        ["true", "true or false", None, "FALSE", "yes"],
        ["true", "True", "true", False, False],
    )
    assert score.true_accuracy == pytest.approx(1 / 3)
    assert score.false_accuracy == pytest.approx(1 / 2)
    assert score.average == pytest.approx(5 / 12)
    assert (score.true_statements, score.false_statements) == (3, 2)
    assert (score.both, score.none) == (1, 2)
    assert score.reasons == {"token": 2, "both": 1, "missing": 1, "none": 1}
    assert score.signature == "tf_accuracy|mode:paper|think:keep|version:1.0"


def test_score_of_one_kind_has_no_average() -> None:
    score = score_truefalse(["true"], [True])
    assert (score.true_accuracy, score.false_accuracy, score.average) == (1, None, None)


def test_order_of_items_does_not_matter() -> None:
    replies, truths = ["true", "false", "both", "no"], [True, True, False, False]
    score = score_truefalse(replies, truths, mode="meaning")
    turned = score_truefalse(replies[::-1], truths[::-1], mode="meaning")
    assert score.average == turned.average
    assert score.items == turned.items[::-1]


@pytest.mark.parametrize(
    ("predictions", "references", "message"),
    [
        ([], [], "no predictions"),
        (["true"], [], "1 predictions, but 0 references"),
        (["true"], ["yes"], r"references\[0\]: expected true or false, got 'yes'"),
    ],
)
def test_what_nobody_can_score_is_refused(
    predictions: list[str], references: list[str], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        score_truefalse(predictions, references)


# FlowLearn, Tables 4 (all charts) and 10 (the same 100): TRUE and FALSE accuracy.
PRINTED = {
    ("scientific", "", "claude", None): (0.69, 0.53),
    ("scientific", "", "gpt4v", None): (0.63, 0.74),
    ("scientific", "", "gemini-pro-vision", None): (0.55, 0.70),
    ("scientific", "", "deepseek-vl-7b-chat", None): (0.86, 0.21),
    ("scientific", "", "gemini-pro-vision", 100): (0.63, 0.61),
    ("scientific", "", "deepseek-vl-7b-chat", 100): (0.82, 0.21),
    ("word", "-betweenAB", "claude", None): (0.42, 0.71),
    ("word", "-betweenAB", "gpt4v", None): (0.28, 0.77),
    ("word", "-betweenAB", "gemini-pro-vision", None): (0.69, 0.52),
    ("word", "-betweenAB", "deepseek-vl-7b-chat", None): (0.61, 0.56),
    ("word", "-betweenAB", "gemini-pro-vision", 100): (0.68, 0.49),
    ("word", "-betweenAB", "deepseek-vl-7b-chat", 100): (0.74, 0.50),
    ("word", "-AtoB", "claude", None): (0.18, 0.49),
    ("word", "-AtoB", "gpt4v", None): (0.15, 0.61),
    ("word", "-AtoB", "gemini-pro-vision", None): (0.16, 0.63),
    ("word", "-AtoB", "deepseek-vl-7b-chat", None): (0.55, 0.58),
    ("word", "-AtoB", "gemini-pro-vision", 100): (0.13, 0.53),
    ("word", "-AtoB", "deepseek-vl-7b-chat", 100): (0.51, 0.52),
}


@pytest.mark.skipif("UPSTREAM_DATA" not in os.environ, reason="UPSTREAM_DATA is not set")
@pytest.mark.parametrize("cell", PRINTED, ids=str)
def test_published_accuracies(cell: tuple[str, str, str, int | None]) -> None:
    subset, kind, model, first = cell
    folder = Path(os.environ["UPSTREAM_DATA"]) / "flowlearn" / "results" / subset
    replies: list[str] = []
    truths: list[str] = []
    for truth in ("True", "False"):
        file = folder / f"{model}_Flowchart-is{truth}{kind}_2-shot.json"
        records = list(json.loads(file.read_text(encoding="utf-8")).values())[:first]
        replies += [record["prediction"] for record in records]
        truths += [record["reference"] for record in records]
    score = score_truefalse(replies, truths)
    assert score.true_accuracy is not None
    assert score.false_accuracy is not None
    assert abs(round(score.true_accuracy, 2) - PRINTED[cell][0]) < 0.0101
    assert abs(round(score.false_accuracy, 2) - PRINTED[cell][1]) < 0.0101
