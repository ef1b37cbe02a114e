"""PlantUML state diagrams; pseudo states are named as in `state_chart`."""

import re
from collections.abc import Callable

from .diagram import Diagram, Skipped
from .plantuml_arrows import ARROW, draw
from .plantuml_lines import Line, Source
from .plantuml_text import label_text
from .state_chart import PSEUDO, StateChart

_NAME = r"\[\*\]|[\w.]*\[H\*?\]|\"[^\"\n]*\"|={2,}\w+={2,}|\w+(?:(?:\.|::)\w+)*"
_END = re.compile(rf"\s*(?P<name>{_NAME})\s*(?:<<\s*(?P<kind>[\w ]+?)\s*>>\s*)?(?:#[\w;:.-]+\s*)?")
_DECLARATION = re.compile(
    r"state\s+(?:\"(?P<title>[^\"]*)\"(?:\s+as\s+(?P<alias>\w[\w.]*))?"
    r"|(?P<name>\w[\w.:]*)(?:\s+as\s+(?:\"(?P<after>[^\"]*)\"|(?P<bare>\w[\w.]*)))?)"
    r"\s*(?P<rest>.*)$",
    re.IGNORECASE,
)
_KIND = re.compile(r"<<\s*(\w+)\s*>>")
_DECORATION = re.compile(r"<<[^<>]*>>|\[\[[^\[\]]*\]\]|##?(?:\[[a-z]+\])?[\w;:./|-]*")
_DIVIDER = re.compile(r"(?:--+|\|\|+)$")
_DESCRIPTION = re.compile(rf"(?P<name>{_NAME})\s*:\s*(?P<text>.*)$", re.DOTALL)


class _Reader:
    """Reads lines; each rule of `_RULES` tells whether it took the line."""

    def __init__(self, source: Source) -> None:
        self.chart = StateChart(moves=False)
        self._notes = source.notes
        self._titled: set[str] = set()

    def _declare(self, text: str, kind: str = "", role: str = "start") -> str:
        """Return a state's id and declare it."""
        if text == PSEUDO:
            self.chart.state(text, role=role)
            return text
        name = text.strip('"')
        shape = kind.strip().lower() or ("history" if name.endswith("]") else "rect")
        self.chart.state(name, (), shape)
        return name

    def divide(self, line: str) -> bool:
        """Read `--` or `||` between concurrent regions."""
        if not _DIVIDER.match(line):
            return False
        self.chart.divide()
        return True

    def close(self, line: str) -> bool:
        """Read `}`."""
        if not self.chart.depth or line.lower() not in ("}", "end state"):
            return False
        self.chart.close()
        return True

    def declaration(self, line: str) -> bool:
        """Read `state "title" as name <<kind>> {` or `state name : text`."""
        match = _DECLARATION.match(line) if line[:1] in "sS" else None
        if not match:
            return False
        title = match["title"] or match["after"] or ""
        name = match["alias"] or match["bare"] or match["name"] or title
        if match["bare"]:
            title = match["name"]
        kind = _KIND.search(match["rest"])
        rest, _, text = match["rest"].partition(":")
        opens = rest.endswith("{") or text.endswith("{")
        rest = _DECORATION.sub("", rest).strip(" {")
        if rest not in ("", "begin"):
            return False
        shape = kind[1].lower() if kind else "rect"
        self._describe(name.rstrip(":"), title, text.strip(" {"), shape)
        if opens or rest == "begin":
            self.chart.open(name)
        return True

    def _describe(self, name: str, title: str, text: str, shape: str = "rect") -> None:
        """Add a title, and a text that is drawn below the title."""
        texts = self.chart.state(name, (), shape)
        if title and name not in self._titled:
            texts.insert(0, label_text(title))
            self._titled.add(name)
        if text:
            if name not in self._titled:
                texts.insert(0, name)
                self._titled.add(name)
            texts.append(label_text(text))

    def transition(self, line: str) -> bool:
        """Read `A --> B : label`."""
        source = _END.match(line)
        arrow = ARROW.match(line, source.end()) if source else None
        target = _END.match(line, arrow.end()) if arrow else None
        if not source or not arrow or not target:
            return False
        label = line[target.end() :].strip()
        if label and not label.startswith(":"):
            return False
        if {source["name"], target["name"]} & self._notes:
            return True
        drawn = draw(arrow)
        ends = [source, target] if not drawn.turned else [target, source]
        start, end = (
            self._declare(match["name"], match["kind"] or "", role)
            for match, role in zip(ends, ("start", "end"), strict=True)
        )
        self.chart.link(start, end, label_text(label[1:]), drawn.stroke, drawn.arrow)
        return True

    def description(self, line: str) -> bool:
        """Read `A : text`."""
        match = _DESCRIPTION.match(line)
        if not match:
            return False
        name = self._declare(match["name"])
        if name != PSEUDO and match["text"]:
            self._describe(name, "", match["text"])
        return True


_RULES: tuple[Callable[[_Reader, str], bool], ...] = (
    _Reader.divide,
    _Reader.close,
    _Reader.declaration,
    _Reader.transition,
    _Reader.description,
)


def read_states(source: Source) -> Diagram:
    """Read a state diagram; what cannot be read stands under `skipped`."""
    reader = _Reader(source)
    skipped = list(source.skipped)
    opened: list[Line] = []
    for line in source.lines:
        depth = reader.chart.depth
        for rule in _RULES:
            if rule(reader, line.text):
                break
        else:
            reason = "not a statement of a state diagram"
            skipped.append(Skipped(line.number, line.text, reason))
        if reader.chart.depth > depth:
            opened.append(line)
        elif reader.chart.depth < depth:
            opened.pop()
    skipped += [Skipped(line.number, line.text, "'{' is never closed") for line in opened]
    return reader.chart.diagram(source.direction, tuple(skipped))
