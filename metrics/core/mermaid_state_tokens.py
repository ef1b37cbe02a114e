"""The tokens of Mermaid's state diagrams.

The tokens are a table of rules per mode, tried in order, the first match wins: mermaid's lexer
works so, and its odd corners (a statement needs no line of its own, `A : x;` leaves a state
named `;`) come out the same.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from .mermaid_lexer import Tokens

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
_RULES: dict[str, tuple[_Rule, ...]] = {
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


class _Action(NamedTuple):
    """What a rule does: its rank among the rules of the mode, its token, the modes it changes."""

    rank: int
    token: str
    pop: bool
    push: str


class _Mode(NamedTuple):
    """The rules of a mode.

    Attributes:
        scan: One expression that tries all rules in order but those that look ahead.
        actions: Action by number of the group that matched.
        ahead: The rules that look ahead.
        any_ahead: Any of them.
    """

    scan: Callable[[str, int], re.Match[str] | None]
    actions: tuple[_Action, ...]
    ahead: tuple[tuple[_Action, re.Pattern[str]], ...]
    any_ahead: re.Pattern[str]


def _mode(rules: tuple[_Rule, ...]) -> _Mode:
    actions = [_Action(rank, rule.token, rule.pop, rule.push) for rank, rule in enumerate(rules)]
    ranked = list(zip(actions, rules, strict=True))
    scanned = [(action, rule.pattern) for action, rule in ranked if not rule.ahead]
    searched = [(action, rule.pattern) for action, rule in ranked if rule.ahead]
    no_match = _Action(len(rules), "invalid", False, "")
    return _Mode(
        re.compile("|".join(f"({pattern})" for _, pattern in scanned), re.IGNORECASE).match,
        (no_match, *(action for action, _ in scanned)),
        tuple((action, re.compile(pattern, re.IGNORECASE)) for action, pattern in searched),
        re.compile("|".join(pattern for _, pattern in searched), re.IGNORECASE),
    )


_MODES = {name: _mode(rules) for name, rules in _RULES.items()}
# Modes with rules that look ahead, and what a text must hold for them to match anywhere.
_DIRECTION_SIGN = re.compile(r"(?-i:[dD])irection\s", re.IGNORECASE)
_AHEAD_SIGNS = {
    "root": _DIRECTION_SIGN,
    "composite": _DIRECTION_SIGN,
    "state": re.compile(r"<<|\[\["),
}
_CHECKED = ("invalid", "composite")
_TO_THE_LINE_END = ("alias", "rest")
"""Modes whose token may be empty at the end of the text."""

BATCH = 1024
"""Tokens that are found before they are handed over."""


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


def _fault(text: str, token: str, start: int, ahead: _Ahead) -> str:
    """Say why mermaid.js refuses a token; empty where it does not."""
    if token == "invalid":
        return f"unexpected {text[start]!r}"
    # It looks for a brace past line ends: `state A`, `state B {` is refused.
    words = _TWO_WORDS.match(text, start)
    if words and ahead.find(_BRACE, words.end()):
        return f"a state name is one word, found {words[0]!r}"
    return ""


def tokenize(text: str, tokens: Tokens) -> Iterator[None]:
    """Split prepared code into tokens.

    They are handed over whenever there are `BATCH` of them, so that a parser which finds a fault
    early does not wait for the rest.

    Args:
        text: Code as `mermaid_source.prepare` gives it.
        tokens: Where they are added, and taken away by the parser; the last one is `end`, or
            `invalid` where no rule matches, with the reason for its text.
    """
    add_kind, add_text = tokens.kinds.append, tokens.texts.append
    add_offset = tokens.offsets.append
    ahead = _Ahead(text)
    with_ahead = {name for name, sign in _AHEAD_SIGNS.items() if sign.search(text)}
    has_comments = "%%" in text
    names, name = ["root"], "root"
    mode, looks_ahead = _MODES[name], name in with_ahead
    position, length = 0, len(text)
    while position < length or name in _TO_THE_LINE_END:
        start = position
        match = mode.scan(text, start)
        if match:
            position = match.end()
            rank, token, pop, push = mode.actions[match.lastindex or 0]
        else:
            rank, token, pop, push = mode.actions[0]
        value_end = position
        if looks_ahead and ahead.find(mode.any_ahead, start):
            for action, pattern in mode.ahead:
                if action.rank < rank and (found := ahead.find(pattern, start)):
                    (_, token, pop, push), (value_end, position) = action, found
                    break
        if token in _CHECKED and (fault := _fault(text, token, start, ahead)):
            tokens.add("invalid", fault, start)
            break
        if has_comments and token == "id" and (comment := text.find("%%", start, position)) >= 0:
            if comment == start:
                continue
            value_end = position = comment
        if token:
            add_kind(token)
            add_text(text[start:value_end])
            add_offset(start)
            if len(tokens.kinds) >= BATCH:
                yield
        if pop or push:
            if pop and len(names) > 1:
                names.pop()
            if push:
                names.append(push)
            name = names[-1]
            mode, looks_ahead = _MODES[name], name in with_ahead
    else:
        tokens.add("end", "the end", length)
    yield
