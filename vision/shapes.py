"""Shapes of a chart: the bordered areas that labels stand in."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.core.text_lines import Box, Label, join_texts
from vision.picture import Pixels

Mask = NDArray[np.bool_]

FILL_TOLERANCE = 12
"""Difference of a channel, of 255, within one fill; pale fills differ from white by 19."""

BORDER_CONTRAST = 25
"""Least difference between a border and what is on both of its sides."""

MIN_BORDER_SHARE = 0.25
"""Share of a shape's rim that must be border; pale and blurred borders differ only here and
there, the ground of a link's label nowhere but where the link meets it."""


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """A bordered area with a text in it.

    Attributes:
        text: What stands in it.
        box: Its upright box in pixels.
        outline: Its outline, integer points of shape `(n, 1, 2)`.
    """

    text: str
    box: Box
    outline: NDArray[np.int32]


def background_of(pixels: Pixels) -> NDArray[np.int16]:
    """Return the most frequent colour, shape `(3,)`."""
    return _most_frequent(pixels.reshape(-1, 3))


def find_shapes(pixels: Pixels, labels: Sequence[Label]) -> tuple[list[Shape], list[Label]]:
    """Find the shapes round labels.

    Labels in one shape become one text; an area that holds other shapes is a group, whose title
    is no node.

    Args:
        pixels: Picture, shape `(height, width, 3)`.
        labels: Labels with places in the picture.

    Returns:
        The shapes, and the labels outside of shapes: those of links and titles.
    """
    background = background_of(pixels)
    fills = [_fill_of(pixels, label) for label in labels]
    areas: dict[tuple[int, ...], NDArray[np.int32]] = {}
    inside: dict[tuple[tuple[int, ...], int], list[Label]] = {}
    free: list[Label] = []
    for label, fill in zip(labels, fills, strict=True):
        key = next((k for k in areas if np.abs(np.array(k) - fill).max() <= 4), None)
        if key is None:
            key = tuple(int(channel) for channel in fill)
            areas[key] = _areas(pixels, np.array(key))
        area = _area_at(areas[key], label)
        if area:
            inside.setdefault((key, area), []).append(label)
        else:
            free.append(label)
    shapes: list[tuple[Shape, list[Label]]] = []
    for (key, area), members in inside.items():
        shape = _shape(pixels, areas[key] == area, members, np.array(key), background)
        if shape is None:
            free.extend(members)
        else:
            shapes.append((shape, members))
    nodes = []
    for shape, members in shapes:
        if any(_holds(shape, other) for other, _ in shapes if other is not shape):
            free.extend(members)
        else:
            nodes.append(shape)
    nodes.sort(key=lambda shape: (shape.box[1], shape.box[0]))
    return nodes, free


def _most_frequent(colours: Pixels) -> NDArray[np.int16]:
    packed = (colours.astype(np.uint32) >> 2) @ np.array([1 << 12, 1 << 6, 1], dtype=np.uint32)
    values, counts = np.unique(packed, return_counts=True)
    winner = packed == values[counts.argmax()]
    return np.asarray(np.median(colours[winner], axis=0).astype(np.int16))


def _window(label: Label, shape: tuple[int, ...]) -> tuple[slice, slice]:
    x0, y0, x1, y1 = label.box or (0.0, 0.0, 0.0, 0.0)
    columns = slice(max(0, int(x0)), min(shape[1], max(int(x0) + 1, round(x1))))
    return slice(max(0, int(y0)), min(shape[0], max(int(y0) + 1, round(y1)))), columns


def _fill_of(pixels: Pixels, label: Label) -> NDArray[np.int16]:
    return _most_frequent(pixels[_window(label, pixels.shape)].reshape(-1, 3))


def _areas(pixels: Pixels, fill: NDArray[np.integer]) -> NDArray[np.int32]:
    """Number the connected areas of one fill; 0 is everything else."""
    import cv2

    near = np.abs(pixels.astype(np.int16) - fill).max(axis=2) <= FILL_TOLERANCE
    _, areas = cv2.connectedComponents(near.astype(np.uint8), connectivity=4)
    return np.asarray(areas, dtype=np.int32)


def _area_at(areas: NDArray[np.int32], label: Label) -> int:
    values = areas[_window(label, areas.shape)]
    values = values[values > 0]
    return int(np.bincount(values).argmax()) if values.size else 0


def _shape(
    pixels: Pixels,
    area: Mask,
    members: Sequence[Label],
    fill: NDArray[np.integer],
    background: NDArray[np.integer],
) -> Shape | None:
    import cv2

    same = np.abs(fill - background).max() <= FILL_TOLERANCE
    if same and (area[0].any() or area[-1].any() or area[:, 0].any() or area[:, -1].any()):
        return None  # the ground of the chart itself
    contours, _ = cv2.findContours(area.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = max(contours, key=cv2.contourArea)
    x, y, width, height = cv2.boundingRect(outline)
    rows = slice(max(0, y - 4), y + height + 4)
    columns = slice(max(0, x - 4), x + width + 4)
    filled = np.zeros(area.shape, np.uint8)
    cv2.drawContours(filled, [outline], -1, 1, cv2.FILLED)
    filled = filled[rows, columns]
    rim = (cv2.dilate(filled, np.ones((3, 3), np.uint8), iterations=2) - filled).astype(bool)
    colours = pixels[rows, columns][rim].astype(np.int16)
    border = (np.abs(colours - fill).max(axis=1) > BORDER_CONTRAST) & (
        np.abs(colours - background).max(axis=1) > BORDER_CONTRAST
    )
    if border.size == 0 or border.mean() < MIN_BORDER_SHARE:
        return None
    ordered = sorted(members, key=lambda label: (label.box or (0.0,) * 4)[1])
    box = (float(x), float(y), float(x + width), float(y + height))
    return Shape(join_texts([label.text for label in ordered]), box, np.asarray(outline, np.int32))


def _holds(outer: Shape, inner: Shape) -> bool:
    import cv2

    x = (inner.box[0] + inner.box[2]) / 2
    y = (inner.box[1] + inner.box[3]) / 2
    larger = outer.box[2] - outer.box[0] > inner.box[2] - inner.box[0]
    return larger and cv2.pointPolygonTest(outer.outline, (x, y), False) > 0
