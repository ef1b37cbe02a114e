"""Lines of a picture joined to labels, with an eye on what is drawn between them."""

from collections.abc import Iterable
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from metrics.core.text_lines import Label, TextLine, merge_lines
from vision.picture import Picture

Lines = Literal["merged", "raw"]

CONTRAST = 24
"""Difference of grey levels, of 255, that makes a pixel ink; pale borders have about 40."""

BORDER_SHARE = 0.75
"""Share of the common width that ink must cover in one row to be a border; rounded borders do
not cover all of it, letters never so much."""


def labels_of(
    lines: Iterable[TextLine], picture: Picture | None = None, mode: Lines = "merged"
) -> tuple[Label, ...]:
    """Return the labels that a picture shows.

    Args:
        lines: What an OCR engine read.
        picture: The picture, to see borders between stacked lines; without it, distance
            alone decides.
        mode: `merged` joins wrapped lines and drops noise; `raw` takes every line as it is,
            which is the literal formula of the reference-free paper (eq. 1).

    Raises:
        ValueError: No such mode.
    """
    if mode not in get_args(Lines):
        raise ValueError(f"lines must be one of {get_args(Lines)}, not {mode!r}")
    if mode == "raw":
        return tuple(Label(line.text, (line,)) for line in lines)
    if picture is None:
        return merge_lines(lines)
    grey = picture.pixels.astype(np.int16).mean(axis=2)
    return merge_lines(lines, lambda upper, lower: border_between(grey, upper, lower))


def border_between(grey: NDArray[np.floating], upper: TextLine, lower: TextLine) -> bool:
    """Tell whether a drawn line runs between two stacked lines of text.

    Args:
        grey: Grey levels, shape `(height, width)`.
        upper: The line that is read first.
        lower: The line below it, in its reading direction.
    """
    if upper.box is None or lower.box is None:
        return False
    (ax0, ay0, ax1, ay1), (bx0, by0, bx1, by1) = upper.box, lower.box
    if upper.direction == "right":
        middles, common = ((ay0 + ay1) / 2, (by0 + by1) / 2), (max(ax0, bx0), min(ax1, bx1))
    else:
        middles, common = ((ax0 + ax1) / 2, (bx0 + bx1) / 2), (max(ay0, by0), min(ay1, by1))
        grey = grey.T
    strip = grey[_span(min(middles), max(middles)), _span(*common)]
    if strip.size == 0:
        return False
    ink = np.abs(strip - np.median(strip)) > CONTRAST
    return bool((ink.mean(axis=1) >= BORDER_SHARE).any())


def _span(start: float, end: float) -> slice:
    return slice(max(0, round(start)), max(0, round(end)))
