"""Reading of one line of a flowchart the way a person would, whatever is wrong with it.

The line is read from left to right: a node (an id, a label in brackets, or both), an arrow, a
node, and so on. Two nodes without an arrow between are two statements glued together. What
cannot be read is given back.
"""

import re
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from .diagram import Link, Node
from .mermaid_arrows import LooseArrow
from .mermaid_brackets import OPENERS, QUOTES, clean_label
from .mermaid_nodes import NodeReader, decoded, is_identifier

_COMMENT = re.compile(r"//|%%|<!--|/\*|#(?=\s)")
_LINK_ID = re.compile(r"\s*[\w-]+@(?=\s*[-=.<ox])")
_SHORT_TEXT = re.compile(r"-\s*([^\W_][\w ]{0,40})(?=[-=.]{1,3}>)")
_TEXT_BEHIND = re.compile(
    rf"(\"[^\"]{{1,200}}\"|\([^()]{{1,60}}\)(?=\s)|\[[^\[\]]{{1,60}}\](?=\s))\s*"
    rf"(?=(\w+)(?:\s?[{re.escape(OPENERS)}]|\s*;?$))"
)
_OPEN_TEXT = re.compile(
    rf"\s*([^\s{re.escape(OPENERS)}\"|;&][^{re.escape(OPENERS)}\"|;&]{{0,80}}?)[ \t]{{1,9}}"
    rf"(?=(\w+)(?:[{re.escape(OPENERS)}]|\s*;?$))"
)
_ROUND_TEXT = re.compile(r"\([^()]{1,60}\)")
_MAX_ID = 200
_PIPED_TEXT = re.compile(r"[-=]?\|([^|]{1,200})\|")
_LABELLED_NODE = re.compile(rf"[\w\"][{re.escape(OPENERS)}]")


class Start(NamedTuple):
    """Where a line goes on from: the last nodes of the line before, its arrow and its text."""

    nodes: tuple[str, ...] = ()
    arrow: LooseArrow | None = None
    label: str = ""


# Ends of one statement multiply; a line of a megabyte must not become 10^10 links.
_MOST_LINKS = 10_000


class Reading(NamedTuple):
    """What was read from a line.

    Attributes:
        nodes: Nodes in order of appearance; a node without a label is only mentioned.
        links: Links in order of appearance.
        unread: The rest of the line that could not be read, empty where all was.
        last_links: Number of the links that lead to the last nodes.
        unclosed: Whether the line ends inside a label.
        rest: What the line leaves open for the next one.
        too_many: Whether ends that multiply were left unlinked.
    """

    nodes: tuple[Node, ...] = ()
    links: tuple[Link, ...] = ()
    unread: str = ""
    last_links: int = 0
    unclosed: bool = False
    rest: Start = Start()
    too_many: bool = False


def read_line(line: str, known: AbstractSet[str], start: Start) -> Reading:
    """Read the nodes and links of a line.

    Args:
        line: One statement or several, without its line end.
        known: Ids that have a label somewhere in the chart.
        start: What the line before left open.
    """
    return _LineReader(line, known, start).read()


