"""PlantUML diagrams of named elements: components, deployments, use cases, classes, objects.

An element's shape is its keyword (`[A]` is a component, `(A)` a use case, `:A:` an actor, `() A`
an interface); its id is its alias, else its name. What holds others in braces is a group.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from .diagram import Diagram, Group, Link, Node, Skipped
from .plantuml_arrows import ARROW, draw
from .plantuml_lines import Line, Source
from .plantuml_text import label_text

_KEYWORDS = (
    r"abstract\s+class|abstract|action|actor/?|agent|annotation|artifact|boundary|card|circle|class"
    r"|cloud|collections|component|container|control|database|diamond|entity|enum|exception|file"
    r"|folder|frame|hexagon|interface|label|map|metaclass|namespace|node|object|package|participant"
    r"|person|process|protocol|queue|rectangle|record|stack|state|storage|struct|system|together"
    r"|usecase/?|port(?:in|out)?"
)
# What holds members in its braces, not other elements.
_CLASSES = frozenset(
    {"abstract", "abstract class", "annotation", "class", "entity", "enum", "exception"}
    | {"interface", "map", "metaclass", "object", "protocol", "record", "struct"}
)
# A name as it may stand at a link's end, with the shape that its signs mean.
_SIGNS = {"[": "component", "(": "usecase", ":": "actor"}
_NAME = (
    r"\(\)\s*(?:\"[^\"\n]*\"|[\w.]+)|\"[^\"\n]*\"|\[[^\[\]\n]*\]/?|\([^()\n]*\)/?|:[^:\n]+:/?"
    r"|[\w@$]+(?:(?:\.|::|/|\\)[\w@$]+)*"
)
_END = re.compile(rf"\s*(?P<name>{_NAME})\s*(?:<<[^<>\n]*>>\s*)?(?P<count>\"[^\"\n]*\"\s*)?")
_COUNT = re.compile(r"\s*\"[^\"\n]*\"(?=\s*(?:[\w\"\[(]|:[^:\n]+:))")
_DECLARATION = re.compile(
    rf"(?:(?P<keyword>{_KEYWORDS})\s+)?(?P<first>{_NAME})(?:\s+as\s+(?P<second>{_NAME}))?(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_UNNAMED = re.compile(rf"(?P<keyword>{_KEYWORDS})\s*(?:#\w+\s*)?\{{$", re.IGNORECASE)
_DECORATION = re.compile(
    r"<<[^<>]*>>|\[\[[^\[\]]*\]\]|##?(?:\[[a-z]+\])?[\w;:./|-]*|\$[\w-]+"
    r"|\b(?:extends|implements)\b[\w\s.,<>]*|<[\w\s,?]*>|\border\s+\d+",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"\[(?P<text>[^\[\]]*)\]$")
_LONG_TEXT = re.compile(rf"(?:{_KEYWORDS})\s+[^\[\]]*\[$|\[[^\]]*$", re.IGNORECASE)
_MEMBER = re.compile(r"[\w.\"]+\s*:\s*\S")


@dataclass(slots=True)
class _Box:
    """An open brace: a group, or the body of a class, with the group that it is or stands in."""

    line: Line
    group: str = ""
    body: bool = False


@dataclass(slots=True)
class _Reader:
    """Reads lines; each rule of `_RULES` tells whether it took the line."""

    notes: frozenset[str] = frozenset()
    line: Line = field(default_factory=lambda: Line(0, ""))
    nodes: dict[str, Node] = field(default_factory=dict)
    links: list[Link] = field(default_factory=list)
    groups: dict[str, tuple[str, list[str]]] = field(default_factory=dict)
    boxes: list[_Box] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)

    def _enter(self, *, body: bool = False) -> None:
        """Enter a brace; what stands inside belongs to the group around, unless it is one."""
        group = self.boxes[-1].group if self.boxes else ""
        self.boxes.append(_Box(self.line, group, body))

    def _parent(self) -> list[str] | None:
        """Return the members of the innermost group."""
        group = self.boxes[-1].group if self.boxes else ""
        return self.groups[group][1] if group else None

    def _declare(self, written: str, alias: str = "", keyword: str = "", label: str = "") -> str:
        """Return an element's id; create it where it is new."""
        sign, plain = _plain(written)
        name = alias or self.names.get(plain, plain)
        if name in self.groups:
            return name
        shape = keyword or sign
        known = self.nodes.get(name)
        if known is None:
            parent = self._parent()
            if parent is not None:
                parent.append(name)
            self.nodes[name] = Node(name, label_text(label or plain), shape or None)
        elif (shape and known.shape is None) or (label and known.label == name):
            shown = label_text(label) if label else known.label
            self.nodes[name] = Node(name, shown, shape or known.shape)
        if alias:
            self.names.setdefault(plain, alias)
        return name

    def body(self, line: str) -> bool:
        """Read over the members of a class."""
        if not self.boxes or not self.boxes[-1].body:
            return False
        if line.endswith("}") and "{" not in line:
            self.boxes.pop()
        return True

    def close(self, line: str) -> bool:
        """Read `}`."""
        if not self.boxes or line.lower() not in ("}", "end package", "endpackage"):
            return False
        self.boxes.pop()
        return True

    def link(self, line: str) -> bool:
        """Read `A --> B : label`."""
        source = _END.match(line)
        arrow = ARROW.match(line, source.end()) if source else None
        if not source or not arrow:
            return False
        count = _COUNT.match(line, arrow.end())
        target = _END.match(line, count.end() if count else arrow.end())
        if not target:
            return False
        label = line[target.end("name") :].strip()
        if label and not label.startswith(":"):
            label = _DECORATION.sub("", label).strip()
        if label and not label.startswith(":"):
            return False
        if {source["name"], target["name"]} & self.notes:
            return True
        drawn = draw(arrow)
        start, end = self._declare(source["name"]), self._declare(target["name"])
        if drawn.turned:
            start, end = end, start
        text = label_text(label[1:].strip().removesuffix(" >").removeprefix("< "))
        self.links.append(Link(start, end, text, drawn.stroke, drawn.arrow, drawn.arrow_start))
        return True

    def unnamed(self, line: str) -> bool:
        """Read `package {` and `together {`."""
        match = _UNNAMED.match(line) if line.endswith("{") else None
        if not match:
            return False
        keyword = match["keyword"].lower()
        self._enter()
        if keyword != "together":
            self._open(f"{keyword}{len(self.groups) + 1}", "")
        return True

    def _open(self, name: str, label: str) -> None:
        """Make the brace just opened a group."""
        members = self._parent()
        if name not in self.groups:
            known = self.nodes.pop(name, None)
            if known is None and members is not None:
                members.append(name)
            self.groups[name] = (label, [])
        self.boxes[-1].group = name

    def declaration(self, line: str) -> bool:
        """Read `component "label" as name <<kind>> {` in all its orders."""
        match = _DECLARATION.match(line)
        if not match:
            return False
        keyword = " ".join((match["keyword"] or "").lower().split()).rstrip("/")
        if not keyword and match["first"][0] not in '[(:"':
            return False
        rest = match["rest"].strip()
        opens = rest.endswith("{")
        closed = rest.endswith("}") and "{" in rest
        rest = rest[: rest.index("{")] if closed else rest.rstrip("{")
        label = ""
        if rest.endswith("]") and (text := _BRACKETED.search(rest)):
            label, rest = text["text"], rest[: text.start()]
        if rest and _DECORATION.sub("", rest).strip(" ;"):
            return False
        name = self._named(match, keyword, label)
        if opens:
            self._enter(body=keyword in _CLASSES)
            if keyword not in _CLASSES:
                shown = self.nodes[name].label if name in self.nodes else self.groups[name][0]
                self._open(name, shown)
        return True

    def _named(self, match: re.Match[str], keyword: str, label: str) -> str:
        """Declare the element of a declaration and return its id."""
        first, second = match["first"], match["second"]
        if not second:
            return self._declare(first, "", keyword, label)
        # `as` joins name and label in either order: the label is what stands in quotes or signs.
        if second[0] in '"[(:' and first[0] not in '"[(:':
            sign, shown = _plain(second)
            return self._declare(first, _plain(first)[1], keyword or sign, shown)
        return self._declare(first, _plain(second)[1], keyword, label or _plain(first)[1])

    def member(self, line: str) -> bool:
        """Read over `Class : member`."""
        return _MEMBER.match(line) is not None


