"""What the accuracy metrics share: scored items and counts of reasons."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

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


def count_reasons(items: Iterable[Item]) -> dict[str, int]:
    """Return how often each reason occurs, the most frequent first."""
    return dict(Counter(item.reason for item in items).most_common())
