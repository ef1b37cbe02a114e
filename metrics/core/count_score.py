"""Accuracy of counts as in the FlowLearn paper's Tables 4 and 10, with the mean absolute error."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .accuracy import Item, count_reasons
from .bootstrap import Floats, Interval, Resampling
from .count import read_count
from .count_words import Counted
from .items import require_items
from .reply import Mode
from .signature import signature

VERSION = "1.0"


@dataclass(frozen=True, slots=True)
class CountScore:
    """Accuracy of counts.

    Attributes:
        accuracy: Share of the replies with the right count, 0 to 1.
        mean_absolute_error: Mean distance from the right count, over the replies that give a
            count; `None` if none does.
        unanswered: Replies that give no count; they are wrong.
        reasons: How often each reason occurs.
        items: Every reply, in the order given.
        intervals: Bootstrap intervals by name of the score; empty unless asked for.
        signature: How the score was made.
    """

    accuracy: float
    mean_absolute_error: float | None
    unanswered: int
    reasons: dict[str, int]
    items: tuple[Item, ...]
    intervals: dict[str, Interval]
    signature: str


def _number(reference: int | str, index: int) -> int:
    text = str(reference).strip()
    if not (text.isascii() and text.isdigit()):
        raise ValueError(f"references[{index}]: expected a count, got {reference!r:.80}")
    return int(text)


def _accuracy(means: Floats) -> Floats:
    return means[:, 0]


def _mean_absolute_error(means: Floats) -> Floats:
    return means[:, 1] / means[:, 2]


def score_counts(
    predictions: Sequence[object],
    references: Sequence[int | str],
    *,
    mode: Mode = "paper",
    strip_think: bool = True,
    counted: Counted | None = None,
    resampling: Resampling | None = None,
) -> CountScore:
    """Score replies to counting questions.

    Args:
        predictions: The model's replies; what is no text counts as wrong.
        references: The right counts.
        mode: `paper`: the first number; `meaning`: what the reply says.
        strip_think: In paper mode, ignore `<think>` parts; meaning mode always does.
        counted: What was asked for, `nodes` or `arrows`, if all questions ask for the same.
        resampling: How to bootstrap, if at all.

    Raises:
        ValueError: No items, lists of different lengths, or a reference that is no count.

    >>> score_counts(["7", "There are five."], [7, 6]).mean_absolute_error
    0.5
    """
    require_items(predictions, references)
    golds = [_number(reference, index) for index, reference in enumerate(references)]
    answers = [
        read_count(reply, mode=mode, strip_think=strip_think, counted=counted)
        for reply in predictions
    ]
    items = tuple(
        Item(answer.value, answer.reason, answer.value == gold, answer.span)
        for answer, gold in zip(answers, golds, strict=True)
    )
    rows = np.array(
        [
            (
                answer.value == gold,
                0 if answer.value is None else abs(answer.value - gold),
                answer.value is not None,
            )
            for answer, gold in zip(answers, golds, strict=True)
        ],
        dtype=np.float64,
    )
    right, error, answered = rows.sum(axis=0)
    return CountScore(
        accuracy=float(right) / len(items),
        mean_absolute_error=float(error / answered) if answered else None,
        unanswered=len(items) - int(answered),
        reasons=count_reasons(items),
        items=items,
        intervals=(resampling or Resampling()).intervals(
            rows, {"accuracy": _accuracy, "mean_absolute_error": _mean_absolute_error}
        ),
        signature=signature(
            "count_accuracy",
            VERSION,
            {
                "mode": mode,
                "think": "strip" if strip_think or mode == "meaning" else "keep",
                "counted": counted if mode == "meaning" and counted else "any",
            },
        ),
    )
