"""Colours that the areas of a chart are filled with, and where these areas are."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.core.text_lines import Label
from vision.picture import Pixels, has_colour

FILL_TOLERANCE = 12
"""Difference of a channel, of 255, within one fill; pale fills differ from white by 19."""

LINE = 7
"""Thickness, in pixels at the verifier's scale, up to which a line parts no shape."""

EDGE = 3
"""Thickness, likewise, up to which a stripe is a smoothed edge."""


@dataclass(frozen=True, slots=True, eq=False)
class Areas:
    """The connected areas of one fill.

    Attributes:
        numbers: Number of the area at a pixel, 0 where there is none.
    """

    numbers: NDArray[np.int32]

    def at(self, label: Label) -> int:
        """Return the number of the area in which a label stands, 0 where there is none."""
        values = self.numbers[_window(label, self.numbers.shape)]
        values = values[values > 0]
        return int(np.bincount(values).argmax()) if values.size else 0

    def box(self, area: int) -> tuple[int, int, int, int]:
        """Return `x`, `y`, width and height of an area."""
        import cv2

        x, y, width, height = cv2.boundingRect(cv2.inRange(self.numbers, area, area))
        return x, y, width, height


def background_of(pixels: Pixels) -> NDArray[np.int16]:
    """Return the most frequent colour at the edge of the picture, shape `(3,)`."""
    edges = (pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1])
    return _most_frequent(np.concatenate(edges))


def fill_of(pixels: Pixels, label: Label) -> NDArray[np.int16]:
    """Return the colour behind a label, shape `(3,)`."""
    import cv2

    rows, columns = _window(label, pixels.shape)
    # Boxes of short texts may reach beyond a flat shape.
    inset = (rows.stop - rows.start) // 4
    window = np.ascontiguousarray(pixels[rows.start + inset : rows.stop - inset, columns])
    # JPEG leaves halos round letters, whose colours are closer to each other than the fill's.
    smooth = np.asarray(cv2.medianBlur(window, 5), np.uint8)
    return _most_frequent(smooth.reshape(-1, 3))


def find_areas(pixels: Pixels, fill: NDArray[np.integer], background: NDArray[np.integer]) -> Areas:
    """Find the connected areas of one fill.

    Args:
        pixels: Picture, shape `(height, width, 3)`.
        fill: Its colour, shape `(3,)`.
        background: That of the chart's own ground.
    """
    import cv2

    near = has_colour(pixels, fill, FILL_TOLERANCE)
    if np.abs(fill - background).max() > FILL_TOLERANCE:
        # The smoothed outer edge of a border passes through the fill's colour: it is thin.
        near = np.asarray(cv2.morphologyEx(near, cv2.MORPH_OPEN, np.ones((EDGE, EDGE), np.uint8)))
        # Lines within a shape part it no more: cylinders, stacks of sheets, double frames.
        near = np.asarray(cv2.morphologyEx(near, cv2.MORPH_CLOSE, np.ones((LINE, LINE), np.uint8)))
    _, numbers = cv2.connectedComponents(near, connectivity=4)
    return Areas(np.asarray(numbers, np.int32))


def _most_frequent(colours: Pixels) -> NDArray[np.int16]:
    packed = (colours.astype(np.uint32) >> 2) @ np.array([1 << 12, 1 << 6, 1], dtype=np.uint32)
    values, counts = np.unique(packed, return_counts=True)
    winner = packed == values[counts.argmax()]
    return np.asarray(np.median(colours[winner], axis=0).astype(np.int16))


def _window(label: Label, shape: tuple[int, ...]) -> tuple[slice, slice]:
    x0, y0, x1, y1 = label.box or (0.0, 0.0, 0.0, 0.0)
    columns = slice(max(0, int(x0)), min(shape[1], max(int(x0) + 1, round(x1))))
    return slice(max(0, int(y0)), min(shape[0], max(int(y0) + 1, round(y1)))), columns
