"""The one reading of a model's reply: thoughts, code fences, refusals, nothing at all.

Whatever is read from a reply comes with its span in the reply as it was given, so that a person
can look at the place. Thoughts are therefore blanked out, never cut out: offsets stay true.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

Value = TypeVar("Value")
Mode = Literal["paper", "meaning"]
Span = tuple[int, int]
Reading = Literal["fence", "unclosed_fence", "no_fence", "empty", "refusal", "missing", "not_text"]

_THOUGHT_TAG = re.compile(
    r"(?:\[(?=/?think\])|[<◁](?=[^<>\[\]]{4,10}[>▷]))(/?)(?:think|thinking|thought|reasoning)[>▷\]]"
    r"|<\|(?:begin|(end))_of_thought\|>",
    re.IGNORECASE,
)
_NOT_LINE_END = re.compile(r"[^\n]")

# Marks that open code; all but backticks only where a line begins (`~~~` is a Mermaid link too).
_FENCE_MARK = re.compile(
    r"(?P<ticks>`{3,})|(?:^|(?<=\n))[ \t]*(?P<line>~{3,}|'{3}|\"{3}|:{3})(?=[ \t]*(?:\w|\n))"
    r"|(?P<html><(?:pre|code)\b[^<>\n]{0,200}>)",
    re.IGNORECASE,
)
_HTML_END = re.compile(r"</(?:pre|code)>", re.IGNORECASE)
_INFO_WORD = re.compile(r"[ \t]*([A-Za-z][\w+#.-]*)(?=[ \t]|\r?\n|$)")

_DIAGRAM_LANGUAGE = re.compile(r"mermaid|mmd|dot|graphviz|gv|plantuml|puml|uml")
_OTHER_LANGUAGE = re.compile(
    r"bash|c|code|console|cpp|css|go|html|java|javascript|js|json|latex|markdown|md|none|plain"
    r"|plaintext|python|py|rust|sh|shell|sql|svg|tex|text|txt|ts|typescript|xml|ya?ml"
)
_HEADER_WORDS = (
    r"(?:(?:flowchart|graph)(?:-elk)?\b(?![ \t]+(?:shows?|is|has|with|below|above)\b)"
    r"|stateDiagram(?:-v2)?\b|(?:strict[ \t]+)?(?:di)?graph\b[^\n{]{0,80}\{|@start\w+)"
)
_BEGINS_AS_HEADER = re.compile(_HEADER_WORDS, re.IGNORECASE)
_HEADER = re.compile(rf"^[ \t]*{_HEADER_WORDS}", re.IGNORECASE | re.MULTILINE)
_ARROW = re.compile(r"--+>|==+>|-\.+-*>|->|--[ox]\b|---|===|~~~")

_VERBS = (
    r"(?:see|view|access|open|read|process|analy[sz]e|determine|identify|provide|answer|help|assist"
    r"|tell|find|have|interpret|say|verify|confirm|recogni[sz]e|make out|generate|create|fulfil+)\b"
)
_PICTURE = r"(?:image|picture|photo|flow ?chart|figure|diagram|attachment)"
_INABILITY = re.compile(
    "|".join(
        (
            rf"\b(?:can ?not|can['’]?t|could ?n['’]?t|could not|do not|don['’]t) (?:\w+ )?{_VERBS}",
            rf"\b(?:unable|not able) to (?:\w+ )?{_VERBS}",
            r"\b(?:can ?not|can['’]?t|could not|couldn['’]t) be (?:determined|answered|verified)",
            r"\bas an? (?:ai|artificial intelligence|(?:large )?language model|text-based)\b",
            r"\bplease (?:provide|upload|share|attach|re-?upload|send)\b",
            rf"\bno {_PICTURE} (?:was|is|has been) (?:\w+ )?"
            r"(?:provided|attached|shown|given|visible|uploaded)",
            r"(?:\bnot|n['’]t) (?:enough|sufficient) (?:information|detail|context)",
            r"\binsufficient (?:information|detail|context)",
            rf"\b{_PICTURE} (?:is|was|seems|appears)(?: to be)? (?:missing|unreadable|illegible"
            r"|blurry|unclear|too \w+|not (?:visible|provided|available|attached|clear))",
            r"\bsorry\b|\bapologi[sz]e\b|无法|抱歉|对不起",
        )
    ),
    re.IGNORECASE,
)


_NEXT_TURN = re.compile(
    r"<\|(?:im_end|im_start|endoftext|eot_id|end|eos|user)\|>|</s>|<(?:eos|end_of_turn)>|\[inst\]"
    r"|\n[\s#*>]{0,20}(?:question|query|human|user|assistant|statement|instruction|input|task|q)"
    r"\s{0,3}\d{0,3}[*\s]{0,4}:",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Answer(Generic[Value]):
    """What was read from a reply.

    Attributes:
        value: The answer; `None` where the reply gives none.
        reason: How the answer was found, or why there is none: a word from the reader's own list.
        span: `(start, end)` in the reply of what decided; `None` where nothing did.
    """

    value: Value | None
    reason: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Passage:
    """The part of a reply that holds its answer.

    Attributes:
        text: The passage, thoughts blanked out; `reply[start:end]` where there were none.
        start: Offset of its first character in the reply.
        end: Offset behind its last character.
        reading: How it was found.
        language: Language that a code fence names, lower-case; empty where none is named.
    """

    text: str
    start: int
    end: int
    reading: Reading
    language: str = ""

    @property
    def span(self) -> Span:
        """Return `(start, end)` in the reply."""
        return self.start, self.end


def no_text(reply: object) -> Literal["missing", "not_text"]:
    """Return the reason why a reply that is no text gives no answer."""
    return "missing" if reply is None else "not_text"


def hide_thoughts(reply: str) -> str:
    """Blank out what a model thought aloud, keeping length and line ends.

    Thoughts stand in `<think>…</think>` (or thinking, thought, reasoning). Without the closing tag
    all that follows is thought (a reply cut short); without the opening tag, which chat templates
    swallow, all that precedes is.

    >>> hide_thoughts("<think>12?</think>7")
    '                  7'
    """
    thoughts: list[Span] = []
    depth = start = 0
    for tag in _THOUGHT_TAG.finditer(reply):
        if not (tag[1] or tag[2]):
            start = start if depth else tag.start()
            depth += 1
        elif depth:
            depth -= 1
            thoughts += [] if depth else [(start, tag.end())]
        else:
            thoughts = [(0, tag.end())]
    if depth:
        thoughts.append((start, len(reply)))
    parts: list[str] = []
    done = 0
    for start, end in thoughts:
        parts += [reply[done:start], _NOT_LINE_END.sub(" ", reply[start:end])]
        done = end
    return "".join([*parts, reply[done:]])


def is_refusal(text: str) -> bool:
    """Tell whether a reply says that it cannot answer.

    Meant for replies in which no answer was found: "I'm sorry for the delay. True." has one.

    >>> is_refusal("I'm sorry, I can't view the flowchart.")
    True
    """
    return _INABILITY.search(text, 0, 2000) is not None


def next_turn(text: str, start: int) -> int:
    r"""Return where, behind an answer, a model goes on to make up the next turn; else the end.

    >>> next_turn("True\nQuestion: Does b point to c?", 4)
    4
    """
    turn = _NEXT_TURN.search(text, start)
    return turn.start() if turn else len(text)


def looks_like_diagram(text: str) -> bool:
    """Tell whether a text has the header line or an arrow of a diagram language."""
    return _HEADER.search(text) is not None or _ARROW.search(text) is not None


def _is_language(name: str) -> bool:
    return bool(_DIAGRAM_LANGUAGE.fullmatch(name) or _OTHER_LANGUAGE.fullmatch(name))


def _inside(text: str, start: int, end: int, reading: Reading) -> Passage:
    """Return the passage between two fence marks, without the language's name."""
    word = _INFO_WORD.match(text, start, end)
    language = ""
    if word and not _BEGINS_AS_HEADER.match(text, word.start(1), end):
        name = word[1].lower()
        alone = text[word.end() : word.end() + 2].lstrip("\r").startswith("\n")
        if alone or _is_language(name):
            language, start = name, word.end()
    return Passage(text[start:end], start, end, reading, language)


