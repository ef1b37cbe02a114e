"""Lexer of Mermaid flowcharts: a table of rules, first match wins.

The table follows `flow.jison` of mermaid.js 12.3.0 rule by rule and in its order, because the
order decides what odd code means (`---oA` ends in a circle, `endless` starts with `end`'s letters
but is a word). A rule is tried in its lexer states only; states form a stack that rules push and
pop.

Four of mermaid's rules look ahead without bound and take quadratic time on hostile text. Here
they give the same tokens in linear time: a run of blank lines is one token, so that rules which
swallow space before a link look at it twice at most, label text is taken in runs instead of
single characters, and the two rules that search the rest of a line or word (`…direction TB`,
`…@`) look their answer up in `mermaid_ahead`.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from .mermaid_ahead import Ahead, directions_ahead, link_ids_ahead
from .mermaid_letters import LETTERS, SPACE, javascript_regex


class FlowSyntaxError(ValueError):
    """Code that cannot be read.

    Attributes:
        offset: 0-based offset of the fault in the text that was given to the lexer.
        reason: What was found and what was expected.
    """

    def __init__(self, offset: int, reason: str) -> None:
        super().__init__(reason)
        self.offset = offset
        self.reason = reason


class Tokens(NamedTuple):
    """The tokens of a code: their names in the grammar, their texts and their offsets."""

    kinds: list[str]
    texts: list[str]
    offsets: list[int]

    def add(self, kind: str, text: str, offset: int) -> None:
        """Append a token."""
        self.kinds.append(kind)
        self.texts.append(text)
        self.offsets.append(offset)

    def drop(self, count: int) -> None:
        """Forget the first tokens: a long text is read in little memory, which is faster."""
        for column in self:
            del column[:count]


class Rule(NamedTuple):
    r"""A lexer rule.

    Attributes:
        states: States in which the rule is tried, separated by spaces; `*` is every state.
        first: Characters with which a match can start; empty means any. It only saves time.
        pattern: Regular expression; `\s` is written as JavaScript means it.
        kind: Name of the token, empty where the rule gives none.
        pop: Whether the current state ends.
        push: State that begins, empty where none does.
    """

    states: str
    first: str
    pattern: str
    kind: str
    pop: bool = False
    push: str = ""


_START = "initial"
_POP = True
_DIGITS = "0123456789"
_WORD = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" + _DIGITS + "!\"#$%&'*+.`?\\_/-"
_LINK_START = SPACE + "xo<"

_KEYWORD_RULES: tuple[Rule, ...] = (
    Rule(_START, "a", r"accTitle\s*:\s*", "ACC_TITLE", push="acc_line"),
    Rule("acc_line", "", r"[^\n]*", "ACC_VALUE", _POP),
    Rule(_START, "a", r"accDescr\s*:\s*", "ACC_DESCR", push="acc_line"),
    Rule(_START, "a", r"accDescr\s*\{\s*", "", push="acc_block"),
    Rule("acc_block", "}", r"\}", "", _POP),
    Rule("acc_block", "", r"[^}]*", "ACC_BLOCK"),
    Rule(_START, "@", r"@\{", "METADATA_START", push="metadata"),
    Rule("metadata", '"', r'"', "METADATA", push="metadata_string"),
    Rule("metadata_string", '"', r'"', "METADATA", _POP),
    Rule("metadata_string", "", r'[^"]+', "METADATA_STRING"),
    Rule("metadata", "", r'[^}^"]+', "METADATA"),
    Rule("metadata", "}", r"\}", "", _POP),
    Rule(_START, "c", r"call[\s]+", "", push="callback"),
    Rule("callback", "(", r"\([\s]*\)", "", _POP),
    Rule("callback", "(", r"\(", "", _POP, push="callback_args"),
    Rule("callback", "", r"[^(]*", "CALLBACK"),
    Rule("callback_args", ")", r"\)", "", _POP),
    Rule("callback_args", "", r"[^)]*", "CALLBACK_ARGS"),
    Rule("markdown", "", r'[^`"]+', "MARKDOWN"),
    Rule("markdown", "`", r'`"', "", _POP),
    Rule("*", '"', r'"`', "", push="markdown"),
    Rule("string", "", r'[^"]+', "STRING"),
    Rule("string", '"', r'"', "", _POP),
    Rule("*", '"', r'"', "", push="string"),
    Rule(_START, "s", r"style\b", "STYLE"),
    Rule(_START, "d", r"default\b", "DEFAULT"),
    Rule(_START, "l", r"linkStyle\b", "LINK_STYLE"),
    Rule(_START, "i", r"interpolate\b", "INTERPOLATE"),
    Rule(_START, "c", r"classDef\b", "CLASS_DEF"),
    Rule(_START, "c", r"class\b", "CLASS"),
    Rule(_START, "h", r"href[\s]", "HREF"),
    Rule(_START, "c", r"click[\s]+", "", push="click"),
    Rule("click", SPACE, r"[\s]", "", _POP),
    Rule("click", "", r"[^\s]*", "CLICK"),
    Rule(_START, "f", r"flowchart-elk\b", "GRAPH", push="header"),
    Rule(_START, "s", r"swimlane-beta\b", "GRAPH", push="header"),
    Rule(_START, "g", r"graph\b", "GRAPH", push="header"),
    Rule(_START, "f", r"flowchart\b", "GRAPH", push="header"),
    Rule(_START, "s", r"subgraph\b", "SUBGRAPH"),
    Rule(_START, "e", r"end\b\s*", "END"),
    Rule(_START, "_", r"_(?:self|blank|parent|top)\b", "LINK_TARGET"),
)

# The direction behind a header; only the first header of a code opens this state.
_HEADER_RULES: tuple[Rule, ...] = (
    Rule("header", SPACE, r"\s*\n", "NO_DIRECTION", _POP),
    Rule("header", "", r"\s*(?:(?:LR|RL|TB|BT|TD|BR)\b|[<>^]|v\b)", "DIRECTION", _POP),
)

# Blanks before anything but a link; without these rows all link rules would be tried in vain.
_BLANK_RULES: tuple[Rule, ...] = (
    Rule(_START, "\n", r"\n+(?=[^\s<=.~xo-])", "NEWLINE"),
    Rule(_START, SPACE, r"(?:(?!\n)\s)+(?=[^\s<=.~xo-])", "SPACE"),
)

# Between the keywords and these rules come `…direction TB` and `…@`, see `mermaid_ahead`.
_RULES: tuple[Rule, ...] = (
    Rule(_START, _DIGITS, r"[0-9]+", "NUMBER"),
    Rule(_START, "#", r"#", "HASH"),
    Rule(_START, ":", r":::", "CLASS_SEPARATOR"),
    Rule(_START, ":", r":", "COLON"),
    Rule(_START, "&", r"&", "AMPERSAND"),
    Rule(_START, ";", r";", "SEMICOLON"),
    Rule(_START, ",", r",", "COMMA"),
    Rule(_START, "*", r"\*", "STAR"),
    Rule("link_text", "", r"\s*[xo<]?--+[-xo>]\s*", "LINK", _POP),
    Rule(_START, _LINK_START + "-", r"\s*[xo<]?--+[-xo>]\s*", "LINK"),
    Rule(_START, _LINK_START + "-", r"\s*[xo<]?--\s*", "LINK_START", push="link_text"),
    Rule("link_text", "", r'[^-\sxo<"]+|\s+|[^-]|-(?!-)', "LINK_TEXT"),
    Rule("thick_link_text", "", r"\s*[xo<]?==+[=xo>]\s*", "LINK", _POP),
    Rule(_START, _LINK_START + "=", r"\s*[xo<]?==+[=xo>]\s*", "LINK"),
    Rule(_START, _LINK_START + "=", r"\s*[xo<]?==\s*", "LINK_START", push="thick_link_text"),
    Rule("thick_link_text", "", r'[^=\sxo<"]+|\s+|[^=]', "LINK_TEXT"),
    Rule("dotted_link_text", "", r"\s*[xo<]?-?\.+-[xo>]?\s*", "LINK", _POP),
    Rule(_START, _LINK_START + "-.", r"\s*[xo<]?-?\.+-[xo>]?\s*", "LINK"),
    Rule(_START, _LINK_START + "-", r"\s*[xo<]?-\.\s*", "LINK_START", push="dotted_link_text"),
    Rule("dotted_link_text", "", r'[^.\sxo<"-]+|\s+|[^.]', "LINK_TEXT"),
    Rule("*", SPACE + "~", r"\s*~~~+\s*", "LINK"),
    Rule("ellipse_text", "-/)", r"[-/)]\)", "ELLIPSE_END", _POP),
    Rule("ellipse_text", "", r'[^()\[\]{}\s"/~-]+|\s+|[^()\[\]{}]', "TEXT"),
    Rule("*", "(", r"\(-", "ELLIPSE_START", push="ellipse_text"),
    Rule("text", "]", r"\]\)", "STADIUM_END", _POP),
    Rule("*", "(", r"\(\[", "STADIUM_START", push="text"),
    Rule("text", "]", r"\]\]", "SUBROUTINE_END", _POP),
    Rule("*", "[", r"\[\[", "SUBROUTINE_START", push="text"),
    Rule(_START, "[", r"\[\|", "PROPERTIES_START"),
    Rule(_START, ">", r">", "TAG_END", push="text"),
    Rule("text", ")", r"\)\]", "CYLINDER_END", _POP),
    Rule("*", "[", r"\[\(", "CYLINDER_START", push="text"),
    Rule("text", ")", r"\)\)\)", "DOUBLE_CIRCLE_END", _POP),
    Rule("*", "(", r"\(\(\(", "DOUBLE_CIRCLE_START", push="text"),
    Rule("slanted_text", "\\(?=])", r"[\\(?=\])]\]", "SLANT_LEFT_END", _POP),
    Rule("slanted_text", "/", r"/(?=\])\]", "SLANT_RIGHT_END", _POP),
    Rule("slanted_text", "", r"/(?!\])|\\(?!\])|[^\\\[\](){}/]+", "TEXT"),
    Rule("*", "[", r"\[/", "SLANT_RIGHT_START", push="slanted_text"),
    Rule("*", "[", r"\[\\", "SLANT_LEFT_START", push="slanted_text"),
    Rule(_START, "<", r"<", "TAG_START"),
    Rule(_START, "^", r"\^", "UP"),
    Rule(_START, "\\", r"\\\|", "SEPARATOR"),
    Rule(_START, "v", r"v\b", "DOWN"),
    Rule(_START, _WORD, r"""(?:[A-Za-z0-9!"#$%&'*+.`?\\_/]|-(?=[^>\-.]))+""", "WORD"),
    Rule(_START, "-", r"-", "MINUS"),
    Rule(_START, "", f"[{LETTERS}]", "LETTER"),
    Rule("text", "|", r"\|", "PIPE", _POP),
    Rule("*", "|", r"\|", "PIPE", push="text"),
    Rule("text", ")", r"\)", "ROUND_END", _POP),
    Rule("*", "(", r"\(", "ROUND_START", push="text"),
    Rule("text", "]", r"\]", "SQUARE_END", _POP),
    Rule("*", "[", r"\[", "SQUARE_START", push="text"),
    Rule("text", "}", r"\}", "DIAMOND_END", _POP),
    Rule("*", "{", r"\{", "DIAMOND_START", push="text"),
    Rule("text", "", r'[^\[\](){}|"]+', "TEXT"),
    # To the last line end of a run of blanks: what stands between says nothing.
    Rule(_START, "\n", r"\n(?:\s*\n)?", "NEWLINE"),
    Rule(_START, SPACE, r"(?:(?!\n)\s)+", "SPACE"),
)

