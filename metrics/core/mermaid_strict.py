"""Lines of a broken flowchart that are given to the grammar, and whether it took them as meant."""

import re
from collections.abc import Set as AbstractSet

from .diagram import Diagram
from .mermaid_lexer import FlowSyntaxError
from .mermaid_parser import parse_lines
from .mermaid_source import FrontMatterError, prepare

_LABELLED_END = re.compile(r"\w[\[({][^\[\](){}]*[\])}]+\s*$")
# Two words without an arrow, or a node and an arrow that is none of Mermaid's: the grammar is not
# asked, unless a sign stands there that may mean anything.
_REFUSED = re.compile(
    r"(?!(?:style|default|linkStyle|interpolate|classDef|class|href|click|call|graph|flowchart"
    r"|swimlane|subgraph|end|acc(?:Title|Descr))\b)"
    r"[A-Za-z0-9]+(?::|\[[\w ]+\]|\([\w ]+\)|\{[\w ]+\})?[ ]+(?:[A-Za-np-wyz0-9]|->|=>|→)",
    re.ASCII,
)
_MAY_MEAN_ANYTHING = re.compile("@|direction")
# Metadata that nothing closes, in a text of one line.
_UNCLOSED = re.compile(r"\w+@\{(?!.*direction)[^}\"\n]*\Z", re.ASCII)


def read_strictly(text: str) -> Diagram | int:
    """Read lines as mermaid.js does, or return the index of the line that it refuses."""
    if _REFUSED.match(text) and not _MAY_MEAN_ANYTHING.search(text):
        return 0
    if "@{" in text and _UNCLOSED.match(text):
        return 0
    prepared = text
    try:
        prepared = prepare(text)
        return parse_lines(prepared)
    except FlowSyntaxError as fault:
        return prepared.count("\n", 0, fault.offset)
    except FrontMatterError:
        return 0


def spans_statements(diagram: Diagram, known: AbstractSet[str] = frozenset()) -> bool:
    """Tell whether mermaid.js took two broken statements for one.

    `A <-- B`, a line end, `C --> D` is for Mermaid one link from A to D with the text `B C`.

    Args:
        diagram: What mermaid.js read.
        known: Ids of nodes that stand elsewhere.
    """
    texts = [link.label.split("\n") for link in diagram.links if "\n" in link.label]
    if not texts:
        return False
    ids = known | {node.id for node in diagram.nodes}
    return any(
        lines[0].strip() in ids or lines[-1].strip() in ids or _LABELLED_END.search(lines[0])
        for lines in texts
    )
