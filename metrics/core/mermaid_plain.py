"""Reading of a plain line of a flowchart: ids, labels of words, arrows between, nothing else.

Most lines that mermaid.js refuses are such lines with a misspelt arrow or an unclosed bracket.
`mermaid_loose` reads them all the same, but weighs at every step what else might stand there;
here there is nothing to weigh, which takes a tenth of the time.
"""

import re

from .diagram import Link, Node, Stroke
from .mermaid_loose import Reading, Start

_MAX_LINE = 2000
_SHAPES = {"[": "square", "(": "round", "{": "diamond"}
_CLOSERS = {"[": "]", "(": ")", "{": "}"}
# A node and what follows it: `A[Mix] -> `, `A[Mix -> `, `A;`.
_NODE = re.compile(
    r"([^\W_]\w{0,60})(?:([\[({]) {0,3}(\w[\w ]{0,200})([\])}])?)?"
    r"(?: {1,3}(-{1,3}>|={1,3}>|→) {0,3}|(;?)\Z)"
)


def read_plain(line: str, start: Start) -> Reading | None:
    """Read a plain line as `mermaid_loose.read_line` does; `None` where it is not plain.

    Args:
        line: One statement, without its line end and white space round it.
        start: What the line before left open.

    >>> reading = read_plain("A[Mix -> B(Bake) => C", Start())
    >>> [node.label for node in reading.nodes], [link.stroke for link in reading.links]
    (['Mix', 'Bake', 'C'], ['normal', 'thick'])
    """
    if start.arrow is not None or len(line) > _MAX_LINE:
        return None
    nodes: list[Node] = []
    links: list[Link] = []
    stroke: Stroke = "normal"
    position = 0
    while match := _NODE.match(line, position):
        name, opener, text, closer, arrow, end = match.groups()
        if closer and closer != _CLOSERS[opener]:
            return None
        if nodes:
            links.append(Link(nodes[-1].id, name, "", stroke))
        nodes.append(Node(name, text.rstrip(), _SHAPES[opener]) if opener else Node(name, name))
        if arrow is None:
            unclosed = opener is not None and closer is None
            return _reading(nodes, links, unclosed=unclosed, is_ended=bool(end))
        stroke = "thick" if arrow[0] == "=" else "normal"
        position = match.end()
    return None


def _reading(
    nodes: list[Node], links: list[Link], *, unclosed: bool, is_ended: bool
) -> Reading | None:
    """Return what was read; nothing where a node stands alone or a `;` belongs to a label."""
    if not links or (unclosed and is_ended):
        return None
    rest = Start() if is_ended else Start((nodes[-1].id,))
    return Reading(tuple(nodes), tuple(links), "", 0 if is_ended else 1, unclosed, rest)
