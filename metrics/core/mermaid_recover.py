"""A flowchart read from a model's reply, whatever is wrong with it.

Code that mermaid.js accepts is read as mermaid.js reads it; other code is read line by line
(`mermaid_lines`).
"""

from .diagram import Diagram, Effort
from .mermaid_header import find_header, header_line
from .mermaid_lexer import FlowSyntaxError
from .mermaid_lines import LineByLine
from .mermaid_locate import (
    Block,
    find_blocks,
    legible,
    without_backticks,
    without_string_end,
)
from .mermaid_parser import parse
from .mermaid_source import FrontMatterError, prepare
from .mermaid_strict import spans_statements

_BLOCK_COST = 20


def recover(text: str) -> Diagram:
    """Read the flowchart in a text; the diagram is empty where there is none."""
    text = without_backticks(text)
    # Prose or a fence before the code would only be read in vain.
    if "```" not in text or find_header(text.lstrip().partition("\n")[0]):
        whole = read_whole(text)
        if whole is not None:
            return whole
    empty = Diagram()
    tried, effort = text.strip(), Effort()
    for block in find_blocks(legible(text)):
        diagram = read_block(block, tried, effort)
        if diagram.nodes or effort.left <= 0:
            return diagram
        empty = empty if empty.skipped else diagram
    return empty


def read_block(block: Block, tried: str, effort: Effort) -> Diagram:
    """Read one block of a reply, as a whole (unless that was tried) or line by line."""
    effort.left -= _BLOCK_COST
    lines = block.text.split("\n")
    header = header_line(lines)
    if header is not None:
        lines = lines[:header] + without_string_end(lines[header:])
    for code in (block.text, "\n".join(lines[header:]) if header else tried):
        # White space round a chart does not make it readable.
        diagram = read_whole(code) if code.strip() != tried else None
        if diagram is not None:
            return diagram
    return LineByLine(block, lines, header, effort).read()


def read_whole(code: str) -> Diagram | None:
    """Read code that mermaid.js accepts; `None` where it does not or where it misreads the code."""
    try:
        diagram = parse(prepare(code))
    except (FlowSyntaxError, FrontMatterError):
        return None
    return None if spans_statements(diagram) else diagram
