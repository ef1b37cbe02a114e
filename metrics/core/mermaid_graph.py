"""The flowchart that Mermaid's parser builds statement by statement (mermaid's `flowDb`)."""

import html
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from .diagram import MAX_LINKS, Arrow, Diagram, Group, Link, Node, Stroke
from .mermaid_letters import SPACE
from .mermaid_shapes import SHAPE_NAMES
from .mermaid_yaml import YamlValue, key_text

_ARROWS: dict[str, Arrow] = {">": "point", "x": "cross", "o": "circle"}
_START_SIGNS = {">": "<", "x": "x", "o": "o"}


class FlowGraphError(ValueError):
    """A statement that mermaid.js refuses although its grammar allows it."""


class LinkStyle(NamedTuple):
    """How a link is drawn."""

    stroke: Stroke
    arrow: Arrow
    arrow_start: Arrow = "none"


def decode_label(text: str) -> str:
    """Return a label as a reader sees it: trimmed, entities decoded, one outer quote pair off."""
    label = text.strip(SPACE)
    if len(label) > 1 and label.startswith('"') and label.endswith('"'):
        label = label[1:-1]
    return decode_entities(label)


def decode_entities(text: str) -> str:
    """Decode `#35;` (hidden by `mermaid_source.prepare`) and `&amp;`."""
    if "ﬂ°" in text:
        text = text.replace("ﬂ°°", "&#").replace("ﬂ°", "&").replace("¶ß", ";")
    try:
        return html.unescape(text) if "&" in text else text
    except ValueError:  # a code point of more digits than Python converts
        return text


@lru_cache(maxsize=1024)
def link_style(link: str, start: str = "") -> LinkStyle:
    """Read a link's signs, as `destructLink` does.

    Args:
        link: The link or, where text stands inside it, what follows the text.
        start: What stands before the text.
    """
    signs, opening = link.strip(SPACE), start.strip(SPACE)
    arrow = _ARROWS.get(signs[-1], "none")
    line = signs[:-1]
    both = arrow != "none" and signs.startswith(_START_SIGNS[signs[-1]])
    stroke = _stroke(line[1:] if both else line)
    if not opening:
        return LinkStyle(stroke, arrow, arrow if both else "none")
    arrow_start: Arrow = _ARROWS.get(opening[0].replace("<", ">"), "none")
    if _stroke_inside(opening) != stroke or (
        arrow_start != "none" and (arrow_start != arrow or both)
    ):
        # Mermaid draws such a link of two minds as a plain arrow.
        return LinkStyle("normal", "point")
    if arrow_start == "none" and both:
        arrow_start = arrow
    return LinkStyle(stroke, arrow, arrow_start)


def _stroke(line: str) -> Stroke:
    if "." in line:
        return "dotted"
    return {"=": "thick", "~": "invisible"}.get(line[:1], "normal")  # type: ignore[return-value]


def _stroke_inside(opening: str) -> Stroke:
    if "." in opening:
        return "dotted"
    return "thick" if "=" in opening else "normal"


@dataclass(slots=True)
class _Vertex:
    label: str | None = None
    shape: str | None = None


@dataclass(slots=True)
class _Subgraph:
    order: int
    title: str
    members: list[str]


