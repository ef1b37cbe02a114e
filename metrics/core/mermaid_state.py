"""Mermaid state diagrams (`stateDiagram`, `stateDiagram-v2`), as mermaid.js 12.3.0 reads them.

`parse_state` accepts and rejects what mermaid.js does; `recover_state` never raises. How pseudo
states are named is said in `state_chart`. Notes, styles, clicks and accessibility texts are read
over: they are neither states nor transitions.
"""

import re
from contextlib import suppress

from .diagram import Diagram, DiagramSyntaxError
from .mermaid_graph import decode_entities
from .mermaid_source import FrontMatterError, prepare, written_position
from .mermaid_state_lines import read_lines
from .mermaid_state_tokens import StateSyntaxError, Token, state_tokens
from .state_chart import StateChart

_WORD = re.compile(r"\w|\[\*\]")
_HEADER = re.compile(r"\s*stateDiagram(?:-v2)?(?=\s)")


class _Parser:
    """The grammar: one method a statement.

    Attributes:
        doubtful: A state stands beside another statement on its line, or is named by signs
            alone: mermaid.js takes every word of a sentence for a state, and the `;` and `}`
            that models write for states as well.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = state_tokens(text)
        self._token = next(self._tokens)
        self._chart = StateChart()
        self._direction: str | None = None
        self._last_start = 0
        self.doubtful = False

    def _next(self) -> Token:
        token = self._token
        if token.kind != "end":
            self._token = next(self._tokens)
        return token

    def _fail(self, expected: str) -> StateSyntaxError:
        found = self._token.value.strip() or "line end"
        return StateSyntaxError(self._token.start, f"expected {expected}, found {found!r}")

    def _expect(self, *kinds: str) -> str:
        if self._token.kind not in kinds:
            raise self._fail(" or ".join(kinds))
        return self._next().value

    def parse(self) -> Diagram:
        """Read the whole diagram."""
        if not _HEADER.match(self._text):
            raise self._fail("'stateDiagram' or 'stateDiagram-v2'")
        self._expect("header")
        while self._token.kind != "end":
            start = self._token.start
            self._statement()
            self._last_start = start
        if self._chart.depth:
            raise self._fail("'}'")
        return self._chart.diagram(self._direction, decode=decode_entities)

    def _statement(self) -> None:
        kind = self._token.kind
        if kind not in ("newline", "--", "}"):
            self._chart.occupy()
        if kind in _STATEMENTS:
            self._next()
            for expected in _STATEMENTS[kind]:
                self._expect(expected)
        elif kind.startswith("direction"):
            self._next()
            if not self._chart.depth:
                self._direction = kind[-2:]
        elif kind == "id":
            self._states()
        elif kind == "composite":
            self._composite()
        elif kind == "text":
            self._titled()
        elif kind in ("fork", "join", "choice"):
            if name := self._next().value.strip():
                self._chart.state(name, shape=kind)
        elif kind == "--":
            self._next()
            self._chart.divide()
        elif kind == "}" and self._chart.depth:
            self._next()
            self._chart.close()
        elif kind == "note":
            self._note()
        elif kind == "click":
            self._click()
        else:
            raise self._fail("a statement")

    def _describe(self, name: str, descriptions: tuple[str, ...], start: int) -> None:
        texts = self._chart.state(name, descriptions)
        if len(texts) > 1 and self._chart.is_composite(name):
            raise StateSyntaxError(start, f"the composite state {name!r} has two descriptions")

    def _name(self) -> str:
        name = self._expect("id").strip()
        self.doubtful = self.doubtful or not _WORD.search(name)
        if self._token.kind == ":::":
            self._next()
            self._expect("id")
        return name

    def _description(self) -> str:
        if self._token.kind != "description":
            return ""
        return self._next().value.strip()[1:].strip()

    def _states(self) -> None:
        start = self._token.start
        name = self._name()
        if self._token.kind != "-->":
            description = self._description()
            self._describe(name, (description,), start)
            alone = "\n" in self._text[self._last_start : start]
            self.doubtful = self.doubtful or not (description or alone)
            return
        self._next()
        target = self._name()
        self._chart.link(name, target, self._description())

    def _composite(self) -> None:
        token = self._next()
        # Without an inside, `state A` declares nothing in mermaid.js.
        self._inside(token.value, token.start)

    def _titled(self) -> None:
        start = self._token.start
        title = self._expect("text").strip()
        self._expect("as")
        # The name may carry a second description: `state "title" as s1: text`.
        name, *more = self._expect("id").strip().split(":")
        if name:
            self._describe(name.strip(), (title, *more[:1]), start)
        self._inside(name.strip(), start)

    def _inside(self, name: str, start: int) -> None:
        if self._token.kind == "{":
            self._next()
            self._chart.open(name)
            self._describe(name, (), start)

    def _note(self) -> None:
        self._expect("note")
        if self._token.kind == "note text":
            self._next()
            self._expect("as")
            self._expect("id")
            return
        self._expect("position")
        self._chart.state(self._expect("id").strip())
        self._expect("note text")

    def _click(self) -> None:
        self._expect("click")
        self._name()
        self._expect("string", "href")
        self._expect("string")
        self._expect("newline")


# Statements that neither declare nor link, with what follows their first token.
_STATEMENTS: dict[str, tuple[str, ...]] = {
    "newline": (),
    "hide": (),
    "braced": (),
    "accessibility": ("rest",),
    "scale": ("width",),
    "classDef": ("word", "rest"),
    "class": ("word", "rest"),
    "style": ("word", "rest"),
}


def parse_state(code: str) -> Diagram:
    r"""Parse a state diagram strictly.

    Args:
        code: Mermaid code, without a Markdown fence.

    Raises:
        DiagramSyntaxError: mermaid.js refuses the code.

    >>> parse_state("stateDiagram-v2\n[*] --> Idle").links[0].source
    'root_start'
    """
    try:
        text = prepare(code)
    except FrontMatterError as fault:
        raise DiagramSyntaxError(1, 1, str(fault)) from fault
    try:
        return _Parser(text).parse()
    except StateSyntaxError as fault:
        line, column = written_position(code, fault.offset)
        raise DiagramSyntaxError(line, column, fault.reason) from fault


def recover_state(text: str) -> Diagram:
    """Take from broken code what a fair reader would; never raises.

    Args:
        text: Mermaid code or a model's whole reply.

    Returns:
        What mermaid.js reads where it accepts the code and no line is doubtful, else the states and
        transitions of the lines that can be read, the others under `skipped`.
    """
    with suppress(FrontMatterError, StateSyntaxError):
        parser = _Parser(prepare(text))
        diagram = parser.parse()
        if not parser.doubtful:
            return diagram
    return read_lines(text)
