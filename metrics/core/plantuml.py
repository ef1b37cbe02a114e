"""PlantUML activity (both syntaxes), state, component, deployment, use case and class diagrams.

PlantUML finds out what kind of diagram a code is by trying. So does this module: of the kinds
that a code has signs of, the one that leaves the fewest lines unread is taken. The grammars are
tables of rules in `plantuml_activity`, `plantuml_legacy`, `plantuml_state` and
`plantuml_component`; what all share is in `plantuml_lines`.
"""

import re
from collections.abc import Callable

from .diagram import MAX_LINES, Diagram, DiagramSyntaxError
from .plantuml_activity import read_activity
from .plantuml_component import read_components
from .plantuml_legacy import read_legacy
from .plantuml_lines import Source, read_source
from .plantuml_state import read_states

# The kinds in PlantUML's own order, with signs that a line of theirs has.
_KINDS: tuple[tuple[re.Pattern[str], Callable[[Source], Diagram]], ...] = tuple(
    (re.compile(sign, re.IGNORECASE), reader)
    for sign, reader in (
        (
            r"(?:#[\w/|-]*)?:.*|(?:start|stop|end|repeat|fork|split|detach|kill)$"
            r"|(?:if|while|switch)\s*\(.*",
            read_activity,
        ),
        (r"\(\*(?:top)?\)|.*\s\(\*\)|={2,}[^=]+={2,}|.*>\s*if\s+\"", read_legacy),
        (r"\[\*\]|state\s+[\w\"]|.*[-.]>\s*\[\*\]|\w+\s*:\s*\S", read_states),
    )
)


def _read(text: str, most: int | None = None) -> Diagram:
    source = read_source(text, most)
    signed = [
        reader for sign, reader in _KINDS if any(sign.match(line.text) for line in source.lines)
    ]
    best: Diagram | None = None
    for reader in (*signed, read_components):
        diagram = reader(source)
        if best is None or len(diagram.skipped) < len(best.skipped):
            best = diagram
        if not best.skipped:
            break
    return best or Diagram()


def parse_plantuml(code: str) -> Diagram:
    r"""Parse PlantUML code strictly.

    Args:
        code: Code with or without `@startuml` and `@enduml`, without a Markdown fence.

    Raises:
        DiagramSyntaxError: A line is no statement of any kind of diagram known here, or a block
            is never closed.

    >>> parse_plantuml("@startuml\nstart\n:Mix;\nstop\n@enduml").nodes[1].label
    'Mix'
    """
    diagram = _read(code)
    if diagram.skipped:
        first = min(diagram.skipped, key=lambda skipped: skipped.line)
        line = code.replace("\r\n", "\n").replace("\r", "\n").split("\n")[first.line - 1]
        column = len(line) - len(line.lstrip()) + 1
        raise DiagramSyntaxError(first.line, column, f"{first.reason}: {first.text[:80]!r}")
    if not diagram.nodes and not diagram.groups:
        raise DiagramSyntaxError(1, 1, "no statement of a diagram")
    return diagram


def recover_plantuml(text: str) -> Diagram:
    """Take from broken PlantUML code what a fair reader would; never raises.

    Args:
        text: Code or a model's whole reply; what stands outside `@startuml` and `@enduml` is not
            looked at where they are there.
    """
    return _read(text, MAX_LINES)
