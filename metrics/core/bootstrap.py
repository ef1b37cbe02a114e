"""Bootstrap intervals and paired differences, seeded, from per-item sufficient statistics.

Nothing is scored again: each item keeps a row of numbers (right or wrong; or tp, fp, fn), a
resample draws items or whole clusters of items, and the statistic is a function of the mean rows.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Statistic = Callable[[Floats], Floats]

_BLOCK = 4_000_000  # draws held in memory at once


@dataclass(frozen=True, slots=True)
class Interval:
    """A percentile bootstrap interval.

    Attributes:
        estimate: The statistic of all items.
        low: Lower end of the interval.
        high: Upper end of the interval.
        level: Share of resamples inside, e.g. 0.95.
        resamples: Resamples in which the statistic is defined.
        seed: Seed of the draws.
        units: Number of things drawn from: clusters, or items where there are none.
    """

    estimate: float
    low: float
    high: float
    level: float
    resamples: int
    seed: int
    units: int


@dataclass(frozen=True, slots=True)
class Difference(Interval):
    """A paired difference of two systems on the same items, first minus second.

    Attributes:
        p_value: Two-sided: how often the centred resampled difference is as far from zero as the
            observed one, `(count + 1) / (resamples + 1)` (Koehn 2004, as sacrebleu counts it).
    """

    p_value: float


def column_mean(means: Floats) -> Floats:
    """Return the plain mean: the statistic of items that carry one number each."""
    return means[..., 0]


def _matrix(values: ArrayLike, name: str) -> Floats:
    matrix = np.asarray(values, dtype=np.float64)
    if matrix.ndim not in (1, 2) or len(matrix) == 0:
        raise ValueError(f"{name}: expected a non-empty list of numbers or of rows of numbers")
    if not np.isfinite(matrix).all():
        raise ValueError(f"{name}: numbers must be finite; leave undefined items out")
    return matrix.reshape(len(matrix), -1)


def _cluster_sums(matrix: Floats, clusters: Sequence[Hashable] | None) -> Floats:
    """Return one row a cluster: sums of its items' rows, and its number of items last."""
    rows = np.column_stack([matrix, np.ones(len(matrix))])
    if clusters is None:
        return rows
    if len(clusters) != len(matrix):
        raise ValueError(f"clusters: expected one for each of {len(matrix)}, got {len(clusters)}")
    codes: dict[Hashable, int] = {}
    index = np.array([codes.setdefault(cluster, len(codes)) for cluster in clusters])
    sums = np.zeros((len(codes), rows.shape[1]))
    np.add.at(sums, index, rows)
    return sums


def _means(sums: Floats) -> Floats:
    means: Floats = sums[..., :-1] / sums[..., -1:]
    return means


