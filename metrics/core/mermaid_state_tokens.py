"""The tokens of Mermaid's state diagrams.

The tokens are a table of rules per mode, tried in order, the first match wins: mermaid's lexer
works so, and its odd corners (a statement needs no line of its own, `A : x;` leaves a state
named `;`) come out the same.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

_BRACE = re.compile(r"\{")
_TWO_WORDS = re.compile(r"[A-Za-z0-9_]+\s+[A-Za-z0-9_]+")


@dataclass(frozen=True, slots=True)
class _Rule:
    """One token: a pattern, and the mode it leaves or enters.

    A rule without `token` is read over. `ahead` marks a rule that takes the line up to the last
    place where its pattern fits (mermaid writes `.*pattern`).
    """

    pattern: str
    token: str = ""
    pop: bool = False
    push: str = ""
    ahead: bool = False


_W = "[A-Za-z0-9_]"  # \w of JavaScript
_COMMENTS = (_Rule(r"#[^\n]*"), _Rule(r"%%(?!\{)[^\n]*"))
_SPACE = (_Rule(r"[^\S\n]+"), *_COMMENTS)
_DIRECTIONS = tuple(
    _Rule(rf"direction\s+{name}[^\n]*", f"direction {name}", ahead=True)
    for name in ("TB", "BT", "RL", "LR")
)
_KINDS = tuple(
    _Rule(f"{left}{kind}{right}", kind, pop=True, ahead=True)
    for left, right in (("<<", ">>"), (r"\[\[", r"\]\]"))
    for kind in ("fork", "join", "choice")
)
_STYLES = (
    _Rule(r"classDef\s+", "classDef", push="classDef"),
    _Rule(r"class\s+", "class", push="class"),
    _Rule(r"style\s+", "style", push="style"),
)
_NAMES = (
    _Rule(r"\[\*\]", "id"),
    _Rule(r"[^:\n\s\-{]+", "id"),
    _Rule(r"\s*:(?:[^:\n;]|:[^:\n;])+", "description"),
    _Rule(r"-->", "-->"),
    _Rule(r":::", ":::"),
)
_MODES: dict[str, tuple[_Rule, ...]] = {
    "root": (
        _Rule(r"click\b", "click"),
        _Rule(r"href\b", "href"),
        _Rule(r'"[^"]*"', "string"),
        _Rule(r"default\b", "default"),
        *_DIRECTIONS,
        _Rule(r"\n+", "newline"),
        _Rule(r"\s+"),
        *_COMMENTS,
        _Rule(r"scale\s+", "scale", push="scale"),
        _Rule(r"accTitle\s*:\s*", "accessibility", push="rest"),
        _Rule(r"accDescr\s*:\s*", "accessibility", push="rest"),
        _Rule(r"accDescr\s*\{\s*", "", push="braced"),
        *_STYLES,
        _Rule(r"state\s+", push="state"),
        _Rule(r"\{", "{", push="composite"),
        _Rule(r"note\s+", "note", push="note"),
        _Rule(r"stateDiagram(?:-v2)?\s+", "header"),
        _Rule(r"hide empty description\b", "hide"),
        *_NAMES,
    ),
    "composite": (
        *_DIRECTIONS,
        *_SPACE,
        *_STYLES,
        _Rule(r"state\s+", push="state"),
        _Rule(r"\}", "}", pop=True),
        _Rule(r"\n"),
        _Rule(r"note\s+", "note", push="note"),
        *_NAMES,
        _Rule(r"--", "--"),
    ),
    "state": (
        *_KINDS,
        *_SPACE,
        _Rule(r'"', push="text"),
        _Rule(r"\s*as\s+", "as", push="alias"),
        _Rule(r"[^\n\s{]+", "composite"),
        _Rule(r"\n", pop=True),
        _Rule(r"\{", "{", pop=True, push="composite"),
    ),
    "text": (_Rule(r'"', pop=True), _Rule(r'[^"]+', "text")),
    "alias": (_Rule(r"[^\n{]*", "id", pop=True),),
    # As in mermaid.js 12.3.0, whose grammar has no use for this token: it refuses the line.
    "classDef": (
        _Rule(r"default\s+", "default"),
        _Rule(rf"{_W}+\s+", "word", pop=True, push="rest"),
    ),
    "class": (_Rule(rf"{_W}+(?:,\s*{_W}+)*", "word", pop=True, push="rest"),),
    "style": (_Rule(r"[A-Za-z0-9_,]+\s+", "word", pop=True, push="rest"),),
    "rest": (_Rule(r"[^\n]*", "rest", pop=True),),
    "braced": (_Rule(r"\}", pop=True), _Rule(r"[^}]+", "braced")),
    "scale": (_Rule(r"\d+", "width"), _Rule(r"\s+width\b", pop=True)),
    "note": (
        _Rule(r"(?:left|right) of\b", "position", pop=True, push="noted"),
        _Rule(r'"', pop=True, push="floating"),
    ),
    "noted": (_Rule(r"\s*[^:\n\s\-]+", "id", pop=True, push="note text"),),
    "note text": (
        _Rule(r"\s*:[^:\n;]+", "note text", pop=True),
        _Rule(r"[\s\S]*?\n\s*end note\b", "note text", pop=True),
    ),
    "floating": (
        _Rule(r"\s*as\s*", "as", pop=True, push="floating name"),
        _Rule(r'"'),
        _Rule(r'[^"]+', "note text"),
    ),
    "floating name": (_Rule(r"[^\n]+", "id", pop=True),),
}


_PATTERNS = {
    mode: re.compile(
        "|".join(f"(?P<r{i}>{rule.pattern})" for i, rule in enumerate(rules) if not rule.ahead),
        re.IGNORECASE,
    )
    for mode, rules in _MODES.items()
}
_AHEAD = {
    mode: tuple(
        (index, re.compile(rule.pattern, re.IGNORECASE))
        for index, rule in enumerate(rules)
        if rule.ahead
    )
    for mode, rules in _MODES.items()
}


# Most lines have none of them: one search tells.
_ANY_AHEAD = {
    mode: re.compile("|".join(pattern.pattern for _, pattern in rules), re.IGNORECASE)
    for mode, rules in _AHEAD.items()
    if rules
}


class StateSyntaxError(ValueError):
    """Prepared code that mermaid.js refuses.

    Attributes:
        offset: Where the fault is.
        reason: What was found and what was expected.
    """

    def __init__(self, offset: int, reason: str) -> None:
        super().__init__(f"offset {offset}: {reason}")
        self.offset = offset
        self.reason = reason


class Token(NamedTuple):
    """A token, its text and where it starts."""

    kind: str
    value: str
    start: int


class _Ahead:
    """Finds the last place on the line where a pattern fits, looking at each line once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._found: dict[re.Pattern[str], tuple[int, int, int]] = {}

    def find(self, pattern: re.Pattern[str], position: int) -> tuple[int, int] | None:
        """Return start and end of the last match on the line from `position` on."""
        line_end, start, end = self._found.get(pattern, (-1, -1, -1))
        if position > line_end:
            line_end = self._text.find("\n", position)
            start = end = -1
            for match in pattern.finditer(self._text, position, line_end):
                start, end = match.span()
            self._found[pattern] = line_end, start, end
        return (start, end) if start >= position else None


