"""A flowchart read from a model's reply, whatever is wrong with it.

Code that mermaid.js accepts is read as mermaid.js reads it. Otherwise every line is taken by
itself: strictly if it can be, else as a person would read it (`mermaid_loose`), else it is left
out and listed with the reason.
"""

import re
from dataclasses import dataclass, field

from .diagram import Diagram, Group, Link, Node, Skipped
from .mermaid_brackets import clean_label
from .mermaid_lexer import FlowSyntaxError
from .mermaid_locate import Block, find_blocks, find_header, header_line, legible
from .mermaid_loose import Reading, Start, is_identifier, read_line
from .mermaid_parser import parse, parse_lines
from .mermaid_source import FrontMatterError, prepare

MAX_WHOLE = 100_000
"""Characters up to which code is first tried as a whole; longer code is read line by line."""

MAX_SPAN = 12
"""Lines that one statement may span."""

MAX_ID_WORDS = 8
"""Words that an id without quotes may have; more are a sentence."""

_LABELLED = re.compile(r"(?<![\w.-])([\w.-]+)(?=[\[({]|@\{)")
_HEADER_WORDS = re.compile(r"^.*?\b(?:flowchart|graph)(?:-elk)?\b", re.IGNORECASE)
_COMMENT = re.compile(r"%%|//|#+\s|<!--|```|~~~\s*$|'''|</?\w+[^<>]*>\s*$|[-=*_]{3,}\s*$")
_NO_STATEMENT = re.compile(r"(?:mermaid|TB|TD|BT|RL|LR|\{|\}|\[|\])[;:]?$", re.IGNORECASE)
_DECORATION = re.compile(
    r"(?:style|linkStyle|classDef|class|click|direction|accTitle|accDescr|title|href)\b"
    r"(?:\s*:|\s*$|\s+[^\s\[({<>=.~&-])"
)
_SUBGRAPH = re.compile(r"subgraph\b(?:\s*[\"'([]|\s+[^\s=<>-]|\s*$)", re.IGNORECASE)
_SUBGRAPH_TITLE = re.compile(r"\s*([^\[\]\"]*?)\s*\[\s*(.*?)\s*\]?\s*;?\s*$")
_END = re.compile(r"end\s*(?:subgraph)?\s*[;,.]*\s*(?:%%.*|//.*)?$", re.IGNORECASE)
_BULLET = re.compile(r"(?:>\s+|[-*•+]\s+(?![-=.<>])|\(?\d+\s*[.):|]\s*(?=\S)|\d+\s+(?=[^\W\d]))+")
_BROKEN_ARROW = re.compile(r"\s+[-=.~<]$")
_DIRECTION = re.compile(r"[\s:;*_\"'`]*(?:(TB|TD|BT|RL|LR)\b|([<>^v])(?=[\s;]|$))?[\s;:*_`]*", re.I)
_UNKNOWN_DIRECTION = re.compile(r"\s*[A-Za-z]{2,4}\s*;?\s*$")
_SENTENCE = re.compile(r"[.!?:](?:\s|$)|,\s")
_SIGNS = {"<": "RL", ">": "LR", "^": "BT", "v": "TB", "V": "TB", "TD": "TB"}


def recover(text: str) -> Diagram:
    """Read the flowchart in a text; the diagram is empty where there is none."""
    if "```" not in text and len(text) <= MAX_WHOLE and (diagram := read_whole(text)):
        return diagram
    empty = Diagram()
    for block in find_blocks(legible(text)):
        diagram = read_block(block)
        if diagram.nodes:
            return diagram
        empty = empty if empty.skipped else diagram
    return empty


def read_block(block: Block) -> Diagram:
    """Read one block of a reply, as a whole or line by line."""
    lines = block.text.split("\n")
    header = header_line(lines)
    if header is not None and len(block.text) <= MAX_WHOLE:
        for code in (block.text, "\n".join(lines[header:])):
            diagram = read_whole(code)
            if diagram is not None:
                return diagram
    return _LineByLine(block, lines, header).read()


def read_whole(code: str) -> Diagram | None:
    """Read code that mermaid.js accepts; `None` where it does not or where it misreads the code.

    `A <-- B`, a line end, `C --> D` is for Mermaid one link from A to D with the text `B C`.
    """
    try:
        diagram = parse(prepare(code))
    except (FlowSyntaxError, FrontMatterError):
        return None
    ids = {node.id for node in diagram.nodes}
    return None if any(_spans_statements(link.label, ids) for link in diagram.links) else diagram


