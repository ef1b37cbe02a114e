"""The text in a reply to "what is written in the red box?", and how near it is to the right one."""

import re
import unicodedata
from dataclasses import dataclass

from .reply import Answer, Mode, Span, hide_thoughts, is_refusal, next_turn, no_text

# All runs are bounded, so that unclosed marks cost no more than a look at the next characters.
_QUOTED = re.compile(
    r"\"(?P<double>[^\"\n]{1,500})\"|“(?P<curly>[^“”\n]{1,500})”|«(?P<angled>[^«»\n]{1,500})»"
    r"|„(?P<low>[^„“”\n]{1,500})[“”]|「(?P<corner>[^「」\n]{1,500})」|『(?P<white>[^『』\n]{1,500})』"
    r"|\*\*(?P<bold>[^*\n]{1,500})\*\*|`{1,3}(?P<code>[^`\n]{1,500})`{1,3}"
    r"|(?<!\w)['‘](?P<single>(?:[^\n'’]|(?<=\w)['’](?=\w)){1,500})['’](?!\w)"
)
_FIELD = re.compile(
    r"\"\w{0,20}(?:text|answer|label|ocr|words?|phrase|content|value|result|output)\w{0,20}\"\s?:\s?"
    r"\[?\"(?P<json>(?:[^\"\\\n]|\\.){1,500})\""
    r"|'\w{0,20}(?:text|answer|label|ocr|content|result)\w{0,20}'\s?:\s?'(?P<python>[^'\n]{1,500})'"
    r"|\A\s{0,9}<(?P<name>\w{1,20})>(?P<wrapped>[^<]{1,500})</(?P=name)>"
    r"|<(?:answer|text|ocr|final|final_answer|output|result|response|content)>"
    r"(?P<tag>[^<]{1,500})</\w{1,20}>"
    r"|\\boxed\s?\{(?:\\text\w{0,9}\s?\{)?(?P<boxed>[^{}]{1,500})\}"
    r"|^\s{0,9}\$?\\(?:text\w{0,9}|mathrm)\s?\{(?P<latex>[^{}]{1,500})\}\$?\s{0,9}$",
    re.IGNORECASE,
)
_BOLD_SENTENCE = re.compile(r"(\s*)\*\*([^*\n]{1,500}[\"'”’]\.?)\*\*(\s*)")
_FENCED = re.compile(r"\s*```[a-z]{0,10}[ \t]*\n(?P<fence>[^`]+)```\s*")
_OPENING = re.compile(
    r"\s{0,9}(?:(?:assistant|output|response|ocr|final|here you (?:go|are)|i (?:can )?(?:read|see)"
    r"|(?:this |it )?(?:says|reads|states)|(?:this|that) is|transcribed|detected|recogni[sz]ed"
    r"|extracted)\s?:\s{1,9}"
    r"|(?:ans|(?-i:A)|transcript|reading|(?:in )?red)\s?:\s{1,9}"
    r"|i (?:can )?(?:see|read) (?:the (?:text|words?) )?(?=[^\n]{1,200}\.\s{0,9}\Z)"
    r"|#{1,6} (?:\w{1,20} ){0,3}(?:answer|text|result|output|ocr):?[ \t]*\n\s{0,9})",
    re.IGNORECASE,
)
_BEGINS_QUOTED = re.compile(
    r"\s{0,9}[-–—(,.]|\s{0,9}$|\s(?:is|are|was|appears|in|inside|within)\b", re.IGNORECASE
)
# What follows a bare answer in a paragraph of its own.
_REMARK = re.compile(
    r"[^\n]{0,199}[^\n.:!?,;](?P<remark>\s*\n[ \t]*\n\s{0,9}[(*_]{0,2}"
    r"(?:this|it|the text|the words?|the red|note|explanation)\b)",
    re.IGNORECASE,
)
_NOUN = (
    r"(?:text|words?|phrase|label|content|box|rectangle|node|answer|image|picture|ocr|result|output"
    r"|transcription|letter|number|digit|character|symbol)"
)
# "The text in the red box is", "It reads:", "Answer:"; what follows is the text.
_ANNOUNCED = re.compile(
    rf"(?:\b(?:(?:the|this|that|my|within|inside)(?: [\w'’-]{{1,20}}){{0,3}}? {_NOUN}|it|which)\b"
    r"(?: [\w-]{1,20}){0,12}? (?:is|are|was|says?|reads?|states?|contains?|shows?|displays?"
    r"|surrounds?|encloses?|highlights?|marks|(?:appears|seems|looks) (?:to (?:be|read|say)|like))"
    r"(?: (?:the |a )?(?:text|words?|phrase|label|term))?(?: as follows)?:?"
    rf"|\b{_NOUN}(?: [\w-]{{1,20}}){{0,6}}?[*_]{{0,2}}(?::| (?:=|→|->|[-–—])(?= ))[*_]{{0,2}})"
    r"[ \t\n]{1,4}|(?:文字|文本|内容|答案)(?:是|为)?[：:是为][ \t\n]{0,4}"
    r"|\b(?:texto|texte|testo|text|текст|텍스트|テキスト)(?: [\w-]{1,20}){0,6}? ?[:：][ \t\n]{1,4}",
    re.IGNORECASE,
)
_IN_RED = r"(?:in|inside|within) the red (?:[\w-]{1,20} )?(?:box|rectangle|frame|border|outline)"
_WRITTEN = re.compile(
    r"\s*(?P<written>[^\n]{1,500}?)"
    rf"(?:(?:,? \(?| ?\()(?:as )?(?:shown |seen |written |appears? )?{_IN_RED}[^\n]{{0,20}}"
    r"| (?:is|are) (?:(?:written|shown|displayed|visible|highlighted|enclosed|located)"
    r" (?:in|inside|within|by) [^\n]{1,60}"
    rf"|(?:the (?:\w+ )?(?:text|words?|label|phrase) )?{_IN_RED}[^\n]{{0,40}}"
    r"|(?:what|the (?:text|words?|label|phrase))[^\n]{1,40}\b(?:red|highlighted)\b[^\n]{0,20}))"
    r"\s*",
    re.IGNORECASE,
)
_CHATTER = re.compile(
    r"\n\s{0,9}(?:[-*_]{3,}\s{0,9})?"
    r"(?:let me know|please let|is there anything|feel free|i hope|hope this)",
    re.IGNORECASE,
)
_FIRST_ITEM = re.compile(r"1[.)] +(?=\S)")
_LINE_MARK = re.compile(r"\s*(?:>|[-*•]|#{1,6})[ ]+(?=\S)")
_NOTHING = re.compile(
    r"(?:(?:\bthere (?:is|are|appears to be)|\bthere['’]s|\bi (?:can )?see) no"
    r"|(?:\b(?:do|does|did) not|n['’]t) (?:contain|have|show|include|see|find) (?:an?|any)"
    r"|(?<!\S)no) (?:\w+ ){0,3}(?:box|rectangle|text|words?)\b"
    r"|(?:\bnot|n['’]t) any (?:\w+ ){0,2}text\b"
    r"|\b(?:box|rectangle|area|region) (?:is|appears) (?:empty|blank)\b|\bnothing (?:in|inside)\b"
    r"|\b(?:is|was)n['’]t (?:readable|legible|visible|clear)\b|\bimage (?:did not|didn['’]t) load"
    r"|\bno image (?:was |is )?(?:provided|attached|given|available)\b"
    r"|\s*(?:(?:not (?:clearly )?(?:legible|readable|visible|clear|available|provided|shown)"
    r"|illegible|unreadable|unclear)"
    r"\W*$|too (?:blurry|small|faint|dark|unclear|low)\b)",
    re.IGNORECASE,
)
_PUNCTUATION = " \t\r\n\"'“”‘’«»`*_.,:;!?()[]{}"


