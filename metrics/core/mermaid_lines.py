"""A flowchart read line by line: what mermaid.js would read as it does, the rest as a person would.

Runs of lines that mermaid.js accepts are read by the grammar, other lines by `mermaid_loose`; what
is no statement (comments, styles, prose) is left out, and listed unless it says nothing of nodes
and links.
"""

import re
from dataclasses import dataclass, field, replace

from .diagram import MAX_LINKS, Diagram, Effort, Group, Link, Node, Skipped
from .mermaid_brackets import clean_label
from .mermaid_header import read_direction, read_header
from .mermaid_locate import EXPLANATION, Block, Kind, clean_line, kind_of
from .mermaid_loose import Reading, Start, read_line
from .mermaid_nodes import is_identifier
from .mermaid_plain import read_plain
from .mermaid_spelling import respell
from .mermaid_strict import read_strictly, spans_statements

MAX_SPAN = 12
"""Lines that one statement may span."""

FIRST_RUN = 8
MAX_RUN = 256
"""Lines that are given to the grammar at once."""

MAX_LINE = 50_000
"""Characters of a line that are read where the grammar does not accept it."""

MAX_ID_WORDS = 8
"""Words that an id without quotes may have; more are a sentence."""

MAX_PROSE_ID_WORDS = 3
"""The same where prose may stand beside the code, or where nodes have short ids."""

_LABELLED = re.compile(r"(?<![\w.-])([\w.-]+)(?=[\[({]|@\{)")
_ARROW_HEAD = re.compile("[-=.]>")
_LABELLED_WORDS = re.compile(r"^[ \t]*((?:[\w.-]+ )+[\w.-]+) ?(?=[\[({])", re.MULTILINE)
_LINE_COST = 10
_BROKEN_LINE_COST = 40
_SILENT = ("direction", "title", "accTitle", "accDescr")
_TITLE = re.compile(r"\s*([^\[\]\"]*?)\s*\[\s*(.*?)\s*\]?\s*;?\s*$")
_CUT_ARROW = re.compile(r"(?<!\s)\s+[-=.~<]$")
_STROKES = ("-", "=", ".", "~", "<")
_SENTENCE = re.compile(r"[.!?:](?:\s|$)|,\s")


def _without_smart_quotes(node: Node) -> Node:
    if len(node.label) > 2 and node.label[0] == "“" and node.label[-1] == "”":
        return replace(node, label=node.label[1:-1].strip())
    return node


@dataclass(slots=True)
class _Frame:
    """A subgraph."""

    id: str
    title: str
    members: dict[str, None] = field(default_factory=dict)