def _spans_statements(label: str, ids: set[str]) -> bool:
    if "\n" not in label:
        return False
    lines = label.split("\n")
    return lines[0].strip() in ids or lines[-1].strip() in ids


@dataclass(slots=True)
class _Frame:
    """A subgraph that is open."""

    id: str
    title: str
    members: dict[str, None] = field(default_factory=dict)


class _LineByLine:
    """Reads a block line by line."""

    def __init__(self, block: Block, lines: list[str], header: int | None) -> None:
        self._block = block
        self._lines = lines
        self._header = header
        self._known = frozenset(_LABELLED.findall(block.text))
        self._nodes: dict[str, Node] = {}
        self._links: list[Link] = []
        self._groups: list[_Frame] = []
        self._frames: list[_Frame] = []
        self._skipped: list[Skipped] = []
        self._start = Start()
        self._strict: dict[str, Diagram | None] = {}
        self._direction: str | None = None

    def read(self) -> Diagram:
        first = self._header or 0
        for index in range(first):
            self._skip(index, "stands before the chart")
        if self._header is None:
            self._set_direction(self._block.info)
        last = max((i for i, line in enumerate(self._lines) if line.strip()), default=-1)
        index = first
        while index < len(self._lines):
            line = self._lines[index]
            if header := find_header(line):
                if index > first or (self._header is None and self._nodes):
                    self._skip(index, "another chart starts here")
                    break
                line = self._behind_header(line[header.start() :])
            index += self._line(
                index, line.strip(), is_cut=index == last and not self._block.closed
            )
        return self._diagram()

    def _skip(self, index: int, reason: str, text: str | None = None) -> None:
        line = (self._lines[index] if text is None else text).strip()
        if line:
            self._skipped.append(Skipped(self._block.first_line + index, line, reason))

    def _behind_header(self, line: str) -> str:
        """Return what follows the header in its line."""
        rest = _HEADER_WORDS.sub("", line, count=1)
        if _UNKNOWN_DIRECTION.fullmatch(rest) and not self._set_direction(rest):
            return ""
        match = _DIRECTION.match(rest)
        self._set_direction(rest)
        return rest[match.end() :] if match else rest

    def _set_direction(self, text: str) -> bool:
        match = _DIRECTION.match(text if "mermaid" not in text else text.partition("mermaid")[2])
        sign = (match[1] or match[2]) if match else None
        if sign:
            self._direction = _SIGNS.get(sign.upper(), sign.upper())
        return bool(sign)

    def _line(self, index: int, line: str, is_cut: bool) -> int:
        """Read a line; return how many lines were used."""
        if not line or _COMMENT.match(line) or _NO_STATEMENT.fullmatch(line):
            if line == "}":
                self._close_frame()
            return 1
        if _SUBGRAPH.match(line):
            self._open_frame(line[len("subgraph") :])
        elif _END.fullmatch(line):
            if not self._close_frame():
                self._skip(index, "no subgraph is open here")
        elif _DECORATION.match(line):
            if self._strictly(line) is None and not line.startswith(("direction", "title")):
                self._skip(index, "not a complete statement")
        else:
            return self._statement(index, line, is_cut)
        self._start = Start()
        return 1

    def _open_frame(self, rest: str) -> None:
        title = _SUBGRAPH_TITLE.match(rest)
        name, label = (title[1], title[2]) if title else (rest, rest)
        name, label = clean_label(name.strip(" ;{")), clean_label(label.strip(" ;{"))
        frame = _Frame(name or label or f"subGraph{len(self._groups)}", label)
        if self._frames:
            self._frames[-1].members[frame.id] = None
        self._groups.append(frame)
        self._frames.append(frame)

    def _close_frame(self) -> bool:
        return bool(self._frames and self._frames.pop())

    def _statement(self, index: int, line: str, is_cut: bool) -> int:
        line = _BULLET.sub("", line, count=1) if _BULLET.match(line) else line
        line = line.rstrip(", ，")
        if self._start.arrow is None:
            for count in self._possible_lengths(index, line):
                text = "\n".join([line, *self._lines[index + 1 : index + count]])
                diagram = self._strictly(text)
                if diagram is not None and self._is_statement(diagram, line, is_cut):
                    self._add(diagram.nodes, diagram.links)
                    last = diagram.links[-1].target if diagram.links else diagram.nodes[-1].id
                    self._start = Start((last,))
                    return count
        self._loosely(index, line, is_cut)
        return 1

    def _possible_lengths(self, index: int, line: str) -> list[int]:
        """Return how many lines a statement may span: one, or up to where its quotes close."""
        following = self._lines[index + 1 : index + MAX_SPAN]
        if line.count('"') % 2:
            ends = [i for i, text in enumerate(following, 2) if text.count('"') % 2]
        elif "@{" in line and "}" not in line.partition("@{")[2]:
            ends = [i for i, text in enumerate(following, 2) if "}" in text]
        else:
            return [1]
        return ends[:1]

    def _strictly(self, text: str) -> Diagram | None:
        if text not in self._strict:
            try:
                self._strict[text] = parse_lines(prepare(text))
            except FlowSyntaxError:
                self._strict[text] = None
        return self._strict[text]

    def _is_statement(self, diagram: Diagram, line: str, is_cut: bool) -> bool:
        """Tell whether what the grammar takes for nodes and links is meant so."""
        if not diagram.nodes or diagram.groups:
            return False
        if is_cut and not diagram.links and diagram.nodes[-1].shape is None:
            return False
        return bool(diagram.links or diagram.nodes[0].shape or self._is_bare_node(line.strip("; ")))

    def _is_bare_node(self, word: str) -> bool:
        """Tell whether a line with nothing but a word names a node."""
        if word in self._known or word in self._nodes:
            return True
        in_code = self._block.closed or self._header is not None
        return in_code and (is_identifier(word) or (self._block.closed and word.isalnum()))

    def _loosely(self, index: int, line: str, is_cut: bool) -> None:
        cut_arrow = is_cut and _BROKEN_ARROW.search(line)
        reading = read_line(_BROKEN_ARROW.sub("", line), self._known, self._start)
        self._start = Start()
        nodes, links = list(reading.nodes), list(reading.links)
        if is_cut and (reading.unclosed or cut_arrow or reading.dangling):
            if reading.unclosed or (not links and len(nodes) == 1):
                lost = nodes.pop().id if nodes else ""
                links = [link for link in links if lost not in (link.source, link.target)]
            self._skip(index, "cut off")
        elif reason := self._fault(reading):
            self._skip(index, reason)
            return
        elif reading.unread:
            self._skip(index, "not readable", reading.unread)
        self._add(tuple(nodes), tuple(links))
        self._start = Start(reading.last, reading.dangling)

    def _fault(self, reading: Reading) -> str:
        """Say why a reading is not to be trusted; empty where it is."""
        if not reading.nodes:
            return "neither a node nor a link"
        bare = [node.id for node in reading.nodes if node.shape is None]
        if any(map(self._is_sentence, bare)):
            return "a sentence"
        if reading.links:
            return ""
        if reading.unread:
            return "not readable"
        if any(not self._is_bare_node(name) for name in bare):
            return "neither a label nor a link"
        if any(
            " " in node.id and node.id not in (node.label, *self._known) for node in reading.nodes
        ):
            return "neither a label nor a link"
        return ""

    def _is_sentence(self, name: str) -> bool:
        """Tell whether an id without quotes is rather a piece of prose."""
        words = name.count(" ") + 1
        in_code = self._header is not None or self._block.fenced
        return words > (MAX_ID_WORDS if in_code else 3) or (
            words > 2 and _SENTENCE.search(f"{name} ") is not None
        )

    def _add(self, nodes: tuple[Node, ...], links: tuple[Link, ...]) -> None:
        for node in nodes:
            former = self._nodes.get(node.id)
            if former is None or node.shape is not None or node.label != node.id:
                self._nodes[node.id] = node
            if self._frames and all(node.id not in frame.members for frame in self._groups):
                self._frames[-1].members[node.id] = None
        self._links += links

    def _diagram(self) -> Diagram:
        groups = tuple(Group(frame.id, frame.title, tuple(frame.members)) for frame in self._groups)
        return Diagram(
            tuple(self._nodes.values()),
            tuple(self._links),
            groups,
            self._direction,
            tuple(self._skipped),
        )
