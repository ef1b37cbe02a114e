"""Where in a model's reply the flowchart stands: in a fence, in HTML, behind a header, or bare."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from .mermaid_graph import decode_entities
from .mermaid_header import GLUED_HEADER, HEADER, find_header, header_line
from .mermaid_spelling import declaration

_INVISIBLE = re.compile("[\ufeff\u200b-\u200f\u2060\u202a-\u202e]")
_THOUGHT_END = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_THOUGHT_START = re.compile(r"<(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_END_TOKEN = re.compile(r"<\|(?:im_end|endoftext|eot_id|end)\|>|</s>|\s\[/?INST\]")
_ESCAPED_ARROW = re.compile(r"[-=.]&(?:amp;)?(?:gt|#62|#x3[eE]);|&[rl]arr;")
_OPENING = re.compile(
    r"(?P<ticks>`{3,})|^[ \t>]*(?:\w{1,40} ?= ?)?(?P<line>~{3,}|'{3,}|\"{3,})(?=[ \t]*(?:\w|$))"
    r"|(?P<tag><(?:pre|div|code|mermaid)\b[^<>]*>|\\begin\{\w{1,20}\}|\[mermaid\])",
    re.IGNORECASE | re.MULTILINE,
)
_CLOSING = {
    "`": re.compile(r"`{3,}"),
    "~": re.compile(r"^[ \t>]*~{3,}[ \t]*$", re.MULTILINE),
    "'": re.compile(r"'{3,}"),
    '"': re.compile(r"\"{3,}"),
    "<": re.compile(r"</(?:pre|div|code|mermaid)>", re.IGNORECASE),
    "\\": re.compile(r"\\end\{"),
    "[": re.compile(r"\[/mermaid\]", re.IGNORECASE),
}
# A line in single backticks; `node A[Mix]`, unless `node A` is what the links name.
_CODE_LINE = re.compile(
    r"^([ \t]*(?:(?:[-*•]|\d{1,3}[.)])[ \t]+)?)"
    r"`([^`\n]*(?:[-=.]>|--|[\[({]|flowchart|graph)[^`\n]*)`[ \t]*;?[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_NODE_WORD = re.compile(
    r"^([ \t]*(?:[-*•][ \t]+)?)(?:node|box|vertex)[ \t]+(?=[\w-]+[ \t]?[\[({:])",
    re.IGNORECASE | re.MULTILINE,
)
_NODE_IN_LINK = re.compile(
    r"[-=.]>[ \t]*(?:node|box|vertex)[ \t]+\w"
    r"|(?:node|box|vertex)[ \t]+[\w-]+[ \t]*[-=.<]{1,3}[->.=]"
)
_ESCAPED_HEADER = re.compile(rf"{GLUED_HEADER.pattern}[ \t]*;?(?=\\n)")
_OTHER_DIAGRAM = re.compile(
    r"^[^\S\n]*(?:"
    r"(?:sequenceDiagram|classDiagram|stateDiagram|erDiagram|requirementDiagram|gitGraph|C4[A-Z]\w+"
    r"|quadrantChart|zenuml|digraph|strict[ \t]+(?:di)?graph|@start(?!mermaid)\w+)\b"
    r"|(?:architecture|block|gantt|journey|kanban|mindmap|packet|pie|radar|sankey|timeline|treemap"
    r"|xychart)(?:-beta)?[ \t]*(?:$|title\b|showData\b|\n)"
    r"|graph\b(?![ \t]+(?:TB|TD|BT|RL|LR|BR)\b)[ \t]*[\w\"]*[ \t]*\{)",
    re.MULTILINE,
)
# A line that is a string of a list: it holds an arrow or a node with a label.
_QUOTED_LINE = re.compile(
    r"\"([^\"]*(?:[\w\])}][ \t]*[-=.]{1,4}>|\w[\[({])[^\"]*)\"\]?"
    r"|'([^']*(?:[\w\])}][ \t]*[-=.]{1,4}>|\w[\[({])[^']*)'\]?"
)
_LINE_BREAK = re.compile(r"<br\s{0,9}/?>|[\[({\])}]", re.IGNORECASE)
_HEADER_BREAK = re.compile(rf"{GLUED_HEADER.pattern}[ \t]*;?[ \t]*<br", re.IGNORECASE)
_STRING_END = re.compile(r"\s*(?:'{3}|\"{3}|`{1,2})[\s,;)]*$")
_LINE_COMMENT = re.compile(r"\s(?://|%%|#\s|<!--)")
_PREFIX = re.compile(
    r"(?:>\s+|[-*•+]\s+(?![-=.<>])|(?:(?:step|line)\s+)?\(?\d+\s*[.):|]\s*(?=\S)"
    r"|\d+\s+(?=[^\W\d])|[a-z]\)\s+(?=\w)|(?-i:[a-z]|[ivx]{2,4})[.)]\s+(?=\w+\s*[\[({<=-])"
    r"|(?:arrows?|edges?|links?|connections?|(?:the )?(?:flow|sequence|order|process)(?: is)?)"
    r"\s?:\s+(?=\S))+",
    re.IGNORECASE,
)
_LANGUAGES = """
bash c cpp csharp css dot go graphviz gv html java javascript js json kotlin latex plantuml
powershell puml python py r ruby rust sh shell sql svg swift tex typescript ts uml xml yaml yml
"""
_OTHER_LANGUAGES = frozenset(_LANGUAGES.split())
_ESCAPES = {"\\n": "\n", "\\r": "", "\\t": "\t", '\\"': '"', "\\\\": "\\"}
_ESCAPE = re.compile(r"\\[nrt\"\\]")
_BLANK = re.compile(
    r"(?:%%|//|#+\s|<!--|`+\s*$|```|'''|~~~\s*$|</?\w+[^<>]*>\s*$|[-=*_]{3,}\s*$"
    r"|(?:mermaid|TB|TD|BT|RL|LR|\{|\[|\])[;:]?\s*$|(?:\*\*)?\w[\w ]*:?(?:\*\*)?:\s*$"
    r"|\*\*\w[\w ]*:\*\*\s*$|[|│]+\s*$|\\(?:begin|end)\b|@(?:start|end)\w+\s*$"
    r"|[\[(]?(?:\.{2,}|…)[\])]?\s*$)",
    re.IGNORECASE,
)
EXPLANATION = re.compile(
    r"\W*(?:explanation|explanations|notes?|legend|description|说明|解释)\W*$", re.IGNORECASE
)
"""A line behind which a chart without a fence is explained."""

_END = re.compile(r"(?:end\s*(?:subgraph)?\s*[;,.]*\s*(?:%%.*|//.*)?|\}\s*;?)$", re.IGNORECASE)
_SUBGRAPH = re.compile(
    r"subgraph\b(?:\s*[:\"']|\s*[([](?!.*[-=.]{2})|\s+[^\s=<>-]|\s*$)", re.IGNORECASE
)
_DECORATION = re.compile(
    r"(?:style|linkStyle|classDef|class|click|direction|accTitle|accDescr|title|href)\b"
    r"(?:\s*:|\s*$|\s+[^\s\[({<>=.~&-])|(?:node|edge|graph)\s*\[\s*\w+\s?="
)

Kind = Literal["blank", "header", "subgraph", "end", "decoration", "statement"]
"""What a line of a broken chart is for."""


class Block(NamedTuple):
    """A part of a reply that may be code.

    Attributes:
        text: The part, its line ends kept.
        first_line: 1-based line of the reply in which it starts.
        info: What stands behind the opening fence.
        fenced: Whether a fence opens it.
        closed: Whether a fence closes it.
    """

    text: str
    first_line: int
    info: str = ""
    fenced: bool = False
    closed: bool = False


def legible(reply: str) -> str:
    """Undo what happened to a reply on its way: HTML escapes, escaped line ends, odd characters.

    Thoughts (`<think>…</think>`) become blank; line numbers stay, unless line ends were escaped.
    """
    text = _INVISIBLE.sub(
        "", reply.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n")
    )
    text = _without_thoughts(text)
    ends = (end.start() for end in _END_TOKEN.finditer(text) if text[: end.start()].strip())
    text = text[: next(ends, len(text))]
    if _ESCAPED_ARROW.search(text) or "&lt;pre" in text:
        text = decode_entities(text)
        text = decode_entities(text) if _ESCAPED_ARROW.search(text) else text
    text = _with_line_ends(text)
    if "<br" in text and _HEADER_BREAK.search(text):
        text = _breaks_as_line_ends(text)
    if _NODE_WORD.search(text) and not _NODE_IN_LINK.search(text):
        text = _NODE_WORD.sub(r"\1", text)
    return text


def without_backticks(reply: str) -> str:
    """Take the backticks off lines that stand in single ones."""
    return _CODE_LINE.sub(r"\1\2", reply) if "`" in reply else reply


def _without_thoughts(text: str) -> str:
    ends = list(_THOUGHT_END.finditer(text))
    start = ends[-1].end() if ends else 0
    unclosed = _THOUGHT_START.search(text, start)
    end = unclosed.start() if unclosed else len(text)
    return "\n" * text.count("\n", 0, start) + text[start:end]


def _with_line_ends(text: str) -> str:
    r"""Read `\n` as a line end where the chart's header stands before one, as in JSON.

    Of a quoted string only the string is code, what follows it is not.
    """
    header = _ESCAPED_HEADER.search(text) if "\\n" in text else None
    if header is None:
        return text
    start = text.rfind("\n", 0, header.start()) + 1
    behind = text[header.end() :]
    quote = text[start : header.start()].rstrip()[-1:]
    if quote in ('"', "'"):
        string = re.match(rf"(?:\\.|[^\\{quote}])*", behind)
        behind = string[0] if string else behind
    return text[:start] + _ESCAPE.sub(lambda m: _ESCAPES[m[0]], text[start : header.end()] + behind)


def _breaks_as_line_ends(text: str) -> str:
    """Read `<br>` outside brackets as a line end; inside brackets it belongs to a label."""
    depth = done = 0
    parts: list[str] = []
    for match in _LINE_BREAK.finditer(text):
        if match[0] in "[({":
            depth += 1
        elif match[0] in "])}":
            depth = max(0, depth - 1)
        elif not depth:
            parts += [text[done : match.start()], "\n"]
            done = match.end()
    return "".join([*parts, text[done:]])


def find_blocks(text: str) -> list[Block]:
    """Cut a reply into blocks, those most likely to hold the flowchart first.

    Fenced blocks come first, those that say what they are before the others; then the text
    outside. Blocks of other languages are left out.
    """
    blocks = [block for block in _cut(text) if block.text.strip()]
    fenced = [block for block in blocks if block.fenced and not _is_other(block)]
    fenced.sort(key=_says_nothing)
    return fenced + [block for block in blocks if not block.fenced and not _is_other(block)]


def _says_nothing(block: Block) -> bool:
    """Tell whether a block has neither Mermaid's name on its fence nor a header."""
    named = block.info.lower().startswith(("mermaid", "mmd", "{mermaid"))
    return not named and header_line(block.text.split("\n")) is None


