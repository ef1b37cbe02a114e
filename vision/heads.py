"""Heads of links: where a stroke is wider near its end than elsewhere."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.strokes import Strokes, ink_at
from vision.tracing import Point

# Lengths in pixels of a picture scaled so that text has the height `verifier.TEXT_HEIGHT`.
REACH = 22
"""Widths beyond it on either side belong to strokes that cross."""

HEAD_LENGTH = 34
"""A head lies this near to the end of its stroke."""

MIN_LENGTH = 3
"""Points at which the stroke must be wide."""

MIN_RATIO = 1.5
MIN_EXCESS = 3.5

SMOOTH = 12
"""Length on either side over which a path's direction is taken."""

OFF_AXIS = 4
"""How far beside the path its stroke may lie."""


def widths_along(strokes: Strokes, path: Sequence[Point]) -> NDArray[np.float64]:
    """Return the width of a stroke at each pixel of its length; NaN where it cannot be told.

    Args:
        strokes: The strokes of the chart.
        path: Points on the stroke.
    """
    points, normals = _resampled(np.array(path, dtype=np.float64))
    offsets = np.arange(-REACH, REACH + 1)
    samples = points[:, None, :] + offsets[None, :, None] * normals[:, None, :]
    columns, rows = np.rint(samples).astype(int).transpose(2, 0, 1)
    ink = ink_at(strokes.ink, rows, columns)
    return _run_widths(ink)


def has_head(widths: NDArray[np.float64]) -> bool:
    """Tell whether a stroke has a head at the start of its path.

    Args:
        widths: What `widths_along` returned.
    """
    known = widths[np.isfinite(widths)]
    if known.size == 0:
        return False
    usual = float(np.percentile(known, 30))
    wide = widths[:HEAD_LENGTH] >= max(MIN_RATIO * usual, usual + MIN_EXCESS)
    return int(wide.sum()) >= MIN_LENGTH


def _run_widths(ink: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the length of each row's run of ink in the middle, NaN where it is none or endless."""
    places = np.arange(ink.shape[1])
    by_nearness = sorted(
        range(REACH - OFF_AXIS, REACH + OFF_AXIS + 1), key=lambda n: abs(n - REACH)
    )
    near = ink[:, by_nearness]
    middles = np.array(by_nearness)[near.argmax(axis=1)][:, None]
    before = np.where(~ink & (places < middles), places, -1).max(axis=1)
    after = np.where(~ink & (places > middles), places, len(places)).min(axis=1)
    known = near.any(axis=1) & (before >= 0) & (after < len(places))
    return np.where(known, after - before - 1.0, np.nan)


def _resampled(path: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return points one pixel apart on a path, and the normal at each."""
    steps = np.hypot(*np.diff(path, axis=0).T)
    along = np.concatenate(([0.0], np.cumsum(steps)))
    places = np.arange(0.0, max(along[-1], 1.0))
    points = np.stack([np.interp(places, along, path[:, axis]) for axis in (0, 1)], axis=1)
    ahead = points[np.minimum(np.arange(len(points)) + SMOOTH, len(points) - 1)]
    behind = points[np.maximum(np.arange(len(points)) - SMOOTH, 0)]
    direction = ahead - behind
    direction /= np.maximum(np.hypot(*direction.T), 1e-9)[:, None]
    return points, np.stack([-direction[:, 1], direction[:, 0]], axis=1)
