"""Accuracy of replies to multiple-choice questions, as LogicVista scores them (section 4)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .accuracy import Item, count_reasons
from .bootstrap import Interval, Resampling, column_mean
from .items import require_items
from .mcq import Choices, Extraction, extract
from .reply import Span
from .signature import signature

VERSION = "1.0"


@dataclass(frozen=True, slots=True)
class McqItem:
    """One scored reply.

    Attributes:
        letters: The labels read from the reply.
        reason: The rule that read them, or why there are none.
        span: Offsets in the reply of what decided; None where nothing did.
        correct: Whether they are the reference's labels, in any order; None if the item has no
            reference and is not scored.
    """

    letters: tuple[str, ...]
    reason: str
    span: Span | None
    correct: bool | None


@dataclass(frozen=True, slots=True)
class McqScore:
    """Accuracy on multiple-choice questions.

    Attributes:
        accuracy: Share of the scored items answered with exactly the reference's labels; None if
            no item can be scored.
        n: Number of scored items.
        skipped: Indices of the items without a reference: no reply can be right there, not even
            a blank one.
        reasons: How often each reason decided, over the scored items.
        items: Every reply, in the order given.
        intervals: Bootstrap interval of the accuracy; empty unless asked for.
        signature: How the score was made.
    """

    accuracy: float | None
    n: int
    skipped: tuple[int, ...]
    reasons: dict[str, int]
    items: tuple[McqItem, ...]
    intervals: dict[str, Interval]
    signature: str


def gold_labels(reference: str | Sequence[str], choices: Choices, index: int = 0) -> frozenset[str]:
    """Return the labels of a reference: `["B", "D"]`, `"B, D"`, `"B and D"`, `"B"`; `""` is none.

    Raises:
        ValueError: It names something that is not among the choices.

    >>> sorted(gold_labels("D, B", "A B C D".split()))
    ['B', 'D']
    """
    parts = re.split(r"[\s,;&/]+|\band\b", reference) if isinstance(reference, str) else reference
    named = {str(part).strip().upper() for part in parts} - {""}
    allowed = {str(label).strip().upper() for label in choices}
    if not named <= allowed:
        raise ValueError(
            f"references[{index}]: {sorted(named - allowed)} not among the choices {list(choices)}"
        )
    return frozenset(named)


def _labels_used(choices: Sequence[Choices]) -> str:
    """Return the choices for the signature: the labels where all items share them."""
    sets = {"".join(str(label) for label in one) for one in choices}
    return sets.pop() if len(sets) == 1 else "varied"


def score_mcq(
    predictions: Sequence[object],
    references: Sequence[str | Sequence[str]],
    choices: Sequence[Choices],
    *,
    multi: bool = True,
    resampling: Resampling | None = None,
) -> McqScore:
    """Score replies to multiple-choice questions.

    Args:
        predictions: The model's replies; what is no text counts as wrong.
        references: The right labels; an item with none (`""`, `[]`) is skipped.
        choices: For each item the allowed labels, or `{label: text of the option}`.
        multi: Whether a reply may name several labels; if not, such a reply has no answer, reason
            `several`.
        resampling: How to bootstrap, if at all.

    Raises:
        ValueError: No items, lists of different lengths, choices without labels, or a reference
            that is not among the choices.

    >>> result = score_mcq(["It's C.", "A or B?"], ["C", "A"], ["A B C".split()] * 2)
    >>> result.accuracy, result.reasons
    (0.5, {'choice_phrase': 1, 'hedged': 1})
    """
    require_items(predictions, references)
    if len(choices) != len(predictions):
        raise ValueError(f"{len(predictions)} predictions, but {len(choices)} choices")
    gold = [
        gold_labels(reference, options, index)
        for index, (reference, options) in enumerate(zip(references, choices, strict=True))
    ]
    read = [
        _several(extract(reply, options), multi)
        for reply, options in zip(predictions, choices, strict=True)
    ]
    items = tuple(
        McqItem(
            one.letters,
            one.reason,
            one.span,
            {letter.upper() for letter in one.letters} == labels if labels else None,
        )
        for one, labels in zip(read, gold, strict=True)
    )
    scored = [index for index, labels in enumerate(gold) if labels]
    right = [float(bool(items[index].correct)) for index in scored]
    bootstrap = resampling or Resampling()
    if bootstrap.clusters is not None:
        kept = [bootstrap.clusters[index] for index in scored]
        bootstrap = Resampling(bootstrap.resamples, bootstrap.seed, kept)
    return McqScore(
        accuracy=sum(right) / len(right) if right else None,
        n=len(scored),
        skipped=tuple(index for index, labels in enumerate(gold) if not labels),
        reasons=count_reasons(
            Item("".join(items[index].letters), items[index].reason, False, None)
            for index in scored
        ),
        items=items,
        intervals=bootstrap.intervals(np.array(right)[:, None], {"accuracy": column_mean})
        if right
        else {},
        signature=signature(
            "mcq_extract",
            VERSION,
            {"choices": _labels_used(choices), "multi": multi, "think": "strip"},
        ),
    )


def _several(read: Extraction, multi: bool) -> Extraction:
    if multi or len(read.letters) < 2:
        return read
    return Extraction((), "several", read.span)
