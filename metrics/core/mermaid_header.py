"""The header of a flowchart, as models write it: `flowchart LR`, `Graph: td;`, `graph(LR)`."""

import re

_ONE_DIRECTION = r"(?:TB|TD|BT|RL|LR)\b"
HEADER = re.compile(
    r"""^[\s>*_#`"'-]*(?:mermaid\b[\s:]*)?(?:flowchart|graph|swimlane)(?:-elk|-beta)?\b[ \t]*"""
    rf"(?:[:;*_]|$|(?:[-=]{{1,2}}>?[ \t]*)?{_ONE_DIRECTION}|\({_ONE_DIRECTION}\)"
    r"|(?-i:[A-Z]{2,4})\s*$|[<>^v](?=[\s;]|$))",
    re.IGNORECASE,
)
"""A header at the start of a line."""

GLUED_HEADER = re.compile(
    rf"(?:\b|(?<=\\n))(?:flowchart|graph|swimlane)(?:-elk|-beta)?\s+{_ONE_DIRECTION}"
)
"""A header with a direction, wherever it stands."""

_HEADER_WORD = re.compile(
    r"^.*?\b(?:flowchart|graph|swimlane)(?:-elk|-beta)?\b[\s:;*_\"'`(]*"
    rf"(?:[-=]{{1,2}}>?[ \t]*(?={_ONE_DIRECTION}))?",
    re.IGNORECASE,
)
_DIRECTION = re.compile(r"(?:(TB|TD|BT|RL|LR)\b|([<>^v])(?=[\s;]|$))[\s;:*_`)]*", re.IGNORECASE)
_UNKNOWN_DIRECTION = re.compile(r"[A-Za-z]{2,4}\s*;?\s*$")
_DIRECTIONS = {"<": "RL", ">": "LR", "^": "BT", "V": "TB", "TD": "TB"}


def find_header(line: str) -> re.Match[str] | None:
    """Find a chart's header in a line: at its start or, with a direction, behind prose.

    >>> bool(find_header("Flowchart td")), bool(find_header("The flowchart shows two steps."))
    (True, False)
    """
    words = line.lower()
    if "flowchart" in words or "graph" in words or "swimlane" in words:
        return HEADER.match(line) or GLUED_HEADER.search(line)
    return None


def header_line(lines: list[str]) -> int | None:
    """Return the index of the line with the chart's header, `None` where there is none."""
    return next((index for index, line in enumerate(lines) if find_header(line)), None)


def read_direction(text: str) -> tuple[str | None, str]:
    """Read a direction at a text's start; return it, if there is one, and what stands behind.

    >>> read_direction("td; A --> B"), read_direction("A --> B")
    (('TB', 'A --> B'), (None, 'A --> B'))
    """
    match = _DIRECTION.match(text)
    if match is None:
        return None, text
    sign = (match[1] or match[2]).upper()
    return _DIRECTIONS.get(sign, sign), text[match.end() :]


def read_header(line: str) -> tuple[str | None, str]:
    """Return the direction that a line with a header gives, and what else stands in it."""
    header = find_header(line)
    rest = _HEADER_WORD.sub("", line[header.start() if header else 0 :], count=1)
    direction, behind = read_direction(rest)
    if direction is None and _UNKNOWN_DIRECTION.match(rest):
        return None, ""
    return direction, read_direction(behind)[1] if direction else behind
