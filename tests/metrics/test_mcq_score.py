"""Scores of multiple-choice replies: sets of labels, skipped items, intervals."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.core.bootstrap import Resampling
from metrics.core.mcq_score import gold_labels, score_mcq

FOUR = list("ABCD")


@pytest.mark.parametrize(
    ("reference", "labels"),
    [
        ("B", "B"),
        (" b ", "B"),
        ("B, D", "BD"),
        ("D,B", "BD"),
        ("B and D", "BD"),
        ("B/D", "BD"),
        (["D", "B"], "BD"),
        (["B"], "B"),
        ("", ""),
        ([], ""),
        ([""], ""),
    ],
)
def test_references(reference: Any, labels: str) -> None:
    assert gold_labels(reference, FOUR) == frozenset(labels)


@pytest.mark.parametrize(
    ("reply", "reference", "correct"),
    [
        ("B", "B", True),
        ("D and B", "B, D", True),
        ("B", "B, D", False),
        ("B, D", "B", False),
        ("The answer is A.", ["A"], True),
        ("A or B", "A", False),
        ("", "A", False),
        (None, "A", False),
        ("", "", None),
        (None, [], None),
        ("B", "", None),
    ],
)
def test_one_item(reply: object, reference: Any, correct: bool | None) -> None:
    result = score_mcq([reply], [reference], [FOUR])
    assert result.items[0].correct is correct
    assert result.n == (correct is not None)
    assert result.skipped == (() if correct is not None else (0,))
    assert result.accuracy == (None if correct is None else float(correct))


def test_a_blank_reply_is_right_nowhere() -> None:
    golds = ["A", "B, D", "", [], "C"]
    for blank in ("", "  ", None, float("nan")):
        result = score_mcq([blank] * len(golds), golds, [FOUR] * len(golds))
        assert result.accuracy == 0
        assert result.n == 3


def test_totals() -> None:
    result = score_mcq(
        ["B", "It's C.", "Not A.", "35 lb", ""],
        ["B", "A", "A", "C", ""],
        [FOUR, FOUR, FOUR, {"A": "25 lb", "B": "30 lb", "C": "35 lb"}, FOUR],
    )
    assert result.accuracy == 0.5
    assert (result.n, result.skipped) == (4, (4,))
    assert result.reasons == {"whole_reply": 2, "choice_phrase": 1, "only_denied": 1}
    assert result.items[1].span == (5, 6)
    assert result.signature == "mcq_extract|choices:varied|multi:yes|think:strip|version:1.0"


def test_without_multi_a_pair_is_no_answer() -> None:
    result = score_mcq(["A and C", "A"], ["A, C", "A"], [FOUR, FOUR], multi=False)
    assert [item.reason for item in result.items] == ["several", "whole_reply"]
    assert result.accuracy == 0.5
    assert result.signature == "mcq_extract|choices:ABCD|multi:no|think:strip|version:1.0"


def test_intervals_leave_skipped_items_out() -> None:
    result = score_mcq(
        ["A", "A", "A", "B"],
        ["A", "", "B", "B"],
        [FOUR] * 4,
        resampling=Resampling(100, 1, ["x", "y", "x", "z"]),
    )
    assert result.intervals["accuracy"].units == 2
    assert result.intervals["accuracy"].estimate == pytest.approx(2 / 3)
    assert score_mcq(["A"], [""], [FOUR], resampling=Resampling(10)).intervals == {}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([], [], []), "nothing to score"),
        ((["A"], ["A", "B"], [FOUR]), "1 predictions, but 2 references"),
        ((["A"], ["A"], []), "1 predictions, but 0 choices"),
        ((["A"], ["E"], [FOUR]), r"references\[0\]: \['E'\] not among the choices"),
        ((["A"], ["A"], [[]]), "not among the choices"),
        ((["A"], [""], [[]]), "choices need labels"),
    ],
)
def test_bad_input(arguments: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        score_mcq(*arguments)


@given(st.lists(st.sampled_from(FOUR), min_size=1), st.randoms(use_true_random=False))
def test_order_does_not_matter_and_gold_scores_1(golds: list[str], random: Any) -> None:
    assert score_mcq(golds, golds, [FOUR] * len(golds)).accuracy == 1
    replies = random.choices([*FOUR, "no idea"], k=len(golds))
    order = random.sample(range(len(golds)), len(golds))
    one = score_mcq(replies, golds, [FOUR] * len(golds)).accuracy
    other = score_mcq(
        [replies[i] for i in order], [golds[i] for i in order], [FOUR] * len(golds)
    ).accuracy
    assert one == other
