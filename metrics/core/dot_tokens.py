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


_LETTER = r"A-Za-z_\u0080-\U0010ffff"
# Without arrows and quotation marks.
_LOOSE_LETTER = r"A-Za-z_\u0080-\u2017\u2020-\u218f\u2200-\u27ef\u2800-\U0010ffff"
_BLANK = r"(?:[\s\ufeff]+|//[^\n]*|#[^\n]*)+"
_KEYWORD = rf"(?i:node|edge|(?:di|sub)?graph|strict)(?![{_LETTER}0-9])"
# The order counts: a comment is not two signs, `->` is not a number's minus.
_RULES = (
    ("blank", _BLANK),
    ("comment", r"/\*"),
    ("keyword", _KEYWORD),
    ("string", r'"(?:[^"\\]|\\.)*"'),
    ("edge", r"->|--"),
    ("id", rf"-?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)|[{_LETTER}][{_LETTER}0-9]*"),
    ("sign", r"[{}\[\];,:=+]"),
)
_LOOSE_RULES = (
    ("blank", _BLANK),
    ("comment", r"/\*"),
    ("keyword", rf"{_KEYWORD}(?![.-][{_LOOSE_LETTER}0-9.])"),
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


def _string(value: str) -> str:
    """Return what stands in a quoted string, which may lack its end."""
    closing = "”" if value[0] == "“" else value[0]
    whole = len(value) > 1 and value.endswith(closing)
    value = value[1:-1] if whole else value[1:].rstrip("]; \t")
    return _CONTINUATION.sub("", value).replace('\\"', '"') if "\\" in value else value


def dot_tokens(text: str, start: int = 0, *, loose: bool = False) -> Iterator[Token]:
    """Yield the tokens of DOT code from an offset on; the last one is `end`.

    A character that begins no token comes as `error`. `loose` also knows other arrows, hyphens
    in names, and strings that the end of their line must close.
    """
    match_at = (_LOOSE if loose else _STRICT).match
    angles: dict[int, int] | None = None
    last_comment_end = text.rfind("*/")
    position = start
    while position < len(text):
        begin = position
        match = match_at(text, begin)
        kind = str(match.lastgroup) if match else "error"
        position = match.end() if match else begin + 1
        if kind == "blank":
            continue
        value = text[begin:position]
        if kind == "comment":
            if position <= last_comment_end:
                position = text.find("*/", position) + 2
                continue
            kind, value, position = "error", "/", begin + 1
        elif kind == "sign":
            kind = value
        elif kind == "string":
            value = _string(value)
        elif kind == "keyword":
            value = value.lower()
        elif value == "<":
            angles = _angles(text) if angles is None else angles
            if begin in angles:
                kind, position = "html", angles[begin]
                value = text[begin + 1 : position - 1]
        yield Token(kind, value, begin, position)
    yield Token("end", "the end", len(text), len(text))
