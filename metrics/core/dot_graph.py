"""The graph that a DOT parser builds: scopes with their defaults, nodes, edges, clusters."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise, product

from .diagram import MAX_LINKS, Arrow, Diagram, Group, Link, Node, Skipped, Stroke
from .dot_labels import label_text, record_text

_KEPT = frozenset(
    {"label", "xlabel", "shape", "style", "dir", "arrowhead", "arrowtail", "penwidth", "rankdir"}
)
_DIRECTIONS = frozenset({"TB", "BT", "LR", "RL"})
_MAX_VALUE = 200
_MAX_EXPANDED = 2_000_000
"""Characters of labels in which names are put for `\\N` and the like: a label may be a default."""


class TooManyLinksError(ValueError):
    """More links than `MAX_LINKS`."""

    def __init__(self) -> None:
        super().__init__(f"more than {MAX_LINKS} links")


def _kept(attributes: Mapping[str, str]) -> dict[str, str]:
    """Return the attributes that a diagram can show; but labels, long values mean nothing."""
    return {
        key: value if key.endswith("label") else value[:_MAX_VALUE]
        for key, value in attributes.items()
        if key in _KEPT
    }


@dataclass(slots=True)
class Scope:
    """The body of the graph or of a subgraph."""

    name: str
    cluster: "Scope | None"
    graph: dict[str, str]
    node: dict[str, str]
    edge: dict[str, str]
    items: "list[str | Scope]" = field(default_factory=list)
    subgraphs: "dict[str, Scope]" = field(default_factory=dict)

    def set_defaults(self, kind: str, attributes: Mapping[str, str]) -> None:
        """Set what `graph`, `node` or `edge` things get from here on."""
        {"graph": self.graph, "node": self.node, "edge": self.edge}[kind].update(_kept(attributes))

    def assign(self, name: str, value: str) -> None:
        """Set an attribute of the graph or subgraph."""
        self.graph.update(_kept({name: value}))


@dataclass(slots=True)
class _Edge:
    tail: str
    head: str
    attributes: dict[str, str]


class DotGraph:
    """A graph while it is read."""

    def __init__(self, name: str = "", *, directed: bool = True, strict: bool = False) -> None:
        self.name = name
        self.directed = directed
        self.root = Scope(name, None, {}, {}, {})
        self._strict = strict
        self._nodes: dict[str, dict[str, str]] = {}
        self._edges: list[_Edge] = []
        self._merged: dict[tuple[str, str, str], _Edge] = {}
        self._clusters: dict[str, Scope] = {}
        self._parents: dict[str, Scope | None] = {}
        self._homes: dict[str, Scope] = {}
        self._visited = 0
        self._expanded = 0
        self._plain_texts: dict[tuple[str, bool], str] = {}

    @property
    def edge_sign(self) -> str:
        """The sign that joins two ends in this kind of graph."""
        return "->" if self.directed else "--"

    def subgraph(self, parent: Scope, name: str) -> Scope:
        """Enter a subgraph; a name that this parent had before means the same one."""
        if name in parent.subgraphs:
            return parent.subgraphs[name]
        defaults = (parent.graph.copy(), parent.node.copy(), parent.edge.copy())
        scope = Scope(name, parent.cluster, *defaults)
        if name.startswith("cluster"):
            # Under two parents it is drawn twice; the first one stands for both.
            self._clusters.setdefault(name, scope)
            self._parents.setdefault(name, parent.cluster)
            scope.cluster = self._clusters[name]
        if name:
            parent.subgraphs[name] = scope
        parent.items.append(scope)
        return scope

    def mention(self, scope: Scope, name: str) -> None:
        """Put a node in a scope and create it where it is new."""
        if name not in self._nodes:
            self._nodes[name] = scope.node.copy()
        scope.items.append(name)
        if scope.cluster is None:
            return
        home = self._homes.get(name)
        # A node stays in its first cluster, unless a cluster inside that one names it too.
        if home is None or (home is not scope.cluster and self._is_inside(scope.cluster, home)):
            self._homes[name] = scope.cluster

    def _is_inside(self, inner: Scope, outer: Scope) -> bool:
        above = self._parents.get(inner.name)
        while above is not None and above is not outer:
            above = self._parents.get(above.name)
        return above is outer

    def connect(
        self, scope: Scope, chain: list[Scope | list[str]], attributes: Mapping[str, str]
    ) -> None:
        """Add the edges of a chain of ends; a single end is a statement about its nodes.

        Raises:
            TooManyLinksError: The graph would have more than `MAX_LINKS` links.
        """
        if len(chain) == 1:
            if not attributes:
                return
            for name in chain[0] if isinstance(chain[0], list) else ():
                self._nodes[name].update(_kept(attributes))
            return
        ends = [self._nodes_in(end) if isinstance(end, Scope) else end for end in chain]
        kept = scope.edge | _kept(attributes)
        merges = self._strict or "key" in attributes
        for tails, heads in pairwise(ends):
            if len(self._edges) + len(tails) * len(heads) > MAX_LINKS:
                raise TooManyLinksError
            if not merges:
                self._edges += [_Edge(tail, head, kept) for tail in tails for head in heads]
                continue
            for tail, head in product(tails, heads):
                self._edge(scope, tail, head, attributes)

    def _nodes_in(self, scope: Scope) -> list[str]:
        """Return the nodes inside, also those of subgraphs, once each.

        Raises:
            TooManyLinksError: Ends within ends hold more nodes than a graph may have links.
        """
        seen: dict[str, None] = {}
        waiting: list[str | Scope] = [scope]
        while waiting:
            item = waiting.pop()
            if isinstance(item, Scope):
                waiting += reversed(item.items)
                self._visited += len(item.items)
                if self._visited > MAX_LINKS:
                    raise TooManyLinksError
            else:
                seen[item] = None
        return list(seen)

    def _edge(self, scope: Scope, tail: str, head: str, attributes: Mapping[str, str]) -> None:
        """Add an edge, or merge it with the one of the same ends and key."""
        ends = (tail, head) if self.directed else (min(tail, head), max(tail, head))
        key = (*ends, attributes.get("key", ""))
        if key in self._merged:
            self._merged[key].attributes.update(_kept(attributes))
            return
        edge = _Edge(tail, head, scope.edge | _kept(attributes))
        self._merged[key] = edge
        self._edges.append(edge)

    def diagram(self, skipped: tuple[Skipped, ...]) -> Diagram:
        """Return what was built."""
        members: dict[str, dict[str, None]] = {name: {} for name in self._parents}
        for name, parent in self._parents.items():
            if parent is not None:
                members[parent.name][name] = None
        for node, home in self._homes.items():
            members[home.name][node] = None
        direction = self.root.graph.get("rankdir", "").upper()
        return Diagram(
            nodes=tuple(self._node(name, kept) for name, kept in self._nodes.items()),
            links=tuple(self._link(edge) for edge in self._edges),
            groups=tuple(
                Group(name, self._text(self._clusters[name].graph, {}), tuple(members[name]))
                for name in self._parents
            ),
            direction=direction if direction in _DIRECTIONS else None,
            skipped=skipped,
        )

    def _text(self, attributes: dict[str, str], names: dict[str, str]) -> str:
        label = attributes.get("label", "")
        record = attributes.get("shape", "").lower() in ("record", "mrecord")
        text = self._plain_texts.get((label, record))
        if text is not None:
            return text
        read = record_text if record else label_text
        if self._expanded <= _MAX_EXPANDED and (escapes := label.count("\\")):
            names = {"G": self.name} | names
            self._expanded += len(label) + escapes * max(map(len, names.values()))
            if self._expanded <= _MAX_EXPANDED:
                return read(label, names)
        self._plain_texts[label, record] = text = read(label, {})
        return text

    def _node(self, name: str, attributes: dict[str, str]) -> Node:
        if attributes.get("label", "\\N") == "\\N":
            return Node(name, name, attributes.get("shape"))
        return Node(name, self._text(attributes, {"N": name}), attributes.get("shape"))

    def _link(self, edge: _Edge) -> Link:
        kept = edge.attributes
        if not kept:
            return Link(edge.tail, edge.head, arrow="point" if self.directed else "none")
        if "label" not in kept and "xlabel" in kept:
            kept = kept | {"label": kept["xlabel"]}
        sign = self.edge_sign
        names = {"T": edge.tail, "H": edge.head, "E": f"{edge.tail}{sign}{edge.head}"}
        label = self._text(kept, names)
        direction = kept.get("dir", "forward" if self.directed else "none").lower()
        head = (
            _arrow(kept.get("arrowhead", "normal")) if direction in ("forward", "both") else "none"
        )
        tail = _arrow(kept.get("arrowtail", "normal")) if direction in ("back", "both") else "none"
        if direction == "back":
            return Link(edge.head, edge.tail, label, _stroke(kept), tail)
        return Link(edge.tail, edge.head, label, _stroke(kept), head, tail)


def _arrow(name: str) -> Arrow:
    if name == "none":
        return "none"
    return "circle" if name in ("dot", "odot") else "point"


def _stroke(attributes: dict[str, str]) -> Stroke:
    styles = {style.strip() for style in attributes.get("style", "").lower().split(",")}
    if styles & {"invis", "invisible"}:
        return "invisible"
    if styles & {"dotted", "dashed"}:
        return "dotted"
    return "thick" if "bold" in styles or _is_thick(attributes.get("penwidth", "")) else "normal"


def _is_thick(width: str) -> bool:
    try:
        return float(width) >= 2
    except ValueError:
        return False
