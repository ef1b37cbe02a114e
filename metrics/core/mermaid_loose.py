"""Reading of one line of a flowchart the way a person would, whatever is wrong with it.

The line is read from left to right: a node (an id, a label in brackets, or both), an arrow, a
node, and so on. Two nodes without an arrow between are two statements glued together. What
cannot be read is given back.
"""

import re
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import NamedTuple

from .diagram import Link, Node
from .mermaid_arrows import LooseArrow
from .mermaid_brackets import OPENERS, QUOTES, LineMap, clean_label
from .mermaid_graph import decode_entities

_ENTITY = re.compile(r"(?<!&)#(\w+);", re.ASCII)
_MAX_ID = 200
_COMMENT = re.compile(r"//|%%|<!--|/\*|#(?=\s)|\\\\\s*$")
_CLASS = re.compile(r":::\s*[\w-]+")
_METADATA = re.compile(r"@\{([^{}]*)\}?")
_METADATA_LABEL = re.compile(r"""\blabel:\s*(?:"([^"]*)"|'([^']*)'|([^,}\n]+))""")
_ID_END = re.compile(r"""[\[({［（｛【;；,，&|:"“”]|@\{|//|%%|<!--""")
_LINK_ID = re.compile(r"\s*[\w-]+@(?=\s*[-=.<ox])")
_SHORT_TEXT = re.compile(r"^(.*\S)\s+-([^-\s][^-]*)$")
_IDENTIFIER = re.compile(r"[A-Za-z]{0,2}\d*|\w*[\d_]\w*")


class Reading(NamedTuple):
    """What was read from a line.

    Attributes:
        nodes: Nodes in order of appearance; a node without a label is only mentioned.
        links: Links in order of appearance.
        unread: The rest of the line that could not be read, empty where all was.
        last: Ids of the last nodes, from which a link in the next line may go on.
        dangling: Arrow at the end of the line whose target must be in the next line.
        unclosed: Whether the line ends inside a label.
    """

    nodes: tuple[Node, ...] = ()
    links: tuple[Link, ...] = ()
    unread: str = ""
    last: tuple[str, ...] = ()
    dangling: LooseArrow | None = None
    unclosed: bool = False


class Start(NamedTuple):
    """Where a line goes on from: the last nodes and arrow of the line before."""

    nodes: tuple[str, ...] = ()
    arrow: LooseArrow | None = None


def is_identifier(word: str) -> bool:
    """Tell whether a word looks like an id rather than a word of a text.

    >>> [word for word in ("A", "B2", "node_1", "entity0", "Mix", "well") if is_identifier(word)]
    ['A', 'B2', 'node_1', 'entity0']
    """
    return _IDENTIFIER.fullmatch(word) is not None


def mentioned(node_id: str) -> Node:
    """Return a node of which only the id is known yet."""
    return Node(node_id, node_id)


def read_line(line: str, known: AbstractSet[str], start: Start) -> Reading:
    """Read the nodes and links of a line.

    Args:
        line: One statement or several, without its line end.
        known: Ids that have a label somewhere in the chart.
        start: What the line before left open.
    """
    return _LineReader(line, known, start).read()


