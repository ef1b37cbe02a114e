"""From what the browser measured to annotations in pixels of the picture."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from builders.simulated.graph import ChartLink, Graph
from builders.simulated.legibility import Colour, blend, contrast, parse_hex
from builders.simulated.paths import Marker, Points, flatten_path, marker
from builders.simulated.svg import parse_css_colour, picture_size

Box = tuple[float, ...]
"""`x0, y0, x1, y1` in pixels, origin top-left; empty where there is none."""

Point = tuple[float, ...]
"""`x, y` in pixels; empty where there is none."""

_NODE_ID = re.compile(r"chart-flowchart-(.+)-\d+")
_MARKER_NAME = re.compile(r"_flowchart-v2-(\w+)\)?$")


class RejectedDrawingError(Exception):
    """A drawing that cannot be annotated right; its message is the reason that is counted."""


@dataclass(frozen=True, slots=True)
class NodeAnnotation:
    """A node in the picture: `box` is its outline, `text_box` its label."""

    id: str
    label: str
    shape: str
    box: Box
    text_box: Box


@dataclass(frozen=True, slots=True)
class LinkAnnotation:
    """A link in the picture.

    Attributes:
        source: Id of the node or group where it starts.
        target: Id of the node or group where it ends.
        style: Mermaid's token.
        label: Its text, empty for none.
        label_box: Box of the text.
        polyline: Points on the stroke, from tail to stroke end.
        tail: Where the stroke starts.
        stroke_end: Where the stroke ends.
        head_tip: Tip of the head at the target; the stroke's end where there is no head.
        head_box: Box of that head.
        tail_tip: Tip of the head at the source, empty where there is none.
        tail_box: Box of that head.
    """

    source: str
    target: str
    style: str
    label: str
    label_box: Box
    polyline: tuple[Point, ...]
    tail: Point
    stroke_end: Point
    head_tip: Point
    head_box: Box
    tail_tip: Point
    tail_box: Box


@dataclass(frozen=True, slots=True)
class GroupAnnotation:
    """A subgraph in the picture: `box` is its frame, `text_box` its title."""

    id: str
    label: str
    members: tuple[str, ...]
    box: Box
    text_box: Box


@dataclass(frozen=True, slots=True)
class Annotations:
    """All that is drawn in a chart.

    Attributes:
        width: Width of the picture in pixels.
        height: Height of the picture in pixels.
        nodes: In the order of the code.
        links: In the order of the code.
        groups: In the order of the code.
        link_contrast: Least contrast of a link against the background, 1–21.
        text_contrast: Least contrast of a text against what it stands on, 1–21.
    """

    width: int
    height: int
    nodes: tuple[NodeAnnotation, ...]
    links: tuple[LinkAnnotation, ...]
    groups: tuple[GroupAnnotation, ...]
    link_contrast: float
    text_contrast: float


def annotate(graph: Graph, geometry: Mapping[str, Any]) -> Annotations:
    """Annotate a drawing.

    Args:
        graph: What was to be drawn.
        geometry: What the page measured of its drawing.

    Raises:
        RejectedDrawingError: Something of the graph was not drawn, or not as it should be.
    """
    width, height = picture_size(geometry)
    texts = _text_boxes(geometry)
    boxes = {_node_id(node["id"]): _box(node["box"]) for node in geometry["nodes"]}
    frames = {g["id"].removeprefix("chart-"): _box(g["box"]) for g in geometry["groups"]}
    lines = {line["id"]: line for line in geometry["links"]}
    markers = _markers(geometry["markers"])
    try:
        nodes = tuple(
            NodeAnnotation(n.id, n.label, n.shape, boxes[n.id], texts["node", n.id])
            for n in graph.nodes
        )
        groups = tuple(
            GroupAnnotation(g.id, g.label, g.members, frames[g.id], texts["group", g.id])
            for g in graph.groups
        )
        links = tuple(
            _annotate_link(link, lines[key], texts.get(("link", key), ()), markers)
            for key, link in _keyed(graph.links)
        )
    except KeyError as error:
        raise RejectedDrawingError("something was not drawn") from error
    if any(link.label and not link.label_box for link in links):
        raise RejectedDrawingError("a link's label was not drawn")
    _check_texts_apart(nodes, links, groups)
    return Annotations(width, height, nodes, links, groups, *_contrasts(graph, geometry))


def _check_texts_apart(
    nodes: Iterable[NodeAnnotation],
    links: Iterable[LinkAnnotation],
    groups: Iterable[GroupAnnotation],
) -> None:
    """Refuse charts in which a text is drawn over another, or a node over a link's label.

    Raises:
        RejectedDrawingError: Something covers a text.
    """
    labels = [link.label_box for link in links if link.label_box]
    titles = [group.text_box for group in groups]
    outlines = [node.box for node in nodes]
    if any(boxes_meet(one, other) for one, other in combinations(labels + titles, 2)):
        raise RejectedDrawingError("two texts overlap")
    if any(boxes_meet(text, box) for text in labels + titles for box in outlines):
        raise RejectedDrawingError("a node covers a text")


def boxes_meet(one: Sequence[float], other: Sequence[float], margin: float = 0) -> bool:
    """Tell whether two boxes come closer than a margin, in pixels."""
    return (
        one[0] < other[2] + margin
        and other[0] < one[2] + margin
        and one[1] < other[3] + margin
        and other[1] < one[3] + margin
    )


def _keyed(links: Iterable[ChartLink]) -> list[tuple[str, ChartLink]]:
    """Pair each link with Mermaid's name for it, which counts 0, 2, 3 … for each pair of ends."""
    seen: Counter[tuple[str, str]] = Counter()
    keyed = []
    for link in links:
        pair = (link.source, link.target)
        number = seen[pair] + 1 if seen[pair] else 0
        seen[pair] += 1
        keyed.append((f"L_{link.source}_{link.target}_{number}", link))
    return keyed


