"""Flowchart code as the published FlowLearn scores read it: line by line, and simply.

The authors' reader was never released. These rules were measured on the published replies of four
models and give every cell of Tables 7 and 12 within 0.01:

- an arrow is `-->`, `==>`, `-.->` (any number of dots), or the same with no head or with the head
  o or x, perhaps with a `|label|`; it splits its line into link ends, so chains count;
- a link end `id(text)`, with any brackets, declares the node `id`; any other end is a node whose
  id and text are the end as it stands (`entity0 <` of `entity0 <--> entity1`, say);
- a line without an arrow counts only where it declares a node;
- everything else (`&`, text inside an arrow, subgraphs) is not understood.
"""

import re

from .diagram import Diagram, Link, Node

_ARROW = re.compile(
    r"(?:(?:--|==|-\.{1,9}-)(?:>|[ox](?=[\s|]))|---|===|-\.{1,9}-)(?:\s*\|([^|]*)\|)?"
)
_DECLARATION = re.compile(r'([\w-]+)\s*[(\[{]+(?![(\[{])"?(.*?)"?[)\]}]')
_NO_STATEMENT = re.compile(r"mermaid$|flowchart\b|graph\b|%%")


def read_paper(code: str) -> Diagram:
    r"""Read the inside of a fence as the published scores do.

    >>> read_paper("flowchart LR\na(start) --> b(stop) --> c").labels()
    {'a': 'start', 'b': 'stop', 'c': 'c'}
    """
    labels: dict[str, str] = {}
    links: list[Link] = []
    for line in map(str.strip, code.split("\n")):
        if not line or _NO_STATEMENT.match(line):
            continue
        # Ends at even places, the links' labels at odd ones.
        parts = _ARROW.split(line)
        if len(parts) == 1 and not _DECLARATION.match(line):
            continue
        ends = [_end(part, labels) for part in parts[::2]]
        links += [
            Link(source, target, label or "")
            for source, target, label in zip(ends, ends[1:], parts[1::2], strict=False)
        ]
    return Diagram(tuple(Node(id, label) for id, label in labels.items()), tuple(links))


def _end(part: str, labels: dict[str, str]) -> str:
    """Return the id of a link end, and note its text."""
    text = part.strip()
    if declared := _DECLARATION.match(text):
        labels[declared[1]] = declared[2]
        return declared[1]
    labels.setdefault(text, text)
    return text
