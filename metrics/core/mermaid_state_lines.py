"""Broken Mermaid state diagrams, read line by line as a fair reader would.

What a person sees at once is taken: arrows of any form, chains, labels between bars, names with
spaces or in quotes, a missing brace or header. What is no statement is skipped and reported.
"""

import re
from bisect import bisect
from collections.abc import Callable, Iterator

from .diagram import MAX_LINES, Diagram, Skipped
from .mermaid_graph import decode_entities
from .state_chart import PSEUDO, StateChart

_HEADER = re.compile(r"state\s?diagram(?:[-\s]?v?2)?\b[;:]?", re.IGNORECASE)
_READ_OVER = re.compile(
    r"(?:classDef|class|style|linkStyle|click|scale|hide|acc(?:Title|Descr)|title)\b|%%|#",
    re.IGNORECASE,
)
_DIRECTION = re.compile(r"direction\s+(TB|TD|BT|LR|RL)\b", re.IGNORECASE)
# Each alternative can begin only where its run of strokes begins: that keeps the search linear.
_ARROW = re.compile(
    r"(?:(?<!-)--(?P<text>[^->|][^->]*)--?>|(?<!-)--\s?\|(?P<piped>[^|>]*)\|\s?--?>|<?(?:(?<!-)-+|(?<!=)=+|(?<![-.])-\.+-?|(?<![—–])[—–]+)>"
    r"|→|⟶)(?:\s*\|(?P<bars>[^|]*)\|)?"
)
# What an arrow begins with: searching for it first skips what lies between.
_ARROW_SIGN = re.compile("[-<=—–→⟶]")
_STATE = re.compile(r"state\b\s*(?P<rest>\S.*)", re.IGNORECASE)
_KIND = re.compile(r"(?<!\s)\s*(?:<<|\[\[)\s*(fork|join|choice)\s*(?:>>|\]\])", re.IGNORECASE)
_ALIAS = re.compile(r"(?P<first>.*?\S)\s+as\s+(?P<second>\S.*)", re.IGNORECASE)
_NOTE = re.compile(
    r"note\s+(?:(?:left|right|over|top|bottom)\s+(?:of\s+)?(?P<name>[^\s:]+)\s*(?P<text>:.*)?|\")",
    re.IGNORECASE,
)
_ENTITY = re.compile(r"#([A-Za-z0-9_]{1,64});")
_END_NOTE = re.compile(r"\s*end\s?note\b", re.IGNORECASE)
_END_NOTES = re.compile(r"(?-i:[eE])nd\s?note\b", re.IGNORECASE)
_DESCRIPTION = re.compile(r"(?P<name>[^\s:]+)\s*:(?!:)\s*(?P<text>\S.*)")
_BARE = re.compile(r"[\w.*\[\]]+(?:\s*:::\s*\w+)?")
_SHAPED = re.compile(r"(?P<name>\w+)\s*(?:\[+|\(+)\"?(?P<label>[^\"\[\]()]+)\"?(?:\]+|\)+)")
_PSEUDO = frozenset({"[*]", "(*)", "[ * ]", "*", "[*", "*]"})
_CLASS = re.compile(r"(?<!\s)\s*:::\s*\w+")
_SENTENCE_ENDS = (".", "!", "?")
_MOST_WORDS = 8


def _hide(entity: re.Match[str]) -> str:
    """Hide an entity, whose `;` would end the statement, as `mermaid_source.prepare` does."""
    return f"ﬂ°°{entity[1]}¶ß" if entity[1].isdigit() else f"ﬂ°{entity[1]}¶ß"


def _is_name(text: str) -> bool:
    return 0 < len(text.split()) <= _MOST_WORDS and not text.endswith(_SENTENCE_ENDS)


def _split_label(text: str) -> tuple[str, str]:
    """Split `B : label`, but not at the `:::` of a class."""
    text = _CLASS.sub("", text) if ":::" in text else text
    name, _, label = text.partition(":")
    return name.strip(), label.strip()


