"""The value that every diagram language parses to.

A diagram is a labelled multigraph with nested groups, whatever language it was written in;
metrics compare diagrams and never look at source code.
"""

from dataclasses import dataclass
from typing import Literal

Stroke = Literal["normal", "thick", "dotted", "invisible"]
Arrow = Literal["none", "point", "circle", "cross"]

MAX_LINKS = 200_000
"""Most links that a parser reads: ends that multiply would make 10^10 of a megabyte."""


MAX_LINES = 20_000
"""Most lines that a recovering parser reads: more than a model can write, unless it loops."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a diagram.

    Attributes:
        id: Identifier, unique in the diagram.
        label: Text that a reader sees, entities decoded; the id where the source gives none.
        shape: The language's own name of the shape, `None` where the source names none.
    """

    id: str
    label: str
    shape: str | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """A link between two nodes or groups.

    Attributes:
        source: Id of the node or group where the link starts.
        target: Id of the node or group where the link ends.
        label: Text on the link, empty where there is none.
        stroke: How the line is drawn.
        arrow: What stands at the target's end.
        arrow_start: What stands at the source's end (`none` but for two-headed links).
    """

    source: str
    target: str
    label: str = ""
    stroke: Stroke = "normal"
    arrow: Arrow = "point"
    arrow_start: Arrow = "none"


@dataclass(frozen=True, slots=True)
class Group:
    """A box round nodes (Mermaid's subgraph, DOT's cluster, PlantUML's package).

    Attributes:
        id: Identifier, shared namespace with the nodes.
        label: Title that a reader sees.
        members: Ids of the nodes and groups directly inside, in order of appearance.
    """

    id: str
    label: str
    members: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Skipped:
    """A line that a recovering parser could not use.

    Attributes:
        line: 1-based line number in the text that was parsed.
        text: The text that was left out.
        reason: Why, in words for a reader.
    """

    line: int
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Diagram:
    """A diagram as a plain value.

    Attributes:
        nodes: Nodes in order of first appearance; ids are unique.
        links: Links in order of appearance, a multiset.
        groups: Groups in order of appearance.
        direction: `TB`, `BT`, `LR` or `RL`; `None` where the source names none.
        skipped: What a recovering parser left out; empty after a strict parse.
    """

    nodes: tuple[Node, ...] = ()
    links: tuple[Link, ...] = ()
    groups: tuple[Group, ...] = ()
    direction: str | None = None
    skipped: tuple[Skipped, ...] = ()

    def labels(self) -> dict[str, str]:
        """Return the map from id to label, of nodes and of groups.

        Where a link names a group, Mermaid has a node of that id without a label of its own: a
        reader sees the group's label there.
        """
        groups = {group.id: group.label for group in self.groups}
        nodes = {node.id: node.label for node in self.nodes}
        return nodes | {key: label for key, label in groups.items() if nodes.get(key, key) == key}


@dataclass(slots=True)
class Effort:
    """How much broken code is still read of a reply.

    A broken line costs its length, at least 40; any other piece that is read by itself costs less.
    What is left unread is said in `Diagram.skipped`: 5,000 broken lines are more than a reader
    mends, and a model that writes more of them is in a loop.
    """

    left: int = 200_000


class DiagramSyntaxError(ValueError):
    """Source code that the language's own parser refuses.

    Attributes:
        line: 1-based line of the fault.
        column: 1-based column of the fault.
        reason: What was found and what was expected.
    """

    def __init__(self, line: int, column: int, reason: str) -> None:
        super().__init__(f"line {line}, column {column}: {reason}")
        self.line = line
        self.column = column
        self.reason = reason
