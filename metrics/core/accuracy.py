"""What the accuracy metrics share: scored items, counts of reasons, bootstrap intervals."""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from .bootstrap import Floats, Interval, Statistic, interval
from .reply import Span


@dataclass(frozen=True, slots=True)
class Item:
    """One scored reply.

    Attributes:
        value: The answer that was read; `None` where there is none.
        reason: How it was read, or why there is none.
        correct: Whether it is the reference's answer.
        span: Where in the reply the answer stands; `None` where nothing decided.
    """

    value: bool | int | str | None
    reason: str
    correct: bool
    span: Span | None


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


def require_items(predictions: Sequence[object], references: Sequence[object]) -> None:
    """Refuse to score nothing, or lists of different lengths.

    Raises:
        ValueError: There is no item, or a list is longer than the other.
    """
    if len(predictions) != len(references):
        raise ValueError(f"{len(predictions)} predictions, but {len(references)} references")
    if not predictions:
        raise ValueError("nothing to score: there are no predictions")


def count_reasons(items: Iterable[Item]) -> dict[str, int]:
    """Return how often each reason occurs, the most frequent first."""
    return dict(Counter(item.reason for item in items).most_common())


def share(count: int, total: int) -> float | None:
    """Return `count / total`; `None` of nothing."""
    return count / total if total else None