_Action = tuple[str, bool, str]
_Scanner = tuple[Callable[[str, int], re.Match[str] | None], tuple[_Action, ...]]


class _State(dict[str, _Scanner]):
    """A lexer state: for the next character, one expression that tries the state's rules in order.

    The number of the group that matched is the index of the action: kind, pop and push.
    """

    def __init__(self, name: str, rules: tuple[Rule, ...]) -> None:
        super().__init__()
        self._rules = [rule for rule in rules if rule.states in (name, "*")]

    def __missing__(self, char: str) -> _Scanner:
        if char > "\x7f" and char not in SPACE and char != _ANY_LETTER:
            self[char] = self[_ANY_LETTER]
            return self[char]
        rules = [rule for rule in self._rules if not rule.first or char in rule.first]
        alternatives = "|".join(f"({rule.pattern})" for rule in rules) or r"(?!)"
        actions = [(rule.kind, rule.pop, rule.push) for rule in rules]
        self[char] = (javascript_regex(alternatives).match, (("", False, ""), *actions))
        return self[char]


_ANY_LETTER = "\uffff"
_TABLE = (*_KEYWORD_RULES, *_HEADER_RULES, *_BLANK_RULES, *_RULES)
_STATES = {name: _State(name, _TABLE) for name in {rule.states for rule in _TABLE} - {"*"}}
_KEYWORDS = _State(_START, _KEYWORD_RULES)


