"""The tokens of GraphViz DOT, and in recovery of what models write for it."""

import re
from collections.abc import Iterator
from itertools import chain

from .mermaid_lexer import Tokens

_LETTER = r"A-Za-z_\u0080-\U0010ffff"
# Without arrows and quotation marks.
_LOOSE_LETTER = r"A-Za-z_\u0080-\u2017\u2020-\u218f\u2200-\u27ef\u2800-\U0010ffff"
_BLANK = r"(?:[\s\ufeff]+|//[^\n]*|#[^\n]*)+"
_KEYWORD = rf"(?i:node|edge|(?:di|sub)?graph|strict)(?![{_LETTER}0-9])"
# The order counts: a comment is not two signs, `->` is not a number's minus.
_RULES = (
    ("comment", r"/\*"),
    ("keyword", _KEYWORD),
    # Without its end it reaches to the end of the text: no quote behind could close it either.
    ("string", r'"(?:[^"\\]|\\.)*"?'),
    ("edge", r"->|--"),
    ("id", rf"-?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)|[{_LETTER}][{_LETTER}0-9]*"),
    ("sign", r"[{}\[\];,:=+]"),
)
_LOOSE_RULES = (
    ("comment", r"/\*"),
    ("keyword", rf"{_KEYWORD}(?![.-][{_LOOSE_LETTER}0-9.])"),
    # A string without its end reaches to the end of the line.
    ("string", r'"(?:[^"\\\n]|\\.)*"?|“[^”\n]*”?' + r"|'[^'\n]*'"),
    ("edge", r"<?-{1,3}>|--|(?<![=~])[=~]+>|→|⟶"),
    (
        "id",
        rf"-?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?![{_LOOSE_LETTER}])"
        rf"|(?:(?<!\.)\.+)?[{_LOOSE_LETTER}0-9][{_LOOSE_LETTER}0-9.]*(?:-[{_LOOSE_LETTER}0-9.]+)*",
    ),
    ("sign", r"[{}\[\];,:=+]"),
)


def _compile(rules: tuple[tuple[str, str], ...]) -> re.Pattern[str]:
    """Compile rules to one expression; the number of the group that matched is that of the rule.

    Blanks are read with the token before them; a character that begins no token is one by itself.
    """
    tokens = "|".join(f"({rule})" for _, rule in rules)
    return re.compile(rf"(?:{tokens}|(.))(?:{_BLANK})?", re.DOTALL)


_STRICT, _LOOSE = _compile(_RULES), _compile(_LOOSE_RULES)
_KINDS = ("", *(kind for kind, _ in _RULES), "error")
_LEADING = re.compile(rf"(?:{_BLANK})?")
_DRAWN = re.compile("[→⟶]")
_CLOSED = re.compile(_RULES[2][1].removesuffix("?"), re.DOTALL)
_ANGLE = re.compile("[<>]")
_ANGLE_OR_COMMENT = re.compile("<!--.*?-->|[<>]", re.DOTALL)
_CONTINUATION = re.compile(r"\\\r?\n")


def _angles(text: str) -> dict[int, int]:
    """Return where each `<` is closed, in one pass over the text."""
    closed: dict[int, int] = {}
    open_: list[int] = []
    # Behind the last comment none need be looked for, behind the last `>` nothing is closed.
    comments_end = text.rfind("-->") + 3 if "-->" in text else 0
    angles = _ANGLE.finditer(text, comments_end, text.rfind(">") + 1)
    for match in chain(_ANGLE_OR_COMMENT.finditer(text, 0, comments_end), angles):
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


_BATCH = 1024
"""Tokens that are found at once."""


class DotTokens:
    """The tokens of DOT code, found as they are needed; the last one is `end`.

    Args:
        text: The code.
        start: Offset of the first token.
        loose: Know other arrows, hyphens in names, and strings that the end of their line must
            close as well.

    Attributes:
        found: The tokens so far. Kinds are `id`, `string`, `html`, `edge`, `keyword`, `error` (a
            character that begins no token), `end`, or the sign itself; texts come without quotes,
            those of keywords in lower case.
        first_doubt: Offset of the first name that touches the next one (GraphViz reads `step-1`
            as the nodes `step` and `-1`) or holds an arrow; the text's length where none does.
    """

    def __init__(self, text: str, start: int = 0, *, loose: bool = False) -> None:
        self.found = Tokens([], [], [])
        self.first_doubt = len(text)
        self._text = text
        self._strict = not loose
        self._find = (_LOOSE if loose else _STRICT).finditer
        self._angles: dict[int, int] | None = None
        self._last_comment_end = text.rfind("*/")
        self._batches = self._tokenize(_blanks_end(text, start))
        self.more()

    def more(self) -> None:
        """Find the next tokens."""
        next(self._batches, None)

    def _tokenize(self, position: int) -> Iterator[None]:
        text, kinds = self._text, self.found.kinds
        add_kind, add_text = kinds.append, self.found.texts.append
        add_offset = self.found.offsets.append
        name_start = name_end = -1
        limit = _BATCH
        while position < len(text):
            for match in self._find(text, position):
                group = match.lastindex or 0
                begin, kind, value = match.start(), _KINDS[group], match[group]
                if kind == "sign":
                    kind = value
                elif kind == "id":
                    touches = begin == name_end
                    if touches or not (value.isascii() or _DRAWN.search(value) is None):
                        self.first_doubt = min(self.first_doubt, name_start if touches else begin)
                    name_start, name_end = begin, match.end(group)
                elif kind == "string":
                    unclosed = self._strict and match.end() + 1 >= len(text)
                    if unclosed and not _CLOSED.fullmatch(value):
                        kind, value = "error", '"'
                    else:
                        value = _string(value)
                elif kind == "keyword":
                    value = value.lower()
                elif kind == "comment" or value == "<":
                    # What follows is not read by these rules.
                    kind, value, position = self._far(value, begin)
                if kind:
                    add_kind(kind)
                    add_text(value)
                    add_offset(begin)
                if len(kinds) >= limit:
                    yield
                    limit = len(kinds) + _BATCH
                if position > begin:
                    break
            else:
                break
        self.found.add("end", "the end", len(text))
        yield

    def _far(self, sign: str, begin: int) -> tuple[str, str, int]:
        """Read a comment or an HTML-like string, or their sign alone where nothing closes them.

        Returns:
            Kind (empty for a comment), text, and the offset where the tokens go on; `begin` where
            they go on by the rules.
        """
        text = self._text
        if sign == "<":
            self._angles = _angles(text) if self._angles is None else self._angles
            end = self._angles.get(begin)
            if end is None:
                return "error", sign, begin
            return "html", text[begin + 1 : end - 1], _blanks_end(text, end)
        if begin + 2 > self._last_comment_end:
            return "error", "/", begin + 1
        return "", "", _blanks_end(text, text.find("*/", begin + 2) + 2)


def _blanks_end(text: str, start: int) -> int:
    match = _LEADING.match(text, start)
    return match.end() if match else start
