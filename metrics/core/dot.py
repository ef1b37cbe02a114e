r"""GraphViz DOT, to the same `Diagram` as every other language.

Why not a library: `pydot`, the one kept well, takes twice the time for every level of nested
braces (4 s at 8) and 5 ms for an edge, refuses `[a=b; c=d]`, reads `a -> b` in an undirected
graph, overlooks what follows the first graph and prints its errors; bindings to GraphViz itself
need a compiler and its headers. The grammar is small, and the tests hold it to GraphViz's answers.

What a diagram takes from DOT:

* Every node; its label with escapes, HTML and record fields as text, `\N` being the name.
* Every edge, one for each pair where a subgraph is an end; `dir=back` turns it round, `dir=both`
  gives it two heads; `strict` merges repeated edges as GraphViz does.
* Every cluster as a group; other subgraphs only collect nodes.
"""

import re
from contextlib import suppress
from dataclasses import dataclass, field

from .diagram import Diagram, DiagramSyntaxError, Effort, Skipped
from .dot_graph import DotGraph, Scope, TooManyLinksError
from .dot_labels import html_text
from .dot_tokens import DotTokens

_HEADER = re.compile(r"(?:\bstrict\s+)?\b(?:di)?graph\b[^{}\n]{0,200}\s{0,20}\{", re.IGNORECASE)
_SIGNS = re.compile(r"[{}\[\];=→⟶]|--|->")
_NAMES = frozenset({"id", "string", "html"})
_SEPARATORS = frozenset({";", ","})
_ATTRIBUTED = ("graph", "node", "edge")
_MAX_DEPTH = 10_000
"""Subgraphs in subgraphs; GraphViz's parser gives up there, too."""
_STATEMENT_COST = 10
_MANY_TOKENS = 4096
"""Tokens behind which those that were read are forgotten."""


class _DotSyntaxError(ValueError):
    def __init__(self, start: int, reason: str) -> None:
        self.start = start
        self.reason = reason
        super().__init__(reason)


@dataclass(slots=True)
class _Frame:
    """A body in braces, with the edge statement that waits for its next end."""

    scope: Scope
    chain: list[Scope | list[str]] = field(default_factory=list)


