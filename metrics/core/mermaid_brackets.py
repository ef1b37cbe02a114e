"""Where the label in a pair of brackets ends, in a line that may lack or confuse brackets."""

import re
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import NamedTuple

from .mermaid_arrows import LooseArrow, find_arrows

OPENERS = "[({［（｛【「『《"
CLOSERS = "])}］）｝】」』》"
QUOTES = {'"': '"', "“": '"”', "”": '"”', "＂": "＂", "'": "'", "‘": "'’", "`": "`"}
"""Opening quotes, and what may close each."""

_OPENING = re.compile(r">|\(\(\(|\(\(|\(\[|\[\[|\[\(|\{\{|\[[/\\]|\(-(?!-)|[\[({［（｛【「『《]")
_CLOSING = re.compile(r"[/\\]?[\])}］）｝】」』》]+")
_BRACKET = re.compile(rf"[{re.escape(OPENERS + CLOSERS)}]")
_QUOTE_BEFORE_CLOSER = re.compile(rf"[\"”“＂'’`](?=\s*[/\\]?[{re.escape(CLOSERS)}])")
_ATTRIBUTES = re.compile(r"[a-z]{1,20}\s?[=:]\s?[\w\"'#]")
_NAMED_LABEL = re.compile(r"\b(?:label|text)\s?[=:]\s?[\"']([^\"']+)[\"']")
_SHAPES = {
    "[": "square",
    "(": "round",
    "{": "diamond",
    "((": "circle",
    "(((": "doublecircle",
    "([": "stadium",
    "[[": "subroutine",
    "[(": "cylinder",
    "{{": "hexagon",
    "(-": "ellipse",
    "[/": "lean_right",
    "[\\": "lean_left",
    ">": "odd",
}


class Label(NamedTuple):
    """A label in brackets.

    Attributes:
        text: What stands inside, outer quotes off.
        shape: Mermaid's name of the shape that the opening brackets make.
        end: Offset behind the closing brackets.
        closed: Whether anything closes it: a bracket, or the arrow that follows.
    """

    text: str
    shape: str
    end: int
    closed: bool = True


