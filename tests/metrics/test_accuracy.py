"""What the accuracy metrics share: intervals clustered by image, through evaluate as well."""

from pathlib import Path

import evaluate
import pytest

from metrics.core.bootstrap import Resampling
from metrics.core.count_score import score_counts
from metrics.core.ocr_score import score_ocr
from metrics.core.truefalse_score import score_truefalse

ROOT = Path(__file__).resolve().parents[2]
REPLIES = ["true", "false", "true", "true", "false", "no"] * 5
TRUTHS = [True, True, False, True, False, False] * 5
IMAGES = [f"{index // 2}.jpg" for index in range(len(REPLIES))]


def test_no_intervals_unless_asked_for() -> None:
    assert score_truefalse(REPLIES, TRUTHS).intervals == {}


def test_intervals_hold_the_scores_and_draw_images() -> None:
    score = score_truefalse(REPLIES, TRUTHS, resampling=Resampling(200, 1, IMAGES))
    assert set(score.intervals) == {"true_accuracy", "false_accuracy", "average"}
    for name, interval in score.intervals.items():
        assert interval.estimate == pytest.approx(getattr(score, name))
        assert interval.low <= interval.estimate <= interval.high
        assert interval.units == len(set(IMAGES))


def test_scores_that_are_undefined_have_no_interval() -> None:
    score = score_truefalse(["true"] * 3, [True] * 3, resampling=Resampling(20))
    assert set(score.intervals) == {"true_accuracy"}
    counts = score_counts(["many"] * 3, [1, 2, 3], resampling=Resampling(20))
    assert set(counts.intervals) == {"accuracy"}


def test_estimates_equal_the_scores_of_the_other_metrics() -> None:
    counts = score_counts(["1", "3", "many"], [1, 2, 3], resampling=Resampling(50))
    assert counts.intervals["mean_absolute_error"].estimate == counts.mean_absolute_error
    texts = score_ocr(["foo", "Bar"], ["foo", "bar"], resampling=Resampling(50))
    for name in ("accuracy", "contained", "exact", "normalized", "character_error_rate"):
        assert texts.intervals[name].estimate == pytest.approx(getattr(texts, name))


def test_options_reach_the_core_through_evaluate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = evaluate.load("metrics/tf_accuracy").compute(
        predictions=REPLIES, references=TRUTHS, clusters=IMAGES, bootstrap=100, seed=3
    )
    expected = score_truefalse(REPLIES, TRUTHS, resampling=Resampling(100, 3, IMAGES))
    assert result["intervals"]["average"]["low"] == expected.intervals["average"].low
    assert result["intervals"]["average"]["units"] == len(set(IMAGES))
