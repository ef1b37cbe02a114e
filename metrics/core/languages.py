"""One door to all diagram languages: tell the language, parse the code.

Names: `mermaid-flowchart`, `mermaid-state`, `dot`, `plantuml`; `mermaid` is either of the first
two, `graphviz`, `gv`, `puml` and `uml` are read as well.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from .diagram import Diagram, DiagramSyntaxError
from .dot import parse_dot, recover_dot
from .mermaid import parse_flowchart, recover_flowchart
from .mermaid_locate import legible
from .mermaid_state import parse_state, recover_state
from .plantuml import parse_plantuml, recover_plantuml
from .reply import find_code

LANGUAGES: dict[str, tuple[Callable[[str], Diagram], Callable[[str], Diagram]]] = {
    "mermaid-flowchart": (parse_flowchart, recover_flowchart),
    "mermaid-state": (parse_state, recover_state),
    "dot": (parse_dot, recover_dot),
    "plantuml": (parse_plantuml, recover_plantuml),
}
_ALIASES = {
    "mmd": "mermaid",
    "flowchart": "mermaid-flowchart",
    "state": "mermaid-state",
    "graphviz": "dot",
    "gv": "dot",
    "puml": "plantuml",
    "uml": "plantuml",
}

# A line that begins a diagram and says in what language.
_HEADERS = re.compile(
    r"^[^\S\n]*(?:(?P<plantuml>@start\w+)"
    r"|(?P<state>state\s?diagram(?:-v2)?(?![\w-]))"
    r"|(?P<dot>(?:strict\s+)?(?:di)?graph(?:\s+(?:\"[^\"\n]*\"|[\w.]+))?\s*\{)"
    r"|(?P<flowchart>(?:flowchart|graph)(?:-elk)?(?:[\s;]+(?:TB|TD|BT|LR|RL|[<>^v])?|$)))",
    re.IGNORECASE | re.MULTILINE,
)
# Lines of diagrams that lack their header, the more telling first.
_DOT_NAME = r"(?:\"[^\"\n]{1,80}\"|[\w.]{1,80})"
_HINTS = (
    ("plantuml", r"\(\*(?:top)?\)|:[^:\n]+;$|(?:start|stop|end|endif|fork again|end fork)$"),
    ("plantuml", r"\[[^\]*\n]+\][^\S\n]*[-.]{1,2}>|(?:component|actor|usecase|skinparam)\s+\S"),
    ("mermaid-state", r"\[\*\][^\S\n]*-->|.{1,80}-->[^\S\n]*\[\*\]|state\s+\S.*\{$"),
    ("dot", rf"(?:node|edge|graph)\s*\[|{_DOT_NAME}[^\S\n]*(?:->.{{1,80}};$|\[\s*label\s*=)"),
    ("mermaid-flowchart", r".{1,200}(?:-->|==>|-\.->|---|--[ox]\b)"),
    ("dot", rf"{_DOT_NAME}[^\S\n]*->[^\S\n]*{_DOT_NAME}"),
)
_HINT_PATTERNS = tuple(
    (language, re.compile(rf"^[^\S\n]*(?:{pattern})", re.IGNORECASE | re.MULTILINE))
    for language, pattern in _HINTS
)
_BY_HEADER = {
    "plantuml": "plantuml",
    "state": "mermaid-state",
    "dot": "dot",
    "flowchart": "mermaid-flowchart",
}
# A header whose line end was escaped; what every line of a quotation or list begins with.
_GLUED = re.compile(r"(?:stateDiagram(?:-v2)?|@startuml) *\\n")
_PREFIX = re.compile(r"^[^\S\n]*(?:>[^\S\n]?|\d+[.)][^\S\n]+)")
_STATES = re.compile(r"state\s?diagram|\[\*\]", re.IGNORECASE)
_PSEUDO_STATE = re.compile(r"\[\*\]")


@dataclass(frozen=True, slots=True)
class Parsed:
    """A diagram and the language that it was read in.

    Attributes:
        diagram: What was read; empty where no language was recognized.
        language: One of `LANGUAGES`, `None` where none was recognized.
    """

    diagram: Diagram
    language: str | None


def _unfenced(text: str) -> tuple[str, str]:
    """Return the code in a reply, line numbers kept, and the language its fence names."""
    passage = find_code(text, "meaning")
    # Mermaid's `~~~` is a link: behind a header, no mark opens a fence.
    behind_header = _HEADERS.search(text, 0, passage.start) is not None
    if behind_header or passage.reading not in ("fence", "unclosed_fence"):
        return text, ""
    return "\n" * text.count("\n", 0, passage.start) + passage.text, passage.language


def _mended(text: str) -> str:
    r"""Undo what happened to a whole reply: HTML escapes, `\n` for line ends, quoted lines."""
    mended = legible(text)
    if _GLUED.search(mended):
        mended = mended.replace("\\n", "\n")
    lines = mended.split("\n")
    if len(lines) > 1 and all(_PREFIX.match(line) for line in lines if line.strip()):
        return "\n".join(_PREFIX.sub("", line) for line in lines)
    return mended


def _of_mermaid(code: str) -> str:
    """Return which of Mermaid's diagrams a code is."""
    header = _HEADERS.search(code)
    if header and header.lastgroup in ("state", "flowchart"):
        return _BY_HEADER[header.lastgroup]
    return "mermaid-state" if _PSEUDO_STATE.search(code) else "mermaid-flowchart"


