"""Shapes of a chart: the bordered areas that labels stand in."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from metrics.core.text_lines import Box, Label, bounding_box, join_texts
from vision.picture import Pixels

Mask = NDArray[np.bool_]

FILL_TOLERANCE = 12
"""Difference of a channel, of 255, within one fill; pale fills differ from white by 19."""

LINE = 7
"""Thickness, in pixels at the verifier's scale, up to which a line parts no shape."""

EDGE = 3
"""Thickness, likewise, up to which a stripe is a smoothed edge."""

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


def background_of(pixels: Pixels) -> NDArray[np.int16]:
    """Return the most frequent colour at the edge of the picture, shape `(3,)`."""
    edges = (pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1])
    return _most_frequent(np.concatenate(edges))


def find_shapes(pixels: Pixels, labels: Sequence[Label]) -> Shapes:
    """Find the shapes round labels.

    Labels in one shape become one text; an area that holds other shapes is a group, whose title
    is no node.

    Args:
        pixels: Picture, shape `(height, width, 3)`.
        labels: Labels with places in the picture.
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
            areas[key] = _areas(pixels, np.array(key), background)
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
    import cv2

    rows, columns = _window(label, pixels.shape)
    # Boxes of short texts may reach beyond a flat shape.
    inset = (rows.stop - rows.start) // 4
    window = np.ascontiguousarray(pixels[rows.start + inset : rows.stop - inset, columns])
    # JPEG leaves halos round letters, whose colours are closer to each other than the fill's.
    smooth = np.asarray(cv2.medianBlur(window, 5), np.uint8)
    return _most_frequent(smooth.reshape(-1, 3))


def _areas(
    pixels: Pixels, fill: NDArray[np.integer], background: NDArray[np.integer]
) -> NDArray[np.int32]:
    """Number the connected areas of one fill; 0 is everything else."""
    import cv2

    near = (np.abs(pixels.astype(np.int16) - fill).max(axis=2) <= FILL_TOLERANCE).astype(np.uint8)
    if np.abs(fill - background).max() > FILL_TOLERANCE:
        # The smoothed outer edge of a border passes through the fill's colour: it is thin.
        near = np.asarray(cv2.morphologyEx(near, cv2.MORPH_OPEN, np.ones((EDGE, EDGE), np.uint8)))
        # Lines within a shape part it no more: cylinders, stacks of sheets, double frames.
        near = np.asarray(cv2.morphologyEx(near, cv2.MORPH_CLOSE, np.ones((LINE, LINE), np.uint8)))
    _, areas = cv2.connectedComponents(near, connectivity=4)
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
    x0, y0, x1, y1 = bounding_box(
        [p for label in members for ln in label.lines for p in ln.polygon]
    )
    roomy = width - (x1 - x0) + height - (y1 - y0) >= MIN_ROOM
    margin = BORDER_DEPTH + 1
    rows = slice(max(0, y - margin), y + height + margin)
    columns = slice(max(0, x - margin), x + width + margin)
    filled = np.zeros(area.shape, np.uint8)
    cv2.drawContours(filled, [outline], -1, 1, cv2.FILLED)
    colours, inner = pixels[rows, columns], np.ascontiguousarray(filled[rows, columns])
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
    return Shape(
        text, box, np.asarray(outline, np.int32), border, fill.astype(np.int16), bool(roomy)
    )


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
    difference = np.abs(pixels.astype(np.int16) - colour.astype(np.int16))
    return np.asarray(difference.max(axis=2) > BORDER_CONTRAST)


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
