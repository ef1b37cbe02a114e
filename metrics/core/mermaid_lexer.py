"""Lexer of Mermaid flowcharts: a table of rules, first match wins.

The table follows `flow.jison` of mermaid.js 12.3.0 rule by rule and in its order, because the
order decides what odd code means (`---oA` ends in a circle, `endless` starts with `end`'s letters
but is a word). A rule is tried in its lexer states only; states form a stack that rules push and
pop.

Four of mermaid's rules look ahead without bound and take quadratic time on hostile text. Here
they give the same tokens in linear time: rules that swallow space before a link are not tried
again inside one run of space, label text is taken in runs instead of single characters, and the
two rules that search the rest of a line or word (`…direction TB`, `…@`) look their answer up in
`mermaid_ahead`.
"""

import re
from collections.abc import Callable
from functools import cache
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


class Token(NamedTuple):
    """A token: its name in the grammar, its text and its offset."""

    kind: str
    text: str
    offset: int


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
_BLANK = "blank"
_POP = True
_DIGITS = "0123456789"
_WORD = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" + _DIGITS + "!\"#$%&'*+.`?\\_/-"
_LINK_START = SPACE + "xo<"

_KEYWORD_RULES = (
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
    Rule(_START, "f", r"flowchart-elk\b", "GRAPH"),
    Rule(_START, "s", r"swimlane-beta\b", "GRAPH"),
    Rule(_START, "g", r"graph\b", "GRAPH"),
    Rule(_START, "f", r"flowchart\b", "GRAPH"),
    Rule(_START, "s", r"subgraph\b", "SUBGRAPH"),
    Rule(_START, "e", r"end\b\s*", "END"),
    Rule(_START, "_", r"_(?:self|blank|parent|top)\b", "LINK_TARGET"),
)

# The direction after the first `graph` or `flowchart`; the lexer enters this state itself.
_HEADER_RULES = (
    Rule("header", SPACE, r"\s*\n", "NO_DIRECTION", _POP),
    Rule("header", "", r"\s*(?:(?:LR|RL|TB|BT|TD|BR)\b|[<>^]|v\b)", "DIRECTION", _POP),
)

# Between the keywords and these rules come `…direction TB` and `…@`, see `_Tokens._ahead`.
_RULES = (
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
    Rule(f"{_START} {_BLANK}", "\n", r"\n+", "NEWLINE"),
    Rule(f"{_START} {_BLANK}", "", r"(?:(?!\n)\s)+", "SPACE"),
)

_Scanner = tuple[Callable[[str, int], re.Match[str] | None], tuple[Rule, ...]]


@cache
def _scanner(state: str, char: str, keywords_only: bool = False) -> _Scanner:
    """Return one expression that tries a state's rules for a first character, in order."""
    table = _KEYWORD_RULES if keywords_only else _KEYWORD_RULES + _HEADER_RULES + _RULES
    rules = tuple(
        rule
        for rule in table
        if (state in rule.states.split() or (rule.states == "*" and state != _BLANK))
        and (not rule.first or char in rule.first)
    )
    alternatives = "|".join(f"({rule.pattern})" for rule in rules)
    return javascript_regex(alternatives or r"(?!)").match, rules


def _key(char: str) -> str:
    """Return the character, or one that stands for all that no rule starts with by name."""
    return char if char < "\x80" or char in SPACE else "\uffff"


_SPACE_RUN = javascript_regex(r"\s*")


def tokenize(text: str) -> list[Token]:
    """Split prepared code into tokens, in time proportional to its length.

    Args:
        text: Code as `mermaid_source.prepare` gives it.

    Returns:
        The tokens; the last one is `STOP`, before it `EOF` where the code ends outside any label.

    Raises:
        FlowSyntaxError: No rule matches.
    """
    tokens: list[Token] = []
    states = [_START]
    ahead = [Ahead(directions_ahead(text)), Ahead(link_ids_ahead(text))]
    seen_header = False
    position = blank_end = 0
    while position < len(text):
        state = states[-1]
        if state == _START and position < blank_end:
            state = _BLANK
        key = _key(text[position])
        found = None
        if state in (_START, _BLANK):
            found = next(filter(None, (group.at(position) for group in ahead)), None)
        scan, rules = _scanner(state, key, keywords_only=found is not None)
        match = scan(text, position)
        if match is None and found is not None:
            tokens.append(Token(found.kind, text[position : found.end], position))
            position = found.end
            continue
        if match is None:
            raise FlowSyntaxError(position, f"{text[position]!r} can start nothing here")
        rule = rules[(match.lastindex or 1) - 1]
        if rule.kind:
            tokens.append(Token(rule.kind, match[0], position))
        position = match.end()
        if rule.pop and len(states) > 1:
            states.pop()
        if rule.push:
            states.append(rule.push)
        if rule.kind == "GRAPH" and not seen_header:
            seen_header = True
            states.append("header")
        elif rule.kind in ("NEWLINE", "SPACE") and position >= blank_end:
            blank_end = _end_of_space(text, position)
    return tokens + _end_tokens(states[-1], len(text))


def _end_of_space(text: str, position: int) -> int:
    match = _SPACE_RUN.match(text, position)
    return match.end() if match else position


def _end_tokens(state: str, offset: int) -> list[Token]:
    """Return the tokens of the text's end: some states give an empty token there."""
    stop = Token("STOP", "", offset)
    if state == _START:
        return [Token("EOF", "", offset), stop]
    scan, rules = _scanner(state, "")
    match = scan("", 0)
    kind = rules[(match.lastindex or 1) - 1].kind if match else ""
    return [Token(kind, "", offset), stop] if kind else [stop]