class _Parser:
    """Reads statements; frames instead of recursion, so that depth has no limit.

    Attributes:
        skipped: Lines left out.
    """

    def __init__(self, text: str, start: int, *, loose: bool) -> None:
        self._text = text
        self._loose = loose
        self._tokens = DotTokens(text, start, loose=loose)
        self._kinds, self._texts, self._offsets = self._tokens.found
        self._index = 0
        self._counted = (0, 1)
        self._judged = (0, 0, False)
        self._effort = Effort()
        self._graph = DotGraph()
        self._frames: list[_Frame] = []
        self.skipped: list[Skipped] = []

    @property
    def _kind(self) -> str:
        return self._kinds[self._index]

    @property
    def _start(self) -> int:
        return self._offsets[self._index]

    def _fail(self, expected: str, index: int | None = None) -> _DotSyntaxError:
        at = self._index if index is None else index
        text = self._texts[at]
        found = text if self._kinds[at] == "end" else repr(text or '""')
        return _DotSyntaxError(self._offsets[at], f"expected {expected}, found {found}")

    def _next(self) -> str:
        """Go on to the next token; return the text of the one before."""
        index = self._index
        if self._kinds[index] != "end":
            self._index = index + 1
            if self._index == len(self._kinds):
                self._tokens.more()
        return self._texts[index]

    def _take(self, kind: str) -> bool:
        if self._kinds[self._index] != kind:
            return False
        self._next()
        return True

    def _expect(self, kind: str) -> str:
        if self._kinds[self._index] != kind:
            raise self._fail(repr(kind))
        return self._next()

    def _keyword(self, *names: str) -> str:
        if self._kind == "keyword" and self._texts[self._index] in names:
            return self._next()
        return ""

    def _name(self) -> str:
        """Read an identifier, `"a" + "b"` being one."""
        kind = self._kinds[self._index]
        if kind not in _NAMES:
            raise self._fail("a name")
        name = self._next()
        if kind == "string" and self._kind == "+":
            parts = [name]
            while self._take("+"):
                if self._kind != "string":
                    raise self._fail("a string")
                parts.append(self._next())
            return "".join(parts)
        return f"<{name}>" if kind == "html" else name

    def _value(self) -> str:
        """Read an attribute's value, an HTML-like label as its text."""
        if self._kind == "html":
            return html_text(self._next()).replace("\\", r"\\")
        return self._name()

    def header(self) -> None:
        """Read `strict digraph name {`."""
        strict = bool(self._keyword("strict"))
        kind = self._keyword("graph", "digraph")
        if not kind:
            raise self._fail("'graph' or 'digraph'")
        name = self._name() if self._kind in _NAMES else ""
        self._expect("{")
        self.begin(strict=strict, directed=kind == "digraph", name=name)

    def begin(self, *, strict: bool, directed: bool, name: str) -> None:
        """Enter the body of the graph."""
        self._graph = DotGraph(name, directed=directed, strict=strict)
        self._frames = [_Frame(self._graph.root)]

    def body(self) -> Diagram:
        """Read statements up to the graph's closing brace."""
        while self._frames:
            if self._loose and self._effort.left <= 0:
                self._stop()
                break
            self._effort.left -= _STATEMENT_COST
            if self._index > _MANY_TOKENS:
                self._tokens.found.drop(self._index)
                self._index = 0
            try:
                self._statement()
            except (_DotSyntaxError, TooManyLinksError) as error:
                if not self._loose:
                    raise
                self._skip(error)
        return self._graph.diagram(tuple(self.skipped))

    @property
    def at_end(self) -> bool:
        """Whether nothing follows."""
        return self._kind == "end"

    @property
    def doubtful(self) -> bool:
        """Whether of what was read two names touch, or a name holds an arrow."""
        return self._tokens.first_doubt < self._start

    def _statement(self) -> None:
        kind = self._kinds[self._index]
        if self._frames[-1].chain:
            self._operand()
        elif kind == "end" and self._loose:
            self._frames.clear()
        elif kind == "}":
            self._next()
            scope = self._frames.pop().scope
            if self._frames:
                self._after(scope)
        elif kind == "keyword" and (attributed := self._keyword(*_ATTRIBUTED)):
            if self._kind != "[":
                raise self._fail("'['")
            attributes: dict[str, str] = {}
            self._read_attributes(attributes)
            self._frames[-1].scope.set_defaults(attributed, attributes)
            self._end()
        else:
            self._operand()

    def _operand(self) -> None:
        """Read one end of an edge, or a node, or `name = value`."""
        frame = self._frames[-1]
        kind = self._kinds[self._index]
        if kind == "{" or (kind == "keyword" and self._keyword("subgraph")):
            named = self._name() if self._kind in _NAMES else ""
            self._expect("{")
            if len(self._frames) > _MAX_DEPTH:
                raise self._fail("fewer subgraphs in one another")
            self._frames.append(_Frame(self._graph.subgraph(frame.scope, named)))
            return
        start = self._index
        name = self._name()
        if not frame.chain and self._take("="):
            frame.scope.assign(name, self._name())
            self._end()
            return
        if self._kinds[self._index] == ":":
            self._port()
        names = [name]
        while self._take(","):
            names.append(self._name())
            if self._kinds[self._index] == ":":
                self._port()
        if self._loose and not frame.chain and self._is_prose(self._offsets[start]):
            raise self._fail("a statement", start)
        for each in names:
            self._graph.mention(frame.scope, each)
        self._after(names)

    def _is_prose(self, start: int) -> bool:
        """Tell whether a node stands on a line of words alone: a sentence, not statements."""
        line_start, line_end, prose = self._judged
        if not line_start <= start < line_end:
            line_start = self._text.rfind("\n", 0, start) + 1
            line_end = self._text.find("\n", start) % (len(self._text) + 1) + 1
            line = self._text[line_start:line_end]
            prose = _SIGNS.search(line) is None and len(line.split()) > 1
            self._judged = line_start, line_end, prose
        return prose

    def _port(self) -> None:
        for _ in range(2):
            if self._take(":"):
                self._name()

    def _after(self, operand: Scope | list[str]) -> None:
        """Go on behind an operand: another end, or attributes and the end of the statement."""
        frame = self._frames[-1]
        frame.chain.append(operand)
        if self._kinds[self._index] == "edge":
            if not self._loose and self._texts[self._index] != self._graph.edge_sign:
                raise self._fail(repr(self._graph.edge_sign))
            self._graph.directed |= self._next() != "--"
            return
        chain, frame.chain = frame.chain, []
        if len(chain) == 1 and self._kinds[self._index] != "[":
            self._end()
            return
        attributes: dict[str, str] = {}
        try:
            self._read_attributes(attributes)
        finally:
            # Of a broken statement, what came before the fault is kept.
            self._graph.connect(frame.scope, chain, attributes)
        self._end()

    def _read_attributes(self, attributes: dict[str, str]) -> None:
        while self._take("["):
            while not self._take("]"):
                start = self._index
                name = self._name()
                if self._loose and self._kind in ("edge", "["):
                    # The bracket was never closed: this is the next statement.
                    self._index = start
                    return
                if not self._loose or self._kind == "=":
                    self._expect("=")
                    attributes[name] = self._value()
                self._take(",") or self._take(";")

    def _end(self) -> None:
        self._take(";")
        while self._loose and self._kinds[self._index] in _SEPARATORS:
            self._next()

    def _skip(self, error: _DotSyntaxError | TooManyLinksError) -> None:
        """Leave out the rest of the line, and go on behind it."""
        frame = self._frames[-1]
        if len(frame.chain) > 1:
            with suppress(TooManyLinksError):
                self._graph.connect(frame.scope, frame.chain, {})
        frame.chain = []
        start = error.start if isinstance(error, _DotSyntaxError) else self._start
        line_end = self._text.find("\n", start)
        line_end = len(self._text) if line_end < 0 else line_end
        self._pass_over(line_end)
        line_start = self._text.rfind("\n", 0, start) + 1
        line = self._line(start)
        text = self._text[line_start:line_end].strip()
        if not self.skipped or self.skipped[-1].line != line:
            self.skipped.append(Skipped(line, text, str(error)))

    def _pass_over(self, line_end: int) -> None:
        """Go to the first token behind a line, or to a brace that closes before."""
        kinds, offsets, index = self._kinds, self._offsets, self._index
        while offsets[index] < line_end and kinds[index] != "}":
            index += 1
            if index == len(kinds):
                self._tokens.more()
        self._index = index

    def _stop(self) -> None:
        """Leave out all that follows."""
        start, line = self._start, self._line(self._start)
        behind = self._text.count("\n", start)
        text = self._text[start:].partition("\n")[0].strip()
        if text:
            reason = f"not read, nor are {behind:,} lines behind: too much is broken"
            self.skipped.append(Skipped(line, text, reason))

    def _line(self, offset: int) -> int:
        """Return the line of an offset, counting on from the last one asked for."""
        counted, line = self._counted
        self._counted = offset, line + self._text.count("\n", counted, offset)
        return self._counted[1]


