"""The control flow of an activity diagram, built statement by statement.

* Actions, decisions, `start`, `stop`, `end`, fork and join bars and connectors are nodes; a
  decision's label is its condition.
* Where branches meet without a bar there is no node: each branch leads to what follows.
* Ids are made from shape and count (`action1`, `if2`); pseudo nodes have their keyword as label.
* Partitions and swim lanes are groups.
"""

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from .diagram import MAX_LINKS, Diagram, Group, Link, Node, Skipped, Stroke
from .plantuml_lines import Line, Source
from .plantuml_text import label_text

_LOOPS = frozenset({"while", "repeat", "switch"})
_DECORATION = re.compile(r"#\w+|<<[^<>]*>>")


class _End(NamedTuple):
    """A loose end: an arrow that left a node and has not arrived."""

    source: str
    label: str = ""
    stroke: Stroke = "normal"


@dataclass(slots=True)
class _Block:
    """An open `if`, `switch`, `while`, `repeat`, `fork` or `split`.

    Attributes:
        kind: Which of them.
        line: Where it began.
        node: The decision or bar where it began; empty for `repeat` and `split`.
        base: Loose ends before it.
        exits: Loose ends that leave it.
        entry: First node inside, where a `repeat` goes back to.
        complete: An `else` was there.
        backward: Label of the action on a loop's way back.
    """

    kind: str
    line: Line
    node: str = ""
    base: list[_End] = field(default_factory=list)
    exits: list[_End] = field(default_factory=list)
    entry: str = ""
    complete: bool = False
    backward: str = ""


