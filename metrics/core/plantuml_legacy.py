"""PlantUML activity diagrams in the first syntax (`(*) --> "First"`).

`(*)` as a source is the node `start`, as a target `end`, both labelled `(*)`; a decision is a node
with its condition as label; `===B1===` is a bar.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from .diagram import Diagram, Group, Link, Node, Skipped
from .plantuml_arrows import ARROW, draw
from .plantuml_lines import Line, Source
from .plantuml_text import label_text

_NODE = re.compile(
    r"\s*(?:(?P<star>\(\*(?:top)?\))|\"(?P<text>[^\"]*)\"(?:\s+as\s+(?P<alias>[\w.]+))?"
    r"|={2,}\s*(?P<bar>[^=\n]+?)\s*={2,}|(?P<name>\w[\w.]*))\s*(?:<<[^<>]*>>\s*)?(?:#\w+\s*)?"
)
_LABEL = re.compile(r"\s*\[(?P<label>[^\]]*)\]")
_IF = re.compile(r"\s*if\s+\"(?P<text>[^\"]*)\"(?:\s+as\s+(?P<alias>[\w.]+))?\s*(?:then)?$", re.I)
_PARTITION = re.compile(r"partition\s+(?:\"(?P<text>[^\"]*)\"|(?P<name>[^{#]+))[^{]*\{?$", re.I)


@dataclass(slots=True)
class _Branch:
    """An open `if`."""

    line: Line
    node: str


class _Reader:
    """Reads lines; each rule of `_RULES` tells whether it took the line."""

    def __init__(self, source: Source) -> None:
        self.nodes: dict[str, Node] = {}
        self.links: list[Link] = []
        self.line = Line(0, "")
        self.branches: list[_Branch] = []
        self.groups: dict[str, tuple[str, list[str]]] = {}
        self.open: list[tuple[Line, str]] = []
        self._notes = source.notes
        self._last = ""
        self._decisions = 0

    def _declare(self, match: re.Match[str], role: str) -> str:
        if match["star"]:
            node = Node(role, "(*)", role)
        elif match["bar"]:
            node = Node(match["bar"], match["bar"], "bar")
        else:
            label = match["text"] if match["text"] is not None else match["name"]
            node = Node(match["alias"] or label, label_text(label), "action")
        if node.id not in self.nodes:
            self.nodes[node.id] = node
            if self.open:
                self.groups[self.open[-1][1]][1].append(node.id)
        return node.id

    def _decide(self, match: re.Match[str]) -> str:
        self._decisions += 1
        name = match["alias"] or f"if{self._decisions}"
        self.nodes[name] = Node(name, label_text(match["text"]), "if")
        self.branches.append(_Branch(self.line, name))
        return name

    def link(self, text: str) -> bool:
        """Read `A -->[label] B`, `--> B` and `--> if "…" then`."""
        source = _NODE.match(text)
        arrow = ARROW.match(text, source.end() if source else 0)
        if not arrow or (not source and not self._last):
            return False
        label = _LABEL.match(text, arrow.end())
        position = label.end() if label else arrow.end()
        decision = _IF.match(text, position)
        target = None if decision else _NODE.match(text, position)
        if not decision and not target:
            return False
        rest = text[target.end() :].strip() if target else ""
        if rest and not rest.startswith(":"):
            return False
        start = self._declare(source, "start") if source else self._last
        end = self._decide(decision) if decision else ""
        if target:
            if target["name"] in self._notes:
                return True
            end = self._declare(target, "end")
        drawn = draw(arrow)
        shown = label_text(label["label"] if label else rest[1:])
        ends = (end, start) if drawn.turned else (start, end)
        self.links.append(Link(*ends, shown, drawn.stroke, drawn.arrow))
        self._last = end
        return True

    def decision(self, text: str) -> bool:
        """Read `if "…" then`, which follows what came last."""
        match = _IF.match(text)
        if not match:
            return False
        before = self._last
        self._last = self._decide(match)
        if before:
            self.links.append(Link(before, self._last))
        return True

    def else_(self, text: str) -> bool:
        """Read `else`."""
        if text.lower() != "else" or not self.branches:
            return False
        self._last = self.branches[-1].node
        return True

    def endif(self, text: str) -> bool:
        """Read `endif`."""
        if text.lower().replace(" ", "") != "endif" or not self.branches:
            return False
        self.branches.pop()
        return True

    def partition(self, text: str) -> bool:
        """Read `partition name {`."""
        match = _PARTITION.match(text)
        if not match:
            return False
        name = (match["text"] or match["name"] or "").strip()
        self.groups.setdefault(name, (label_text(name), []))
        self.open.append((self.line, name))
        return True

    def close(self, text: str) -> bool:
        """Read `}`."""
        if text != "}" or not self.open:
            return False
        self.open.pop()
        return True

    def node(self, text: str) -> bool:
        """Read an activity that stands alone."""
        match = _NODE.fullmatch(text)
        if not match or match["name"]:
            return False
        self._last = self._declare(match, "start")
        return True


_RULES: tuple[Callable[[_Reader, str], bool], ...] = (
    _Reader.else_,
    _Reader.endif,
    _Reader.decision,
    _Reader.partition,
    _Reader.close,
    _Reader.link,
    _Reader.node,
)


def read_legacy(source: Source) -> Diagram:
    """Read an activity diagram of the first syntax; the rest stands under `skipped`."""
    reader = _Reader(source)
    skipped = list(source.skipped)
    for line in source.lines:
        reader.line = line
        for rule in _RULES:
            if rule(reader, line.text):
                break
        else:
            reason = "not a statement of an activity diagram"
            skipped.append(Skipped(line.number, line.text, reason))
    unclosed = [branch.line for branch in reader.branches] + [line for line, _ in reader.open]
    skipped += [Skipped(line.number, line.text, "never closed") for line in unclosed]
    return Diagram(
        nodes=tuple(reader.nodes.values()),
        links=tuple(reader.links),
        groups=tuple(
            Group(name, label, tuple(members)) for name, (label, members) in reader.groups.items()
        ),
        direction=source.direction,
        skipped=tuple(skipped),
    )