def parse_dot(code: str) -> Diagram:
    """Parse DOT code strictly; of several graphs the first is the diagram.

    Args:
        code: DOT code, without a Markdown fence.

    Raises:
        DiagramSyntaxError: GraphViz refuses the code, or it has more links than a diagram can.

    >>> parse_dot('digraph { a [label="Mix"]; a -> b }').labels()
    {'a': 'Mix', 'b': 'b'}
    """
    parser = _Parser(code, 0, loose=False)
    try:
        parser.header()
        diagram = parser.body()
        while not parser.at_end:
            parser.header()
            parser.body()
    except _DotSyntaxError as error:
        start = error.start
        line = code.count("\n", 0, start) + 1
        raise DiagramSyntaxError(line, start - code.rfind("\n", 0, start), error.reason) from error
    except TooManyLinksError as error:
        raise DiagramSyntaxError(1, 1, str(error)) from error
    return diagram


def recover_dot(text: str) -> Diagram:
    """Take from broken DOT code what a fair reader would; never raises.

    Args:
        text: DOT code or a model's whole reply; what stands before the header and after the
            graph's closing brace is not looked at.

    Returns:
        What GraphViz reads where it accepts the graph, else its statements line by line, those
        that cannot be read under `skipped`.
    """
    header = _HEADER.search(text)
    start = header.start() if header else 0
    # Without a closing brace GraphViz refuses it at its end: it need not be asked.
    if text.find("}", start) >= 0:
        with suppress(_DotSyntaxError, TooManyLinksError):
            parser = _Parser(text, start, loose=False)
            parser.header()
            diagram = parser.body()
            if not parser.doubtful:
                return diagram
    parser = _Parser(text, start, loose=True)
    try:
        parser.header()
    except _DotSyntaxError:
        parser = _Parser(text, start, loose=True)
        parser.begin(strict=False, directed=True, name="")
    return parser.body()