def closed_fence(text: str) -> Passage | None:
    """Return the inside of the first closed ``` fence: what the FlowLearn paper's scores read."""
    start = text.find("```")
    end = text.find("```", start + 3) if start >= 0 else -1
    return _inside(text, start + 3, end, "fence") if end >= 0 else None


def _fences(text: str) -> Iterator[Passage]:
    """Yield the insides of all fences of any kind, the last one perhaps unclosed."""
    position = 0
    while mark := _FENCE_MARK.search(text, position):
        if mark["html"]:
            close = _HTML_END.search(text, mark.end())
            end, position = close.span() if close else (len(text), len(text))
        else:
            sign = mark["ticks"] or mark["line"]
            end = text.find(sign, mark.end())
            position = end + len(sign) if end >= 0 else len(text)
            close = None if end < 0 else mark
            end = end if close else len(text)
        yield _inside(text, mark.end(), end, "fence" if close else "unclosed_fence")


def _rank(fence: Passage) -> int:
    """Return how much a fence looks like the diagram asked for; lower is more."""
    if not fence.text.strip():
        return 4
    if _HEADER.search(fence.text) or _DIAGRAM_LANGUAGE.fullmatch(fence.language):
        return 0
    if _ARROW.search(fence.text):
        return 2 if _OTHER_LANGUAGE.fullmatch(fence.language) else 1
    return 3


def find_code(reply: object, mode: Mode = "paper") -> Passage:
    r"""Return the diagram code in a reply.

    Args:
        reply: The model's reply, `None` where it is missing.
        mode: `paper` takes the first closed ``` fence and nothing else; `meaning` reads as a
            careful person: thoughts aside, the first fence that is a diagram, an unclosed fence,
            other fence marks, and without any fence the whole text.

    Returns:
        The code and how it was found. `no_fence` carries no text in paper mode and the whole
        reply in meaning mode; `empty`, `refusal`, `missing` and `not_text` carry none.

    >>> find_code("Here:\n```mermaid\nflowchart LR\nA-->B\n```").text
    '\nflowchart LR\nA-->B\n'
    """
    if not isinstance(reply, str):
        return Passage("", 0, 0, no_text(reply))
    if mode == "paper":
        nothing: Reading = "no_fence" if reply.strip() else "empty"
        return closed_fence(reply) or Passage("", 0, 0, nothing)
    text = hide_thoughts(reply)
    if not text.strip():
        return Passage("", 0, 0, "empty")
    best = min(_fences(text), key=_rank, default=None)
    if best and (_rank(best) < 3 or not looks_like_diagram(text)):
        return best
    if not looks_like_diagram(text) and is_refusal(text):
        return Passage("", 0, 0, "refusal")
    start = len(text) - len(text.lstrip())
    end = len(text.rstrip())
    return Passage(text[start:end], start, end, "no_fence")