@dataclass(slots=True)
class _LineReader(NodeReader):
    start: Start
    has_link_ids: bool = field(init=False)
    nodes: list[Node] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    too_many: bool = False
    # The statement so far: its last nodes, where they are linked from, an arrow without target.
    last: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    last_links: int = 0
    arrow: LooseArrow | None = None
    label: str = ""

    def __post_init__(self) -> None:
        NodeReader.__post_init__(self)
        self.has_link_ids = "@" in self.line
        self.last, self.arrow, self.label = self.start

    def read(self) -> Reading:
        unread = ""
        while not self._at_end():
            sign = self.line[self.position]
            if found := self._arrow_here():
                self.arrow, label = self._arrow(found)
                self.label = label or self.label
            elif text := self._text_before_arrow():
                self.label = text
            elif sign in ";；":
                self.position += 1
                self.unclosed = False
                self._begin()
            elif sign in ",，":
                self.position += 1
                self._comma()
            elif group := self._group():
                if self.arrow and self.last:
                    self._link(self.arrow, self.last, group)
                else:
                    self._begin(group)
                self._text_after_colon()
            else:
                unread = self.line[self.position :]
                break
        rest = Start() if unread else Start(self.last, self.arrow, self.label)
        nodes = self._stated_nodes()
        if len(nodes) < len(self.nodes):
            unread = unread or self.nodes[-1].label
        return Reading(
            nodes, tuple(self.links), unread, self.last_links, self.unclosed, rest, self.too_many
        )

    def _stated_nodes(self) -> tuple[Node, ...]:
        """Return the nodes without stray words: `A --> B and so on`."""
        linked = {end for link in self.links for end in (link.source, link.target)}
        stated = [
            node
            for node in self.nodes
            # Brackets without an id are a remark where a link stands: `A --> B (see below)`.
            if node.id in linked
            or (node.shape and not (linked and node.id == node.label))
            or self.is_id(node.id)
            or (self.unclosed and node is self.nodes[-1])
        ]
        return tuple(stated or self.nodes)

    def _begin(self, nodes: tuple[str, ...] = ()) -> None:
        """Begin a statement, with its first nodes or before them."""
        self.last, self.sources, self.last_links, self.arrow, self.label = nodes, (), 0, None, ""

    def _comma(self) -> None:
        """Read what follows a comma.

        `A --> B, C` has two targets, `A, B --> C` two sources, `A --> B, C --> D` two links.
        """
        sources, former = self.sources, self.links[-1] if self.links else None
        first = () if sources else self.last
        labelled = self._is_labelled(first)
        self._begin()
        if self._at_end() or self._arrow_here() or not (group := self._group()):
            return
        joined = labelled == self._is_labelled(group) and not set(first) & set(group)
        self._begin((*first, *group) if joined else group)
        if sources and former and not self._arrow_here():
            arrow = LooseArrow(0, 0, former.stroke, former.arrow, former.arrow_start)
            self._link(arrow, sources, group)

    def _is_labelled(self, ids: tuple[str, ...]) -> bool:
        """Tell whether the nodes read last, those with these ids, have labels."""
        return bool(ids) and all(node.shape for node in self.nodes[-len(ids) :])

    def _arrow_here(self) -> LooseArrow | None:
        self.skip_space()
        arrow = self.map.arrow_from(self.position)
        return arrow if arrow is not None and arrow.start == self.position else None

    def _at_end(self) -> bool:
        self.skip_space()
        if self.has_link_ids and (link_id := _LINK_ID.match(self.line, self.position)):
            self.position = link_id.end()
            self.skip_space()
        if self.position >= len(self.line):
            return True
        may_comment = self.line[self.position] in "/%<#"
        return may_comment and _COMMENT.match(self.line, self.position) is not None

    def _link(self, arrow: LooseArrow, sources: tuple[str, ...], targets: tuple[str, ...]) -> None:
        if len(sources) * len(targets) > _MOST_LINKS - len(self.links):
            self.too_many = True
            self._begin(targets)
            return
        label = decoded(self.label)
        points_left = arrow.arrow == "none" and arrow.arrow_start == "point"
        for source in sources:
            for target in targets:
                if points_left:
                    self.links.append(Link(target, source, label, arrow.stroke))
                else:
                    heads = (arrow.arrow, arrow.arrow_start)
                    self.links.append(Link(source, target, label, arrow.stroke, *heads))
        self._begin(targets)
        self.sources, self.last_links = sources, len(sources) * len(targets)

    # Arrows and their texts

    def _arrow(self, arrow: LooseArrow) -> tuple[LooseArrow, str]:
        """Read an arrow and its text: `-->|x|`, `-- x -->`, `--|x|-->`, `-->"x" B[…]`."""
        self.position = arrow.end
        self.skip_space()
        if self.line[self.position : self.position + 1] == "|":
            label = self._piped(arrow)
            if second := self._arrow_here():
                self.position = second.end
                return second, label
            return arrow, label
        if behind := self._text_behind(_TEXT_BEHIND):
            return arrow, clean_label(behind.strip("()[]"))
        second = self.map.arrow_from(arrow.end)
        if not arrow.opens_text:
            return arrow, ""
        if second is None:
            return arrow, clean_label(self._text_behind(_OPEN_TEXT))
        text = self.line[arrow.end : second.start].strip()
        if not self._is_link_text(arrow, text, second):
            return arrow, ""
        self.position = second.end
        if arrow.arrow_start != "none" and second.arrow == "none":
            second = LooseArrow(0, 0, arrow.stroke, "none", arrow.arrow_start)
        return second, clean_label(text)

    def _text_behind(self, pattern: re.Pattern[str]) -> str:
        """Read a link's text between its arrow and a node with a label: `--> (yes) B[Bake]`."""
        match = pattern.match(self.line, self.position)
        bracket = self.line[match.end(2) : match.end(2) + 2].strip() if match else ""
        if match is None or not (bracket.strip(";") or is_identifier(match[2])):
            return ""
        if self.line.find(f"{match[1]} {match[2]}", match.end(2), match.end(2) + _MAX_ID) >= 0:
            return ""  # `-- Pour it[Pour it]` has an id of two words
        self.position = match.end()
        return match[1]

    def _text_before_arrow(self) -> str:
        """Read a link's text that stands before its arrow: `-text->`, `|text|-->`, `-|text|->`."""
        if self.line[self.position] not in "-=|":
            return ""
        match = _SHORT_TEXT.match(self.line, self.position)
        if match is None and self.last:
            match = _PIPED_TEXT.match(self.line, self.position)
        if match is None:
            return ""
        self.position = match.end()
        return clean_label(match[1])

    def _is_link_text(self, arrow: LooseArrow, text: str, second: LooseArrow) -> bool:
        """Tell whether text between two arrows belongs to the link; else it is a node."""
        if not text:
            return True
        if text[0] == "(" and _ROUND_TEXT.fullmatch(text):
            # Among nodes that are but brackets it is one of them.
            return self.line[second.end :].lstrip()[:1] not in OPENERS and second.arrow != "none"
        if ";" in text or text in self.known or text[0] in OPENERS:
            return False
        if second.arrow == "none" and second.opens_text and text[0] in QUOTES:
            # Among quoted ids a quoted word is one of them, between others it is a text.
            return self.line[max(0, arrow.start - 9) : arrow.start].rstrip()[-1:] not in QUOTES
        return _LABELLED_NODE.search(text) is None

    def _piped(self, arrow: LooseArrow) -> str:
        """Read `|text|`; without the closing pipe the last word before a bracket is a node."""
        start = self.position + 1
        while self.line[start : start + 1] == "|":
            start += 1
        following = self.map.arrow_from(arrow.end)
        limit = following.start if following else len(self.line)
        closing = self.line.rfind("|", start, min(limit, self.map.opener_from(start)))
        if closing < 0:  # the text holds brackets, or arrows in quotes
            closing = self.line.find("|", start)
            limit = len(self.line) if self.line[start : start + 1] in QUOTES else limit
        if start <= closing < limit:
            self.position = closing + 1
            while self.line[self.position : self.position + 1] in ("|", ">", ":"):
                self.position += 1
            return clean_label(self.line[start:closing])
        words_end = min(limit, self.map.opener_from(start))
        text = self.line[start:words_end].rstrip(" ;")
        label, _, _ = text.rpartition(" ")
        self.unclosed = words_end == len(self.line) and text.strip() not in self.known
        self.position = start + len(label)
        return clean_label(label)

    # Nodes

    def _group(self) -> tuple[str, ...]:
        """Read nodes joined by `&`; return their ids, none where there is no node."""
        nodes = self.group()
        self.nodes += nodes
        return tuple(node.id for node in nodes)

    def _text_after_colon(self) -> None:
        """Read `: text` behind a link (its text) or behind a node.

        There it is the node's label or, where the node has one, the text of the link that follows.
        """
        self.skip_space()
        if self.line[self.position : self.position + 1] != ":":
            return
        end = self.line.find(";", self.position)
        end = end if end >= 0 else len(self.line)
        following = None if self.sources else self.map.arrow_from(self.position)
        if following and following.start < end:
            end = following.start
        text = decoded(clean_label(self.line[self.position + 1 : end]))
        self.position = end
        if self.sources:
            self.links[-1] = replace(self.links[-1], label=self.links[-1].label or text)
        elif text and self.nodes[-1].shape is None and self.is_id(self.nodes[-1].id):
            self.nodes[-1] = Node(self.nodes[-1].id, text, "rect")
        elif following:
            self.label = text