_BATCH = 4096
"""Characters that are split at least before the tokens are handed over."""


def tokenize(text: str, tokens: Tokens) -> Iterator[None]:
    """Split prepared code into tokens, in time proportional to its length.

    The tokens come in batches that end with a `NEWLINE` or with the text, so that a parser which
    finds a fault early does not wait for the rest: no statement goes on behind a `NEWLINE`.

    Args:
        text: Code as `mermaid_source.prepare` gives it.
        tokens: Where they are added; the last one is `STOP`, before it `EOF` where the code ends
            outside any label, or `INVALID` where no rule matches.
    """
    add_kind, add_text = tokens.kinds.append, tokens.texts.append
    add_offset = tokens.offsets.append
    ahead: list[Ahead] = []
    if "@" in text or "direction" in text:
        ahead = [Ahead(directions_ahead(text)), Ahead(link_ids_ahead(text))]
        ahead = [group for group in ahead if not group.is_empty]
    states, state = [_START], _STATES[_START]
    seen_header = False
    position, length, batch = 0, len(text), _BATCH
    while position < length:
        char = text[position]
        if ahead and states[-1] == _START:
            found = next(filter(None, (group.at(position) for group in ahead)), None)
            if found and not _KEYWORDS[char][0](text, position):
                tokens.add(found.kind, text[position : found.end], position)
                position = found.end
                continue
        scan, actions = state[char]
        match = scan(text, position)
        if match is None:
            tokens.add("INVALID", char, position)
            yield
            return
        kind, pop, push = actions[match.lastindex or 0]
        if kind:
            add_kind(kind)
            add_text(match[0])
            add_offset(position)
        position = match.end()
        if pop or push:
            if pop and len(states) > 1:
                states.pop()
            if push and not (push == "header" and seen_header):
                seen_header = seen_header or push == "header"
                states.append(push)
            state = _STATES[states[-1]]
        if position >= batch and kind == "NEWLINE":
            batch = position + _BATCH
            yield
    _add_end(tokens, states[-1], length)
    yield


def _add_end(tokens: Tokens, state: str, offset: int) -> None:
    """Add the tokens of the text's end: some states give an empty token there."""
    if state == _START:
        tokens.add("EOF", "", offset)
    else:
        scan, actions = _STATES[state][""]
        match = scan("", 0)
        kind = actions[match.lastindex or 0][0] if match else ""
        if kind:
            tokens.add(kind, "", offset)
    tokens.add("STOP", "", offset)
