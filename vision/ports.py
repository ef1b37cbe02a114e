"""Where strokes touch the shapes of a chart."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.shapes import Shape
from vision.strokes import Strokes
from vision.tracing import Point

# Lengths in pixels of a picture scaled so that text has the height `verifier.TEXT_HEIGHT`.
BAND = 24.0
"""Width of the band round a shape in which strokes that touch it part from each other."""

TOUCH = 11.0
"""Most distance between a shape and what touches it: heads stand a little off."""


@dataclass(frozen=True, slots=True)
class Port:
    """A stroke that touches a shape.

    Attributes:
        shape: Index of the shape.
        contact: Where it touches the shape.
        exit: Where it leaves the band round the shape.
        spot: Number of the spot of ink that it is a part of; strokes that touch each other near
            the shape share one.
    """

    shape: int
    contact: Point
    exit: Point
    spot: int


def find_ports(strokes: Strokes, shapes: Sequence[Shape]) -> list[Port]:
    """Find where strokes touch shapes.

    Args:
        strokes: The strokes of the chart.
        shapes: Its shapes.
    """
    import cv2

    free = (strokes.shape_at < 0).astype(np.uint8)
    distance, pixel = cv2.distanceTransformWithLabels(
        free, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL
    )
    nearest = np.full(int(pixel.max()) + 1, -1, np.int32)
    covered = strokes.shape_at >= 0
    nearest[pixel[covered]] = strokes.shape_at[covered]
    # Where a label begins, a stroke leaves the band too: it goes on behind the label.
    label = cv2.dilate((strokes.label_at >= 0).astype(np.uint8), np.ones((7, 7), np.uint8)) > 0
    band = (distance > 0) & (distance <= BAND)
    ports: list[Port] = []
    for shape in range(len(shapes)):
        window = _window(shapes[shape])
        inner = band[window] & (nearest[pixel[window]] == shape)
        ink = strokes.joined[window]
        beyond = cv2.dilate((ink & ~inner).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        count, spots = cv2.connectedComponents((ink & inner).astype(np.uint8), connectivity=8)
        corner = (window[1].start, window[0].start)
        for spot in range(1, count):
            mask = spots == spot
            near = distance[window][mask].min()
            if near > TOUCH:
                continue
            contact = mask & (distance[window] <= near + 2)
            for end in _middles(mask & (beyond | label[window])):
                ports.append(
                    Port(shape, _moved(_closest(contact, end), corner), _moved(end, corner), spot)
                )
    return ports


def _window(shape: Shape) -> tuple[slice, slice]:
    """Return the rows and columns of a shape and of the band round it."""
    margin = BAND + shape.border + 3
    x0, y0, x1, y1 = shape.box
    return (
        slice(max(0, round(y0 - margin)), round(y1 + margin)),
        slice(max(0, round(x0 - margin)), round(x1 + margin)),
    )


def _middles(mask: NDArray[np.bool_]) -> list[Point]:
    import cv2

    _, _, _, middles = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    return [(float(x), float(y)) for x, y in middles[1:]]


def _closest(mask: NDArray[np.bool_], point: Point) -> Point:
    """Return the middle of the spot of a mask that is closest to a point."""
    return min(
        _middles(mask), key=lambda middle: np.hypot(middle[0] - point[0], middle[1] - point[1])
    )


def _moved(point: Point, corner: tuple[int, int]) -> Point:
    return point[0] + corner[0], point[1] + corner[1]