def _find_arrows(line: str) -> Iterator[re.Match[str]]:
    position = 0
    while sign := _ARROW_SIGN.search(line, position):
        arrow = _ARROW.match(line, sign.start())
        position = arrow.end() if arrow else sign.end()
        if arrow:
            yield arrow


class _Reader:
    """Reads lines into a chart; each rule of `_TABLE` tells whether it took the line."""

    def __init__(self) -> None:
        self.chart = StateChart()
        self.direction: str | None = None
        self.names: set[str] = set()

    def _declare(self, text: str, *descriptions: str, shape: str = "rect") -> str:
        name = text.strip().strip("\"'`").strip()
        if name in _PSEUDO:
            return PSEUDO
        if name.endswith(("]", ")")) and (shaped := _SHAPED.fullmatch(name)):
            name, descriptions = shaped["name"], (shaped["label"].strip(),)
        name = name.rstrip("{").strip()
        self.names.add(name)
        texts = self.chart.state(name, descriptions, shape)
        if len(texts) > 1 and self.chart.is_composite(name):
            texts.pop()
        return name

    def read_over(self, line: str) -> bool:
        """Styles, titles, comments."""
        if not _READ_OVER.match(line) or any(_find_arrows(line)):
            return False
        if not line.startswith(("%%", "#")):
            self.chart.occupy()
        return True

    def turn(self, line: str) -> bool:
        """Read `direction LR`."""
        match = _DIRECTION.match(line)
        if match is None:
            return False
        self.chart.occupy()
        if not self.chart.depth:
            self.direction = match[1].upper().replace("TD", "TB")
        return True

    def close(self, line: str) -> bool:
        """Read `}`."""
        if not self.chart.depth or line.strip("} \t"):
            return False
        for _ in range(min(line.count("}"), self.chart.depth)):
            self.chart.close()
        return True

    def divide(self, line: str) -> bool:
        """Read the `--` between concurrent regions."""
        if line not in ("--", "---"):
            return False
        self.chart.divide()
        return True

    def note(self, line: str) -> bool:
        """Read `note right of A`; the text of a note is no part of the diagram."""
        match = _NOTE.match(line)
        if match and match["name"]:
            self._declare(match["name"])
        return match is not None

    def transition(self, line: str) -> bool:
        """Read `A --> B : label`, also as a chain and with other arrows."""
        arrows = list(_find_arrows(line))
        if not arrows:
            return False
        starts = [0, *(arrow.end() for arrow in arrows)]
        stops = [*(arrow.start() for arrow in arrows), len(line)]
        parts = [line[start:stop] for start, stop in zip(starts, stops, strict=True)]
        ends = [_split_label(part) for part in parts]
        if not all(_is_name(name) for name, _ in ends):
            return False
        names: list[str] = []
        for name, _ in ends:
            names.append(self._declare(name))
            if names[-1] == PSEUDO:
                self.chart.state(PSEUDO, role="start" if len(names) == 1 else "end")
        for arrow, source, target, (_, label) in zip(
            arrows, names, names[1:], ends[1:], strict=False
        ):
            text = label or (arrow["text"] or arrow["piped"] or arrow["bars"] or "").strip()
            self.chart.link(source, target, text)
        return True

    def state(self, line: str) -> bool:
        """Read `state …` with its title, alias, kind and opening brace."""
        match = _STATE.match(line)
        if not match:
            return False
        rest = match["rest"]
        opens = rest.endswith("{")
        rest = rest.rstrip("{").strip()
        kind = _KIND.search(rest)
        rest = _KIND.sub("", rest).strip()
        name, title = rest, ""
        if alias := _ALIAS.fullmatch(rest):
            title, name = alias["first"], alias["second"]
            if name.startswith('"') and not title.startswith('"'):
                title, name = name, title
        name, text = _split_label(name) if '"' not in name else (name, "")
        if not _is_name(name):
            return False
        shape = kind[1].lower() if kind else "rect"
        declared = self._declare(name, title.strip(' "'), text, shape=shape)
        if opens:
            self.chart.open(declared)
        return True

    def opening(self, line: str) -> bool:
        """Read `Name {`, the keyword forgotten."""
        if not line.endswith("{") or not _is_name(name := line.rstrip("{ \t")):
            return False
        self.chart.open(self._declare(name))
        return True

    def description(self, line: str) -> bool:
        """Read `A : text`, unless it is the beginning of a sentence."""
        match = _DESCRIPTION.fullmatch(line) if ":" in line else None
        if not match or (match["name"] not in self.names and not _is_name(match["text"])):
            return False
        self._declare(match["name"], match["text"])
        return True

    def bare(self, line: str) -> bool:
        """Read the name of a state that stands alone."""
        if not _BARE.fullmatch(line):
            return False
        name = _split_label(line)[0]
        if self._declare(name) == PSEUDO:
            self.chart.state(PSEUDO)
        return True