@dataclass(slots=True)
class _LineReader:
    line: str
    known: AbstractSet[str]
    start: Start
    map: LineMap = field(init=False)
    position: int = 0
    nodes: list[Node] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    unclosed: bool = False

    def __post_init__(self) -> None:
        self.map = LineMap(self.line)

    def read(self) -> Reading:
        sources: tuple[str, ...] = ()
        last, arrow, label = self.start.nodes, self.start.arrow, ""
        while not self._at_end():
            found = self.map.arrow_from(self.position)
            if found is not None and found.start == self.position:
                arrow, label = self._arrow(found)
                continue
            if self.line[self.position] in ";；":
                self.position += 1
                last, arrow, sources = (), None, ()
                continue
            if self.line[self.position] in ",，":
                self.position += 1
                arrow, last = None, ()
                more = self._more_targets(sources)
                last = more or last
                continue
            group = self._group()
            if not group:
                return self._reading(last, arrow, self.line[self.position :])
            if arrow is not None and last:
                self._link(last, group, arrow, label)
                sources = last
            else:
                sources = ()
            last, arrow, label = group, None, ""
            self._text_after_colon(bool(sources))
        return self._reading(last, arrow, "")

    def _reading(self, last: tuple[str, ...], arrow: LooseArrow | None, unread: str) -> Reading:
        return Reading(tuple(self.nodes), tuple(self.links), unread, last, arrow, self.unclosed)

    def _skip_space(self) -> None:
        while self.line[self.position : self.position + 1].isspace():
            self.position += 1

    def _at_end(self) -> bool:
        self._skip_space()
        if link_id := _LINK_ID.match(self.line, self.position):
            self.position = link_id.end()
            self._skip_space()
        return self.position >= len(self.line) or bool(_COMMENT.match(self.line, self.position))

    def _link(
        self, sources: tuple[str, ...], targets: tuple[str, ...], arrow: LooseArrow, label: str
    ) -> None:
        text = _decoded(label)
        for source in sources:
            for target in targets:
                ends = (source, target)
                heads = (arrow.arrow, arrow.arrow_start)
                if arrow.arrow == "none" and arrow.arrow_start == "point":
                    ends, heads = (target, source), ("point", "none")
                self.links.append(Link(*ends, text, arrow.stroke, *heads))

    def _more_targets(self, sources: tuple[str, ...]) -> tuple[str, ...]:
        """Read what follows a comma: `A --> B, C` has two targets, `A --> B, C --> D` two links."""
        if self._at_end():
            return ()
        arrow = self.map.arrow_from(self.position)
        if arrow is not None and arrow.start == self.position:
            return ()
        group = self._group()
        if not group:
            self.position = len(self.line)
            return ()
        self._skip_space()
        arrow = self.map.arrow_from(self.position)
        if sources and not (arrow is not None and arrow.start == self.position):
            former = self.links[-1]
            for source in sources:
                for target in group:
                    self.links.append(
                        Link(source, target, "", former.stroke, former.arrow, former.arrow_start)
                    )
        return group

    # Arrows and their texts

    def _arrow(self, arrow: LooseArrow) -> tuple[LooseArrow, str]:
        """Read an arrow and its text: `-->|text|`, `-- text -->`, `--|text|-->`."""
        self.position = arrow.end
        self._skip_space()
        if self.line[self.position : self.position + 1] == "|":
            label = self._piped(arrow)
            self._skip_space()
            second = self.map.arrow_from(self.position)
            if second is not None and second.start == self.position:
                self.position = second.end
                return second, label
            return arrow, label
        second = self.map.arrow_from(arrow.end)
        if not arrow.opens_text or second is None:
            return arrow, ""
        text = self.line[arrow.end : second.start].strip()
        if not self._is_link_text(text, second):
            return arrow, ""
        self.position = second.end
        if arrow.arrow_start != "none" and second.arrow == "none":
            second = LooseArrow(0, 0, arrow.stroke, "none", arrow.arrow_start)
        return second, clean_label(text)

    def _is_link_text(self, text: str, second: LooseArrow) -> bool:
        """Tell whether text between two arrows belongs to the link; else it is a node."""
        if not text:
            return True
        if ";" in text or text in self.known or text[0] in OPENERS:
            return False
        if second.arrow == "none" and second.opens_text and text[0] in QUOTES:
            return False
        return not re.search(rf"[\w\"][{re.escape(OPENERS)}]", text)

    def _piped(self, arrow: LooseArrow) -> str:
        """Read `|text|`; without the closing pipe the last word before a bracket is a node."""
        start = self.position + 1
        closing = self.line.find("|", start)
        following = self.map.arrow_from(arrow.end)
        limit = following.start if following else len(self.line)
        if following and start <= closing and self.line[start] in QUOTES:
            limit = len(self.line)
        if start <= closing < limit:
            self.position = closing + 1
            return clean_label(self.line[start:closing])
        words_end = min(limit, self.map.opener_from(start))
        text = self.line[start:words_end].rstrip(" ;")
        label, _, _ = text.rpartition(" ")
        self.position = start + len(label)
        return clean_label(label)

    # Nodes

    def _group(self) -> tuple[str, ...]:
        """Read nodes joined by `&`; empty where there is none."""
        ids: list[str] = []
        while node := self._node():
            self.nodes.append(node)
            ids.append(node.id)
            self._skip_space()
            if self.line[self.position : self.position + 1] != "&":
                break
            self.position += 1
            self._skip_space()
        return tuple(ids)

    def _node(self) -> Node | None:
        node_id = self._quoted_id() or self._plain_id()
        start = self.position
        self._skip_space()
        label = None
        if self.line[self.position : self.position + 1] in (*OPENERS,):
            label = self.map.label(self.position)
            if label is None:
                self.position = start if node_id else self.position
                return None
            self.position = label.end
            self.unclosed = self.unclosed or not label.closed
        else:
            self.position = start
        if node_id is None and label is None:
            return None
        shape = label.shape if label else None
        text = _decoded(label.text) if label else (node_id or "")
        return self._with_suffixes(Node(node_id or text, text, shape))

    def _with_suffixes(self, node: Node) -> Node:
        """Read `:::class` and `@{…}` behind a node."""
        if match := _CLASS.match(self.line, self.position):
            self.position = match.end()
        if match := _METADATA.match(self.line, self.position):
            self.position = match.end()
            if label := _METADATA_LABEL.search(match[1]):
                return Node(node.id, _decoded(next(filter(None, label.groups()), "")), "rect")
        return node

    def _quoted_id(self) -> str | None:
        sign = self.line[self.position : self.position + 1]
        closers = QUOTES.get(sign)
        if not sign or closers is None:
            return None
        for end in range(self.position + 1, len(self.line)):
            if self.line[end] in closers:
                text = self.line[self.position + 1 : end].strip()
                self.position = end + 1
                return _decoded(text) or None
        return None

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
        words = text.split(maxsplit=2)
        if len(words) > 1 and text not in self.known and all(map(self._is_id, words[:2])):
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

    def _is_id(self, word: str) -> bool:
        return word in self.known or is_identifier(word)

    def _text_after_colon(self, after_link: bool) -> None:
        """Read `: text` behind a link (its text) or behind a node (its label)."""
        self._skip_space()
        if self.line[self.position : self.position + 1] != ":":
            return
        end = self.line.find(";", self.position)
        end = end if end >= 0 else len(self.line)
        text = _decoded(clean_label(self.line[self.position + 1 : end]))
        self.position = end
        if after_link and self.links:
            last = self.links[-1]
            self.links[-1] = Link(
                last.source,
                last.target,
                last.label or text,
                last.stroke,
                last.arrow,
                last.arrow_start,
            )
        elif text and self.nodes and self.nodes[-1].shape is None:
            self.nodes[-1] = Node(self.nodes[-1].id, text, "rect")


def _decoded(text: str) -> str:
    """Decode `#35;`, `&#35;` and `&amp;`."""
    if "#" in text:
        text = _ENTITY.sub(lambda m: f"&{'#' if m[1].isdigit() else ''}{m[1]};", text)
    return decode_entities(text)
