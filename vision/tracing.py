"""Following one stroke of a chart from a shape to the next."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan2, cos, hypot, pi, sin

import numpy as np
from numpy.typing import NDArray

from vision.strokes import Strokes, ink_at, wrap

Point = tuple[float, float]

# Lengths in pixels of a picture scaled so that text has the height `verifier.TEXT_HEIGHT`.
STEP = 6.0
REACHES = (0.0, 3.0, 6.0, 9.0, -3.0)
LOST = 14.0
BESIDE = (4, 8, 12)
MIN_BEHIND = 24.0
NEAR_SHAPE = 16.0
MIN_LOOP = 60.0
MAX_STEPS = 5000

MERGED = 1.5
SMOOTHING = 0.6

_TURN = pi / 3
_WIDE_TURN = pi / 2
_MOST_BEND = 0.9 * pi


@dataclass(frozen=True, slots=True)
class Trace:
    """A stroke that was followed from one end.

    Attributes:
        path: Points on it, from its start to its other end.
        shape: Index of the shape where it ends, -1 at the frame of a group.
        group: Index of that group, -1 at a shape.
        labels: Indices of the labels on it, in order.
    """

    path: tuple[Point, ...]
    shape: int
    group: int
    labels: tuple[int, ...]


def follow(strokes: Strokes, origin: int, start: Point, through: Point) -> Trace | None:
    """Follow a stroke until it ends, straight on through crossings and labels.

    Args:
        strokes: The strokes of the chart.
        origin: Index of the shape where the stroke starts.
        start: Where it touches that shape.
        through: A point on it near the start, whence it is followed.

    Returns:
        The stroke, or `None` where it ends nowhere.
    """
    x, y = through
    angle = atan2(y - start[1], x - start[0])
    path = [start, through]
    length = hypot(x - start[0], y - start[1])
    labels: list[int] = []
    lost = 0.0
    usual: float | None = None
    for _ in range(MAX_STEPS):
        label = _index(strokes.label_at, x, y)
        if label >= 0:
            labels.append(label)
            beyond = _behind(strokes, label, x, y, angle)
            if beyond is None:
                return _end(strokes, origin, path, labels, length)
            x, y, angle = beyond
            length += hypot(x - path[-1][0], y - path[-1][1])
            path.append((x, y))
            lost = -STEP
            continue
        shape = _index(strokes.shape_at, x, y)
        if shape >= 0 and (shape != origin or length > MIN_LOOP):
            return Trace((*path, (x, y)), shape, -1, tuple(labels))
        ahead = _ahead(strokes, x, y, angle, _WIDE_TURN if lost < 0 else _TURN, usual)
        if ahead is not None:
            turn, width, reach = ahead
            x, y = x + reach * cos(angle + turn), y + reach * sin(angle + turn)
            # Part of the turn: wobbles of thin strokes must not add up at a crossing.
            angle = wrap(angle + SMOOTHING * turn)
            usual = width if usual is None else min(0.8 * usual + 0.2 * width, 1.3 * usual)
            length += reach
            lost = 0.0
            path.append((x, y))
            continue
        if lost > LOST:
            return _end(strokes, origin, path, labels, length)
        x, y = x + 2 * cos(angle), y + 2 * sin(angle)
        lost = max(lost, 0.0) + 2
    return None


def _behind(
    strokes: Strokes, label: int, x: float, y: float, angle: float
) -> tuple[float, float, float] | None:
    """Return where a stroke comes out from behind a label, and in which direction."""
    box = strokes.label_boxes[label]
    if box is None:
        return None
    best, least = None, _MOST_BEND
    for margin in BESIDE:
        left, top, right, bottom = (
            box[0] - margin,
            box[1] - margin,
            box[2] + margin,
            box[3] + margin,
        )
        across, down = np.arange(left, right + 1), np.arange(top, bottom + 1)
        for xs, ys, outward in (
            (across, np.full_like(across, top), -pi / 2),
            (across, np.full_like(across, bottom), pi / 2),
            (np.full_like(down, left), down, pi),
            (np.full_like(down, right), down, 0.0),
        ):
            for middle in _middles_of_runs(ink_at(strokes.joined, ys, xs)):
                far_x, far_y = float(xs[middle]), float(ys[middle])
                if hypot(far_x - x, far_y - y) < MIN_BEHIND:
                    continue
                chord = atan2(far_y - y, far_x - x)
                onward = _onward(strokes, far_x, far_y, outward)
                bend = abs(wrap(chord - angle)) + abs(wrap(onward - chord))
                if bend < least:
                    best, least = (far_x, far_y, onward), bend
    return best


def _middles_of_runs(ink: NDArray[np.bool_]) -> list[int]:
    edges = np.flatnonzero(np.diff(np.concatenate(([False], ink, [False])).astype(np.int8)))
    return [int(first + end - 1) // 2 for first, end in edges.reshape(-1, 2)]


def _onward(strokes: Strokes, x: float, y: float, outward: float) -> float:
    """Return the direction in which a stroke leaves a label."""
    for radius in (2 * STEP, 3 * STEP, STEP):
        runs = [wrap(middle - outward) for middle, _ in strokes.runs(x, y, radius)]
        if options := [turn for turn in runs if abs(turn) < _WIDE_TURN]:
            return wrap(outward + min(options, key=abs))
    return outward


def _end(
    strokes: Strokes, origin: int, path: Sequence[Point], labels: Sequence[int], length: float
) -> Trace | None:
    x, y = path[-1]
    shape = strokes.near(strokes.shape_at, x, y, NEAR_SHAPE)
    if shape >= 0 and (shape != origin or length > MIN_LOOP):
        return Trace(tuple(path), shape, -1, tuple(labels))
    group = strokes.near(strokes.frame_at, x, y, NEAR_SHAPE)
    return Trace(tuple(path), -1, group, tuple(labels)) if group >= 0 else None


def _index(layer: NDArray[np.int32], x: float, y: float) -> int:
    row, column = round(y), round(x)
    if 0 <= row < layer.shape[0] and 0 <= column < layer.shape[1]:
        return int(layer[row, column])
    return -1


def _ahead(
    strokes: Strokes, x: float, y: float, angle: float, most: float, usual: float | None
) -> tuple[float, float, float] | None:
    """Return the turn to the stroke ahead, its angular width, and its distance."""
    for more in REACHES:
        options = []
        for middle, width in strokes.runs(x, y, STEP + more):
            turn = wrap(middle - angle)
            if usual is not None and width > MERGED * usual:
                # Where strokes merge, a run holds more than one: stay near the old direction.
                spare = (width - usual) / 2
                turn = min(max(0.0, turn - spare), turn + spare)
            if abs(turn) < most:
                options.append((turn, width))
        if options:
            turn, width = min(options, key=lambda option: abs(option[0]))
            return turn, width, STEP + more
    return None
