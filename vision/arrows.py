"""Arrows of a chart: found by their heads, followed back along their strokes.

A head is a spot thicker than a stroke beside a shape. From there the stroke is followed, straight
on through crossings and through labels that interrupt it, until it enters a shape: the source.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan2, cos, hypot, pi, sin

import numpy as np
from numpy.typing import NDArray

from metrics.core.text_lines import Label
from vision.picture import Pixels
from vision.shapes import Shape, background_of

STROKE_CONTRAST = 25
"""Least difference of a channel, of 255, between a stroke and its ground."""

# Lengths in pixels of a picture scaled so that text has the height `verifier.TEXT_HEIGHT`.
DETAIL = 25
GAP = 9
RIM = 4
MIN_HEAD_RADIUS = 2.8
HEAD_SHARE = 0.7
HEAD_RATIO = 1.3
PEAK = 15
HEAD_REACH = 24.0
STEP = 6.0
REACHES = (0.0, 3.0, 6.0, -3.0)
MERGED = 1.5
SMOOTHING = 0.6
LEAVE = 16.0
MIN_LENGTH = 12.0
MAX_STEPS = 5000

_TURN = pi / 3
_WIDE_TURN = pi / 2
_ANGLES = np.linspace(-pi, pi, 121)[:-1]


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow between two shapes.

    Attributes:
        source: Index of the shape where it starts.
        target: Index of the shape that its head touches.
        label: Text on it, empty where there is none.
    """

    source: int
    target: int
    label: str = ""


