"""Where a text ends and the link that it stands on begins.

Detectors take the last bit of a link into the box of its label, and recognizers read it as a dash
or a dot: `-yes-`, `yes..`. A stroke is told from a dash that belongs to the text by coming in
from outside of the box.
"""

from dataclasses import replace
from math import dist

import numpy as np
from numpy.typing import NDArray

from metrics.core.text_lines import TextLine
from vision.picture import Pixels, Polygon, between, cut_out
from vision.text_bands import runs

REACH = 0.4
"""How far outside of a box strokes are followed, in heights of the box; less may hold a full stop
that sticks out."""

THIN = 0.2
"""Thickest stroke, in heights of the box; the flattest letter is thicker somewhere."""

MIDDLE = 0.32
"""How far from the middle of its text a link ends, in heights of the box; a border runs by."""

GAP = 0.15
"""Widest gap between the dots of a link, in heights of the box."""

INK = 40
"""Least difference of a channel, of 255, between ink and its ground."""

STROKES = "-_—–~=.·…:"
"""What strokes and dots are read as."""

HEADS = "←→"
"""What arrow heads are read as that touch a text."""


def without_strokes(pixels: Pixels, line: TextLine) -> TextLine:
    """Cut off what a line holds of the link that its text stands on.

    Args:
        pixels: Picture, shape `(height, width, 3)`.
        line: A line as it was read, with its place.

    Returns:
        The line, shorter where it starts or ends in a mark and a stroke runs into it there.
    """
    text = line.text.strip()
    if text.strip(HEADS):
        text = text.strip(HEADS).strip()
    marked = text[:1] in STROKES, text[-1:] in STROKES
    if not text.strip(STROKES) or not any(marked):
        return replace(line, text=text)
    a, b, _, d = line.polygon
    width, height = dist(a, b), dist(a, d)
    if not width or not height:
        return replace(line, text=text)
    reach = REACH * height / width
    rows = _ink_rows(cut_out(pixels, _part(line.polygon, -reach, 1 + reach)))
    start, end = (
        _stroke_end(columns, round(REACH * height), height) if mark else 0
        for columns, mark in zip((rows, rows[::-1]), marked, strict=True)
    )
    if start:
        text = text.lstrip(STROKES)
    if end:
        text = text.rstrip(STROKES)
    return replace(
        line, text=text.strip(), polygon=_part(line.polygon, start / width, 1 - end / width)
    )


def _part(polygon: Polygon, start: float, end: float) -> Polygon:
    a, b, c, d = polygon
    return (between(a, b, start), between(a, b, end), between(d, c, end), between(d, c, start))


def _ink_rows(cut: Pixels) -> NDArray[np.int64]:
    """Return the first row of each column's ink and the row after its last, 0 and 0 of none."""
    # A column's own ground: link labels have another one than the page beside them.
    ground = np.median(cut, axis=0).astype(np.int16)
    ink = np.abs(cut.astype(np.int16) - ground).max(axis=2) > INK
    rows = np.stack([ink.argmax(axis=0), ink.shape[0] - ink[::-1].argmax(axis=0)], axis=1)
    return np.asarray(np.where(ink.any(axis=0)[:, None], rows, 0), dtype=np.int64)


def _stroke_end(rows: NDArray[np.int64], outside: int, height: float) -> int:
    """Return how far a stroke runs into a box from its start.

    Args:
        rows: Rows of each column's ink, from outside of the box inwards, shape `(columns, 2)`.
        outside: Number of columns outside.
        height: Of the box.
    """
    extents = rows[:, 1] - rows[:, 0]
    far, near = np.array_split(extents[:outside], 2)
    if not far.any() or not near.any():
        return 0  # nothing comes in
    thickness = max(far.max(), near.max())
    if thickness > THIN * height:
        return 0  # a border or another text is between
    # Dots are a stroke with gaps; a solid one ends at the first gap.
    gaps = (stop - start for start, stop in runs(extents[:outside] == 0))
    gap = min(max(gaps, default=0), GAP * height)
    end, blank, middle = 0, 0, 0.5
    for column, (first, last) in enumerate(rows[outside:].tolist(), start=1):
        blank = 0 if last else blank + 1
        if last - first > thickness + 1 or blank > gap:
            break
        if last:
            end, middle = column, (first + last) / 2 / height
    return end if abs(middle - 0.5) <= MIDDLE else 0
