"""The strokes of a chart: what is drawn between its shapes, and what covers it."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import pi

import numpy as np
from numpy.typing import NDArray

from metrics.core.text_lines import Label
from vision.fills import background_of
from vision.picture import Pixels, largest_difference
from vision.shapes import Shape, Shapes

STROKE_CONTRAST = 25
"""Least difference of a channel, of 255, between a stroke and its ground."""

# Lengths in pixels of a picture scaled so that text has the height `verifier.TEXT_HEIGHT`.
COARSE = 4
"""The ground is looked at in every fourth pixel: medians of large windows are slow."""

DETAIL = 15
"""Window, in such pixels, whose median is the ground; heads fill less than half of it."""

GAP = 5
"""Gaps in a stroke that noise leaves."""

DOT = 18
"""Largest dot or dash of a dotted stroke."""

DOT_GAP = 26.0
"""Largest distance between the middles of two dots."""

RIM = 3
"""How far the smoothed outside of a border reaches."""

Run = tuple[float, float]
"""Middle and width of a run of ink on a circle, both in radians."""

Rectangle = tuple[int, int, int, int]
"""First column and row, last column and row."""

_ANGLES = np.linspace(-pi, pi, 121)[:-1]
_COS, _SIN = np.cos(_ANGLES), np.sin(_ANGLES)


@dataclass(frozen=True, slots=True, eq=False)
class Strokes:
    """The strokes of a chart, and what ends or interrupts them.

    Attributes:
        ink: Where a stroke is seen; nowhere in shapes, in labels and on frames of groups.
        joined: The same with the gaps of dotted strokes closed.
        shape_at: Index of the shape at a pixel, -1 where there is none.
        frame_at: Index of the group whose frame is at a pixel, -1 where there is none.
        label_at: Index of the label at a pixel, free ones first, then titles; -1 where there is
            none.
        label_boxes: Where each label is seen, `None` where others cover it.
    """

    ink: NDArray[np.bool_]
    joined: NDArray[np.bool_]
    shape_at: NDArray[np.int32]
    frame_at: NDArray[np.int32]
    label_at: NDArray[np.int32]
    label_boxes: tuple[Rectangle | None, ...]

    def runs(self, x: float, y: float, radius: float) -> list[Run]:
        """Return the runs of ink on a circle."""
        columns = np.rint(x + radius * _COS).astype(np.intp)
        rows = np.rint(y + radius * _SIN).astype(np.intp)
        ink = ink_at(self.joined, rows, columns)
        edges: list[int] = (np.flatnonzero(ink[1:] != ink[:-1]) + 1).tolist()
        if not edges:
            return []  # all of it is ink, or nothing
        # A run may go on past the last angle: count from the first one without ink.
        start, size = edges.pop(0) if ink[0] else 0, len(ink)
        edges = [edge - start for edge in edges]
        if start and not ink[-1]:
            edges.append(size - start)
        if start or ink[-1]:
            edges.append(size)
        step = 2 * pi / size
        return [
            (wrap(_ANGLES[start] + (first + end - 1) / 2 * step), (end - first) * step)
            for first, end in zip(edges[::2], edges[1::2], strict=True)
        ]

    def near(self, layer: NDArray[np.int32], x: float, y: float, reach: float) -> int:
        """Return the index of a layer that is nearest to a point, -1 where none is in reach."""
        row, column, size = round(y), round(x), int(reach)
        top, left = max(0, row - size), max(0, column - size)
        window = layer[top : row + size + 1, left : column + size + 1]
        rows, columns = np.nonzero(window >= 0)
        if rows.size == 0:
            return -1
        distances = np.hypot(rows + top - y, columns + left - x)
        nearest = int(distances.argmin())
        return int(window[rows[nearest], columns[nearest]]) if distances[nearest] <= reach else -1


def find_strokes(pixels: Pixels, shapes: Shapes) -> Strokes:
    """Find the strokes of a chart.

    Args:
        pixels: Picture, shape `(height, width, 3)`, at the scale of the constants above.
        shapes: The shapes in it, and the labels that may interrupt strokes.
    """
    import cv2

    size = pixels.shape[:2]
    shape_at, frame_at, label_at = (np.full(size, -1, np.int32) for _ in range(3))
    for index, shape in enumerate(shapes.nodes):
        cv2.drawContours(shape_at, [shape.outline], -1, index, cv2.FILLED)
        cv2.drawContours(shape_at, [shape.outline], -1, index, 2 * shape.border)
    for index, group in enumerate(shapes.groups):
        cv2.drawContours(frame_at, [group.outline], -1, index, 2 * (group.border + RIM))
    label_boxes = _painted(label_at, (*shapes.free, *shapes.titles))
    ink = _differing(_bared(pixels, shape_at >= 0, shapes.groups))
    covered = (shape_at >= 0) | (label_at >= 0)
    # The smoothed outside of a border is thin; strokes may lose their ends, heads are thick.
    rim = cv2.dilate((shape_at >= 0).astype(np.uint8), np.ones((2 * RIM + 1,) * 2, np.uint8))
    ink[(rim > 0) & (cv2.morphologyEx(ink, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)) == 0)] = 0
    ink[covered | (frame_at >= 0)] = 0
    joined = cv2.morphologyEx(_dots_joined(ink), cv2.MORPH_CLOSE, np.ones((GAP, GAP), np.uint8))
    joined[covered] = 0
    return Strokes(ink > 0, joined > 0, shape_at, frame_at, label_at, label_boxes)


def ink_at(
    ink: NDArray[np.bool_], rows: NDArray[np.integer], columns: NDArray[np.integer]
) -> NDArray[np.bool_]:
    """Tell where pixels are ink; outside of the picture none is."""
    height, width = ink.shape
    valid = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
    found = np.zeros(rows.shape, np.bool_)
    found[valid] = ink[rows[valid], columns[valid]]
    return found


def wrap(angle: float) -> float:
    """Return an angle between -π and π."""
    return float((angle + pi) % (2 * pi) - pi)


def _painted(layer: NDArray[np.int32], labels: Sequence[Label]) -> tuple[Rectangle | None, ...]:
    """Write the index of each label to its place in a layer; return where it is seen then."""
    boxes = [[max(0, round(value)) for value in label.box or (0.0,) * 4] for label in labels]
    windows = [np.s_[y0 : y1 + 1, x0 : x1 + 1] for x0, y0, x1, y1 in boxes]
    for index, window in enumerate(windows):
        layer[window] = index
    seen: list[Rectangle | None] = []
    for index, (window, (x0, y0, _, _)) in enumerate(zip(windows, boxes, strict=True)):
        rows, columns = np.nonzero(layer[window] == index)
        seen.append(
            (
                x0 + int(columns.min()),
                y0 + int(rows.min()),
                x0 + int(columns.max()),
                y0 + int(rows.max()),
            )
            if rows.size
            else None
        )
    return tuple(seen)


def _dots_joined(ink: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return ink with lines drawn from each dot or dash of a stroke to its neighbours."""
    import cv2

    dots = _dots(ink)
    joined = np.copy(ink)
    for index, dot in enumerate(dots):
        offsets = dots - dot
        distances = np.hypot(*offsets.T)
        distances[index] = np.inf
        for _ in range(2):
            other = int(distances.argmin())
            if distances[other] > DOT_GAP:
                break
            (x0, y0), (x1, y1) = np.rint([dot, dots[other]]).astype(int).tolist()
            cv2.line(joined, (x0, y0), (x1, y1), 1, 2)
            # The second neighbour is the one on the other side.
            distances[offsets @ offsets[other] > 0] = np.inf
    return joined