class ActivityFlow:
    """An activity diagram while it is read: a method for each kind of statement."""

    def __init__(self, source: Source) -> None:
        self.skipped = list(source.skipped)
        self.line = Line(0, "")
        self._direction = source.direction
        self._nodes: list[Node] = []
        self._counts: dict[str, int] = {}
        self._links: list[Link] = []
        self._ends: list[_End] = []
        self._arrow = _End("")
        self._blocks: list[_Block] = []
        self._groups: dict[str, tuple[str, list[str]]] = {}
        self._open_groups: list[str] = []
        self._lane = ""
        self._lanes: dict[str, str] = {}
        self._connectors: dict[str, str] = {}
        self._labels: dict[str, str] = {}
        self._awaited: list[str] = []
        self._gotos: list[tuple[str, list[_End]]] = []
        self._loops: list[_Block] = []
        self._copied = 0

    def skip(self, reason: str) -> None:
        """Report the line at hand as left out."""
        self.skipped.append(Skipped(self.line.number, self.line.text, reason))

    def _new_id(self, kind: str) -> str:
        self._counts[kind] = self._counts.get(kind, 0) + 1
        return f"{kind}{self._counts[kind]}"

    def _arrive(self, node: str, ends: list[_End]) -> None:
        """Lead loose ends to a node."""
        if len(self._links) + len(ends) > MAX_LINKS:
            self.skip(f"more than {MAX_LINKS} links")
            return
        for end in ends:
            label = end.label or self._arrow.label
            stroke = end.stroke if end.stroke != "normal" else self._arrow.stroke
            self._links.append(Link(end.source, node, label, stroke))
        self._arrow = _End("")

    def _add(self, label: str, shape: str) -> str:
        """Create the next node."""
        node = self._new_id(shape)
        self._nodes.append(Node(node, label_text(label), shape))
        for group in [*self._open_groups[-1:], *([self._lane] if self._lane else [])]:
            self._groups[group][1].append(node)
        for name in self._awaited:
            self._labels[name] = node
        self._awaited.clear()
        for block in reversed(self._blocks):
            if block.entry:
                break
            block.entry = node
        self._arrive(node, self._ends)
        self._ends = [_End(node)]
        return node

    def _innermost(self, *kinds: str) -> _Block | None:
        """Return the block at hand if it is of a kind, else report the line."""
        if self._blocks and self._blocks[-1].kind in kinds:
            return self._blocks[-1]
        self.skip(f"no open {' or '.join(kinds)}")
        return None

    def _begin(self, block: _Block) -> None:
        self._blocks.append(block)
        if block.kind in _LOOPS:
            self._loops.append(block)

    def _leave(self) -> None:
        if self._blocks.pop().kind in _LOOPS:
            self._loops.pop()

    def _copy(self, ends: list[_End]) -> list[_End]:
        """Return loose ends from which a flow parts; too many are none, as they multiply."""
        self._copied += len(ends)
        if self._copied > MAX_LINKS:
            self.skip(f"more than {MAX_LINKS} links")
            return []
        return list(ends)

    # Nodes

    def action(self, label: str) -> None:
        """Add an action."""
        self._add(label, "action")

    def start(self) -> None:
        """Add the start; nothing leads to it."""
        self._ends = []
        self._add("start", "start")

    def stop(self, word: str) -> None:
        """Add the `stop` or `end` of a flow."""
        self._add(word.lower(), word.lower())
        self._ends = []

    def cut(self) -> None:
        """Read `kill` or `detach`: the flow ends without a node."""
        self._ends = []

    def connector(self, name: str) -> None:
        """Go to a connector, one node wherever it stands."""
        if name not in self._connectors:
            self._connectors[name] = self._add(name, "connector")
            return
        self._arrive(self._connectors[name], self._ends)
        self._ends = [_End(self._connectors[name])]

    def label(self, name: str) -> None:
        """Name the next node for a `goto`."""
        self._awaited.append(name)

    def goto(self, name: str) -> None:
        """End the flow at the node of a label."""
        self._gotos.append((name, self._ends))
        self._ends = []

    def arrow(self, style: str, label: str) -> None:
        """Keep style and label for the next link."""
        stroke: Stroke = "dotted" if "dashed" in style or "dotted" in style else "normal"
        if "bold" in style:
            stroke = "thick"
        self._arrow = _End(
            "", label_text(label.strip().rstrip(";")), "invisible" if "hidden" in style else stroke
        )

    # Decisions

    def if_(self, condition: str, label: str) -> None:
        """Open a decision; the label is that of its first branch."""
        node = self._add(condition, "if")
        self._begin(_Block("if", self.line, node))
        self._ends = [_End(node, label_text(label))]

    def elseif(self, before: str, condition: str, label: str) -> None:
        """Decide again on the way out of the last decision."""
        if not (block := self._innermost("if")):
            return
        block.exits += self._ends
        self._ends = [_End(block.node, label_text(before))]
        block.node = self._add(condition, "if")
        self._ends = [_End(block.node, label_text(label))]

    def else_(self, label: str) -> None:
        """Begin the other branch."""
        if block := self._innermost("if"):
            block.exits += self._ends
            block.complete = True
            self._ends = [_End(block.node, label_text(label))]

    def endif(self) -> None:
        """Let the branches lead to what follows."""
        if block := self._innermost("if"):
            self._ends += block.exits
            if not block.complete:
                self._ends.append(_End(block.node))
            self._leave()

    def switch(self, condition: str) -> None:
        """Open a decision with cases."""
        node = self._add(condition, "switch")
        self._begin(_Block("switch", self.line, node))
        self._ends = []

    def case(self, label: str) -> None:
        """Begin a case."""
        if block := self._innermost("switch"):
            block.exits += self._ends
            self._ends = [_End(block.node, label_text(label))]

    def endswitch(self) -> None:
        """Let the cases lead to what follows."""
        if block := self._innermost("switch"):
            self._ends = block.exits + self._ends
            self._leave()

    # Loops

    def while_(self, condition: str, label: str) -> None:
        """Open a loop that decides before it begins."""
        node = self._add(condition, "while")
        self._begin(_Block("while", self.line, node))
        self._ends = [_End(node, label_text(label))]

    def endwhile(self, label: str) -> None:
        """Lead back to the condition, and on from it."""
        if block := self._innermost("while"):
            self._back(block)
            self._arrive(block.node, self._ends)
            self._ends = [_End(block.node, label_text(label)), *block.exits]
            self._leave()

    def repeat(self, action: str) -> None:
        """Open a loop that decides at its end, perhaps with its first action."""
        self._begin(_Block("repeat", self.line))
        if action:
            self.action(action)

    def backward(self, label: str) -> None:
        """Keep the action on the loop's way back."""
        if block := self._innermost("repeat", "while"):
            block.backward = label

    def _back(self, block: _Block) -> None:
        if block.backward:
            self._add(block.backward, "action")

    def repeat_while(self, condition: str, again: str, on: str) -> None:
        """Decide, and lead back to the first node of the loop."""
        if not (block := self._innermost("repeat")):
            return
        self._leave()
        if not condition:
            leaving = list(self._ends)
        else:
            node = self._add(condition, "repeat")
            leaving = [_End(node, label_text(on))]
            self._ends = [_End(node, label_text(again))]
            block.entry = block.entry or node
        self._back(block)
        if block.entry:
            self._arrive(block.entry, self._ends)
        self._ends = leaving + block.exits

    def break_(self) -> None:
        """Leave the innermost loop or switch."""
        if not self._loops:
            self.skip("no open loop")
            return
        self._loops[-1].exits += self._ends
        self._ends = []

    # Parallel flows

    def fork(self) -> None:
        """Add a bar where flows part."""
        node = self._add("fork", "fork")
        self._begin(_Block("fork", self.line, node, base=[_End(node)]))

    def split(self) -> None:
        """Part the flow without a bar."""
        self._begin(_Block("split", self.line, base=self._copy(self._ends)))

    def again(self, kind: str) -> None:
        """Begin the next of the parallel flows."""
        if block := self._innermost(kind.lower()):
            block.exits += self._ends
            self._ends = self._copy(block.base)

    def join(self, kind: str) -> None:
        """End the parallel flows, those of a fork at a bar."""
        name = "split" if kind.lower() == "split" else "fork"
        if not (block := self._innermost(name)):
            return
        self._leave()
        self._ends = block.exits + self._ends
        if kind.lower() == "fork" and self._ends:
            self._add("join", "join")

    # Groups

    def partition(self, name: str) -> None:
        """Open a group."""
        title = label_text(_DECORATION.sub("", name.rstrip("{")).strip().strip('"'))
        group = self._new_id("partition")
        if self._open_groups:
            self._groups[self._open_groups[-1]][1].append(group)
        self._groups[group] = (title, [])
        self._open_groups.append(group)

    def close(self) -> None:
        """Close the innermost group."""
        if not self._open_groups:
            self.skip("no open partition")
            return
        self._open_groups.pop()

    def lane(self, alias: str, title: str) -> None:
        """Go on in a swim lane."""
        name = label_text(title or alias)
        self._lane = self._lanes.setdefault(alias, f"lane{len(self._lanes) + 1}")
        self._groups.setdefault(self._lane, (name, []))

    def diagram(self) -> Diagram:
        """Return what was built."""
        for block in self._blocks:
            line = block.line
            self.skipped.append(Skipped(line.number, line.text, f"{block.kind} is never closed"))
        for name, ends in self._gotos:
            if name in self._labels:
                self._arrive(self._labels[name], ends)
        return Diagram(
            nodes=tuple(self._nodes),
            links=tuple(self._links),
            groups=tuple(
                Group(group, label, tuple(members))
                for group, (label, members) in self._groups.items()
            ),
            direction=self._direction,
            skipped=tuple(sorted(self.skipped, key=lambda skipped: skipped.line)),
        )