def state_tokens(text: str) -> Iterator[Token]:
    """Yield the tokens of prepared code; the last one is `end`."""
    modes = ["root"]
    position = 0
    ahead = _Ahead(text)
    while position < len(text) or modes[-1] in ("alias", "rest"):
        mode = modes[-1]
        start = position
        match = _PATTERNS[mode].match(text, position)
        index = int(match.lastgroup[1:]) if match and match.lastgroup else len(_MODES[mode])
        value, position = (match[0], match.end()) if match else ("", position)
        if mode in _ANY_AHEAD and ahead.find(_ANY_AHEAD[mode], start):
            for ahead_index, pattern in _AHEAD[mode]:
                if ahead_index < index and (found := ahead.find(pattern, start)):
                    index, value, position = ahead_index, text[start : found[0]], found[1]
                    break
        if index == len(_MODES[mode]):
            raise StateSyntaxError(start, f"unexpected {text[start]!r}")
        rule = _MODES[mode][index]
        # mermaid.js looks for a brace past line ends: `state A`, `state B {` is refused.
        words = rule.token == "composite" and _TWO_WORDS.match(text, start)
        if words and ahead.find(_BRACE, words.end()):
            raise StateSyntaxError(start, f"a state name is one word, found {words[0]!r}")
        if rule.token == "id" and (comment := value.find("%%")) >= 0:
            if comment == 0:
                continue
            value, position = value[:comment], start + comment
        if rule.pop and len(modes) > 1:
            modes.pop()
        if rule.push:
            modes.append(rule.push)
        if rule.token:
            yield Token(rule.token, value, start)
    yield Token("end", "the end", len(text))
