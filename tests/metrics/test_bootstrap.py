"""Bootstrap: bounds, seeds, clusters, and agreement with scipy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from metrics.core.bootstrap import Floats, interval, paired_difference

RIGHT = np.random.default_rng(7).random(300) < 0.7
COUNTS = np.random.default_rng(8).integers(0, 6, size=(200, 3)).astype(float)


def micro_f1(means: Floats) -> Floats:
    tp, fp, fn = means[:, 0], means[:, 1], means[:, 2]
    return 2 * tp / (2 * tp + fp + fn)


def test_mean_agrees_with_scipy() -> None:
    ours = interval(RIGHT, resamples=9999)
    theirs = stats.bootstrap(
        (RIGHT,), np.mean, method="percentile", n_resamples=9999, rng=np.random.default_rng(1)
    ).confidence_interval
    assert ours.estimate == pytest.approx(RIGHT.mean())
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.01)


def test_ratio_of_sums_agrees_with_scipy() -> None:
    def along(*columns: np.ndarray, axis: int = -1) -> np.ndarray:
        return micro_f1(np.stack([column.mean(axis) for column in columns], axis=-1).reshape(-1, 3))

    ours = interval(COUNTS, statistic=micro_f1, resamples=5000)
    theirs = stats.bootstrap(
        tuple(COUNTS.T),
        along,
        paired=True,
        vectorized=True,
        method="percentile",
        n_resamples=5000,
        rng=np.random.default_rng(1),
    ).confidence_interval
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.01)


def test_clusters_are_drawn_whole() -> None:
    repeated = np.repeat(RIGHT, 5)
    image = np.repeat(np.arange(len(RIGHT)), 5).tolist()
    clustered = interval(repeated, clusters=image)
    single = interval(RIGHT)
    assert (clustered.low, clustered.high) == (single.low, single.high)
    assert clustered.units == len(RIGHT)
    plain = interval(repeated)
    assert plain.high - plain.low < clustered.high - clustered.low


def test_clusters_of_different_sizes_weigh_by_items() -> None:
    result = interval([1, 1, 1, 0], clusters=["a", "a", "a", "b"], resamples=2000)
    assert result.estimate == 0.75
    assert (result.low, result.high) == (0.0, 1.0)


def test_blocks_do_not_change_the_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = interval(RIGHT, resamples=100)
    monkeypatch.setattr("metrics.core.bootstrap._BLOCK", 1000)
    assert interval(RIGHT, resamples=100) == whole


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.integers(0, 5))
@settings(max_examples=50, deadline=None)
def test_interval_is_seeded_and_bounded(values: list[float], seed: int) -> None:
    result = interval(values, seed=seed, resamples=50)
    assert result == interval(values, seed=seed, resamples=50)
    assert min(values) - 1e-9 <= result.low <= result.high <= max(values) + 1e-9


def test_undefined_resamples_are_left_out() -> None:
    def recall(means: Floats) -> Floats:
        return means[:, 0] / means[:, 1]

    result = interval([[1, 1], [0, 0], [0, 0]], statistic=recall, resamples=1000)
    assert result.estimate == result.low == result.high == 1
    assert 600 < result.resamples < 800


def test_paired_difference_uses_the_pairing() -> None:
    base = np.random.default_rng(3).normal(size=200)
    better = base + 0.1
    result = paired_difference(better, base)
    assert result.estimate == pytest.approx(0.1)
    assert result.low == pytest.approx(0.1)
    assert result.p_value == pytest.approx(1 / 1001)


def test_paired_difference_agrees_with_scipy() -> None:
    first, second = RIGHT[:150].astype(float), RIGHT[150:].astype(float)
    ours = paired_difference(first, second, resamples=9999)
    theirs = stats.bootstrap(
        (first, second),
        lambda a, b, axis=-1: a.mean(axis) - b.mean(axis),
        paired=True,
        method="percentile",
        n_resamples=9999,
        rng=np.random.default_rng(1),
    ).confidence_interval
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.01)


def test_equal_systems_do_not_differ() -> None:
    result = paired_difference(RIGHT, RIGHT)
    assert (result.estimate, result.low, result.high, result.p_value) == (0, 0, 0, 1)


@pytest.mark.parametrize(
    ("values", "options", "message"),
    [
        ([], {}, "non-empty"),
        ([1.0, float("nan")], {}, "finite"),
        ([1.0], {"clusters": ["a", "b"]}, "one for each of 1, got 2"),
        ([1.0], {"resamples": 0}, "at least 1"),
        ([1.0], {"level": 95}, "between 0 and 1"),
        ([[0.0, 0.0]], {"statistic": lambda means: means[:, 0] / means[:, 1]}, "undefined"),
    ],
)
def test_bad_input_is_named(values: list[float], options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        interval(values, **options)  # type: ignore[arg-type]


def test_systems_must_share_items() -> None:
    with pytest.raises(ValueError, match="got 2 and 3"):
        paired_difference([1, 0], [1, 0, 1])
