"""What every metric does with its items."""

from collections.abc import Sequence


def require_items(predictions: Sequence[object], references: Sequence[object]) -> None:
    """Refuse to score nothing, or lists of different lengths.

    Raises:
        ValueError: There is no item, or a list is longer than the other.
    """
    if len(predictions) != len(references):
        raise ValueError(f"{len(predictions)} predictions, but {len(references)} references")
    if not predictions:
        raise ValueError("nothing to score: there are no predictions")


def share(count: int, total: int) -> float | None:
    """Return `count / total`; `None` of nothing."""
    return count / total if total else None