# The rules in order, with the characters that a line of theirs begins with; empty means any.
_TABLE: tuple[tuple[str, Callable[[_Reader, str], bool]], ...] = (
    ("cslhatCSLHAT%#", _Reader.read_over),
    ("dD", _Reader.turn),
    ("}", _Reader.close),
    ("-", _Reader.divide),
    ("nN", _Reader.note),
    ("", _Reader.transition),
    ("sS", _Reader.state),
    ("", _Reader.opening),
    ("", _Reader.description),
    ("", _Reader.bare),
)


class _Rules(dict[str, tuple[Callable[[_Reader, str], bool], ...]]):
    """The rules to try, by a line's first character."""

    def __missing__(self, first: str) -> tuple[Callable[[_Reader, str], bool], ...]:
        self[first] = tuple(rule for firsts, rule in _TABLE if not firsts or first in firsts)
        return self[first]


def _body(text: str) -> Iterator[tuple[int, str]]:
    """Yield the numbered lines that are neither fences nor inside a note."""
    lines = text.split("\n")
    ends: list[int] = []
    if _END_NOTES.search(text):
        ends = [number for number, line in enumerate(lines, 1) if _END_NOTE.match(line)]
    note_end = 0
    for number, line in enumerate(lines, 1):
        if number <= note_end:
            continue
        line = line.strip()
        note = _NOTE.match(line) if line[:1] in ("n", "N") else None
        if note and note["name"] and not note["text"]:
            after = bisect(ends, number)
            note_end = ends[after] if after < len(ends) else 0
        yield number, line


def _statements(lines: list[tuple[int, str]], reader: _Reader) -> Iterator[tuple[int, str]]:
    """Yield the statements of lines, up to a fence that closes."""
    for number, line in lines:
        if line.startswith("```"):
            if reader.names:
                return
            continue
        if header := _HEADER.match(line):
            line = line[header.end() :]
        for part in line.split(";"):
            if statement := part.strip():
                yield number, statement


def read_lines(text: str) -> Diagram:
    """Read code line by line; never raises.

    Lines before the header and after the closing fence are skipped without a word: they are not
    the diagram's.
    """
    reader, rules = _Reader(), _Rules()
    skipped: list[Skipped] = []
    lines = list(_body(_ENTITY.sub(_hide, text)))
    first = next((i for i, (_, line) in enumerate(lines) if _HEADER.match(line)), 0)
    for count, (number, statement) in enumerate(_statements(lines[first:], reader)):
        if count == MAX_LINES:
            reason = f"not read, nor what stands behind: more than {MAX_LINES:,} statements"
            skipped.append(Skipped(number, decode_entities(statement), reason))
            break
        for rule in rules[statement[0]]:
            if rule(reader, statement):
                break
        else:
            skipped.append(Skipped(number, decode_entities(statement), "not a statement"))
    return reader.chart.diagram(reader.direction, tuple(skipped), decode_entities)
