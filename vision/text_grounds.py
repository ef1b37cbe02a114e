"""Detected lines cut where their ground ends.

Detectors join what stands close together: a link's label with the head of the link, or with the
text of the node behind it. All letters of a text stand on one ground; what is beyond its end is
another text, or none.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from vision.labels import SAME_GROUND
from vision.picture import Pixels, Polygon, cut_out, part_of, sides
from vision.text_bands import runs as runs_of
from vision.text_ends import INK

Mask = NDArray[np.bool_]
Span = tuple[int, int]

# Lengths in heights of a line with its margins, which is about two heights of its capitals.
MIDDLE = 0.6
"""Height of the rows, round a line's middle, that lie on the ground of its text; above and below
them may be another."""

LEAST_WIDTH = 0.3
"""Least width of a ground between two others."""

LEAST_SHARE = 0.35
"""Least share of a ground's middle rows that has its colour; letters take the rest."""

STEM_SHARE = 0.15
"""Least share of a column's middle rows that has the colour of its ground, above and below the
stem of a letter."""

MAX_GROUNDS = 6
"""Most colours looked at in one line."""

INK_GAPS = 0.1
"""Least share of the ground between dense letters."""

CLEAN_SHARE = 0.8
"""Least share of a column's middle rows that has its ground's colour where no letter is."""

LEAST_INK = 0.05
"""Least share of ink where the letters are less dense."""

CLEAN_WIDTH = 0.25
"""Least width without letters that a ground has somewhere, and ink has not."""

LETTER = 0.18
"""Least height of a letter."""

STROKE_ROWS = 0.9
"""Least share of the rows in which a stroke is one run of ink."""

LEAST_GAP = 0.5
"""Least gap between two texts on both sides of a stroke; a link may pass through one text."""


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """Columns of a line that have one ground.

    Attributes:
        columns: The first one, and the one after the last.
        colour: Of the ground, shape `(3,)`.
    """

    columns: Span
    colour: NDArray[np.int16]


def on_one_ground(pixels: Pixels, polygon: Polygon) -> list[Polygon]:
    """Cut a detected line into the texts that stand on one ground each.

    Args:
        pixels: Picture, shape `(height, width, 3)`.
        polygon: The line, with its corners in reading order and some margin round its letters.

    Returns:
        The line as it is, or one or more parts of it, in reading order.
    """
    width, height = sides(polygon)
    if width < 2 * LEAST_WIDTH * height or height < 8:
        return [polygon]
    cut = cut_out(pixels, polygon).astype(np.int16)
    texts = [span for ground in _grounds(cut) for span in _texts(cut, ground)]
    if texts == [(0, len(cut[0]))]:
        return [polygon]
    return [part_of(polygon, first / len(cut[0]), end / len(cut[0])) for first, end in texts] or [
        polygon
    ]


def _grounds(cut: NDArray[np.int16]) -> list[Ground]:
    """Return the grounds of a line from its start to its end, at least one."""
    height, width = cut.shape[:2]
    margin = round((1 - MIDDLE) / 2 * height)
    middle = cut[margin : height - margin]
    colours = _flat_colours(middle, round(LEAST_WIDTH * LEAST_SHARE * height * len(middle)))
    if not colours:
        return []
    distances = np.stack([np.abs(middle - colour).max(axis=2) for colour in colours])
    nearest = np.where(distances.min(axis=0) <= INK, distances.argmin(axis=0), -1)
    counts = np.stack([(nearest == index).sum(axis=0) for index in range(len(colours))])
    around = np.ones(min(width, max(3, round(0.5 * height))))
    nearby = np.stack([np.convolve(row, around, mode="same") for row in counts])
    shares = counts / len(middle)
    runs = _wide_runs(nearby.argmax(axis=0), LEAST_WIDTH * height)
    runs = _without_ink(runs, shares, CLEAN_WIDTH * height)
    if not runs:
        return []
    ends = [0, *(_border(counts, one, other) for one, other in pairwise(runs)), width]
    found = []
    for (first, end), (_, index) in zip(pairwise(ends), runs, strict=True):
        own = np.flatnonzero(shares[index, first:end] >= STEM_SHARE)
        if not own.size or shares[index, first + own[0] : first + own[-1] + 1].mean() < LEAST_SHARE:
            return []  # no flat ground: a photograph, or letters too dense to tell
        found.append(Ground((first + int(own[0]), first + int(own[-1]) + 1), colours[index]))
    return found


