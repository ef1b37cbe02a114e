"""Lines of a picture joined to labels, with an eye on what is drawn between them."""

from collections.abc import Iterable
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from metrics.core.text_lines import Box, Label, TextLine, merge_lines
from vision.picture import Picture, Pixels

Lines = Literal["merged", "raw"]

SAME_GROUND = 8
"""Difference of a channel, of 255, within one ground: what JPEG adds. The pale grounds of link
labels differ from the page by 18, borders by more."""


def labels_of(
    lines: Iterable[TextLine], picture: Picture | None = None, mode: Lines = "merged"
) -> tuple[Label, ...]:
    """Return the labels that a picture shows.

    Args:
        lines: What an OCR engine read.
        picture: The picture, to see what is drawn between stacked lines; without it, distance
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
    return merge_lines(lines, lambda upper, lower: are_apart(picture.pixels, upper, lower))


def are_apart(pixels: Pixels, upper: TextLine, lower: TextLine) -> bool:
    """Tell whether two stacked lines of text stand on different grounds.

    Lines of one label share a ground: one can go from line to line without leaving its colour.
    A border between them, straight or wavy, stops that, and so does the page between the grounds
    of two link labels.

    Args:
        pixels: The picture, shape `(height, width, 3)`.
        upper: The line that is read first.
        lower: The line below it, in its reading direction.
    """
    import cv2

    if upper.box is None or lower.box is None:
        return False
    (ax0, ay0, ax1, ay1), (bx0, by0, bx1, by1) = upper.box, lower.box
    if upper.direction == "right":
        middles, common = ((ay0 + ay1) / 2, (by0 + by1) / 2), (max(ax0, bx0), min(ax1, bx1))
    else:
        middles, common = ((ax0 + ax1) / 2, (bx0 + bx1) / 2), (max(ay0, by0), min(ay1, by1))
    grounds = [_ground(pixels, line.box) for line in (upper, lower) if line.box]
    if np.abs(grounds[0] - grounds[1]).max() > 2 * SAME_GROUND:
        return True
    if upper.direction != "right":
        pixels = pixels.transpose(1, 0, 2)
    strip = pixels[_span(min(middles), max(middles)), _span(*common)].astype(np.int16)
    if strip.size == 0:
        return False
    same = np.minimum(*(np.abs(strip - ground).max(axis=2) for ground in grounds)) <= SAME_GROUND
    _, areas = cv2.connectedComponents(same.astype(np.uint8), connectivity=4)
    first, last = (set(row[row > 0].tolist()) for row in (areas[0], areas[-1]))
    return not first & last


def _ground(pixels: Pixels, box: Box) -> NDArray[np.int16]:
    # Letters cover less than half of their box.
    x0, y0, x1, y1 = box
    inside = pixels[_span(y0, y1), _span(x0, x1)].reshape(-1, 3)
    return np.median(inside, axis=0).astype(np.int16) if inside.size else np.zeros(3, np.int16)


def _span(start: float, end: float) -> slice:
    return slice(max(0, round(start)), max(0, round(end)))