@dataclass(frozen=True, slots=True)
class TextMatch:
    """How near a text that was read is to the right one.

    Attributes:
        exact: The text that the reply claims to read is the right one, character for character.
        normalized: It is so but for case, white space, Unicode form and punctuation at the ends.
        edits: Characters to insert, delete or replace to make the one from the other.
        length: Characters of the right text.
    """

    exact: bool
    normalized: bool
    edits: int
    length: int


def normalize(text: str) -> str:
    """Return a text in the form in which reading it is judged leniently.

    >>> normalize("  “Foo   Bar”. ")
    'foo bar'
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(folded.split()).strip(_PUNCTUATION)


def _trim(text: str, span: Span) -> Span:
    part = text[slice(*span)]
    return span[0] + len(part) - len(part.lstrip()), span[1] - len(part) + len(part.rstrip())


def _answer_end(text: str) -> int:
    """Return where the answer ends: before a next turn, a remark on it, or courtesies."""
    start = len(text) - len(text.lstrip())
    end = next_turn(text, start)
    if next_turn(f"\n{text[start : start + 40]}", 0) == 0:
        end = len(text)
    if remark := _REMARK.match(text, start, end):
        end = remark.start("remark")
    chatter = _CHATTER.search(text, 0, end)
    return chatter.start() if chatter else end


def _announced(text: str, start: int) -> Span | None:
    """Return where the text stands that an announcement before `start` announces."""
    if fenced := _FENCED.match(text, start):
        return _trim(text, fenced.span("fence"))
    stop = text.find("\n", start)
    span = _trim(text, (start, stop if stop >= 0 else len(text)))
    if mark := _LINE_MARK.match(text, span[0]) or _FIRST_ITEM.match(text, span[0]):
        span = (mark.end(), span[1])
    if span[0] >= span[1]:
        return None
    # The announcing sentence's full stop is no part of the text.
    return span[0], span[1] - (text[span[1] - 1] in ".。" and span[1] - span[0] > 1)


def _claim(text: str) -> tuple[Span, str]:
    """Return where the text that a reply claims to read stands, and how it was found."""
    if bold := _BOLD_SENTENCE.fullmatch(text):
        text = f"{bold[1]}  {bold[2]}  {bold[3]}"
    if marked := _FIELD.search(text) or _FENCED.fullmatch(text):
        return _trim(text, marked.span(str(marked.lastgroup))), "marked"
    quoted = list(_QUOTED.finditer(text))
    if (
        quoted
        and not text[: quoted[0].start()].strip()
        and _BEGINS_QUOTED.match(text, quoted[0].end())
    ):
        return quoted[0].span(str(quoted[0].lastgroup)), "quoted"
    if announced := _ANNOUNCED.search(text):
        announced = _ANNOUNCED.match(text, announced.end()) or announced
        for quote in quoted:
            if quote.start() >= announced.end() - 1:
                return quote.span(str(quote.lastgroup)), "announced"
        if span := _announced(text, announced.end()):
            return span, "announced"
    if len(quoted) == 1:
        return quoted[0].span(str(quoted[0].lastgroup)), "quoted"
    if (written := _WRITTEN.fullmatch(text)) and not is_refusal(text):
        return written.span("written"), "announced"
    opening = _OPENING.match(text)
    if opening and (span := _announced(text, opening.end())):
        return span, "announced"
    mark = _LINE_MARK.match(text)
    begin = mark.end() if mark and "\n" not in text.strip() else 0
    return _trim(text, (begin, len(text))), "whole"


def read_text(reply: object, *, mode: Mode = "paper") -> Answer[str]:
    """Read the text that a reply claims to see.

    Args:
        reply: The model's reply; what is no text claims none.
        mode: `paper`: the whole reply, since the paper only asks whether the right text is in it;
            `meaning`: without thoughts, announcement ("The text in the box is"), quotes and code
            marks.

    Raises:
        ValueError: The mode is unknown.

    >>> read_text('The text in the red box is "foo bar".', mode="meaning").value
    'foo bar'
    """
    if mode not in ("paper", "meaning"):
        raise ValueError(f"mode: expected paper or meaning, got {mode!r}")
    if not isinstance(reply, str):
        return Answer(None, no_text(reply))
    text = reply if mode == "paper" else hide_thoughts(reply)
    if not text.strip():
        return Answer(None, "empty")
    if mode == "paper":
        span, reason = _trim(text, (0, len(text))), "whole"
    else:
        span, reason = _claim(text[: _answer_end(text)])
        if (reason == "whole" and is_refusal(text)) or (
            reason in ("whole", "announced")
            and not _QUOTED.search(text)
            and (_NOTHING.search(text, 0, 2000) or _NOTHING.match(text[slice(*span)]))
        ):
            return Answer(None, "refusal")
    return Answer(text[slice(*span)], reason, span)


def find_reference(reply: object, reference: str) -> Span | None:
    """Return where the right text first occurs in a reply: the FlowLearn paper's rule.

    Case counts; what is no text contains nothing.

    >>> find_reference("It says Foo.", "Foo")
    (8, 11)
    """
    start = reply.find(reference) if isinstance(reply, str) else -1
    return None if start < 0 else (start, start + len(reference))


def compare_text(claimed: str | None, reference: str) -> TextMatch:
    """Compare the text that a reply claims to read with the right text.

    Args:
        claimed: What `read_text` took from it; `None` counts as an empty text.
        reference: The right text, not empty.
    """
    from rapidfuzz.distance import Levenshtein

    text = claimed or ""
    return TextMatch(
        exact=text == reference,
        normalized=normalize(text) == normalize(reference),
        edits=Levenshtein.distance(text, reference),
        length=len(reference),
    )