def _flat_colours(middle: NDArray[np.int16], least: int) -> list[NDArray[np.int16]]:
    """Return the colours of at least so many pixels, the most frequent first."""
    left = middle.reshape(-1, 3)
    colours: list[NDArray[np.int16]] = []
    while len(colours) < MAX_GROUNDS and len(left) >= max(1, least):
        packed = left.astype(np.int32) @ np.array([1 << 16, 1 << 8, 1], dtype=np.int32)
        values, counts = np.unique(packed, return_counts=True)
        colour = left[np.argmax(packed == values[counts.argmax()])]
        near = np.abs(left - colour).max(axis=1) <= SAME_GROUND
        # What JPEG adds beside letters can be another colour, but is hardly another ground.
        new = all(np.abs(colour - known).max() > 2 * SAME_GROUND for known in colours)
        if new and np.count_nonzero(near) >= least:
            colours.append(colour)
        left = left[~near]
    return colours


def _wide_runs(colours: NDArray[np.int64], least: float) -> list[tuple[Span, int]]:
    """Return where each colour runs, without runs that are too short; equal neighbours are one."""
    changes = np.flatnonzero(np.diff(colours)) + 1
    found: list[tuple[Span, int]] = []
    for first, end in pairwise([0, *changes.tolist(), len(colours)]):
        index = int(colours[first])
        if found and found[-1][1] == index:
            found[-1] = ((found[-1][0][0], end), index)
        elif end - first >= least:
            found.append(((first, end), index))
    return found


def _without_ink(
    runs: list[tuple[Span, int]], shares: NDArray[np.float64], clean: float
) -> list[tuple[Span, int]]:
    """Leave out runs of dense letters: their ground is a neighbour's, and so is their ink."""
    kept: list[tuple[Span, int]] = []
    for place, (span, index) in enumerate(runs):
        own = shares[index, slice(*span)]
        beside = [*runs[max(0, place - 1) : place], *runs[place + 1 : place + 2]]
        ink = any(
            shares[ground, slice(*span)].mean() >= INK_GAPS
            and shares[index, slice(*columns)].mean() >= LEAST_INK
            for columns, ground in beside
        )
        if ink and not _has_run(own >= CLEAN_SHARE, clean):
            continue
        if kept and kept[-1][1] == index:
            span = (kept.pop()[0][0], span[1])
        kept.append((span, index))
    return kept


def _has_run(columns: Mask, least: float) -> bool:
    return any(end - first >= least for first, end in runs_of(columns))


def _border(counts: NDArray[np.int64], one: tuple[Span, int], other: tuple[Span, int]) -> int:
    """Return the first column of the second ground, where the fewest pixels are on a wrong side."""
    (first, _), index = one
    (_, end), next_index = other
    ahead = counts[index, first:end] - counts[next_index, first:end]
    return first + int(np.argmax(np.cumsum(ahead))) + 1


def _texts(cut: NDArray[np.int16], ground: Ground) -> list[Span]:
    """Return the columns of the texts on a ground, without the strokes beside them."""
    import cv2

    first, end = ground.columns
    height = len(cut)
    ink = (np.abs(cut[:, first:end] - ground.colour).max(axis=2) > INK).astype(np.uint8)
    _, marks, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    walls, free, joined = list[Span](), list[Span](), list[Span]()
    for number, (left, top, width, extent, _) in enumerate(stats.tolist()):
        span = (left, left + width)
        if number == 0 or extent < LETTER * height:
            continue
        if extent == height and _is_stroke(marks[:, slice(*span)] == number):
            walls.append(span)
        elif left > 0 and left + width < end - first:
            inside = top > 0 and top + extent < height
            (free if inside else joined).append(span)
    return [
        (
            first + max((stop for _, stop in walls if stop <= text[0]), default=0),
            first + min((start for start, _ in walls if start >= text[1]), default=end - first),
        )
        for text in _between(walls, sorted(free + joined), LEAST_GAP * height)
        if any(text[0] <= start and stop <= text[1] for start, stop in free)
    ]


def _is_stroke(mark: Mask) -> bool:
    """Tell whether a mark is one stroke from top to bottom; most letters have several."""
    runs_by_row = mark[:, 0] + (mark[:, 1:] & ~mark[:, :-1]).sum(axis=1)
    return bool(np.mean(runs_by_row == 1) >= STROKE_ROWS)


def _between(walls: list[Span], letters: list[Span], least_gap: float) -> list[Span]:
    """Join letters to texts, which end where a wall stands in a wide gap."""
    texts: list[Span] = []
    for start, end in letters:
        before = texts[-1][1] if texts else -1
        parted = any(before <= left and right <= start for left, right in walls)
        if not texts or (parted and start - before >= least_gap):
            texts.append((start, end))
        else:
            texts[-1] = (texts[-1][0], max(before, end))
    return texts
