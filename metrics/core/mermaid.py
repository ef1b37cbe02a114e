"""Mermaid flowcharts: strictly as mermaid.js reads them, or with the errors of a model's reply."""

from .diagram import Diagram, DiagramSyntaxError
from .mermaid_lexer import FlowSyntaxError
from .mermaid_parser import parse
from .mermaid_recover import recover
from .mermaid_source import FrontMatterError, prepare, written_position


def parse_flowchart(code: str) -> Diagram:
    r"""Parse a Mermaid flowchart as mermaid.js 12.3.0 does.

    Nodes, labels and links are mermaid's own: a subgraph that a link names is also a node, a
    subgraph's title may be the label of nothing, and so on. Labels are source text with entities
    decoded, before Mermaid sanitizes them for drawing. Limits that a page sets for drawing (500
    links, 50,000 characters) are not applied.

    Args:
        code: The code alone, without a fence.

    Raises:
        DiagramSyntaxError: mermaid.js refuses the code.

    >>> parse_flowchart("flowchart TD\nA[Mix] -->|well| B").labels()
    {'A': 'Mix', 'B': 'B'}
    """
    try:
        prepared = prepare(code)
    except FrontMatterError as fault:
        raise DiagramSyntaxError(1, 1, str(fault)) from fault
    try:
        return parse(prepared)
    except FlowSyntaxError as fault:
        line, column = written_position(code, fault.offset)
        raise DiagramSyntaxError(line, column, fault.reason) from fault


def recover_flowchart(text: str) -> Diagram:
    r"""Read the Mermaid flowchart in a model's reply as a fair reader would; never raises.

    The flowchart may stand in a fence, closed or not, in HTML, behind prose, or alone; thoughts,
    prose and other languages are passed over, of several flowcharts the first is the answer. Code
    that mermaid.js accepts is read as `parse_flowchart` reads it, but where the text of a link
    holds a line end beside a node: two statements that Mermaid took for one, as `A <-- B` and the
    line after it. Of other code every line gives what it can, and `Diagram.skipped` lists what was
    left out. A label cut off by the end of the text is left out too.

    Args:
        text: Code or a whole reply.

    >>> recover_flowchart("Sure!\n```mermaid\nflowchart TD\nA[Mix -> B (Bake),").labels()
    {'A': 'Mix', 'B': 'Bake'}
    """
    return recover(text)
