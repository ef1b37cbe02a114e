"""What models misspell in a line of a flowchart, respelt as the readers of lines know it.

A table of rows: characters without which a row cannot apply (a cheap test first), what is
misspelt, and how it is spelt. Only lines that mermaid.js refuses are respelt.
"""

import re
from typing import NamedTuple

_ID = r"(?<![\w.-])([A-Za-z]{1,2}\d{0,3}|[A-Za-z_]{1,20}\d{1,4})"
_BEFORE = r"(?<=[\s\])}\"'])"
_SPACED = r"(?:-(?: ?[-.]){0,8} -|-? ?\.(?: ?\.)* ?-|= =)"
_TAG = r"/?(?:b|br|i|u|s|em|strong|sub|sup|p|hr|span|div|small|font|code|center)\b"
_ANGLED = rf"(?!{_TAG})(?=[^\W_])(?![^<>]{{0,200}}[-=.]{{2}})([^<>|]{{1,200}})"
_ARROW = r"[-=.<]{1,4}>{1,2}"
_LINK_WORD = r"(?:from|link|edge|arrow|connect)"
_STROKE_WORD = r"(?:solid|dashed|dotted|thick|thin|bold|normal)(?: (?:line|arrow|link))?"
_BEHIND_NODE = r"(?=$|[\s;,&]|[-=.]{1,4}>\s?\w{1,30}[|<\s])"


class Respelling(NamedTuple):
    r"""A row of the table.

    Attributes:
        signs: Texts of which the line must hold one.
        pattern: What is misspelt.
        spelling: How it is spelt; groups of the pattern as `\1`.
    """

    signs: tuple[str, ...]
    pattern: re.Pattern[str]
    spelling: str


def _row(signs: str, pattern: str, spelling: str) -> Respelling:
    return Respelling(tuple(signs.split()), re.compile(pattern), spelling)


_ROWS = (
    # Markdown: `A --\> B`, `n\_1`, `-->\|yes\|`, `A\[Mix\]`, **A[Mix]**.
    _row("\\", r"\\(?=[->_|*\"])|(?<=\w)\\(?=[\[({])|\\(?=[\])}]+(?:\s|$))", ""),
    _row("> >\" >' >) >]", rf"(?<=\s)[\"'(\[`]({_ARROW})[\"')\]`](?=\s)", r"\1"),
    _row("**", r"(^|[>|-]\s{0,3})\*\*([^*]{1,300})\*\*(?=$|[\s:;,])", r"\1\2"),
    # Arrows: `|-->|`, `- - >`, `--> >`, `< --`, `__>`, `:-->`, `->>+`, `-)`.
    _row("|- |= |.", r"(?<![-=.>])\s?\|\s?([-=.<]{1,4}>{1,2}|[-=]{2,4})\s?\|\s?", r" \1 "),
    _row("- =", rf"{_BEFORE}(?!-\.+->){_SPACED} ?>(?=\s|\w)", "-->"),
    _row("> ", r"([-=.]>{1,2}|-{3}) +>{1,2}(?=\s)", r"\1"),
    _row("<", rf"{_BEFORE}<\s(?=[-=.]{{1,4}}\s)", "<"),
    _row("-* =* .*", r"(--|==|-\.-?)\*(?=\s)", r"\1>"),
    _row("*- *=", r"(?<=\s)\*(?=[-=.]{2,4}>)", ""),
    _row("|- |= |. >- >= >.", r"(?<=\s)[|>](?=[-=.]{1,4}>)", ""),
    _row("/", rf"{_BEFORE}-{{1,2}}[/\\]-{{1,2}}>", "-->"),
    _row("*> *->", r"(?<=\s)\*{1,2}-?>(?=\s)", "-->"),
    _row(" - ", rf"^{_ID} - (?=(?:[A-Z]\d{{0,3}}|\w{{1,20}}\d);?$)", r"\1 --- "),
    _row("-)", rf"{_BEFORE}-{{1,2}}\)(?=\s)", "-->"),
    _row("-x -o", rf"{_BEFORE}-(?=[xo]\s)", "--"),
    _row(".>", rf"{_BEFORE}\.>(?=\s)", "-.->"),
    _row("_>", r"(?<=\s)_+>", "-->"),
    _row(":- :=", rf"{_BEFORE}:(?=[-=.]{{1,4}}>)", ""),
    _row(">>+ >>-", r">>[+-](?=\s*\w)", ">>"),
    _row("：", rf"^{_ID}：\s*(?=\S)", r"\1: "),
    # Words beside a link: `edge A -> B`, `A --> B (dashed)`.
    _row("from link edge arrow connect", rf"^{_LINK_WORD}\s+(?=\w{{1,40}} (?:to\b|[-=.<]))", ""),
    _row("d n k", rf"(?:,\s|\s[\[(]|\s-\s){_STROKE_WORD}[\])]?(?=\s*;?$)", ""),
    # Texts of links: `-[yes]->`, `=yes=>`, `..yes..>`.
    _row("-[ -(", rf"{_BEFORE}-[\[(]([^\[\](){{}}|]{{1,60}})[\])]-{{1,2}}>", r"-->|\1|"),
    _row("=", rf"{_BEFORE}=\s*([^\W_][\w ]{{0,40}}?)\s*=>", r"==>|\1|"),
    _row("..", rf"{_BEFORE}\.\.\s*([^\W_][\w ]{{0,40}}?)\s*\.\.>", r"-.->|\1|"),
    # Brackets: `A|Mix|`, `A<Mix>`, `A :::hot`.
    _row("|", rf"{_ID}\|([^|\[\](){{}}]{{1,200}})\|{_BEHIND_NODE}", r'\1["\2"]'),
    _row("<", rf"{_ID}\s?<{_ANGLED}>{_BEHIND_NODE}", r'\1["\2"]'),
    _row("'", rf"{_ID} '([^'\[\](){{}}]{{1,200}})'(?=$|[\s;,&])", r'\1["\2"]'),
    _row(">", rf"({_ARROW})\s?([^\W_][\w ,?]{{0,40}})\|(?=\s*\w)", r"\1|\2|"),
    _row(" :::", r"\s+:::(?=\w)", ":::"),
    _row("]: ]:: }: ): )::", r"(?<=[\])}])::?(?=[A-Za-z][\w-]{0,40}\s*[-=.<])", ":::"),
)  # fmt: skip

