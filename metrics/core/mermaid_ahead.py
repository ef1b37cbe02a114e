r"""Two lexer rules of Mermaid that search ahead, answered in linear time.

`.*direction\s+TB[^\n]*` swallows a whole line from any token that stands before the word
`direction`; `[^\s"[\](){}|]+@(?=[^{"])` makes a link's id of all that stands before an `@` in a
word. Tried at every token they read long lines and words over and over; here each is found once
and asked for by position.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from .mermaid_letters import javascript_regex

_DIRECTION_KINDS = ("TB", "BT", "RL", "LR", "TD")
_DIRECTION = javascript_regex(r"[\n\r\u2028\u2029]|direction(?=\s+(TB|BT|RL|LR|TD))")
_WORD_BEFORE_AT = javascript_regex(r'[^\s"\[\](){}|]+')


@dataclass(frozen=True, slots=True)
class Found:
    """A token that the rest of the line or word decides: its name and where it ends."""

    kind: str
    end: int


@dataclass(frozen=True, slots=True)
class Reach:
    """Where a rule that searches ahead applies.

    Attributes:
        start: First offset from which the rule can match.
        options: Names of tokens, last offset from which each matches, and their ends; the first
            option that is still ahead counts.
    """

    start: int
    options: tuple[tuple[int, Found], ...]

    @property
    def last(self) -> int:
        """Last offset from which any option matches."""
        return max(last for last, _ in self.options)


class Ahead:
    """Answers which token a rule that searches ahead gives at growing positions."""

    def __init__(self, reaches: Iterator[Reach]) -> None:
        self._reaches = reaches
        self._next = next(reaches, None)

    @property
    def is_empty(self) -> bool:
        """Whether the rule applies nowhere any more."""
        return self._next is None

    def at(self, position: int) -> Found | None:
        """Return the token that starts at a position, positions growing from call to call."""
        while self._next is not None and self._next.last < position:
            self._next = next(self._reaches, None)
        if self._next is None or position < self._next.start:
            return None
        return next((found for last, found in self._next.options if last >= position), None)


def directions_ahead(text: str) -> Iterator[Reach]:
    """Find the lines that hold a direction statement."""
    if "direction" not in text:
        return
    line_start = end = 0
    last_of_kind: dict[str, tuple[int, Found]] = {}
    for match in _DIRECTION.finditer(text):
        if match[1]:
            if match.end(1) > end:
                end = text.find("\n", match.end(1)) % (len(text) + 1)
            last_of_kind[match[1]] = (match.start(), Found(f"DIRECTION_{match[1]}", end))
            continue
        if last_of_kind:
            yield _direction_reach(line_start, last_of_kind)
            last_of_kind = {}
        line_start = match.end()
    if last_of_kind:
        yield _direction_reach(line_start, last_of_kind)


def _direction_reach(line_start: int, last_of_kind: dict[str, tuple[int, Found]]) -> Reach:
    kinds = [kind for kind in _DIRECTION_KINDS if kind in last_of_kind]
    return Reach(line_start, tuple(last_of_kind[kind] for kind in kinds))


def link_ids_ahead(text: str) -> Iterator[Reach]:
    """Find the words with an `@` that ends a link's id."""
    if "@" not in text:
        return
    for word in _WORD_BEFORE_AT.finditer(text):
        at = text.rfind("@", word.start() + 1, word.end())
        if at == word.end() - 1 and text[at + 1 : at + 2] in ("{", '"', ""):
            at = text.rfind("@", word.start() + 1, at)
        if at > word.start():
            yield Reach(word.start(), ((at - 1, Found("LINK_ID", at + 1)),))