def _plain(written: str) -> tuple[str, str]:
    """Return the shape that the signs round a name mean, and the name without them."""
    text = written.rstrip("/")
    if text.startswith("()"):
        return "interface", text[2:].strip().strip('"')
    signed = len(text) > 2 and text[0] + text[-1] in ("[]", "()", "::")
    shape = _SIGNS[text[0]] if signed else ""
    if shape:
        text = text[1:-1]
    return shape, text.strip().strip('"')


_RULES: tuple[Callable[[_Reader, str], bool], ...] = (
    _Reader.body,
    _Reader.close,
    _Reader.link,
    _Reader.unnamed,
    _Reader.declaration,
    _Reader.member,
)


def _joined(source: Source) -> list[Line]:
    """Join the lines of `component A [ … ]`."""
    ends = [i for i, line in enumerate(source.lines) if "]" in line.text]
    joined: list[Line] = []
    position = next_end = 0
    while position < len(source.lines):
        line = source.lines[position]
        position += 1
        if _LONG_TEXT.match(line.text):
            while next_end < len(ends) and ends[next_end] < position:
                next_end += 1
            if next_end < len(ends):
                parts = [each.text for each in source.lines[position : ends[next_end] + 1]]
                line = Line(line.number, "\n".join([line.text, *parts]))
                position = ends[next_end] + 1
        joined.append(line)
    return joined


def read_components(source: Source) -> Diagram:
    """Read a diagram of named elements; what cannot be read stands under `skipped`."""
    reader = _Reader(source.notes)
    skipped = list(source.skipped)
    for line in _joined(source):
        reader.line = line
        for rule in _RULES:
            if rule(reader, line.text):
                break
        else:
            skipped.append(Skipped(line.number, line.text, "not a statement of this diagram"))
    skipped += [Skipped(b.line.number, b.line.text, "'{' is never closed") for b in reader.boxes]
    return Diagram(
        nodes=tuple(reader.nodes.values()),
        links=tuple(reader.links),
        groups=tuple(
            Group(name, label, tuple(members)) for name, (label, members) in reader.groups.items()
        ),
        direction=source.direction,
        skipped=tuple(skipped),
    )