@dataclass(slots=True)
class LineMap:
    """The arrows and brackets of a line, found once so that reading it takes linear time."""

    line: str
    arrows: list[LooseArrow] = field(init=False)
    _arrow_starts: list[int] = field(init=False)
    _openers: list[int] = field(init=False)
    _same_kind: dict[int, int] = field(init=False)
    _any_kind: dict[int, int] = field(init=False)
    _closing_quotes: dict[str, list[int]] = field(init=False)

    def __post_init__(self) -> None:
        self.arrows = list(find_arrows(self.line))
        self._arrow_starts = [arrow.start for arrow in self.arrows]
        self._openers = []
        self._same_kind, self._any_kind = self._match_brackets()
        self._closing_quotes = {}
        for match in _QUOTE_BEFORE_CLOSER.finditer(self.line):
            self._closing_quotes.setdefault(match[0], []).append(match.start())

    def _match_brackets(self) -> tuple[dict[int, int], dict[int, int]]:
        """Match each opener with a closer of its own kind, and with a closer of any kind."""
        same: dict[int, int] = {}
        any_kind: dict[int, int] = {}
        stacks: dict[str, list[int]] = {}
        stack: list[int] = []
        for match in _BRACKET.finditer(self.line):
            kind = OPENERS.find(match[0])
            if kind >= 0:
                stacks.setdefault(match[0], []).append(match.start())
                stack.append(match.start())
                self._openers.append(match.start())
                continue
            if own := stacks.get(OPENERS[CLOSERS.index(match[0])]):
                same[own.pop()] = match.start()
            if stack:
                any_kind[stack.pop()] = match.start()
        return same, any_kind

    def arrow_from(self, position: int) -> LooseArrow | None:
        """Return the first arrow that starts at a position or later."""
        index = bisect_left(self._arrow_starts, position)
        return self.arrows[index] if index < len(self.arrows) else None

    def opener_from(self, position: int) -> int:
        """Return the first opening bracket at a position or later, or the line's length."""
        index = bisect_left(self._openers, position)
        return self._openers[index] if index < len(self._openers) else len(self.line)

    def label(self, position: int) -> Label | None:
        """Read the label whose opening brackets start at a position.

        A closer of the same kind ends it, unless it stands in a later node; then the first closer
        of any kind does, or the next arrow where none is before it, or the end of the line.

        Returns:
            The label, or `None` where nothing but brackets is there.
        """
        opening = _OPENING.match(self.line, position)
        if opening is None:
            return None
        shape = _SHAPES.get(opening[0], "square")
        quoted = self._quoted(opening, shape)
        if quoted is not None:
            return quoted
        end = self._end(opening)
        closed = end < len(self.line)
        inside = self.line[opening.end() : end].strip()
        for _ in opening[0][1:]:
            if inside[-1:] in (*CLOSERS,) and _opened_within(inside) < 0:
                inside = inside[:-1].rstrip()
        text = clean_label(inside.rstrip("/\\") if opening[0][-1] in "/\\" else inside)
        if not text.strip(OPENERS + CLOSERS + " "):
            return None
        closing = _CLOSING.match(self.line, end)
        return Label(text, shape, closing.end() if closing else end, closed)

    def _quoted(self, opening: re.Match[str], shape: str) -> Label | None:
        """Read a label in quotes: it may hold brackets, arrows and other quotes."""
        start = _skip_space(self.line, opening.end())
        closers = QUOTES.get(self.line[start : start + 1])
        if closers is None:
            return None
        ends = [self._next_closing_quote(sign, start + 1) for sign in closers]
        end = min((end for end in ends if end is not None), default=None)
        if end is None or self._starts_quoted_node(start, end):
            return None
        bracket = self._same_kind.get(opening.start(), end)
        if bracket < end and self.line.count(self.line[start], start, bracket) == 2:
            return None  # only some words are in quotes: `A["Mix" well]`
        closing = _CLOSING.match(self.line, _skip_space(self.line, end + 1))
        after = closing.end() if closing else end + 1
        return Label(clean_label(self.line[start : end + 1]), shape, after)

    def _starts_quoted_node(self, start: int, end: int) -> bool:
        """Tell whether the quote at the end belongs to a later node: `"Mix] --> B["Bake"]`."""
        arrow = self.arrow_from(start)
        opener = self.opener_from(arrow.end) if arrow else end
        return opener < end and self.line[opener + 1] in QUOTES

    def _next_closing_quote(self, sign: str, position: int) -> int | None:
        positions = self._closing_quotes.get(sign, [])
        index = bisect_left(positions, position)
        return positions[index] if index < len(positions) else None

    def _end(self, opening: re.Match[str]) -> int:
        if opening[0] == ">":
            closer = self.line.find("]", opening.end())
            return closer if closer >= 0 else len(self.line)
        positions = range(opening.start(), opening.end())
        same = next((self._same_kind[i] for i in positions if i in self._same_kind), None)
        other = next((self._any_kind[i] for i in positions if i in self._any_kind), None)
        arrow = self.arrow_from(opening.end())
        if arrow is None:
            return same if same is not None else len(self.line) if other is None else other
        if same is not None and same < arrow.start:
            return same
        if other is not None and other < arrow.start:
            return other
        opener = self.opener_from(arrow.end)
        if same is not None and (opener > same or not self.line[opener - 1].isalnum()):
            return same
        return arrow.start


def _opened_within(text: str) -> int:
    """Return how many more brackets open than close in a text."""
    return sum(map(text.count, OPENERS)) - sum(map(text.count, CLOSERS))


def _skip_space(line: str, start: int) -> int:
    while start < len(line) and line[start].isspace():
        start += 1
    return start


def clean_label(text: str) -> str:
    """Trim a label and take one outer pair of quotes off.

    >>> clean_label(' "Say "bye" now" ')
    'Say "bye" now'
    """
    text = text.strip()
    if _ATTRIBUTES.match(text) and (named := _NAMED_LABEL.search(text)):
        return named[1]
    for sign in ("**", "`"):
        if len(text) > 2 * len(sign) and text.startswith(sign) and text.endswith(sign):
            text = text[len(sign) : -len(sign)].strip()
    if len(text) > 1 and text[-1] in QUOTES.get(text[0], ""):
        text = text[1:-1].strip()
    elif text[:1] in ('"', "“") and not any(sign in text[1:] for sign in '"”'):
        text = text[1:].strip()
    if len(text) > 1 and text[0] == text[-1] == "`":
        text = text[1:-1].strip()
    return text
