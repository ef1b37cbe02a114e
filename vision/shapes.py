"""Shapes of a chart: the bordered areas that labels stand in."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from metrics.core.text_lines import Box, Label, bounding_box, join_texts
from vision.fills import FILL_TOLERANCE, Areas, background_of, fill_of, find_areas
from vision.picture import Pixels, has_colour

Mask = NDArray[np.bool_]

BORDER_CONTRAST = 25
"""Least difference between a border and what is on both of its sides."""

BESIDE = 12
"""Distance, likewise, within which a shape is beside another."""

MIN_ROOM = 20
"""Space, likewise, between a text and the border round it, all sides together, that the ground of
a link's label never has."""

BORDER_DEPTH = 6
"""How far outside of a fill, in pixels at the verifier's scale, its border may lie."""

MIN_BORDER = 0.55
"""Share of a shape's rim that must be border: the ground of a link's label has none, but letters
and the link may reach its rim."""

MIN_TIGHT_BORDER = 0.98
"""Share of the rim of a shape without that room that must be within a pixel of border."""


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """A bordered area with a text in it.

    Attributes:
        text: What stands in it.
        box: Its upright box in pixels.
        outline: Outline of its fill, integer points of shape `(n, 1, 2)`.
        border: How far outside of its fill its border reaches, in pixels.
        fill: Its colour.
        roomy: Whether there is space between its text and its border.
    """

    text: str
    box: Box
    outline: NDArray[np.int32]
    border: int
    fill: NDArray[np.int16]
    roomy: bool = True


@dataclass(frozen=True, slots=True)
class Shapes:
    """The bordered areas of a chart.

    Attributes:
        nodes: Those that hold a text and no other shape.
        groups: Those that hold other shapes; their text is a title.
        titles: Labels of groups.
        free: Labels outside of nodes and groups: those of links.
    """

    nodes: tuple[Shape, ...]
    groups: tuple[Shape, ...]
    titles: tuple[Label, ...]
    free: tuple[Label, ...]


def find_shapes(pixels: Pixels, labels: Sequence[Label]) -> Shapes:
    """Find the shapes round labels.

    Labels in one shape become one text; an area that holds other shapes is a group, whose title
    is no node.

    Args:
        pixels: Picture, shape `(height, width, 3)`.
        labels: Labels with places in the picture.
    """
    background = background_of(pixels)
    fills = [fill_of(pixels, label) for label in labels]
    areas: dict[tuple[int, ...], Areas] = {}
    inside: dict[tuple[tuple[int, ...], int], list[Label]] = {}
    free: list[Label] = []
    for label, fill in zip(labels, fills, strict=True):
        key = next((k for k in areas if np.abs(np.array(k) - fill).max() <= 4), None)
        if key is None:
            key = tuple(int(channel) for channel in fill)
            areas[key] = find_areas(pixels, np.array(key), background)
        area = areas[key].at(label)
        if area:
            inside.setdefault((key, area), []).append(label)
        else:
            free.append(label)
    shapes: list[tuple[Shape, list[Label]]] = []
    for (key, area), members in inside.items():
        shape = _shape(pixels, areas[key], area, members, np.array(key), background)
        if shape is None:
            free.extend(members)
        else:
            shapes.append((shape, members))
    every = [shape for shape, _ in shapes]
    usual = np.median([shape.fill for shape in every], axis=0) if every else background
    nodes, groups, titles = [], [], []
    for shape, members in shapes:
        # The ground of a link's label has another colour than the nodes.
        odd = not shape.roomy and np.abs(shape.fill - usual).max() > FILL_TOLERANCE
        if odd or _enclosed_ground(shape, every, background):
            free.extend(members)
        elif any(_holds(shape, other) for other in every if other is not shape):
            groups.append(_framed(shape))
            titles.extend(members)
        else:
            nodes.append(shape)
    nodes.sort(key=lambda shape: (shape.box[1], shape.box[0]))
    return Shapes(tuple(nodes), tuple(groups), tuple(titles), tuple(free))


