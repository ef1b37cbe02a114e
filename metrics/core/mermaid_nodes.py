"""Reading of the nodes in a line of a flowchart, whatever is wrong with them.

A node is an id, a label in brackets or quotes, or both; a class or metadata may follow.
"""

import re
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from .diagram import Node
from .mermaid_brackets import OPENERS, QUOTES, LineMap
from .mermaid_graph import decode_entities

_ENTITY = re.compile(r"(?<!&)#(\w+);", re.ASCII)
_MAX_ID = 200
_MAX_GLUED = 6
_CLASS = re.compile(r":::\s*[\w-]+")
_METADATA = re.compile(r"@\{((?:\"[^\"\n]*\"|(?![-=.]{2}>|-\.+->)[^{}\"])*)\}?")
_METADATA_LABEL = re.compile(r"""\blabel\s?[:=]\s*(?:"([^"]*)"|'([^']*)'|([^,}\n]+))""")
_ID_END = re.compile(r"""[\[({［（｛【「『《;；,，&|:"“”]|@\{|//|%%|<!--|>(?=[^\[\]>]{1,200}\])""")
_DRAWING = re.compile(r"[-+*=_~^./\\…•·'\"`]+")
_EMPTY = re.compile(r"[\[({]{1,3}\s*[\])}]{1,3}")
_LIST = re.compile(r"\s*[,;，]\s*")
_AND = re.compile(r"(?:and|und|et|y|和|&|\+)\s+(?=(\w{1,40})(?:\s?[\[({]|\s*[;,.]?$))")
_TEXT_BEHIND_ID = re.compile(r"\s-[^\W_][\w ]{0,40}$")
_IDENTIFIER = re.compile(r"[A-Za-z]{0,2}\d*|\w*[\d_]\w*")


def is_identifier(word: str) -> bool:
    """Tell whether a word looks like an id rather than a word of a text.

    >>> [word for word in ("A", "B2", "node_1", "entity0", "Mix", "well") if is_identifier(word)]
    ['A', 'B2', 'node_1', 'entity0']
    """
    return _IDENTIFIER.fullmatch(word) is not None


def decoded(text: str) -> str:
    """Decode `#35;`, `&#35;` and `&amp;`."""
    if "#" in text:
        text = _ENTITY.sub(lambda m: f"&{'#' if m[1].isdigit() else ''}{m[1]};", text)
    return decode_entities(text)


@dataclass(slots=True)
class NodeReader:
    """Reads nodes of a line, from left to right.

    Attributes:
        line: One statement or several, without its line end.
        known: Ids that have a label somewhere in the chart.
        map: The line's arrows and brackets.
        position: Offset up to which the line is read.
        unclosed: Whether the line ends inside a label.
    """

    line: str
    known: AbstractSet[str]
    map: LineMap = field(init=False)
    position: int = field(init=False, default=0)
    unclosed: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        self.map = LineMap(self.line)

    def skip_space(self) -> None:
        """Go on to the next character that is no white space."""
        line, position = self.line, self.position
        while line[position : position + 1].isspace():
            position += 1
        self.position = position

    def group(self) -> list[Node]:
        """Read nodes joined by `&`; empty where there is none."""
        nodes: list[Node] = []
        while node := self._node():
            nodes += self._listed(node) or [node]
            self.skip_space()
            if self.line[self.position : self.position + 1] == "&":
                self.position += 1
            elif joint := self._and():
                self.position = joint
            else:
                break
            self.skip_space()
        return nodes

    def _listed(self, node: Node) -> list[Node]:
        """Return the nodes that a label lists, as in `A --> {B, C}`; none where it is a text."""
        names = _LIST.split(node.label) if node.id == node.label and "," in node.label else []
        return [Node(name, name) for name in names] if self.known >= set(names) else []

    def _and(self) -> int:
        """Return where `and` ends before a further node, 0 where there is none."""
        match = _AND.match(self.line, self.position)
        behind = self.line[match.end(1) : match.end(1) + 2].strip() if match else ""
        is_node = match and (behind[:1] in (*OPENERS,) or match[1] in self.known)
        return match.end() if match and is_node else 0

    def _node(self) -> Node | None:
        beginning = self.position
        quoted = self._quoted_id()
        node_id = quoted or self._plain_id()
        start = self.position
        self.skip_space()
        if self.line[self.position : self.position + 1] not in (*OPENERS, ">"):
            if node_id and not quoted and _DRAWING.fullmatch(node_id):
                self.position = beginning
                return None
            if node_id and not quoted and is_identifier(node_id) and (text := self._quoted_id()):
                return self._with_suffixes(Node(node_id, text, "square"))
            self.position = start
            shape = "square" if quoted else None
            return self._with_suffixes(Node(node_id, node_id, shape)) if node_id else None
        label = self.map.label(self.position)
        if label is None and node_id and (empty := _EMPTY.match(self.line, self.position)):
            self.position = empty.end()
            return self._with_suffixes(Node(node_id, node_id))
        if label is None:
            self.position = start if node_id else self.position
            return None
        self.position = label.end
        self.unclosed = self.unclosed or not label.closed
        text = decoded(label.text)
        return self._with_suffixes(Node(node_id or text, text, label.shape))

    def _with_suffixes(self, node: Node) -> Node:
        """Read `:::class` and `@{…}` behind a node."""
        sign = self.line[self.position : self.position + 1]
        if sign == ":" and (match := _CLASS.match(self.line, self.position)):
            self.position = match.end()
            sign = self.line[self.position : self.position + 1]
        if sign == "@" and (match := _METADATA.match(self.line, self.position)):
            self.position = match.end()
            self.unclosed = self.unclosed or not match[0].endswith("}")
            if label := _METADATA_LABEL.search(match[1]):
                return Node(node.id, decoded(next(filter(None, label.groups()), "")), "rect")
        return node

    def _quoted_id(self) -> str | None:
        sign = self.line[self.position : self.position + 1]
        closers = QUOTES.get(sign)
        if not sign or closers is None:
            return None
        ends = [self.line.find(closer, self.position + 1) for closer in closers]
        end = min((end for end in ends if end >= 0), default=None)
        if end is None:
            return None
        text = self.line[self.position + 1 : end].strip()
        self.position = end + 1
        return decoded(text) or None

    def _plain_id(self) -> str | None:
        """Read an id without quotes: up to an arrow, a bracket or another sign.

        Ids with blanks are one id, unless their words look like ids of glued statements.
        """
        start = self.position
        arrow = self.map.arrow_from(start)
        limit = min(arrow.start if arrow else len(self.line), start + _MAX_ID)
        match = _ID_END.search(self.line, start, limit)
        while match and not self._ends_id(match):
            match = _ID_END.search(self.line, match.end(), limit)
        text = self.line[start : match.start() if match else limit].rstrip()
        if arrow and limit == arrow.start and (behind := _TEXT_BEHIND_ID.search(text)):
            text = text[: behind.start()]
        words = text.split()
        if 1 < len(words) <= _MAX_GLUED and text not in self.known and all(map(self.is_id, words)):
            text = words[0]
        self.position = start + len(text)
        return text.strip("*").strip() or None

    def _ends_id(self, match: re.Match[str]) -> bool:
        sign, before, after = match[0], match.start() - 1, self.line[match.end() : match.end() + 1]
        if sign == "&":
            return after in ("", " ") or self.line[before : before + 1] == " "
        if sign == ":":
            return after in ("", " ", ":")
        return True

    def is_id(self, word: str) -> bool:
        """Tell whether a word is an id of this chart or looks like one."""
        return word in self.known or is_identifier(word)
