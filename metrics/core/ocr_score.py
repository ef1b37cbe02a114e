"""Accuracy of reading a text in a picture, by the FlowLearn paper's rule and by stricter ones."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .accuracy import Item, count_reasons
from .bootstrap import Floats, Interval, Resampling
from .items import require_items
from .ocr_text import compare_text, find_reference, read_text
from .reply import Mode
from .signature import signature

VERSION = "1.0"


@dataclass(frozen=True, slots=True)
class OcrItem(Item):
    """One scored reply.

    Attributes:
        value: The text that the reply claims to read, without thoughts, announcement and quotes;
            `None` where there is none.
        span: Where it stands; in paper mode, where the right text occurs in the reply.
        correct: By the mode's rule: `contained` in paper mode, `normalized` in meaning mode.
        contained: The right text occurs in the whole reply.
        exact: The claimed text is the right one.
        normalized: It is so but for case, white space, Unicode form, punctuation at the ends.
        character_error_rate: Edits by the length of the right text; may exceed 1.
    """

    contained: bool
    exact: bool
    normalized: bool
    character_error_rate: float


@dataclass(frozen=True, slots=True)
class OcrScore:
    """Accuracy of reading a text.

    Attributes:
        accuracy: Share of the replies that are right by the mode's rule, 0 to 1.
        contained: Share of the replies in which the right text occurs (the paper's figure).
        exact: Share of the claimed texts that are the right one.
        normalized: Share that are so but for case, white space, form and outer punctuation.
        character_error_rate: All edits by all characters of the right texts; may exceed 1.
        unanswered: Replies that claim no text; they are wrong.
        reasons: How often each reason occurs.
        items: Every reply, in the order given.
        intervals: Bootstrap intervals by name of the score; empty unless asked for.
        signature: How the score was made.
    """

    accuracy: float
    contained: float
    exact: float
    normalized: float
    character_error_rate: float
    unanswered: int
    reasons: dict[str, int]
    items: tuple[OcrItem, ...]
    intervals: dict[str, Interval]
    signature: str


def _item(reply: object, reference: str, mode: Mode) -> OcrItem:
    answer = read_text(reply, mode="meaning")
    found = find_reference(reply, reference)
    match = compare_text(answer.value, reference)
    return OcrItem(
        value=answer.value,
        reason=answer.reason,
        correct=found is not None if mode == "paper" else match.normalized,
        span=found if mode == "paper" else answer.span,
        contained=found is not None,
        exact=match.exact,
        normalized=match.normalized,
        character_error_rate=match.edits / match.length,
    )


def _contained(means: Floats) -> Floats:
    return means[:, 0]


def _exact(means: Floats) -> Floats:
    return means[:, 1]


def _normalized(means: Floats) -> Floats:
    return means[:, 2]


def _character_error_rate(means: Floats) -> Floats:
    return means[:, 3] / means[:, 4]


def score_ocr(
    predictions: Sequence[object],
    references: Sequence[str],
    *,
    mode: Mode = "paper",
    resampling: Resampling | None = None,
) -> OcrScore:
    """Score replies that read a text in a picture.

    Args:
        predictions: The model's replies; what is no text counts as wrong.
        references: The right texts.
        mode: `paper`: right if the right text occurs in the reply, case-sensitive; `meaning`: right
            if the text that the reply claims to read is the right one, normalized. Both are
            reported in either mode.
        resampling: How to bootstrap, if at all.

    Raises:
        ValueError: No items, lists of different lengths, or an empty reference.

    >>> score = score_ocr(["The text is foo bar.", "fo bar"], ["foo bar", "foo bar"])
    >>> score.contained, round(score.character_error_rate, 3)
    (0.5, 0.071)
    """
    require_items(predictions, references)
    if empty := [index for index, text in enumerate(references) if not text.strip()]:
        raise ValueError(f"references[{empty[0]}]: expected a text, got an empty one")
    items = tuple(
        _item(reply, reference, mode)
        for reply, reference in zip(predictions, references, strict=True)
    )
    lengths = [len(reference) for reference in references]
    rows = np.array(
        [
            (
                item.contained,
                item.exact,
                item.normalized,
                round(item.character_error_rate * length),
                length,
            )
            for item, length in zip(items, lengths, strict=True)
        ],
        dtype=np.float64,
    )
    contained, exact, normalized, edits, length = (int(total) for total in rows.sum(axis=0))
    return OcrScore(
        accuracy=(contained if mode == "paper" else normalized) / len(items),
        contained=contained / len(items),
        exact=exact / len(items),
        normalized=normalized / len(items),
        character_error_rate=edits / length,
        unanswered=sum(item.value is None for item in items),
        reasons=count_reasons(items),
        items=items,
        intervals=(resampling or Resampling()).intervals(
            rows,
            {
                "accuracy": _contained if mode == "paper" else _normalized,
                "contained": _contained,
                "exact": _exact,
                "normalized": _normalized,
                "character_error_rate": _character_error_rate,
            },
        ),
        signature=signature("ocr_accuracy", VERSION, {"mode": mode}),
    )
