"""Mermaid state diagrams (`stateDiagram`, `stateDiagram-v2`), as mermaid.js 12.3.0 reads them.

`parse_state` accepts and rejects what mermaid.js does; `recover_state` never raises. How pseudo
states are named is said in `state_chart`. Notes, styles, clicks and accessibility texts are read
over: they are neither states nor transitions.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from typing import ClassVar

from .diagram import MAX_LINES, Diagram, DiagramSyntaxError
from .mermaid_graph import decode_entities
from .mermaid_lexer import Tokens
from .mermaid_source import FrontMatterError, prepare, written_position
from .mermaid_state_lines import read_lines
from .mermaid_state_tokens import StateSyntaxError, tokenize
from .state_chart import StateChart

_WORD = re.compile(r"\w|\[\*\]")
_HEADER = re.compile(r"\s*stateDiagram(?:-v2)?(?=\s)")


# Statements that neither declare nor link, with what follows their first token.
_FOLLOWED_BY: dict[str, tuple[str, ...]] = {
    "accessibility": ("rest",),
    "scale": ("width",),
    "classDef": ("word", "rest"),
    "class": ("word", "rest"),
    "style": ("word", "rest"),
}

_MOST_TOKENS = 16
"""Tokens of one statement, at most."""


class _Parser:
    """The grammar: one method a statement.

    Args:
        text: Prepared code.
        early: Give up where no brace can close a state, instead of at the end, and behind
            `MAX_LINES` lines.

    Attributes:
        doubtful: A state stands beside another statement on its line, or is named by signs
            alone: mermaid.js takes every word of a sentence for a state, and the `;` and `}`
            that models write for states as well.
    """

    def __init__(self, text: str, *, early: bool = False) -> None:
        self._text = text
        self._tokens = Tokens([], [], [])
        self._kinds, self._texts, self._offsets = self._tokens
        self._batches = tokenize(text, self._tokens)
        next(self._batches)
        self._index = 0
        self._chart = StateChart()
        self._direction: str | None = None
        self._last_start = 0
        self._closers = text.count("}") if early else len(text)
        # The end of a line is a statement, too.
        self._most = 2 * MAX_LINES if early else len(text) + 1
        self.doubtful = False

    def _fail(self, expected: str) -> StateSyntaxError:
        start, text = self._offsets[self._index], self._texts[self._index]
        if self._kinds[self._index] == "invalid":
            return StateSyntaxError(start, text)
        found = text.strip() or "line end"
        return StateSyntaxError(start, f"expected {expected}, found {found!r}")

    def _take(self, *kinds: str) -> str:
        index = self._index
        if self._kinds[index] not in kinds:
            raise self._fail(" or ".join(kinds))
        self._index = index + 1
        return self._texts[index]

    def _skip(self, kind: str) -> bool:
        if self._kinds[self._index] != kind:
            return False
        self._index += 1
        return True

    def parse(self) -> Diagram:
        """Read the whole diagram."""
        if not _HEADER.match(self._text):
            raise self._fail("'stateDiagram' or 'stateDiagram-v2'")
        self._take("header")
        kinds, offsets, statements = self._kinds, self._offsets, self._STATEMENTS
        for _ in range(self._most):
            if self._index + _MOST_TOKENS > len(kinds):
                self._tokens.drop(self._index)
                self._index = 0
                next(self._batches, None)
            start, kind = offsets[self._index], kinds[self._index]
            if kind == "end":
                break
            statement = statements.get(kind)
            if statement is None:
                raise self._fail("a statement")
            statement(self)
            self._last_start = start
        else:
            raise self._fail("fewer lines")
        if self._chart.depth:
            raise self._fail("'}'")
        return self._chart.diagram(self._direction, decode=decode_entities)

    def _read_over(self) -> None:
        """Read a statement that neither declares nor links."""
        self._chart.occupy()
        kind = self._kinds[self._index]
        self._index += 1
        for expected in _FOLLOWED_BY.get(kind, ()):
            self._take(expected)

    def _newline(self) -> None:
        self._index += 1

    def _turn(self) -> None:
        self._chart.occupy()
        if not self._chart.depth:
            self._direction = self._kinds[self._index][-2:]
        self._index += 1

    def _describe(self, name: str, descriptions: tuple[str, ...], start: int) -> None:
        texts = self._chart.state(name, descriptions)
        if len(texts) > 1 and self._chart.is_composite(name):
            raise StateSyntaxError(start, f"the composite state {name!r} has two descriptions")

    def _name(self) -> str:
        name = self._take("id").strip()
        self.doubtful = self.doubtful or not _WORD.search(name)
        if self._skip(":::"):
            self._take("id")
        return name

    def _description(self) -> str:
        if self._kinds[self._index] != "description":
            return ""
        self._index += 1
        return self._texts[self._index - 1].strip()[1:].strip()

    def _states(self) -> None:
        start = self._offsets[self._index]
        name = self._name()
        if self._skip("-->"):
            target = self._name()
            self._chart.link(name, target, self._description())
            return
        description = self._description()
        self._describe(name, (description,), start)
        if not self.doubtful and not description:
            self.doubtful = self._text.find("\n", self._last_start, start) < 0

    def _composite(self) -> None:
        self._chart.occupy()
        start = self._offsets[self._index]
        # Without an inside, `state A` declares nothing in mermaid.js.
        self._inside(self._take("composite"), start)

    def _titled(self) -> None:
        self._chart.occupy()
        start = self._offsets[self._index]
        title = self._take("text").strip()
        self._take("as")
        # The name may carry a second description: `state "title" as s1: text`.
        name, *more = self._take("id").strip().split(":")
        if name:
            self._describe(name.strip(), (title, *more[:1]), start)
        self._inside(name.strip(), start)

    def _inside(self, name: str, start: int) -> None:
        if self._skip("{"):
            self._chart.open(name)
            self._describe(name, (), start)
            if self._chart.depth > self._closers:
                raise self._fail("'}'")

    def _shaped(self) -> None:
        self._chart.occupy()
        kind = self._kinds[self._index]
        if name := self._take(kind).strip():
            self._chart.state(name, shape=kind)

    def _divide(self) -> None:
        self._index += 1
        self._chart.divide()

    def _close(self) -> None:
        if not self._chart.depth:
            raise self._fail("a statement")
        self._index += 1
        self._chart.close()

    def _note(self) -> None:
        self._chart.occupy()
        self._take("note")
        if self._skip("note text"):
            self._take("as")
            self._take("id")
            return
        self._take("position")
        self._chart.state(self._take("id").strip())
        self._take("note text")

    def _click(self) -> None:
        self._chart.occupy()
        self._take("click")
        self._name()
        self._take("string", "href")
        self._take("string")
        self._take("newline")

    _STATEMENTS: ClassVar[dict[str, Callable[["_Parser"], None]]] = {
        "newline": _newline,
        "id": _states,
        "composite": _composite,
        "text": _titled,
        "fork": _shaped,
        "join": _shaped,
        "choice": _shaped,
        "--": _divide,
        "}": _close,
        "note": _note,
        "click": _click,
        **dict.fromkeys(("direction TB", "direction BT", "direction RL", "direction LR"), _turn),
        **dict.fromkeys(("hide", "braced", *_FOLLOWED_BY), _read_over),
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
        parser = _Parser(prepare(text), early=True)
        diagram = parser.parse()
        if not parser.doubtful:
            return diagram
    return read_lines(text)
