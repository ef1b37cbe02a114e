"""The statements of PlantUML code: comments, notes, titles, styles and directives left out.

PlantUML is read line by line. What decorates a diagram without being node or arrow is dropped
here, whatever kind of diagram it is; each of `_BLOCKS` reaches from a line to its closing line.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from .diagram import Skipped


class Line(NamedTuple):
    """A line of code, blanks stripped, with its number in the text."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Source:
    """The statements of a diagram.

    Attributes:
        lines: What is left to read.
        direction: `LR` or `TB` where a line says so.
        notes: Names of the notes: what links to them is no link of the diagram.
        skipped: Blocks that were never closed.
    """

    lines: tuple[Line, ...]
    direction: str | None
    notes: frozenset[str]
    skipped: tuple[Skipped, ...]


_START = re.compile(r"^[^\S\n]*@startuml\b[^\n]*", re.IGNORECASE | re.MULTILINE)
_END = re.compile(r"^[^\S\n]*@end\w*", re.IGNORECASE | re.MULTILINE)
_DIRECTION = re.compile(r"(left to right|top to bottom) direction$", re.IGNORECASE)
_NOTE_NAME = re.compile(r"\bas\s+([\w.]+)\s*(?:#\w+\s*)?$", re.IGNORECASE)
_SIDE = r"(?:left|right|top|bottom|over)\b"

# Notes and legends on one line.
_ONE_LINE = re.compile(
    rf"(?:floating\s+)?[hr]?note\s+(?:{_SIDE}[^:\"]*:.*|\".*\"\s*as\b.*|on\s+link[^:]*:.*)$"
    r"|legend\s+\S.*\bend\s?legend$",
    re.IGNORECASE,
)
# Lines that decorate, unless a block begins with them.
_SINGLE = re.compile(
    r"@\w+|!|'|(?:skinparam|skin|title|caption|header|footer|center|(?:left|right)\s+(?:header|footer)"
    r"|hide|show|remove|restore|scale|mainframe|newpage|page|sprite|allow_?mixing|autonumber"
    r"|autoactivate|set\s+separator|url\s+of)\b",
    re.IGNORECASE,
)
# What opens a block, what closes it.
_BLOCKS: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (re.compile(opening, re.IGNORECASE), re.compile(closing, re.IGNORECASE))
    for opening, closing in (
        (
            rf"(?:floating\s+)?[hr]?note\s+(?:{_SIDE}|as\b|on\s+link|of\b)|note$",
            r"end\s?[hr]?note$",
        ),
        (r"legend\b", r"end\s?legend$"),
        (r"title$", r"end\s?title$"),
        (r"header$|(?:left|right|center)\s+header$", r"end\s?header$"),
        (r"footer$|(?:left|right|center)\s+footer$", r"end\s?footer$"),
        (r"<style>", r"</style>"),
        (r"skinparam\b[^{]*\{$", r"\}$"),
        (r"sprite\b.*\{$", r"\}$"),
        (r"!(?:unquoted\s+|final\s+)*(?:function|procedure|definelong)\b", r"!end"),
    )
)
# Most lines decorate nothing: one look tells.
_DECORATES = re.compile(
    "|".join(
        f"(?:{pattern.pattern})"
        for pattern in (_DIRECTION, _ONE_LINE, _SINGLE, *(opening for opening, _ in _BLOCKS))
    ),
    re.IGNORECASE,
)


def _without_comments(text: str) -> str:
    """Blank out `/' … '/`, keeping line ends."""
    parts = []
    position = 0
    while (start := text.find("/'", position)) >= 0:
        end = text.find("'/", start + 2)
        if end < 0:
            break
        parts += [text[position:start], "\n" * text.count("\n", start, end)]
        position = end + 2
    return "".join([*parts, text[position:]])


def _body(text: str) -> str:
    """Return what stands between `@startuml` and `@enduml`, line numbers kept."""
    start = _START.search(text)
    begin = start.end() if start else 0
    end = _END.search(text, begin)
    return "\n" * text.count("\n", 0, begin) + text[begin : end.start() if end else len(text)]


def _lines(text: str) -> Iterator[Line]:
    """Yield lines that are not blank, a backslash at the end joining the next one."""
    held: list[str] = []
    first = 1
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.strip()
        first = first if held else number
        if line.endswith("\\") and not line.endswith("\\\\"):
            held.append(line[:-1].rstrip())
        elif line or held:
            yield Line(first, " ".join([*held, line]))
            held = []
    if held:
        yield Line(first, " ".join(held))


class _BlockEnds:
    """Where the blocks of some lines end."""

    def __init__(self, lines: list[Line]) -> None:
        self._lines = lines
        self._ends: dict[int, list[int]] = {}

    def block(self, line: Line) -> int | None:
        """Return which block a line opens."""
        return next((i for i, (open_, _) in enumerate(_BLOCKS) if open_.match(line.text)), None)

    def after(self, block: int, position: int) -> int | None:
        """Return the index of the line that closes a block opened before `position`."""
        if block not in self._ends:
            closing = _BLOCKS[block][1]
            self._ends[block] = [i for i, x in enumerate(self._lines) if closing.match(x.text)]
        ends = self._ends[block]
        index = bisect_left(ends, position)
        return ends[index] if index < len(ends) else None


def read_source(text: str, most: int | None = None) -> Source:
    """Return the statements of PlantUML code.

    Args:
        text: Code, with or without `@startuml` and `@enduml`.
        most: Lines that are read at most; what follows is `skipped`.
    """
    plain = _without_comments(text.replace("\r\n", "\n").replace("\r", "\n"))
    lines = list(islice(_lines(_body(plain)), most and most + 1))
    kept: list[Line] = []
    skipped: list[Skipped] = []
    if most is not None and len(lines) > most:
        reason = f"not read, nor are the lines behind: more than {most:,}"
        skipped.append(Skipped(*lines.pop(), reason))
    notes: set[str] = set()
    direction: str | None = None
    position = 0
    ends = _BlockEnds(lines)
    while position < len(lines):
        line = lines[position]
        position += 1
        if not _DECORATES.match(line.text):
            kept.append(line)
            continue
        block = None if _ONE_LINE.match(line.text) else ends.block(line)
        if turn := _DIRECTION.match(line.text):
            direction = "LR" if turn[1][0] in "lL" else "TB"
        elif block is not None and (end := ends.after(block, position)) is not None:
            position = end + 1
        elif block is not None and not _SINGLE.match(line.text):
            skipped.append(Skipped(line.number, line.text, "never closed"))
        if name := _NOTE_NAME.search(line.text):
            notes.add(name[1])
    return Source(tuple(kept), direction, frozenset(notes), tuple(skipped))