def _is_other(block: Block) -> bool:
    """Tell whether a block holds another language or another kind of diagram."""
    if other := _OTHER_DIAGRAM.search(block.text):
        header = header_line(block.text[: other.start()].split("\n"))
        if header is None:
            return True
    language = block.info.split(" ")[0].lower()
    return language in _OTHER_LANGUAGES and not GLUED_HEADER.search(block.text)


def _cut(text: str) -> Iterator[Block]:
    """Yield the text outside fences and the code inside them, in order."""
    position = counted = 0
    line = 1
    while position <= len(text):
        opening = _OPENING.search(text, position)
        end = opening.start() if opening else len(text)
        line, counted = line + text.count("\n", counted, position), position
        yield Block(text[position:end], line)
        if opening is None:
            return
        mark = (opening["ticks"] or opening["line"] or opening["tag"])[0]
        closing = _CLOSING[mark].search(text, opening.end())
        inside = text[opening.end() : closing.start() if closing else len(text)]
        info = _info(inside)
        start = opening.end() + len(info)
        line, counted = line + text.count("\n", counted, start), start
        yield Block(inside[len(info) :], line, info.strip(), True, closing is not None)
        position = closing.end() if closing else len(text) + 1


def _info(inside: str) -> str:
    """Return what the opening fence says of the code, its line end included."""
    first, line_end, _ = inside.partition("\n")
    word = first.split(maxsplit=1)[:1]
    if HEADER.match(first) and word[0].lower() not in ("mermaid", "mmd"):
        return ""
    if len(first.split()) > 2 or HEADER.match(first):
        return first[: first.index(word[0]) + len(word[0])]
    return first + line_end


