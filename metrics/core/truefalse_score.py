"""Accuracy of true/false answers as in the FlowLearn paper's Tables 4 and 10."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .accuracy import Item, count_reasons
from .bootstrap import Floats, Interval, Resampling
from .items import require_items, share
from .reply import Mode
from .signature import signature
from .truefalse import read_truefalse

VERSION = "1.0"


@dataclass(frozen=True, slots=True)
class TrueFalseScore:
    """Accuracy of true/false answers.

    Attributes:
        true_accuracy: Share of the true statements answered "true"; `None` if there are none.
        false_accuracy: Share of the false statements answered "false"; `None` if there are none.
        average: Mean of the two; `None` unless there are statements of both kinds.
        true_statements: Number of true statements.
        false_statements: Number of false statements.
        both: Replies that say both and settle on neither.
        none: Replies without any verdict.
        reasons: How often each reason occurs.
        items: Every reply, in the order given.
        intervals: Bootstrap intervals by name of the score; empty unless asked for.
        signature: How the score was made.
    """

    true_accuracy: float | None
    false_accuracy: float | None
    average: float | None
    true_statements: int
    false_statements: int
    both: int
    none: int
    reasons: dict[str, int]
    items: tuple[Item, ...]
    intervals: dict[str, Interval]
    signature: str


def _truth(reference: str | bool, index: int) -> bool:
    if isinstance(reference, bool):
        return reference
    word = reference.strip().lower()
    if word not in {"true", "false"}:
        raise ValueError(f"references[{index}]: expected true or false, got {reference!r:.80}")
    return word == "true"


def _true(means: Floats) -> Floats:
    return means[:, 0] / means[:, 1]


def _false(means: Floats) -> Floats:
    return means[:, 2] / means[:, 3]


def _average(means: Floats) -> Floats:
    return (_true(means) + _false(means)) / 2


def score_truefalse(
    predictions: Sequence[object],
    references: Sequence[str | bool],
    *,
    mode: Mode = "paper",
    strip_think: bool = False,
    resampling: Resampling | None = None,
) -> TrueFalseScore:
    """Score replies to true/false questions.

    Args:
        predictions: The model's replies; what is no text counts as wrong.
        references: The right answers, `True`/`False` or these words.
        mode: `paper`: the token rule; `meaning`: what the reply says.
        strip_think: In paper mode, ignore `<think>` parts; meaning mode always does.
        resampling: How to bootstrap, if at all.

    Raises:
        ValueError: No items, lists of different lengths, or a reference that is no truth value.

    >>> score_truefalse(["true", "It is false."], [True, True]).true_accuracy
    0.5
    """
    require_items(predictions, references)
    truths = [_truth(reference, index) for index, reference in enumerate(references)]
    answers = [read_truefalse(reply, mode=mode, strip_think=strip_think) for reply in predictions]
    items = tuple(
        Item(answer.value, answer.reason, answer.value is truth, answer.span)
        for answer, truth in zip(answers, truths, strict=True)
    )
    rows = np.array(
        [
            (item.correct and truth, truth, item.correct and not truth, not truth)
            for item, truth in zip(items, truths, strict=True)
        ],
        dtype=np.float64,
    )
    true_right, true_count, false_right, false_count = (int(total) for total in rows.sum(axis=0))
    true_accuracy = share(true_right, true_count)
    false_accuracy = share(false_right, false_count)
    average = None
    if true_accuracy is not None and false_accuracy is not None:
        average = (true_accuracy + false_accuracy) / 2
    both = sum(item.reason == "both" for item in items)
    return TrueFalseScore(
        true_accuracy=true_accuracy,
        false_accuracy=false_accuracy,
        average=average,
        true_statements=true_count,
        false_statements=false_count,
        both=both,
        none=sum(item.value is None for item in items) - both,
        reasons=count_reasons(items),
        items=items,
        intervals=(resampling or Resampling()).intervals(
            rows,
            {"true_accuracy": _true, "false_accuracy": _false, "average": _average},
        ),
        signature=signature(
            "tf_accuracy",
            VERSION,
            {"mode": mode, "think": "strip" if strip_think or mode == "meaning" else "keep"},
        ),
    )
