"""PlantUML activity diagrams in the present syntax (`:step;`, `if`, `while`, `fork`, …).

What becomes of the control flow:

* Actions, decisions (`if`, `elseif`, `switch`, `while`, `repeat while`), `start`, `stop`, `end`,
  fork and join bars and connectors are nodes; a decision's label is its condition.
* Where branches meet without a bar there is no node: each branch leads to what follows.
* Ids are made from shape and count (`action1`, `if2`); pseudo nodes have their keyword as label.
* Partitions and swim lanes are groups.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from .diagram import Diagram, Group, Link, Node, Skipped, Stroke
from .plantuml_lines import Line, Source
from .plantuml_text import label_text


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


class _Reader:
    """Reads statements; each rule of `_RULES` handles one."""

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

    def skip(self, reason: str) -> None:
        """Report the line at hand as left out."""
        self.skipped.append(Skipped(self.line.number, self.line.text, reason))

    def _new_id(self, kind: str) -> str:
        self._counts[kind] = self._counts.get(kind, 0) + 1
        return f"{kind}{self._counts[kind]}"

    def _arrive(self, node: str, ends: list[_End]) -> None:
        """Lead loose ends to a node."""
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

    # Nodes

    def action(self, label: str) -> None:
        self._add(label, "action")

    def start(self) -> None:
        self._ends = []
        self._add("start", "start")

    def stop(self, word: str) -> None:
        self._add(word.lower(), word.lower())
        self._ends = []

    def cut(self) -> None:
        """Read `kill` or `detach`: the flow ends without a node."""
        self._ends = []

    def connector(self, name: str) -> None:
        if name not in self._connectors:
            self._connectors[name] = self._add(name, "connector")
            return
        self._arrive(self._connectors[name], self._ends)
        self._ends = [_End(self._connectors[name])]

    def label(self, name: str) -> None:
        self._awaited.append(name)

    def goto(self, name: str) -> None:
        self._gotos.append((name, self._ends))
        self._ends = []

    def arrow(self, style: str, label: str) -> None:
        stroke: Stroke = "dotted" if "dashed" in style or "dotted" in style else "normal"
        if "bold" in style:
            stroke = "thick"
        self._arrow = _End(
            "", label_text(label.strip().rstrip(";")), "invisible" if "hidden" in style else stroke
        )

    # Decisions

    def if_(self, condition: str, label: str) -> None:
        node = self._add(condition, "if")
        self._blocks.append(_Block("if", self.line, node))
        self._ends = [_End(node, label_text(label))]

    def elseif(self, before: str, condition: str, label: str) -> None:
        if not (block := self._innermost("if")):
            return
        block.exits += self._ends
        self._ends = [_End(block.node, label_text(before))]
        block.node = self._add(condition, "if")
        self._ends = [_End(block.node, label_text(label))]

    def else_(self, label: str) -> None:
        if block := self._innermost("if"):
            block.exits += self._ends
            block.complete = True
            self._ends = [_End(block.node, label_text(label))]

    def endif(self) -> None:
        if block := self._innermost("if"):
            self._ends = block.exits + self._ends
            if not block.complete:
                self._ends.append(_End(block.node))
            self._blocks.pop()

    def switch(self, condition: str) -> None:
        node = self._add(condition, "switch")
        self._blocks.append(_Block("switch", self.line, node))
        self._ends = []

    def case(self, label: str) -> None:
        if block := self._innermost("switch"):
            block.exits += self._ends
            self._ends = [_End(block.node, label_text(label))]

    def endswitch(self) -> None:
        if block := self._innermost("switch"):
            self._ends = block.exits + self._ends
            self._blocks.pop()

    # Loops

    def while_(self, condition: str, label: str) -> None:
        node = self._add(condition, "while")
        self._blocks.append(_Block("while", self.line, node))
        self._ends = [_End(node, label_text(label))]

    def endwhile(self, label: str) -> None:
        if block := self._innermost("while"):
            self._back(block)
            self._arrive(block.node, self._ends)
            self._ends = [_End(block.node, label_text(label)), *block.exits]
            self._blocks.pop()

    def repeat(self, action: str) -> None:
        self._blocks.append(_Block("repeat", self.line))
        if action:
            self.action(action)

    def backward(self, label: str) -> None:
        if block := self._innermost("repeat", "while"):
            block.backward = label

    def _back(self, block: _Block) -> None:
        if block.backward:
            self._add(block.backward, "action")

    def repeat_while(self, condition: str, again: str, on: str) -> None:
        if not (block := self._innermost("repeat")):
            return
        self._blocks.pop()
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
        loops = [block for block in self._blocks if block.kind in ("while", "repeat", "switch")]
        if not loops:
            self.skip("no open loop")
            return
        loops[-1].exits += self._ends
        self._ends = []

    # Parallel flows

    def fork(self) -> None:
        node = self._add("fork", "fork")
        self._blocks.append(_Block("fork", self.line, node, base=[_End(node)]))

    def split(self) -> None:
        self._blocks.append(_Block("split", self.line, base=list(self._ends)))

    def again(self, kind: str) -> None:
        if block := self._innermost(kind.lower()):
            block.exits += self._ends
            self._ends = list(block.base)

    def join(self, kind: str) -> None:
        name = "split" if kind.lower() == "split" else "fork"
        if not (block := self._innermost(name)):
            return
        self._blocks.pop()
        self._ends = block.exits + self._ends
        if kind.lower() == "fork" and self._ends:
            self._add("join", "join")

    # Groups

    def partition(self, name: str) -> None:
        title = label_text(_DECORATION.sub("", name.rstrip("{")).strip().strip('"'))
        group = self._new_id("partition")
        if self._open_groups:
            self._groups[self._open_groups[-1]][1].append(group)
        self._groups[group] = (title, [])
        self._open_groups.append(group)

    def close(self) -> None:
        if not self._open_groups:
            self.skip("no open partition")
            return
        self._open_groups.pop()

    def lane(self, alias: str, title: str) -> None:
        name = label_text(title or alias)
        self._lane = self._lanes.setdefault(alias, f"lane{len(self._lanes) + 1}")
        self._groups.setdefault(self._lane, (name, []))

    def diagram(self) -> Diagram:
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


_DECORATION = re.compile(r"#\w+|<<[^<>]*>>")
_COLOR = r"(?:#[\w/\\|-]*)?"
_STEREO = r"(?:\s*<<[^<>]*>>)?"
_IS = r"\s*(?:is|equals?)\s*"
_THEN = r"\)\s*then(?:\s*\((.*)\))?"

# The grammar: a statement and what it does with its parts.
_RULES: tuple[tuple[re.Pattern[str], Callable[..., None]], ...] = tuple(
    (re.compile(pattern + "$", re.IGNORECASE | re.DOTALL), handler)
    for pattern, handler in (
        (rf"{_COLOR}{_STEREO}:(.*)[;|<>/\\\]}}]", _Reader.action),
        (r"start", _Reader.start),
        (r"(stop|end)", _Reader.stop),
        (r"(?:kill|detach)", _Reader.cut),
        (rf"{_COLOR}:?\((\w[\w ]{{0,20}})\)", _Reader.connector),
        (rf"{_COLOR}if\s*\((.*?)\){_IS}\((.*?)\)\s*then", _Reader.if_),
        (rf"{_COLOR}if\s*\((.*?){_THEN}", _Reader.if_),
        (rf"()else\s?if\s*\((.*?)\){_IS}\((.*?)\)\s*then", _Reader.elseif),
        (rf"()else\s?if\s*\((.*?){_THEN}", _Reader.elseif),
        (rf"\((.*?)\)\s*else\s?if\s*\((.*?){_THEN}", _Reader.elseif),
        (r"else(?:\s*\((.*)\))?", _Reader.else_),
        (r"end\s?if", _Reader.endif),
        (rf"{_COLOR}switch\s*\((.*)\)", _Reader.switch),
        (r"case\s*\((.*)\)", _Reader.case),
        (r"end\s?switch", _Reader.endswitch),
        (rf"{_COLOR}while\s*\((.*?)\)(?:{_IS}\((.*)\))?", _Reader.while_),
        (r"end\s?while(?:\s*\((.*)\))?", _Reader.endwhile),
        (
            rf"repeat\s?while(?:\s*\((.*?)\))?(?:{_IS}\((.*?)\))?(?:\s*not\s*\((.*?)\))?;?",
            _Reader.repeat_while,
        ),
        (rf"repeat(?:\s*{_COLOR}:(.*)[;|<>/\\\]}}])?", _Reader.repeat),
        (r"backward\s*:(.*)[;|<>/\\\]}]", _Reader.backward),
        (r"break", _Reader.break_),
        (r"fork", _Reader.fork),
        (r"split", _Reader.split),
        (r"(fork|split)\s?again", _Reader.again),
        (r"end\s?(fork|split|merge)(?:\s*\{.*\})?", _Reader.join),
        (r"(?:partition|group|package|rectangle|card)\s(.*)", _Reader.partition),
        (r"(?:\}|end\s?group|end\s?partition)", _Reader.close),
        (r"\|(?:#\w+\|)?([^|]+)\|(.*)", _Reader.lane),
        (r"[-.=~]+(?:\[([^\]]*)\][-.=~]*)?>(.*)", _Reader.arrow),
        (r"label\s+(\w+)", _Reader.label),
        (r"goto\s+(\w+)", _Reader.goto),
    )
)
# Longer lines are no statements; the rules stay linear all the same.
_MOST = 1000
_ACTION = _RULES[0]
_OPENS_ACTION = re.compile(rf"(?:{_COLOR}|repeat\s*|backward\s*){_STEREO}:", re.IGNORECASE)
_OPENS_ARROW = re.compile(r"[-.=~]+(?:\[[^\]]*\][-.=~]*)?>\s*\S")
_SEMICOLON = re.compile(r";$")
_CLOSES = re.compile(r"[;|<>/\\\]}]$")
_STEREOTYPE = re.compile(r"(?<=[;|\]}])\s*<<[^<>]*>>$")
# A line inside an action that is none of its own: the action lacks its `;`.
_NEXT = re.compile(
    r":|(?:if|else\s?if|while|switch|case|repeat\s?while)\s*\(|\|[^|]+\||@|-+>"
    r"|(?:start|stop|end|else|end\s?if|end\s?while|end\s?fork|fork|fork again|repeat|kill|detach)$",
    re.IGNORECASE,
)


def _statements(source: Source, reader: _Reader) -> list[Line]:
    """Join the lines of actions and arrow labels that take more than one."""
    joined: list[Line] = []
    lines = source.lines
    position = 0
    while position < len(lines):
        number, text = lines[position]
        line = Line(number, _STEREOTYPE.sub("", text) if text.endswith(">>") else text)
        position += 1
        sign = _CLOSES if _OPENS_ACTION.match(line.text) else None
        if sign is None and _OPENS_ARROW.match(line.text):
            sign = _SEMICOLON
        if sign is None or sign.search(line.text):
            joined.append(line)
            continue
        parts = [line.text]
        while position < len(lines) and not _NEXT.match(lines[position].text):
            parts.append(lines[position].text)
            position += 1
            if sign.search(parts[-1]):
                break
        if not sign.search(parts[-1]):
            # Only the first line is sure to belong.
            position -= len(parts) - 1
            parts = [parts[0] + ";"]
            if sign is _CLOSES:
                reader.line = line
                reader.skip("no ';' ends the action; it is read to the end of the line")
        joined.append(Line(line.number, "\n".join(parts)))
    return joined


def read_activity(source: Source) -> Diagram:
    """Read an activity diagram; what cannot be read stands under `skipped`."""
    reader = _Reader(source)
    for line in _statements(source, reader):
        reader.line = line
        for pattern, handler in _RULES if len(line.text) <= _MOST else (_ACTION,):
            if match := pattern.match(line.text):
                handler(reader, *(part or "" for part in match.groups()))
                break
        else:
            reader.skip("not a statement of an activity diagram")
    return reader.diagram()