def without_string_end(lines: list[str]) -> list[str]:
    """Cut lines where the string ends that holds them in some program: three quotes, two ticks."""
    ends = (index for index, line in enumerate(lines) if _STRING_END.match(line))
    return lines[: next(ends, len(lines))]


def clean_line(line: str) -> str:
    """Return a line of a chart without bullet or number before it, comment and comma behind it.

    >>> clean_line("2. A --> B, // then"), clean_line("A = Mix")
    ('A --> B', 'A["Mix"]')
    """
    line = line.strip()
    prefix = _PREFIX.match(line)
    end = len(line)
    if "//" in line or "%%" in line or "#" in line or "<!" in line:
        comment = _LINE_COMMENT.search(line, max(map(line.rfind, ')]}"|')) + 1)
        end = comment.start() if comment else end
    cleaned = line[prefix.end() if prefix else 0 : end].rstrip(", ，.")
    if cleaned[:1] in ('"', "'") and (quoted := _QUOTED_LINE.fullmatch(cleaned)):
        cleaned = quoted[1] or quoted[2]
    return declaration(cleaned) or cleaned


def kind_of(line: str) -> Kind:
    """Tell what a line without blanks round it is for."""
    if not line or _BLANK.match(line):
        return "blank"
    if find_header(line):
        return "header"
    if _SUBGRAPH.match(line):
        return "subgraph"
    if _END.match(line):
        return "end"
    return "decoration" if _DECORATION.match(line) else "statement"
