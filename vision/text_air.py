"""Air above and below the letters of a detected text.

A detector that looks coarsely leaves much of it. Recognizers scale the height of what they are
given to their own: with air, letters become too small and too narrow for them, and are missed.
"""

from math import dist

import numpy as np

from vision.picture import Pixels, Polygon, between, cut_out, has_colour
from vision.text_bands import runs
from vision.text_ends import INK

HEIGHT = 1.5
"""Height of a box that recognizers read best, in heights of its ink."""

BORDER = 0.7
"""Share of a column that is ink from which on it is a border that runs through, not a letter."""

LEAST_INK = 0.02
"""Share of a row that is ink in the rows of letters; less is noise."""

GAP = 0.06
"""Gap between parts of letters, as of accents and dots, in heights of the box."""

LEAST_HEIGHT = 0.2
"""Least height of letters, in heights of the box; borders are thinner."""


def without_air(pixels: Pixels, polygon: Polygon) -> Polygon:
    """Cut off most of what a box leaves above and below its text.

    Args:
        pixels: Picture, shape `(height, width, 3)`.
        polygon: Four corners, clockwise; text runs from the first to the second.

    Returns:
        The same box, or a flatter one round the letters.
    """
    rows = _letter_rows(cut_out(pixels, polygon))
    a, b, c, d = polygon
    height = dist(a, d)
    if rows is None or not height:
        return polygon
    middle, half = (rows[0] + rows[1]) / 2, HEIGHT * (rows[1] - rows[0]) / 2
    upper, lower = max(0.0, (middle - half) / height), min(1.0, (middle + half) / height)
    return between(a, d, upper), between(b, c, upper), between(b, c, lower), between(a, d, lower)


def _letter_rows(cut: Pixels) -> tuple[int, int] | None:
    """Return the first row of letters and the row after their last."""
    height = cut.shape[0]
    ground = np.median(cut[::3, ::3].reshape(-1, 3), axis=0).astype(np.int16)
    ink = has_colour(cut, ground, INK) == 0
    ink = ink[:, ink.mean(axis=0) < BORDER]
    if not ink.size:
        return None
    rows = ink.mean(axis=1) > LEAST_INK
    for start, end in runs(~rows):
        if start and end < height and end - start <= GAP * height:
            rows[start:end] = True
    tall = [(start, end) for start, end in runs(rows) if end - start >= LEAST_HEIGHT * height]
    # Text is in the middle of its box; another shape or line may reach into it from outside.
    return min(tall, key=lambda run: abs(run[0] + run[1] - height), default=None)
