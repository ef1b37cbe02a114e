"""The statements of PlantUML code: comments, notes, titles, styles and directives left out.

PlantUML is read line by line. What decorates a diagram without being node or arrow is dropped
here, whatever kind of diagram it is; each of `_BLOCKS` reaches from a line to its closing line.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
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

# Lines that stand alone, and blocks: what opens one, what closes it.
_SINGLE = re.compile(
    r"(?:@\w+|!|'|(?:skinparam|skin|title|caption|header|footer|center|left\s+(?:header|footer)"
    r"|right\s+(?:header|footer)|hide|show|remove|restore|scale|mainframe|newpage|page|sprite"
    r"|allow_?mixing|autonumber|autoactivate|set\s+separator|url\s+of|legend\s+\S.*\bend\s?legend)\b"
    rf"|(?:floating\s+)?[hr]?note\s+(?:{_SIDE}[^:\"]*:.*|\".*\"\s*as\b.*|on\s+link[^:]*:.*)$)",
    re.IGNORECASE,
)
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
    held: Line | None = None
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.strip()
        if held:
            line, number = f"{held.text} {line}", held.number
            held = None
        if line.endswith("\\") and not line.endswith("\\\\"):
            held = Line(number, line[:-1].rstrip())
        elif line:
            yield Line(number, line)
    if held:
        yield held


def read_source(text: str) -> Source:
    """Return the statements of PlantUML code.

    Args:
        text: Code, with or without `@startuml` and `@enduml`.
    """
    plain = _without_comments(text.replace("\r\n", "\n").replace("\r", "\n"))
    lines = list(_lines(_body(plain)))
    closings = [
        [i for i, line in enumerate(lines) if closing.match(line.text)] for _, closing in _BLOCKS
    ]
    kept: list[Line] = []
    skipped: list[Skipped] = []
    notes: set[str] = set()
    direction: str | None = None
    position = 0
    while position < len(lines):
        line = lines[position]
        position += 1
        if turn := _DIRECTION.match(line.text):
            direction = "LR" if turn[1][0] in "lL" else "TB"
            continue
        single = _SINGLE.match(line.text) is not None
        block = next((i for i, (opening, _) in enumerate(_BLOCKS) if opening.match(line.text)), -1)
        if not single and block < 0:
            kept.append(line)
            continue
        if name := _NOTE_NAME.search(line.text):
            notes.add(name[1])
        if block >= 0 and (not single or block >= 2):
            ends = closings[block]
            while ends and ends[0] < position:
                ends.pop(0)
            if ends:
                position = ends[0] + 1
            elif not single:
                skipped.append(Skipped(line.number, line.text, "never closed"))
    return Source(tuple(kept), direction, frozenset(notes), tuple(skipped))
