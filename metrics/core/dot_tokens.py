"""The tokens of GraphViz DOT, and in recovery of what models write for it."""

import re
from collections.abc import Iterator
from typing import NamedTuple


class Token(NamedTuple):
    """A token.

    Attributes:
        kind: `id`, `string`, `html`, `edge`, `keyword`, `error`, `end`, or the sign itself.
        value: An identifier's text, quotes off; an edge's or keyword's text, lower-case.
        start: Offset of its first character.
        end: Offset behind its last character.
    """

    kind: str
    value: str
    start: int
    end: int


_KEYWORDS = frozenset({"node", "edge", "graph", "digraph", "subgraph", "strict"})
_LETTER = r"A-Za-z_\u0080-\U0010ffff"
# Without arrows and quotation marks.
_LOOSE_LETTER = r"A-Za-z_\u0080-\u2017\u2020-\u218f\u2200-\u27ef\u2800-\U0010ffff"
# The order counts: a comment is not two signs, `->` is not a number's minus.
_RULES = (
    ("blank", r"[\s\ufeff]+|//[^\n]*|#[^\n]*"),
    ("string", r'"(?:[^"\\]|\\.)*"'),
    ("edge", r"->|--"),
    ("id", rf"-?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)|[{_LETTER}][{_LETTER}0-9]*"),
    ("sign", r"[{}\[\];,:=+]"),
)
_LOOSE_RULES = (
    ("blank", r"[\s\ufeff]+|//[^\n]*|#[^\n]*"),
    # A string without its end reaches to the end of the line.
    ("string", r'"(?:[^"\\\n]|\\.)*"?|“[^”\n]*”?' + r"|'[^'\n]*'"),
    ("edge", r"<?-{1,3}>|--|[=~]+>|→|⟶"),
    (
        "id",
        rf"-?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?![{_LOOSE_LETTER}])|\.*[{_LOOSE_LETTER}0-9][{_LOOSE_LETTER}0-9.]*(?:-[{_LOOSE_LETTER}0-9.]+)*",
    ),
    ("sign", r"[{}\[\];,:=+]"),
)


def _compile(rules: tuple[tuple[str, str], ...]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?P<{name}>{rule})" for name, rule in rules), re.DOTALL)


_STRICT, _LOOSE = _compile(_RULES), _compile(_LOOSE_RULES)
_ANGLE = re.compile(r"<!--.*?-->|[<>]", re.DOTALL)
_CONTINUATION = re.compile(r"\\\r?\n")


def _angles(text: str) -> dict[int, int]:
    """Return where each `<` is closed, in one pass over the text."""
    closed: dict[int, int] = {}
    open_: list[int] = []
    for match in _ANGLE.finditer(text):
        if match[0] == "<":
            open_.append(match.start())
        elif match[0] == ">" and open_:
            closed[open_.pop()] = match.end()
    return closed


def _token(match: re.Match[str]) -> Token:
    kind, value = str(match.lastgroup), match[0]
    if kind == "sign":
        kind = value
    elif kind == "string":
        closing = "”" if value[0] == "“" else value[0]
        whole = len(value) > 1 and value.endswith(closing)
        value = value[1:-1] if whole else value[1:].rstrip("]; \t")
        value = _CONTINUATION.sub("", value).replace('\\"', '"')
    elif kind == "id" and value.lower() in _KEYWORDS:
        kind, value = "keyword", value.lower()
    return Token(kind, value, match.start(), match.end())


def dot_tokens(text: str, start: int = 0, *, loose: bool = False) -> Iterator[Token]:
    """Yield the tokens of DOT code from an offset on; the last one is `end`.

    A character that begins no token comes as `error`. `loose` also knows other arrows, hyphens
    in names, and strings that the end of their line must close.
    """
    pattern = _LOOSE if loose else _STRICT
    angles: dict[int, int] | None = None
    last_comment_end = text.rfind("*/")
    position = start
    while position < len(text):
        if text.startswith("/*", position) and position + 2 <= last_comment_end:
            position = text.find("*/", position + 2) + 2
            continue
        match = pattern.match(text, position)
        if match:
            position = match.end()
            if match.lastgroup != "blank":
                yield _token(match)
            continue
        end = position + 1
        kind = "error"
        if text[position] == "<":
            angles = _angles(text) if angles is None else angles
            if position in angles:
                kind, end = "html", angles[position]
        value = text[position + 1 : end - 1] if kind == "html" else text[position]
        yield Token(kind, value, position, end)
        position = end
    yield Token("end", "the end", len(text), len(text))