def _resampled_means(units: Floats, resamples: int, seed: int) -> Iterator[Floats]:
    """Yield blocks of mean rows, shape (block, columns), `resamples` rows in all."""
    generator = np.random.default_rng(seed)
    count = len(units)
    block = max(1, _BLOCK // count)
    for start in range(0, resamples, block):
        size = min(block, resamples - start)
        draws = generator.integers(count, size=(size, count))
        draws += count * np.arange(size)[:, None]
        weights = np.bincount(draws.ravel(), minlength=size * count).reshape(size, count)
        yield _means(weights @ units)


def _check(resamples: int, level: float) -> None:
    if resamples < 1:
        raise ValueError(f"resamples: expected at least 1, got {resamples}")
    if not 0 < level < 1:
        raise ValueError(f"level: expected a number between 0 and 1, got {level}")


def _ends(samples: Floats, level: float) -> tuple[float, float]:
    if not len(samples):
        raise ValueError("the statistic is undefined in every resample")
    low, high = np.quantile(samples, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def interval(
    values: ArrayLike,
    *,
    statistic: Statistic = column_mean,
    clusters: Sequence[Hashable] | None = None,
    resamples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> Interval:
    """Return the percentile bootstrap interval of a statistic of per-item numbers.

    Args:
        values: One number an item, or one row of numbers an item (e.g. tp, fp, fn).
        statistic: Function of the mean rows, shape (resamples, columns) to (resamples,); the mean
            of the first column by default. Ratios of sums are ratios of means. Resamples in which
            it gives NaN are left out.
        clusters: One key an item; whole clusters are drawn, e.g. the image of each question.
        resamples: How many times to draw.
        level: Share of the resamples inside the interval.
        seed: Seed of the draws; the same seed gives the same interval.

    Raises:
        ValueError: No values, numbers that are not finite, or lengths that differ.

    >>> result = interval([1, 0, 1, 1], seed=1)
    >>> (result.estimate, result.low, result.high)
    (0.75, 0.25, 1.0)
    """
    _check(resamples, level)
    units = _cluster_sums(_matrix(values, "values"), clusters)
    with np.errstate(divide="ignore", invalid="ignore"):
        estimate = float(statistic(_means(units.sum(axis=0, keepdims=True)))[0])
        drawn = [statistic(means) for means in _resampled_means(units, resamples, seed)]
    samples = np.concatenate(drawn)
    samples = samples[np.isfinite(samples)]
    low, high = _ends(samples, level)
    return Interval(estimate, low, high, level, len(samples), seed, len(units))


def paired_difference(
    first: ArrayLike,
    second: ArrayLike,
    *,
    statistic: Statistic = column_mean,
    clusters: Sequence[Hashable] | None = None,
    resamples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> Difference:
    """Return the paired bootstrap difference of two systems scored on the same items.

    Both systems are resampled with the same draws, so that what items have in common cancels out.

    Args:
        first: Per-item numbers or rows of the first system.
        second: Those of the second system, same items in the same order.
        statistic: As for `interval`.
        clusters: As for `interval`.
        resamples: How many times to draw.
        level: Share of the resamples inside the interval.
        seed: Seed of the draws.

    Raises:
        ValueError: As for `interval`; or the two systems differ in shape.

    >>> paired_difference([1, 1, 1, 0], [0, 1, 0, 0]).estimate
    0.5
    """
    _check(resamples, level)
    a, b = _matrix(first, "first"), _matrix(second, "second")
    if a.shape != b.shape:
        raise ValueError(f"expected the same items for both systems, got {len(a)} and {len(b)}")
    units = _cluster_sums(np.hstack([a, b]), clusters)
    width = a.shape[1]

    def difference(means: Floats) -> Floats:
        return statistic(means[:, :width]) - statistic(means[:, width:])

    with np.errstate(divide="ignore", invalid="ignore"):
        estimate = float(difference(_means(units.sum(axis=0, keepdims=True)))[0])
        drawn = [difference(means) for means in _resampled_means(units, resamples, seed)]
    samples = np.concatenate(drawn)
    samples = samples[np.isfinite(samples)]
    low, high = _ends(samples, level)
    # Rounding must not let a difference that equals the observed one count as smaller.
    extreme = np.abs(samples - samples.mean()) >= abs(estimate) - 1e-12
    p_value = (int(extreme.sum()) + 1) / (len(samples) + 1)
    return Difference(estimate, low, high, level, len(samples), seed, len(units), p_value)


@dataclass(frozen=True, slots=True)
class Resampling:
    """How to bootstrap, and whether.

    Attributes:
        resamples: How many times to draw; 0 for no intervals.
        seed: Seed of the draws.
        clusters: One key an item, e.g. its image: whole clusters are drawn.
    """

    resamples: int = 0
    seed: int = 0
    clusters: Sequence[Hashable] | None = None

    def intervals(self, rows: Floats, statistics: dict[str, Statistic]) -> dict[str, Interval]:
        """Return an interval for each statistic of the items' rows that is defined."""
        if self.resamples == 0:
            return {}
        with np.errstate(divide="ignore", invalid="ignore"):
            defined = {
                name: statistic
                for name, statistic in statistics.items()
                if np.isfinite(statistic(rows.mean(axis=0, keepdims=True)))[0]
            }
        return {
            name: interval(
                rows,
                statistic=statistic,
                clusters=self.clusters,
                resamples=self.resamples,
                seed=self.seed,
            )
            for name, statistic in defined.items()
        }