@dataclass(slots=True)
class FlowGraph:
    """A flowchart under construction."""

    direction: str | None = None
    _vertices: dict[str, _Vertex] = field(default_factory=dict)
    _links: list[Link] = field(default_factory=list)
    _given_ids: dict[int, str] = field(default_factory=dict)
    _link_ids: set[str] = field(default_factory=set)
    _parallel: dict[tuple[str, str], int] = field(default_factory=dict)
    _named: int = 0
    _subgraphs: dict[str, _Subgraph] = field(default_factory=dict)
    _closed: int = 0
    _owned: set[str] = field(default_factory=set)

    def add_vertex(
        self, vertex_id: str, label: str | None = None, shape: str | None = None
    ) -> None:
        """Add a node, or give a known one another label or shape."""
        vertex = self._vertices.get(vertex_id)
        if (vertex is not None and label is None and shape is None) or self._is_link_id(vertex_id):
            return
        if vertex is None:
            if not vertex_id.strip(SPACE):
                return
            vertex = self._vertices[vertex_id] = _Vertex()
        if label is not None:
            vertex.label = decode_label(label)
        if shape is not None:
            vertex.shape = shape

    def add_metadata(self, vertex_id: str, metadata: YamlValue) -> None:
        """Apply what stands in a node's `@{…}`.

        Raises:
            FlowGraphError: The shape is unknown or a value is not a text.
        """
        if vertex_id in self._subgraphs and metadata not in (None, "", 0, False):
            return
        self.add_vertex(vertex_id)
        vertex = self._vertices.get(vertex_id)
        if vertex is None or self._is_link_id(vertex_id):
            return
        if metadata is None:
            raise FlowGraphError("@{…} holds nothing")
        values = metadata if isinstance(metadata, dict) else {}
        if shape := values.get("shape"):
            if not (isinstance(shape, str) and shape in SHAPE_NAMES):
                raise FlowGraphError(f"no such shape: {shape}")
            vertex.shape = shape
        label = values.get("label")
        if label:
            vertex.label = decode_entities(key_text(label))
        if values.get("icon") or values.get("img"):
            if label is not None and not isinstance(label, str):
                raise FlowGraphError("the label of an icon or image is not a text")
            if not (label or "").strip(SPACE) and vertex.label in (None, vertex_id):
                vertex.label = ""

    def add_links(
        self, sources: list[str], targets: list[str], style: LinkStyle, label: str, link_id: str
    ) -> None:
        """Link every source with every target; only the middle one of them bears the id.

        Raises:
            FlowGraphError: The chart would have more than `MAX_LINKS` links.
        """
        if len(self._links) + len(sources) * len(targets) > MAX_LINKS:
            raise FlowGraphError(f"more than {MAX_LINKS:,} links")
        text = decode_label(label) if label else ""
        if link_id:
            # Of several links the one from the last source to the first target.
            middle = len(self._links) + sources.index(sources[-1]) * len(targets)
            self._given_ids[middle] = link_id
        for source in sources:
            for target in targets:
                self._links.append(Link(source, target, text, *style))

    def _is_link_id(self, name: str) -> bool:
        """Tell whether a link made so far bears a name: one given, or one like `L_A_B_0`."""
        if not self._given_ids and not name.startswith("L_"):
            return False
        for index in range(self._named, len(self._links)):
            self._name_link(self._links[index], self._given_ids.get(index, ""))
        self._named = len(self._links)
        return name in self._link_ids

    def _name_link(self, link: Link, link_id: str) -> None:
        ends = link.source, link.target
        number = self._parallel.get(ends, 0)
        self._parallel[ends] = number + 1
        if not link_id or link_id in self._link_ids:
            link_id = f"L_{link.source}_{link.target}_{number + 1 if number else 0}"
        self._link_ids.add(link_id)

    def check_link_number(self, number: str) -> None:
        """Check that a link with this number is there, as `linkStyle` asks.

        Raises:
            FlowGraphError: It is not.
        """
        is_plain = len(number) < 10 and number == str(int(number))
        if not (is_plain and int(number) < len(self._links)):
            raise FlowGraphError(f"no link with number {number}")

    def add_subgraph(
        self, subgraph_id: str | None, title: str, members: list[str], order: int
    ) -> str:
        """Close a subgraph and return its id; nodes of earlier subgraphs stay there."""
        name = f"subGraph{self._closed}" if subgraph_id is None else subgraph_id
        self._closed += 1
        own = [m for m in dict.fromkeys(members) if m.strip(SPACE) and m not in self._owned]
        own = [member for member in own if member != name]
        self._owned.update(own)
        if name in self._subgraphs:
            self._subgraphs[name].members += own
        else:
            label = decode_entities(title.strip(SPACE))
            self._subgraphs[name] = _Subgraph(order, label, own)
        return name

    def diagram(self) -> Diagram:
        """Return what has been built as a plain value."""
        nodes = (
            Node(
                key,
                vertex.label if vertex.label is not None else decode_entities(key),
                vertex.shape,
            )
            for key, vertex in self._vertices.items()
        )
        subgraphs = sorted(self._subgraphs.items(), key=lambda item: item[1].order)
        groups = (
            Group(key, subgraph.title, tuple(filter(self._is_known, subgraph.members)))
            for key, subgraph in subgraphs
        )
        return Diagram(tuple(nodes), tuple(self._links), tuple(groups), self.direction)

    def _is_known(self, name: str) -> bool:
        return name in self._vertices or name in self._subgraphs