class LineByLine:
    """Reads one block of a reply.

    Args:
        block: The block.
        lines: Its lines.
        header: Index of the line with the chart's header, `None` where there is none.
        effort: What is still read of the reply.
    """

    def __init__(self, block: Block, lines: list[str], header: int | None, effort: Effort) -> None:
        self._block = block
        self._lines = lines
        self._header = header
        self._effort = effort
        labelled = _LABELLED.findall(block.text) + _LABELLED_WORDS.findall(block.text)
        self._known = frozenset(labelled)
        self._has_arrows = _ARROW_HEAD.search(block.text) is not None
        self._last = max((i for i, line in enumerate(lines) if line.strip()), default=-1)
        self._run = FIRST_RUN
        self._start = Start()
        # What was found out about a line; a model that loops repeats its lines.
        self._kinds: dict[str, Kind] = {}
        self._clean: dict[str, str] = {}
        self._strict: dict[str, Diagram | int] = {}
        self._loose: dict[tuple[str, Start], Reading] = {}
        self._direction: str | None = None
        self._nodes: dict[str, Node] = {}
        self._links: list[Link] = []
        self._groups: list[_Frame] = []
        self._owned: set[str] = set()
        self._open: list[_Frame] = []
        self._skipped: list[Skipped] = []

    def read(self) -> Diagram:
        """Return the diagram and what was left out."""
        index = self._header or 0
        for before in range(index):
            self._skip(before, "stands before the chart")
        if self._header is None:
            self._direction, _ = read_direction(self._block.info.partition("mermaid")[2].strip())
        while index < len(self._lines):
            kind = self._kind(index)
            if kind == "header" and self._nodes:
                self._skip(index, "another chart starts here")
                break
            if kind == "blank" and self._nodes and self._is_explained(index):
                self._skip(index, "the chart is explained from here on")
                break
            if kind != "blank" and self._effort.left <= 0:
                behind = len(self._lines) - index - 1
                self._skip(index, f"not read, nor are {behind:,} lines behind: too much is broken")
                break
            index += self._read_lines(index, kind)
        groups = (Group(frame.id, frame.title, tuple(frame.members)) for frame in self._groups)
        return Diagram(
            tuple(self._nodes.values()),
            tuple(self._links),
            tuple(groups),
            self._direction,
            tuple(self._skipped),
        )

    # Kinds of lines

    def _kind(self, index: int) -> Kind:
        line = self._lines[index]
        if line not in self._kinds:
            self._kinds[line] = kind_of(line.strip())
        return self._kinds[line]

    def _is_explained(self, index: int) -> bool:
        line = self._lines[index]
        return not self._block.fenced and ":" in line and EXPLANATION.match(line) is not None

    def _read_lines(self, index: int, kind: Kind) -> int:
        """Read a line, or several that belong together; return how many."""
        line = self._lines[index].strip()
        if kind == "blank":
            return 1
        if kind == "statement":
            return self._statements(index)
        self._effort.left -= _LINE_COST
        if kind == "header":
            direction, rest = read_header(line)
            self._direction = direction or self._direction
            if rest := rest.strip("{} "):
                self._one_line(index, rest)
        elif kind == "subgraph":
            self._open_subgraph(line[len("subgraph") :])
        elif kind == "end":
            if self._open:
                self._open.pop()
            else:
                self._skip(index, "no subgraph is open here")
        elif not (line.startswith(_SILENT) or isinstance(self._strictly(line), Diagram)):
            self._skip(index, "not a complete statement")
        if kind != "header":
            self._start = Start()
        return 1

    def _skip(self, index: int, reason: str, text: str | None = None) -> None:
        line = (self._lines[index] if text is None else text).strip()
        if line:
            self._skipped.append(Skipped(self._block.first_line + index, line, reason))

    def _open_subgraph(self, rest: str) -> None:
        match = _TITLE.match(rest.lstrip(" :"))
        name, title = (match[1], match[2]) if match else (rest, rest)
        title = clean_label(title.strip(" ;{"))
        frame = _Frame(
            clean_label(name.strip(" ;{")) or title or f"subGraph{len(self._groups)}", title
        )
        self._own(frame.id)
        self._groups.append(frame)
        self._open.append(frame)

    def _own(self, name: str) -> None:
        """Make a node or subgraph a member of the innermost open subgraph, unless it has one."""
        if self._open and name not in self._owned:
            self._owned.add(name)
            self._open[-1].members[name] = None

    # Statements

    def _statements(self, index: int) -> int:
        """Read as many lines as the grammar accepts at once, or one line."""
        line = self._cleaned(index)
        if self._start.arrow is None and len(line) <= MAX_LINE:
            statement = self._length(index, line)
            count: int = max(self._run_length(index), statement)
            while count:
                text = "\n".join([line, *map(self._cleaned, range(index + 1, index + count))])
                read = self._strictly(text)
                is_cut = index + count > self._last
                if isinstance(read, Diagram) and self._is_meant(read, is_cut):
                    self._add(index, tuple(map(_without_smart_quotes, read.nodes)), read.links)
                    self._start = Start((self._last_node(read),))
                    self._run = min(MAX_RUN, 2 * count)
                    self._effort.left -= _LINE_COST if count == 1 else 0
                    return count
                count = self._fewer(count, statement, read)
        self._run = 1
        self._loosely(index, line)
        return 1

    def _run_length(self, index: int) -> int:
        """Return how many statements to read at once."""
        run = 1
        while (
            run < self._run and index + run < self._last and self._kind(index + run) == "statement"
        ):
            run += 1
        return run

    def _fewer(self, count: int, statement: int, read: Diagram | int) -> int:
        """Return how many lines to try after so many were tried in vain: those before the fault.

        Args:
            count: How many were tried.
            statement: How many the first statement spans.
            read: What was read, or the index of the line with the fault.
        """
        if count == statement:
            return 0
        if isinstance(read, Diagram):
            return statement
        if read == 0 and statement == 1:
            return 0
        return read if statement < read < count else statement

    def _length(self, index: int, line: str) -> int:
        """Return how many lines a statement spans: one, or up to where its quotes close."""
        if line.count('"') % 2:
            following = self._lines[index + 1 : index + MAX_SPAN]
            return next((i for i, text in enumerate(following, 2) if text.count('"') % 2), 1)
        if "@{" in line and "}" not in line.partition("@{")[2]:
            following = self._lines[index + 1 : index + MAX_SPAN]
            return next((i for i, text in enumerate(following, 2) if "}" in text), 1)
        return 1

    def _cleaned(self, index: int) -> str:
        line = self._lines[index]
        if line not in self._clean:
            self._clean[line] = clean_line(line)
        return self._clean[line]

    def _strictly(self, text: str) -> Diagram | int:
        """Read lines as mermaid.js does, or return the index of the line that it refuses."""
        if text not in self._strict:
            self._strict[text] = read_strictly(text)
        return self._strict[text]

    def _is_meant(self, diagram: Diagram, is_cut: bool) -> bool:
        """Tell whether what the grammar takes for nodes and links is meant so."""
        if not diagram.nodes or diagram.groups or spans_statements(diagram, self._known):
            return False
        linked = {end for link in diagram.links for end in (link.source, link.target)}
        alone = [node.id for node in diagram.nodes if node.shape is None and node.id not in linked]
        if alone and is_cut and not self._block.closed:
            return False
        return all(map(self._is_bare_node, alone))

    def _last_node(self, diagram: Diagram) -> str:
        return diagram.links[-1].target if diagram.links else diagram.nodes[-1].id

    def _is_bare_node(self, word: str) -> bool:
        """Tell whether a line with nothing but a word names a node."""
        if word in self._known or word in self._nodes:
            return True
        in_code = self._block.closed or self._header is not None
        return in_code and (is_identifier(word) or (self._block.closed and word.isalnum()))

    def _one_line(self, index: int, line: str) -> None:
        read = self._strictly(line)
        if isinstance(read, Diagram) and self._is_meant(read, is_cut=False):
            self._add(index, read.nodes, read.links)
        else:
            self._loosely(index, line)

    def _loosely(self, index: int, line: str) -> None:
        if len(line) > MAX_LINE:
            self._skip(index, "a line too long to read on", line[MAX_LINE:])
            line = line[:MAX_LINE]
        is_cut = index == self._last and not self._block.closed
        cut_arrow = _CUT_ARROW.search(line) if line.endswith(_STROKES) else None
        has_cut_arrow = is_cut and cut_arrow is not None
        reading = self._reading(line[: cut_arrow.start()] if cut_arrow else line)
        self._start = Start()
        nodes, links = reading.nodes, reading.links
        if is_cut and (reading.unclosed or has_cut_arrow or reading.rest.arrow):
            self._skip(index, "cut off")
            if reading.unclosed:
                nodes, links = nodes[:-1], links[: len(links) - reading.last_links]
            elif not links:
                nodes = tuple(node for node in nodes if node.id in self._known)
        elif reason := self._fault(reading):
            self._skip(index, reason)
            return
        elif reading.unread:
            self._skip(index, "not readable", reading.unread)
        if reading.too_many:
            self._skip(index, "too many links")
        self._add(index, nodes, links)
        self._start = reading.rest

    def _reading(self, line: str) -> Reading:
        """Read a line, or remember how it was read: replies that loop repeat theirs."""
        key = (line, self._start)
        if key not in self._loose:
            self._effort.left -= max(len(line), _BROKEN_LINE_COST)
            self._loose[key] = read_plain(line, self._start) or self._respelt_reading(line)
        return self._loose[key]

    def _respelt_reading(self, line: str) -> Reading:
        in_code = self._block.fenced or self._header is not None
        in_words = in_code and (self._block.fenced or not self._has_arrows)
        respelt = respell(line, in_code=in_code, in_words=in_words)
        return read_line(respelt, self._known, self._start)

    def _fault(self, reading: Reading) -> str:
        """Say why a reading is not to be trusted; empty where it is."""
        if not reading.nodes:
            goes_on = reading.rest.arrow and reading.rest.nodes and not reading.unread
            return "" if goes_on else "neither a node nor a link"
        bare = [node.id for node in reading.nodes if node.shape is None]
        if any(" " in name and self._is_sentence(name) for name in bare):
            return "a sentence"
        if reading.links:
            return ""
        if reading.unread:
            return "not readable"
        if self._header is None and any(n.id == n.label for n in reading.nodes if n.shape):
            return "neither an id nor a link"
        if all(map(self._is_bare_node, bare)) and all(map(self._is_declaration, reading.nodes)):
            return ""
        return "neither a label nor a link"

    def _is_declaration(self, node: Node) -> bool:
        """Tell a node alone in its line from prose with brackets: `The chart (see below)`."""
        if " " not in node.id or node.id.casefold() == node.label.casefold():
            return True
        in_code = self._block.fenced or (self._header is not None and node.id[-1].isdigit())
        return in_code and node.id in self._known

    def _is_sentence(self, name: str) -> bool:
        """Tell whether an id without quotes is rather a piece of prose."""
        words = name.count(" ") + 1
        in_code = self._block.fenced or (self._header is not None and not self._known)
        return words > (MAX_ID_WORDS if in_code else MAX_PROSE_ID_WORDS) or (
            words > 2 and _SENTENCE.search(f"{name} ") is not None
        )

    def _add(self, index: int, nodes: tuple[Node, ...], links: tuple[Link, ...]) -> None:
        """Add nodes and links; a node's last label counts, a mere mention changes nothing."""
        if len(links) > MAX_LINKS - len(self._links):
            self._skip(index, "too many links")
            links = ()
        for node in nodes:
            former = self._nodes.get(node.id)
            is_news = node.label != node.id or (node.shape and former and former.label == former.id)
            if former is None or is_news:
                self._nodes[node.id] = node
            self._own(node.id)
        self._links += links
