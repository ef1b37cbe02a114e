"""Where text can be in a picture: rows that hold marks of the size of letters.

Charts are mostly empty, and most of what is drawn is no text but borders and lines. Leaving the
rows without letters out saves most of the detector's time, and cuts large pictures where no
text is cut.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, permutations

import numpy as np
from numpy.typing import NDArray

from metrics.core.text_lines import bounding_box, rectangle
from vision.picture import Pixels, Polygon

Band = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Word:
    """A place where text seems to be that was not detected, or not as a whole.

    Attributes:
        polygon: The place.
        parts: Indices of the detected polygons that are parts of it.
    """

    polygon: Polygon
    parts: tuple[int, ...] = ()


MAX_BREAK = 0.6
"""Most distance, in heights of the text with its margins, of two parts of one word."""

MAX_SHIFT = 0.3
"""Most difference, likewise, of their upper or lower ends."""

STROKE_CONTRAST = 50
"""Least difference of grey levels, of 255, between a stroke and its ground."""


def letter_boxes(pixels: Pixels, text_height: float) -> NDArray[np.int64]:
    """Find marks of the size of letters.

    Args:
        pixels: Picture, shape `(height, width, 3)`.
        text_height: Height of a line of text with its margins, in pixels.

    Returns:
        Rows of `(x, y, width, height)`.
    """
    import cv2

    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    # Strokes are details darker or lighter than what surrounds them; edges of areas are none.
    size = max(3, round(0.3 * text_height))
    around = np.ones((size, size), np.uint8)
    boxes = []
    for kind in (cv2.MORPH_BLACKHAT, cv2.MORPH_TOPHAT):
        marks = (cv2.morphologyEx(grey, kind, around) > STROKE_CONTRAST).astype(np.uint8)
        _, _, stats, _ = cv2.connectedComponentsWithStats(marks, connectivity=8)
        boxes.append(stats[1:, :4].astype(np.int64))
    found = np.concatenate(boxes)
    smaller, larger = found[:, 2:].min(axis=1), found[:, 2:].max(axis=1)
    # Connected scripts make wide marks, so that only the smaller side is bounded above;
    # a drawn line is thinner, a border is larger on both sides.
    letter = (smaller <= 1.5 * text_height) & (larger >= 0.2 * text_height) & (smaller >= 2)
    thin = (larger > 3 * text_height) & (smaller < 0.2 * text_height)
    return np.asarray(found[letter & ~thin])


def text_bands(pixels: Pixels, text_height: float) -> list[Band]:
    """Find the rows that hold marks of the size of letters.

    Args:
        pixels: Picture, shape `(height, width, 3)`.
        text_height: Height of a line of text with its margins, in pixels.

    Returns:
        Bands `(first row, row after the last)` with a margin, ascending and disjoint.
    """
    rows = np.zeros(pixels.shape[0], dtype=bool)
    margin = round(text_height)
    for _, first, _, extent in letter_boxes(pixels, text_height).tolist():
        rows[max(0, first - margin) : first + extent + margin] = True
    return runs(rows)


def overlooked_words(pixels: Pixels, found: Sequence[Polygon], text_height: float) -> list[Word]:
    """Find rows of letters that the detected texts leave out.

    Detectors overlook short words on lines (`Yes` and `No` on the links of a flowchart), and
    words or letters in the midst of a line, which are easy to see once the size of the text is
    known.

    Args:
        pixels: Picture, shape `(height, width, 3)`.
        found: Polygons of the detected texts.
        text_height: Their height with margins, in pixels.

    Returns:
        Words of two letters or more, single letters with room for a neighbour that touches a
        line, and lines that were detected in parts; arrow heads may be among them.
    """
    import cv2

    mask = np.zeros(pixels.shape[:2], np.uint8)
    reach = max(1, round(0.15 * text_height))
    for x, y, width, height in letter_boxes(pixels, text_height).tolist():
        if 0.2 * text_height <= height <= text_height and width <= 1.5 * text_height:
            mask[y : y + height, max(0, x - reach) : x + width + reach] = 1
    covered = np.zeros(mask.shape, np.int32)
    for number, polygon in enumerate(found, start=1):
        cv2.fillConvexPoly(covered, np.array(polygon, dtype=np.int32), number)
    _, parts, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
    words = []
    for number, (x, y, width, height, _) in enumerate(stats.tolist()):
        if number == 0 or height < 0.3 * text_height:
            continue
        window = np.s_[y : y + height, x : x + width]
        under = np.where(parts[window] == number, covered[window], 0)
        touched = np.unique(under[under > 0]) - 1
        if touched.size:
            # A letter that sticks out a little was read; a wider part was not.
            if np.count_nonzero(~under.any(axis=0)) >= 0.4 * text_height:
                left, top, right, bottom = bounding_box(chain(*(found[i] for i in touched)))
                # Letters continue a line sideways; what sticks out above is an arrow head.
                place = rectangle(min(x, left), top, max(x + width, right), bottom)
                words.append(Word(place, tuple(touched.tolist())))
        elif width >= height:
            single = width - 2 * reach < 0.5 * text_height
            margin = (0.6 if single else 0.1) * text_height
            left, top = max(0.0, x - margin), max(0.0, y - 0.2 * text_height)
            right, bottom = x + width + margin, y + height + 0.2 * text_height
            if not (single and covered[y : y + height, int(left) : round(right)].any()):
                words.append(Word(rectangle(left, top, right, bottom)))
    return words


def broken_words(found: Sequence[Polygon], text_height: float) -> list[Word]:
    """Find neighbours on one row that stand closer than words do.

    Detectors break long words in pictures with small text, and lose a letter there.

    Args:
        found: Polygons of the detected texts.
        text_height: Their height with margins, in pixels.

    Returns:
        The places of both parts together.
    """
    boxes = [bounding_box(polygon) for polygon in found]
    words = []
    for (i, one), (j, other) in permutations(enumerate(boxes), 2):
        gap = other[0] - one[2]
        shift = max(abs(one[1] - other[1]), abs(one[3] - other[3]))
        if abs(gap) < MAX_BREAK * text_height and shift < MAX_SHIFT * text_height:
            both = bounding_box([one[:2], one[2:], other[:2], other[2:]])
            words.append(Word(rectangle(*both), (i, j)))
    return words


def packed(
    pixels: Pixels, bands: list[Band], limit: int
) -> Iterator[tuple[Pixels, NDArray[np.int64]]]:
    """Stack bands to pictures of bounded size.

    Args:
        pixels: Picture, shape `(height, width, 3)`.
        bands: Rows to keep.
        limit: Pixels of one stack; a single band may be larger.

    Yields:
        A picture, and the row of the whole picture that each of its rows came from.
    """
    most = max(1, limit // pixels.shape[1])
    rows: list[NDArray[np.int64]] = []
    for first, end in bands:
        if rows and sum(map(len, rows)) + end - first > most:
            stacked = np.concatenate(rows)
            yield pixels[stacked], stacked
            rows = []
        rows.append(np.arange(first, end))
    if rows:
        stacked = np.concatenate(rows)
        yield pixels[stacked], stacked


def runs(marked: NDArray[np.bool_]) -> list[Band]:
    """Return where runs of true values start, and where they have ended."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], marked, [False])).astype(np.int8)))
    return [(int(first), int(end)) for first, end in edges.reshape(-1, 2)]