def _annotate_link(
    link: ChartLink, line: Mapping[str, Any], label_box: Box, markers: Mapping[str, Marker]
) -> LinkAnnotation:
    try:
        curve = flatten_path(line["d"], line["offset"])
    except ValueError as error:
        raise RejectedDrawingError("a link has no extent") from error
    end = _head(line["end"], markers, curve.points[-1], curve.end_direction)
    start = _head(line["start"], markers, curve.points[0], curve.start_direction)
    stroke_end = _round(curve.points[-1])
    return LinkAnnotation(
        link.source,
        link.target,
        link.style,
        link.label,
        label_box if link.label else (),
        tuple(map(tuple, curve.points.round(3).tolist())),
        _round(curve.points[0]),
        stroke_end,
        end[0] or stroke_end,
        end[1],
        *start,
    )


def _head(
    url: str, markers: Mapping[str, Marker], at: Points, direction: Points
) -> tuple[Point, Box]:
    if not url:
        return (), ()
    tip, box = markers[_marker_name(url)].place(at, direction)
    return _round(tip), _round(box)


def _marker_name(name: str) -> str:
    match = _MARKER_NAME.search(name)
    return match[1] if match else ""


def _markers(heads: Iterable[Mapping[str, Any]]) -> dict[str, Marker]:
    found = {}
    for head in heads:
        name = _marker_name(head["id"])
        if name and not name.endswith("margin"):
            found[name] = marker(name, head["view_box"], head["anchor"], head["width"])
    return found


def _node_id(dom_id: str) -> str:
    match = _NODE_ID.fullmatch(dom_id)
    return match[1] if match else dom_id


def _text_boxes(geometry: Mapping[str, Any]) -> dict[tuple[str, str], Box]:
    boxes = {}
    for label in geometry["labels"]:
        kind, name = label["owner"]
        if not label["words"]:
            continue
        words = [word["box"] for word in label["words"]]
        key = _node_id(name) if kind == "node" else name
        if kind == "group":
            key = name.removeprefix("chart-")
        boxes[kind, key] = _round(
            (
                min(b[0] for b in words),
                min(b[1] for b in words),
                max(b[2] for b in words),
                max(b[3] for b in words),
            )
        )
    return boxes


def _box(values: Iterable[float]) -> Box:
    return _round(values)


def _round(values: Iterable[float]) -> tuple[float, ...]:
    return tuple(round(float(value), 3) for value in values)


def _contrasts(graph: Graph, geometry: Mapping[str, Any]) -> tuple[float, float]:
    page = parse_hex(graph.background)
    surfaces: dict[str, Colour] = {
        item["id"]: parse_css_colour(item["fill"])[0]
        for item in (*geometry["nodes"], *geometry["groups"])
        if item["fill"] != "none"
    }
    links = [contrast(parse_css_colour(line["colour"])[0], page) for line in geometry["links"]]
    texts = []
    for label in geometry["labels"]:
        surface = surfaces.get(label["owner"][1], page)
        for fill in label["fills"]:
            colour, alpha = parse_css_colour(fill["colour"])
            surface = blend(colour, alpha, surface)
        texts += [contrast(parse_css_colour(w["colour"])[0], surface) for w in label["words"]]
    return round(min(links, default=21.0), 2), round(min(texts, default=21.0), 2)