# `A = Mix`, `A as [Mix]`; `A: [Mix]`; `participant A as Mix`, `state "Mix" as A`.
_DECLARATIONS = (
    re.compile(
        r"(?P<id>[A-Za-z]{1,2}\d{0,3}|[A-Za-z_]{1,20}\d{1,4})(?: ?:?=(?!=) ?| as )"
        r"(?:[\[({\"]{1,2}(?P<text>[^\[\](){}\"<>|]+)[\])}\"]{1,2}"
        r"|(?!.*(?:[-=.~]>|--|==))(?P<bare>[^\[\](){}\"<>|;]+));?"
    ),
    re.compile(r"(?P<id>\w{1,40}) ?: ?[\[({]{1,2}\"?(?P<text>[^\[\](){}\"]+)\"?[\])}]{1,2};?"),
    re.compile(r"(?:participant|actor|node|state) (?P<id>\w{1,40}) as \"?(?P<text>[^\"]+)\"?"),
    re.compile(r"(?:[a-z]{1,20} )?\"(?P<text>[^\"]+)\" as (?P<id>\w{1,40});?"),
)

_NODE = r"(?:\w+(?:[.-]\w+){0,5}(?:\s?[\[({]{1,3}[^\[\](){}]{1,200}[\])}]{1,3})?|\"[^\"]{1,200}\")"
_JOINT = r"(?:\s*>{1,3}\s*|\s+(?:(?:points?|connects?|leads?|goes|links?|flows?) )?to\s+)"
_LINKED_NODES = re.compile(
    rf"(?!(?:top|left|right|bottom)\b){_NODE}(?:{_JOINT}{_NODE})+\s*(?::[^\[\](){{}}]{{0,80}})?;?",
    re.IGNORECASE,
)
_FIRST_NODE = re.compile(rf"({_NODE}){_JOINT}(?=[\w\"])")
_MAX_LINE = 2000


def declaration(line: str) -> str | None:
    """Return the node that a line declares in another way, as Mermaid writes it.

    >>> declaration("A = Mix"), declaration('state "Mix" as A'), declaration("A --> B")
    ('A["Mix"]', 'A["Mix"]', None)
    """
    if "=" not in line and ":" not in line and " as " not in line:
        return None
    for pattern in _DECLARATIONS:
        if match := pattern.fullmatch(line):
            found = match.groupdict()
            return f'{found["id"]}["{found["text"] or found["bare"]}"]'
    return None


def respell(line: str, *, in_code: bool, in_words: bool = False) -> str:
    """Return a line with its misspelt arrows, brackets and texts respelt.

    Args:
        line: A line without blanks round it.
        in_code: Whether it is sure to be code, so that `A > B` is a link.
        in_words: Whether its links may be written in words, so that `A to B` is one.

    >>> respell("A|Mix| |-->| B<Bake>", in_code=True), respell("A > B", in_code=True)
    ('A["Mix"] --> B["Bake"]', 'A --> B')
    """
    if len(line) > _MAX_LINE:
        return line
    for signs, pattern, spelling in _ROWS:
        for sign in signs:
            if sign in line:
                line = pattern.sub(spelling, line)
                break
    may_link = (in_code and ">" in line) or (in_words and " to " in line)
    if may_link and _LINKED_NODES.fullmatch(line):
        line = _FIRST_NODE.sub(r"\1 --> ", line)
    return line