def _detect(code: str, fence: str) -> str | None:
    named = _ALIASES.get(fence, fence)
    if header := _HEADERS.search(code):
        return _BY_HEADER[str(header.lastgroup)]
    if named == "mermaid":
        return _of_mermaid(code) if any(p.search(code) for _, p in _HINT_PATTERNS) else None
    if named in LANGUAGES:
        return named
    return next((language for language, hint in _HINT_PATTERNS if hint.search(code)), None)


def detect(code: str) -> str | None:
    r"""Tell the language of a diagram.

    Args:
        code: Code, or a model's whole reply with the code in a Markdown fence or among prose.

    Returns:
        A key of `LANGUAGES`, or `None`.

    >>> detect("```\ndigraph { a -> b }\n```")
    'dot'
    """
    return _detect(*_unfenced(_mended(code)))


def resolve(language: str | None) -> str | None:
    """Return the full name of a language that a user names, `None` for `auto`.

    Raises:
        ValueError: There is no such language.
    """
    name = (language or "auto").strip().lower()
    name = _ALIASES.get(name, name)
    if name == "auto":
        return None
    if name != "mermaid" and name not in LANGUAGES:
        known = ", ".join(["auto", "mermaid", *LANGUAGES, *_ALIASES])
        raise ValueError(f"unknown diagram language {language!r}; known are {known}")
    return name


def parse(code: str, language: str | None = None, *, strict: bool = False) -> Parsed:
    """Parse a diagram in any of the languages.

    Args:
        code: Code, or a model's whole reply with the code in a Markdown fence or among prose.
        language: A key of `LANGUAGES` or one of their other names; `None` or `auto` detects it.
        strict: Refuse what the language's own parser refuses, instead of recovering.

    Raises:
        DiagramSyntaxError: In strict mode, the code is wrong or its language unknown.
        ValueError: There is no such language.

    >>> parse("graph { a -- b }").language
    'dot'
    """
    named = resolve(language)
    if named == "mermaid" and not (strict or _STATES.search(code)):
        named = "mermaid-flowchart"
    if named == "mermaid-flowchart" and not strict:
        return Parsed(recover_flowchart(code), named)
    inside, fence = _unfenced(code if strict else _mended(code))
    if named == "mermaid":
        named = _of_mermaid(inside)
    name = named or _detect(inside, fence)
    if name is None:
        if strict:
            raise DiagramSyntaxError(1, 1, "no diagram language recognized")
        # Code without header and arrow, perhaps nodes only: the flowchart reader judges.
        diagram = recover_flowchart(code)
        return Parsed(diagram, "mermaid-flowchart" if diagram.nodes else None)
    strictly, recovering = LANGUAGES[name]
    if strict:
        return Parsed(strictly(inside), name)
    # The flowchart reader takes a whole reply.
    return Parsed(recovering(code if name == "mermaid-flowchart" else inside), name)