@dataclass(frozen=True, slots=True)
class _Head:
    """A head, the shape that it touches, and the directions in which strokes leave it."""

    target: int
    x: float
    y: float
    size: float
    exits: tuple[float, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Drawing:
    """The strokes of a chart and what stops or interrupts them."""

    ink: NDArray[np.bool_]
    radius: NDArray[np.float32]
    shape_at: NDArray[np.int32]
    label_at: NDArray[np.int32]

    def at(self, layer: NDArray[np.int32], x: float, y: float) -> int:
        row, column = round(y), round(x)
        if 0 <= row < layer.shape[0] and 0 <= column < layer.shape[1]:
            return int(layer[row, column])
        return -1

    def thickness(self, x: float, y: float, reach: int) -> float:
        """Return half the thickness of the thickest ink within a reach."""
        row, column = round(y), round(x)
        rows = slice(max(0, row - reach), max(0, row + reach + 1))
        columns = slice(max(0, column - reach), max(0, column + reach + 1))
        return float(self.radius[rows, columns].max(initial=0.0))


def find_arrows(
    pixels: Pixels, shapes: Sequence[Shape], free: Sequence[Label]
) -> tuple[Arrow, ...]:
    """Find the arrows between shapes.

    Args:
        pixels: Picture, shape `(height, width, 3)`, at the scale of the constants above.
        shapes: The shapes in it.
        free: Labels outside of shapes, which may be labels of links.

    Returns:
        The arrows, ordered by target and source; two arrows of the same ends may occur.
    """
    drawing = _drawing(pixels, shapes, free)
    arrows = []
    used: set[int] = set()
    heads = _heads(drawing)
    for head in heads:
        traces = [
            trace
            for angle in head.exits
            if (trace := _follow(drawing, head, angle, heads)) is not None
        ]
        for number, (source, labels, ends_in_head) in enumerate(traces):
            # Beside a head a stroke of another arrow may start; that one has its head there.
            if number and ends_in_head:
                continue
            label = next((index for index in labels if index not in used), None)
            if label is not None:
                used.add(label)
            text = "" if label is None else free[label].text
            arrows.append(Arrow(source, head.target, text))
    return tuple(sorted(arrows, key=lambda arrow: (arrow.target, arrow.source)))


def _drawing(pixels: Pixels, shapes: Sequence[Shape], free: Sequence[Label]) -> _Drawing:
    import cv2

    shape_at = np.full(pixels.shape[:2], -1, np.int32)
    for index, shape in enumerate(shapes):
        cv2.drawContours(shape_at, [shape.outline], -1, index, cv2.FILLED)
        cv2.drawContours(shape_at, [shape.outline], -1, index, 2 * RIM)
    label_at = np.full(pixels.shape[:2], -1, np.int32)
    for index, label in enumerate(free):
        x0, y0, x1, y1 = (round(value) for value in label.box or (0, 0, 0, 0))
        label_at[max(0, y0) : y1 + 1, max(0, x0) : x1 + 1] = index
    strokes = _strokes(pixels, shape_at >= 0)
    strokes[(shape_at >= 0) | (label_at >= 0)] = 0
    joined = cv2.morphologyEx(strokes, cv2.MORPH_CLOSE, np.ones((GAP, GAP), np.uint8))
    joined[(shape_at >= 0) | (label_at >= 0)] = 0
    radius = np.asarray(cv2.distanceTransform(strokes, cv2.DIST_L2, 5), np.float32)
    return _Drawing(joined > 0, radius, shape_at, label_at)


def _strokes(pixels: Pixels, covered: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return what differs, in any channel, from its ground: links, on any colour."""
    import cv2

    # With the shapes painted over, the median of a window is the ground of the chart or group.
    painted = pixels.copy()
    painted[covered] = background_of(pixels)
    ground = cv2.medianBlur(painted, DETAIL)
    difference = np.asarray(cv2.absdiff(painted, ground).max(axis=2))
    visible = difference[difference > STROKE_CONTRAST]
    if visible.size == 0:
        return np.zeros(covered.shape, np.uint8)
    # JPEG smears colours round strokes: half of the full contrast is where a stroke ends.
    half = float(np.percentile(visible, 90)) / 2
    return np.asarray(difference > max(STROKE_CONTRAST, half), dtype=np.uint8)


def _heads(drawing: _Drawing) -> list[_Head]:
    """Find the heads: spots beside a shape that are thicker than the stroke behind them."""
    candidates = []
    for x, y in _peaks(drawing.radius):
        target = _nearest_shape(drawing, x, y, HEAD_REACH)
        if target < 0:
            continue
        size = drawing.thickness(x, y, 1)
        exits = _exits(drawing, x, y, target)
        behind = [
            drawing.thickness(x + LEAVE * cos(angle), y + LEAVE * sin(angle), 3)
            for angle in exits[:1]
        ]
        if all(size >= HEAD_RATIO * stroke for stroke in behind):
            candidates.append(_Head(target, x, y, size, tuple(exits)))
    if not candidates:
        return []
    # All heads of a chart are of one size; where two strokes part they are less thick.
    usual = float(np.percentile([head.size for head in candidates], 75))
    return [head for head in candidates if head.size >= HEAD_SHARE * usual]


def _peaks(radius: NDArray[np.float32]) -> list[tuple[float, float]]:
    """Return the middles of the thickest spots."""
    import cv2

    highest = cv2.dilate(radius, np.ones((PEAK, PEAK), np.uint8))
    peaks = ((radius >= MIN_HEAD_RADIUS) & (radius >= highest - 0.01)).astype(np.uint8)
    # Spots of equal thickness beside each other are one.
    spots = cv2.dilate(peaks, np.ones((5, 5), np.uint8))
    _, _, _, middles = cv2.connectedComponentsWithStats(spots, connectivity=8)
    return [(float(x), float(y)) for x, y in middles[1:]]


def _nearest_shape(drawing: _Drawing, x: float, y: float, reach: float) -> int:
    row, column, size = round(y), round(x), int(reach)
    top, left = max(0, row - size), max(0, column - size)
    window = drawing.shape_at[top : row + size + 1, left : column + size + 1]
    rows, columns = np.nonzero(window >= 0)
    if rows.size == 0:
        return -1
    distances = np.hypot(rows + top - y, columns + left - x)
    nearest = int(distances.argmin())
    return int(window[rows[nearest], columns[nearest]]) if distances[nearest] <= reach else -1


def _circle(drawing: _Drawing, x: float, y: float, radius: float) -> list[tuple[float, float]]:
    """Return middle angle and width of each run of ink on a circle."""
    columns = np.rint(x + radius * np.cos(_ANGLES)).astype(int)
    rows = np.rint(y + radius * np.sin(_ANGLES)).astype(int)
    height, width = drawing.ink.shape
    valid = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
    ink = np.zeros(len(_ANGLES), bool)
    ink[valid] = drawing.ink[rows[valid], columns[valid]]
    if ink.all() or not ink.any():
        return []
    start = int(np.flatnonzero(~ink)[0])
    rolled = np.roll(ink, -start)
    edges = np.flatnonzero(np.diff(np.concatenate(([False], rolled, [False])).astype(np.int8)))
    step = 2 * pi / len(_ANGLES)
    return [
        (_wrap(_ANGLES[start] + (first + end - 1) / 2 * step), float((end - first) * step))
        for first, end in edges.reshape(-1, 2)
    ]


def _exits(drawing: _Drawing, x: float, y: float, target: int) -> list[float]:
    """Return the directions in which strokes leave a head, the one behind it first."""
    rows, columns = np.nonzero(
        drawing.shape_at[
            max(0, round(y) - 30) : round(y) + 31, max(0, round(x) - 30) : round(x) + 31
        ]
        == target
    )
    rows, columns = rows + max(0, round(y) - 30), columns + max(0, round(x) - 30)
    nearest = int(np.hypot(rows - y, columns - x).argmin())
    behind = atan2(y - rows[nearest], x - columns[nearest])
    # Dotted strokes have gaps: another radius finds their dots.
    looks = ([angle for angle, _ in _circle(drawing, x, y, LEAVE + more)] for more in REACHES)
    runs = next(filter(None, looks), [])
    label = [
        angle
        for angle in _ANGLES
        if drawing.at(drawing.label_at, x + LEAVE * cos(angle), y + LEAVE * sin(angle)) >= 0
    ]
    if not runs and label:  # the label stands right behind the head
        runs = [min(label, key=lambda angle: abs(_wrap(angle - behind)))]
    runs = [angle for angle in runs if abs(_wrap(angle - behind)) < 0.62 * pi]
    return sorted(runs, key=lambda angle: abs(_wrap(angle - behind)))


def _follow(
    drawing: _Drawing, head: _Head, angle: float, heads: Sequence[_Head]
) -> tuple[int, list[int], bool] | None:
    """Follow a stroke from a head to its source shape; tell labels on the way and a head there."""
    target = head.target
    x, y = head.x + LEAVE * cos(angle), head.y + LEAVE * sin(angle)
    labels: list[int] = []
    length = LEAVE
    lost = 0.0
    usual: float | None = None
    for _ in range(MAX_STEPS):
        label = drawing.at(drawing.label_at, x, y)
        if label >= 0:
            if label not in labels:
                labels.append(label)
            x, y = x + 2 * cos(angle), y + 2 * sin(angle)
            lost = -STEP
            continue
        shape = drawing.at(drawing.shape_at, x, y)
        if shape >= 0 and (shape != target or length > 3 * LEAVE):
            if length < MIN_LENGTH:
                return None
            return shape, labels, _is_head(heads, shape, x, y)
        turn = _WIDE_TURN if lost < 0 else _TURN
        ahead = _ahead(drawing, x, y, angle, turn, usual)
        if ahead is not None:
            step, width, reach = ahead
            x, y = x + reach * cos(angle + step), y + reach * sin(angle + step)
            # Part of the turn: wobbles of thin strokes must not add up at a crossing.
            angle = _wrap(angle + SMOOTHING * step)
            usual = width if usual is None else min(0.8 * usual + 0.2 * width, 1.3 * usual)
            length += reach
            lost = 0.0
            continue
        if lost > 2 * STEP:
            near = _nearest_shape(drawing, x, y, LEAVE)
            return (near, labels, False) if near >= 0 and near != target else None
        x, y = x + 2 * cos(angle), y + 2 * sin(angle)
        lost = max(lost, 0.0) + 2
    return None


def _ahead(
    drawing: _Drawing, x: float, y: float, angle: float, turn: float, usual: float | None
) -> tuple[float, float, float] | None:
    """Return the turn to the stroke ahead, its angular width, and its distance."""
    for more in REACHES:
        options = []
        for middle, width in _circle(drawing, x, y, STEP + more):
            step = _wrap(middle - angle)
            if usual is not None and width > MERGED * usual:
                # Where strokes merge, a run holds more than one: stay near the old direction.
                spare = (width - usual) / 2
                step = min(max(0.0, step - spare), step + spare)
            if abs(step) < turn:
                options.append((step, width))
        if options:
            step, width = min(options, key=lambda option: abs(option[0]))
            return step, width, STEP + more
    return None


def _is_head(heads: Sequence[_Head], shape: int, x: float, y: float) -> bool:
    return any(
        head.target == shape and hypot(head.x - x, head.y - y) <= HEAD_REACH for head in heads
    )


def _wrap(angle: float) -> float:
    return float((angle + pi) % (2 * pi) - pi)
