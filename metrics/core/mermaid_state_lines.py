"""Broken Mermaid state diagrams, read line by line as a fair reader would.

What a person sees at once is taken: arrows of any form, chains, labels between bars, names with
spaces or in quotes, a missing brace or header. What is no statement is skipped and reported.
"""

import re
from bisect import bisect
from collections.abc import Callable, Iterator

from .diagram import Diagram, Skipped
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
_STATE = re.compile(r"state\b\s*(?P<rest>\S.*)", re.IGNORECASE)
_KIND = re.compile(r"\s*(?:<<|\[\[)\s*(fork|join|choice)\s*(?:>>|\]\])", re.IGNORECASE)
_ALIAS = re.compile(r"(?P<first>.*?\S)\s+as\s+(?P<second>\S.*)", re.IGNORECASE)
_NOTE = re.compile(
    r"note\s+(?:(?:left|right|over|top|bottom)\s+(?:of\s+)?(?P<name>[^\s:]+)\s*(?P<text>:.*)?|\")",
    re.IGNORECASE,
)
_ENTITY = re.compile(r"#([A-Za-z0-9_]{1,64});")
_END_NOTE = re.compile(r"\s*end\s?note\b", re.IGNORECASE)
_DESCRIPTION = re.compile(r"(?P<name>[^\s:]+)\s*:(?!:)\s*(?P<text>\S.*)")
_BARE = re.compile(r"[\w.*\[\]]+(?:\s*:::\s*\w+)?")
_SHAPED = re.compile(r"(?P<name>\w+)\s*(?:\[+|\(+)\"?(?P<label>[^\"\[\]()]+)\"?(?:\]+|\)+)")
_PSEUDO = frozenset({"[*]", "(*)", "[ * ]", "*", "[*", "*]"})
_SENTENCE = re.compile(r"[.!?]$")
_MOST_WORDS = 8


def _hide(entity: re.Match[str]) -> str:
    """Hide an entity, whose `;` would end the statement, as `mermaid_source.prepare` does."""
    return f"ﬂ°°{entity[1]}¶ß" if entity[1].isdigit() else f"ﬂ°{entity[1]}¶ß"


def _is_name(text: str) -> bool:
    return 0 < len(text.split()) <= _MOST_WORDS and not _SENTENCE.search(text)


def _split_label(text: str) -> tuple[str, str]:
    """Split `B : label`, but not at the `:::` of a class."""
    text = re.sub(r"\s*:::\s*\w+", "", text)
    name, _, label = text.partition(":")
    return name.strip(), label.strip()


class _Reader:
    """Reads lines into a chart; each rule of `_RULES` tells whether it took the line."""

    def __init__(self) -> None:
        self.chart = StateChart()
        self.direction: str | None = None
        self.names: set[str] = set()

    def _declare(self, text: str, *descriptions: str, shape: str = "rect") -> str:
        name = text.strip().strip("\"'`").strip()
        if name in _PSEUDO:
            return PSEUDO
        if shaped := _SHAPED.fullmatch(name):
            name, descriptions = shaped["name"], (shaped["label"].strip(),)
        name = name.rstrip("{").strip()
        self.names.add(name)
        texts = self.chart.state(name, descriptions, shape)
        if len(texts) > 1 and self.chart.is_composite(name):
            texts.pop()
        return name

    def read_over(self, line: str) -> bool:
        """Styles, titles, comments."""
        if not _READ_OVER.match(line) or _ARROW.search(line):
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
        arrows = list(_ARROW.finditer(line))
        if not arrows:
            return False
        starts = [arrow.end() for arrow in arrows]
        stops = [arrow.start() for arrow in arrows[1:]] + [len(line)]
        parts = [line[: arrows[0].start()]] + [
            line[a:b] for a, b in zip(starts, stops, strict=True)
        ]
        ends = [_split_label(part) for part in parts]
        if not all(_is_name(name) for name, _ in ends):
            return False
        names = []
        for (name, _), role in zip(ends, ["start", *["end"] * len(arrows)], strict=True):
            names.append(self._declare(name))
            if names[-1] == PSEUDO:
                self.chart.state(PSEUDO, role=role)
        for arrow, source, (_, label), target in zip(
            arrows, names, ends[1:], names[1:], strict=False
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
        match = _DESCRIPTION.fullmatch(line)
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


_RULES: tuple[Callable[[_Reader, str], bool], ...] = (
    _Reader.read_over,
    _Reader.turn,
    _Reader.close,
    _Reader.divide,
    _Reader.note,
    _Reader.transition,
    _Reader.state,
    _Reader.opening,
    _Reader.description,
    _Reader.bare,
)


def _body(text: str) -> Iterator[tuple[int, str]]:
    """Yield the numbered lines that are neither fences nor inside a note."""
    lines = text.split("\n")
    ends = [number for number, line in enumerate(lines, 1) if _END_NOTE.match(line)]
    note_end = 0
    for number, line in enumerate(lines, 1):
        if number <= note_end:
            continue
        note = _NOTE.match(line.strip())
        if note and note["name"] and not note["text"]:
            after = bisect(ends, number)
            note_end = ends[after] if after < len(ends) else 0
        yield number, line.strip()


def read_lines(text: str) -> Diagram:
    """Read code line by line; never raises.

    Lines before the header and after the closing fence are skipped without a word: they are not
    the diagram's.
    """
    reader = _Reader()
    skipped: list[Skipped] = []
    lines = list(_body(_ENTITY.sub(_hide, text)))
    first = next((i for i, (_, line) in enumerate(lines) if _HEADER.match(line)), 0)
    for number, line in lines[first:]:
        if line.startswith("```"):
            if reader.names:
                break
            continue
        line = _HEADER.sub("", line, count=1) if _HEADER.match(line) else line
        for part in line.split(";"):
            statement = part.strip()
            if statement and not any(rule(reader, statement) for rule in _RULES):
                skipped.append(Skipped(number, decode_entities(part.strip()), "not a statement"))
    return reader.chart.diagram(reader.direction, tuple(skipped), decode_entities)