def _shape(
    pixels: Pixels,
    areas: Areas,
    area: int,
    members: Sequence[Label],
    fill: NDArray[np.integer],
    background: NDArray[np.integer],
) -> Shape | None:
    import cv2

    x, y, width, height = areas.box(area)
    below, beside = pixels.shape[0] - (y + height), pixels.shape[1] - (x + width)
    same = np.abs(fill - background).max() <= FILL_TOLERANCE
    if same and min(x, y, below, beside) == 0:
        return None  # the ground of the chart itself
    margin = BORDER_DEPTH + 1
    corner = max(0, x - margin), max(0, y - margin)
    window = np.s_[corner[1] : y + height + margin, corner[0] : x + width + margin]
    inner = (areas.numbers[window] == area).astype(np.uint8)
    contours, _ = cv2.findContours(inner, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = max(contours, key=cv2.contourArea)
    cv2.drawContours(inner, [outline], -1, 1, cv2.FILLED)  # letters are holes
    x0, y0, x1, y1 = bounding_box(
        [p for label in members for ln in label.lines for p in ln.polygon]
    )
    roomy = width - (x1 - x0) + height - (y1 - y0) >= MIN_ROOM
    colours = np.ascontiguousarray(pixels[window])
    different = _differing(colours, fill) & _differing(colours, background)
    shares = _border_shares(different, inner)
    if max(shares) < MIN_BORDER:
        return None
    if not roomy:
        near = cv2.dilate(different.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        if max(_border_shares(near, inner)) < MIN_TIGHT_BORDER:
            return None
    border = max(depth for depth, share in enumerate(shares, 1) if share >= MIN_BORDER)
    ordered = sorted(members, key=lambda label: (label.box or (0.0,) * 4)[1])
    box = (float(x), float(y), float(x + width), float(y + height))
    text = join_texts([label.text for label in ordered])
    outline = np.asarray(outline + corner, np.int32)
    return Shape(text, box, outline, border, fill.astype(np.int16), bool(roomy))


def _enclosed_ground(
    shape: Shape, others: Sequence[Shape], background: NDArray[np.integer]
) -> bool:
    """Tell whether an area is a piece of the chart's ground that links enclose.

    Such a piece lies beside the shapes that the links join, and bends round them.
    """
    if np.abs(shape.fill - background).max() > FILL_TOLERANCE:
        return False
    x0, y0, x1, y1 = shape.box
    beside = [
        other
        for other in others
        if other is not shape
        and max(x0, other.box[0]) - min(x1, other.box[2]) < BESIDE
        and max(y0, other.box[1]) - min(y1, other.box[3]) < BESIDE
    ]
    return any(_solidity(other) > _solidity(shape) for other in beside)


def _solidity(shape: Shape) -> float:
    """Return the share of its hull that a shape fills, 0 to 1."""
    import cv2

    hull = float(cv2.contourArea(cv2.convexHull(shape.outline)))
    return float(cv2.contourArea(shape.outline)) / hull if hull else 0.0


def _differing(pixels: Pixels, colour: NDArray[np.integer]) -> Mask:
    return np.asarray(has_colour(pixels, colour, BORDER_CONTRAST) == 0)


def _border_shares(border: Mask, filled: NDArray[np.uint8]) -> list[float]:
    """Return how much of an area's rim is border, pixel by pixel outwards."""
    import cv2

    shares = []
    for _ in range(BORDER_DEPTH):
        wider = np.asarray(cv2.dilate(filled, np.ones((3, 3), np.uint8)), np.uint8)
        rim = (wider > 0) & (filled == 0)
        shares.append(float(border[rim].mean()) if rim.any() else 0.0)
        filled = wider
    return shares


def _holds(outer: Shape, inner: Shape) -> bool:
    import cv2

    x = (inner.box[0] + inner.box[2]) / 2
    y = (inner.box[1] + inner.box[3]) / 2
    larger = outer.box[2] - outer.box[0] > inner.box[2] - inner.box[0]
    # Links that cross a frame cut its area open, its hull stays.
    return larger and cv2.pointPolygonTest(cv2.convexHull(outer.outline), (x, y), False) > 0


def _framed(group: Shape) -> Shape:
    import cv2

    return replace(group, outline=np.asarray(cv2.convexHull(group.outline), np.int32))