def _dots(ink: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return the middles `(x, y)` of the spots of ink that may be dots or dashes."""
    import cv2

    _, numbers = cv2.connectedComponents(ink, connectivity=8)
    # Few pixels are ink: OpenCV's own statistics look at all of them.
    rows, columns = np.nonzero(ink)
    if rows.size == 0:
        return np.empty((0, 2))
    spots = np.asarray(numbers)[rows, columns]
    order = np.argsort(spots, kind="stable")
    places = np.stack([columns, rows], axis=1)[order]
    counts = np.bincount(spots)[1:]
    starts = np.cumsum(counts) - counts
    least, most = (kind.reduceat(places, starts) for kind in (np.minimum, np.maximum))
    middles = np.add.reduceat(places, starts) / counts[:, None]
    return np.asarray(middles[(most - least < DOT).all(axis=1)])


def _bared(pixels: Pixels, covered: NDArray[np.bool_], groups: Sequence[Shape]) -> Pixels:
    """Return the picture with its shapes painted over in the colour of the ground there."""
    import cv2

    ground = np.empty_like(pixels)
    ground[:] = background_of(pixels)
    for group in sorted(groups, key=lambda group: -cv2.contourArea(group.outline)):
        colour = [int(channel) for channel in group.fill]
        cv2.drawContours(ground, [group.outline], -1, colour, cv2.FILLED)
    return np.asarray(cv2.copyTo(ground, covered.astype(np.uint8), pixels.copy()), np.uint8)


def _differing(pixels: Pixels) -> NDArray[np.uint8]:
    """Return what differs, in any channel, from its ground: strokes of any colour."""
    import cv2

    height, width = pixels.shape[:2]
    # The median of a window of COARSE * DETAIL pixels; heads are smaller than half of that.
    coarse = np.ascontiguousarray(pixels[COARSE // 2 :: COARSE, COARSE // 2 :: COARSE])
    ground = cv2.resize(
        cv2.medianBlur(coarse, DETAIL), (width, height), interpolation=cv2.INTER_NEAREST
    )
    difference = largest_difference(pixels, np.asarray(ground, np.uint8))
    visible = difference[difference > STROKE_CONTRAST]
    if visible.size == 0:
        return np.zeros(difference.shape, np.uint8)
    # JPEG smears colours round strokes: half of the full contrast is where a stroke ends.
    half = float(np.percentile(visible, 90)) / 2
    return np.asarray(difference > max(STROKE_CONTRAST, half), dtype=np.uint8)
