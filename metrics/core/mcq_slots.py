"""Places of a reply that hold an answer and nothing else: boxes, tags, fields, ticks, bare lines."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .mcq_mentions import place
from .mcq_texts import OptionTexts, trim
from .mcq_words import OPTION_NOUN

Span = tuple[int, int]
Status = Literal["stated", "hedged", "restated", "outside_choices"]


@dataclass(frozen=True, slots=True)
class Slot:
    """What such a place says.

    Attributes:
        labels: The options named.
        start: Offset of the place in the reply.
        end: Offset behind it.
        status: `stated`, or why it does not count.
        kind: Named by label or by text.
    """

    labels: tuple[str, ...]
    start: int
    end: int
    status: Status = "stated"
    kind: Literal["label", "text"] = "label"


_BOX = re.compile(r"\\(?:boxed|fbox|framebox)\s*\{|<\|?begin_of_box\|?>")
_BOX_END = re.compile(r"<\|?end_of_box\|?>")
_TAG = re.compile(
    r"<\s*/?\s*(?:(?:final|correct|my|selected)[_ -]?)?(?:answer|choice|option|result|solution|conclusion|letter)\s*>",
    re.IGNORECASE,
)
_FIELD = re.compile(
    r"[\"']\s*(?:[\w ]{0,20}?)(?:answer|choice|option|selection|selected|prediction|label|letter|result|response|output|pick|答案)(?:[_ ]?(?:letter|id|key|choice|option|label|index))?\s*[\"']\s*:\s*",
    re.IGNORECASE,
)
_NOT_CHOSEN = re.compile(
    r"wrong|incorrect|eliminat|reject|discard|other|possible|explan|reason", re.IGNORECASE
)
_VALUE = re.compile(
    r"\"((?:[^\"\\\n]|\\.){0,300})\"?|'([^'\n]{0,300})'?|(\[[^\]\n]{0,300}\]?)|([\w.%]{1,30})"
)
_MARKUP = re.compile(
    r"\\(?:text(?:bf|it|rm|sf|tt)?|math(?:bf|rm|sf|it|bb)|operatorname|bf|rm|left|right|quad|qquad|displaystyle|Large|large|huge)\b\*?|\\[,;:! ]"
    r"|</?(?:b|i|u|em|strong|br|p|span|div|sup|sub|mark|code|h[1-6]|li|ul|ol|td|tr|center|font|img|s)\b[^<>]{0,80}>"
    r"|<\|[^<>|]{1,40}\|>|&nbsp;|<(?:unk|s|/s|pad|eos|bos)>",
    re.IGNORECASE,
)
_ROLE = re.compile(
    r"\s*(?:###\s*)?(?:assistant|model|chatbot|bot|ai|gpt[-\w.]{0,12}|response)\s*:", re.IGNORECASE
)
_NEXT_QUESTION = re.compile(r"\banswer\s*:[^\n]*\n\s*(?=\d{1,2}[.)]\s[^\n]*\?\s*\n)", re.IGNORECASE)
_TURN = re.compile(
    r"\n\s*(?:#+\s*|<\|?im_start\|?>\s*|\*\*)?(?:user|human|question|q|instruction|problem|student)\s*\d*\s*(?:\*\*)?\s*[:：]",
    re.IGNORECASE,
)


# Of a run-on's many boxes, tags and fields only the last are read.
_LAST_PLACES = 20


def hide_markup(text: str) -> str:
    """Blank out LaTeX and HTML formatting and a leading role name, keeping length."""
    if "\\" in text or "<" in text or "&" in text:
        text = _MARKUP.sub(lambda match: " " * len(match[0]), text)
    if role := _ROLE.match(text):
        text = " " * role.end() + text[role.end() :]
    return text


def chat_turns(text: str) -> int | None:
    """Return where a question begins that the model invented after its reply."""
    turn = _TURN.search(text)
    ends = [turn.start()] if turn and text[: turn.start()].strip() else []
    if question := _NEXT_QUESTION.search(text):
        ends.append(question.end())
    return min(ends, default=None)


def boxed(text: str) -> list[Span]:
    r"""Find the insides of `\boxed{…}` and of box tokens, in order."""
    found: list[Span] = []
    for box in list(_BOX.finditer(text))[-_LAST_PLACES:]:
        start = box.end()
        if box[0].startswith("<"):
            close = _BOX_END.search(text, start, start + 400)
            found.append((start, close.start() if close else min(len(text), start + 100)))
            continue
        depth, end = 1, start
        while end < min(len(text), start + 400) and depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        found.append((start, end - 1 if depth == 0 else end))
    return found


def tagged(text: str) -> list[Span]:
    """Find the insides of `<answer>…</answer>` and its kin, in order; the last may be unclosed."""
    tags = list(_TAG.finditer(text))[-_LAST_PLACES:]
    found: list[Span] = []
    for index, tag in enumerate(tags):
        if "/" in tag[0]:
            continue
        end = tags[index + 1].start() if index + 1 < len(tags) else len(text)
        found.append((tag.end(), end))
    return found


def fields(text: str) -> list[Span]:
    """Find the values of JSON or Python keys such as `"answer"`, in order."""
    found: list[Span] = []
    for key in list(_FIELD.finditer(text))[-_LAST_PLACES:]:
        if _NOT_CHOSEN.search(key[0]):
            continue
        value = _VALUE.match(text, key.end())
        if value and value.lastindex:
            found.append(value.span(value.lastindex))
    return found


def label_map(text: str, labels: tuple[str, ...]) -> Slot | None:
    """Read an object that gives every option a probability or a truth value."""
    pairs: list[tuple[str, float, Span]] = []
    for match in _MAP_ENTRY.finditer(text):
        if match[1].upper() not in labels:
            return None
        value = {"true": 1.0, "false": 0.0}.get(match[2].lower())
        pairs.append((match[1].upper(), float(match[2]) if value is None else value, match.span()))
    if len(pairs) < 2 or len({label for label, _, _ in pairs}) != len(pairs):
        return None
    top = max(value for _, value, _ in pairs)
    best = [(label, span) for label, value, span in pairs if value == top]
    truth = all(value in (0.0, 1.0) for _, value, _ in pairs)
    if len(best) > 1 and not (truth and top == 1.0):
        return Slot((), pairs[0][2][0], pairs[-1][2][1], "hedged")
    if top <= 0:
        return None
    return Slot(tuple(label for label, _ in best), best[0][1][0], best[-1][1][1])


_MAP_ENTRY = re.compile(
    r"[\"']([A-Za-z1-9])[\"']\s*:\s*(\d*\.?\d+|true|false)(?=\s*[,%}\]]|\s*$)", re.IGNORECASE
)

_SEPARATOR = re.compile(
    r"\s*,\s*(?:and|or|und|oder|et|ou|y|e|o)\s+|\s*(?:[,;/&+、，；\n|]|\b(?:and|or|und|oder|et|ou|y|e|o|и|или|và|och|as well as|plus)\b|和|与|與|及|或者?|または|と|와|과|또는|و|أو)\s*"
    r"|\.\s+(?=[(\[]?[A-Z1-9][)\].]?)",
    re.IGNORECASE,
)
_OR = re.compile(r"\b(?:or|oder|ou|o|или)\b|或|または|또는|أو", re.IGNORECASE)
_NOUN = re.compile(
    rf"(?:(?:the|both|all|la|le|die)\s+)?(?:(?:correct|right|final|best)\s+)?{OPTION_NOUN}(?:\s+(?:is|are|number|letter|no\.?))*[\s:#*_\"'(\[-]*",
    re.IGNORECASE,
)
_ROMAN = re.compile(r"[A-I]{2,9}")
_WITH_TEXT = re.compile(
    r"(?:[(\[{<]\s*([A-Za-z]|\d{1,2})\s*[)\]}>]\s*[.:,–—=-]*|([A-Za-z]|\d{1,2})\s*[*_]*\s*(?:[)\]}.:]+|\s[–—-]\s|,(?=\s+(?:because|since|as|for|due)\b))[*_]*)\s*(?=[^\s)])"
)
_BARE_HEAD = re.compile(r"([A-Z]|\d{1,2})\s+(?=\S)")
_BECAUSE = re.compile(
    r"(?:(?:because|since|as|for|due to|explanation|reason\w*)\b|#+)", re.IGNORECASE
)
_ITEM_NUMBER = re.compile(r"\d{1,2}[.)]\s+(?=\S)")
_COUNT = re.compile(r"one|two|three|four|five|six|seven|eight|nine")
_ORDINAL = re.compile(
    r"(?:the\s+)?(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|last|[1-9](?=st|nd|rd|th))(?:st|nd|rd|th)?(?:\s+\w+)?"
)


def read_slot(
    text: str,
    low: str,
    start: int,
    end: int,
    labels: tuple[str, ...],
    texts: OptionTexts,
    leading: bool = False,
) -> Slot | None:
    """Read a place that should hold an option: its label, its text, a list of labels.

    Args:
        text: Folded text of the reply.
        low: The same in lower case.
        start: Where the place begins.
        end: Where it ends.
        labels: The allowed labels.
        texts: Their texts.
        leading: Also take a label with words behind it, `B) because …`.

    Returns:
        What it says; None if it is something else.
    """
    first, last = trim(text, start, end)
    if not labels[0].isdigit() and (numbered := _ITEM_NUMBER.match(text, first, last)):
        first = numbered.end()
    if first == last or (last - first > 400 and not leading):
        return None
    inner = text[first:last]
    slot = _bare(inner, low[first:last], first, last, labels, texts)
    if slot is None and (noun := _NOUN.match(inner)) and noun.end():
        at = first + noun.end()
        slot = _bare(text[at:last], low[at:last], at, last, labels, texts) if at < last else None
        inner = text[at:last] if at < last else inner
        first = at
        start = at
    if slot is None and leading:
        slot = _headed(text, low, start, last, labels, texts)
    return slot


def _bare(
    inner: str, low: str, start: int, end: int, labels: tuple[str, ...], texts: OptionTexts
) -> Slot | None:
    label = inner.upper()
    if label in labels:
        return Slot((label,), start, end)
    if own := texts.whole(low):
        return Slot((own,), start, end, kind="text")
    if len(inner) == 1 and inner.isascii() and inner.isalpha():
        return Slot((), start, end, "outside_choices")
    if len(inner) > 120:
        return None
    if listed := _listed(inner, start, end, labels):
        return listed
    if _COUNT.fullmatch(low) and labels[0].isdigit() and (named := place(low, labels)):
        return Slot((named,), start, end)
    ordinal = _ORDINAL.fullmatch(low)
    if ordinal and (named := place(ordinal[1], labels)):
        return Slot((named,), start, end)
    return None


_AROUND = " \t-*_\"'([{<「『【《〈$#)]}>」』】》〉.,:;!?"
# A list begins with a label, or with a noun such as "options".
_NAMES_LABELS = re.compile(
    rf"[\W_]*(?:[A-Za-z1-9](?![^\W\d_]{{2}})|{OPTION_NOUN}|[A-I]{{2,9}}$)", re.IGNORECASE
)


def _listed(inner: str, start: int, end: int, labels: tuple[str, ...]) -> Slot | None:
    """Read `A, C`, `(A) and (C)`, `A C`, `AC`."""
    if not _NAMES_LABELS.match(inner):
        return None
    pieces = [_ITEM_NUMBER.sub("", piece, count=1) for piece in _SEPARATOR.split(inner)]
    pieces = [piece.strip(_AROUND) for piece in pieces]
    pieces = [
        _NOUN.sub("", piece, count=1) if len(piece) > 2 else piece for piece in pieces if piece
    ]
    if len(pieces) == 1:
        words = inner.split()
        if len(words) > 1 and all(word in labels for word in words):
            pieces = words
        elif (
            _ROMAN.fullmatch(inner)
            and len(set(inner)) == len(inner)
            and (list(inner) == sorted(inner) or len(inner) == 2)
        ):
            pieces = list(inner)
    named = tuple(dict.fromkeys(piece.upper() for piece in pieces))
    if len(pieces) < 2 or not all(len(piece) <= 2 and piece for piece in pieces):
        return None
    if not all(label in labels for label in named):
        return None
    if len(named) == len(labels) > 2:
        return Slot(named, start, end, "restated")
    if len(named) > 1 and _OR.search(inner):
        return Slot(named, start, end, "hedged")
    return Slot(named, start, end)


def _headed(
    text: str, low: str, start: int, end: int, labels: tuple[str, ...], texts: OptionTexts
) -> Slot | None:
    """Read `B) text`, `(B) text`, `B: text`, or `B text` where the text is the option's own."""
    opening = _HEAD_OPENING.match(text, start, end)
    at = opening.end() if opening else start
    head = _WITH_TEXT.match(text, at, end)
    if head and _ABBREVIATION.match(text, head.end(), end):
        return None  # "A.I."
    if head and _ONE_LETTER.fullmatch(text, head.end(), end):
        return None  # "(E) C" says two things
    if head:
        index = 1 if head[1] else 2
        label = head[index].upper()
        if label in labels and not (head[index].islower() and index == 2 and "," in head[0]):
            return Slot((label,), head.start(index), head.end(index))
        return None
    bare = _BARE_HEAD.match(text, at, end)
    if bare and bare[1] in labels:
        first, last = trim(text, bare.end(), end)
        if texts.whole(low[first:last]) == bare[1] or _BECAUSE.match(text, bare.end()):
            return Slot((bare[1],), bare.start(1), bare.end(1))
    return None


_ABBREVIATION = re.compile(r"(?<=\.)[A-Za-z]\.")
_ONE_LETTER = re.compile(r"[\W_]*[A-Za-z][\W_]*")
_HEAD_OPENING = re.compile(r"[\s*_\"'#>|`$-]*")
_YES = r"(?:[✓✔✅☑]|\byes\b|\bcorrect\b|\btrue\b|\bright\b|\bfits\b|\bmatch(?:es)?\b|✓|对|是|正确)"
_NO = (
    r"(?:[✗✘❌×✖☒]|\bno\b|\bincorrect\b|\bwrong\b|\bfalse\b|\bnot\b|\bdoes(?:n't| not)\b|错|否|不)"
)
_BEHIND = re.compile(rf"[\s)\]}}*_\"':=|.?–—>-]*(?:(?P<no>{_NO})|(?P<yes>{_YES}))(?![\w])")
_AHEAD = re.compile(r"(?P<yes>[✓✔✅☑]|\[[xX✓✔]\])|(?P<no>[✗✘❌✖☒]|\[ ?\])")
_TICK = re.compile(r"[✓✔✅☑✗✘❌✖☒]|\[[xX ✓✔]?\]")
_ROW = re.compile(r"^[ \t]*\|[^\n]*$", re.MULTILINE)


def ticked(text: str, low: str, labels: tuple[str, ...]) -> Slot | None:
    """Read options marked one by one: a table, `A ✗, B ✓`, `A no, B yes`, `[x] B`."""
    votes: list[tuple[str, bool, Span]] = [*_table_votes(text, low, labels)]
    if not votes and _TICK.search(text):
        votes = [*_ahead_votes(text, labels)]
    if not votes:
        votes = [*_behind_votes(text, low, labels)]
    chosen = [(label, span) for label, yes, span in votes if yes]
    if (
        not chosen
        or len({label for label, _, _ in votes}) < 2
        or len({label for label, _ in chosen}) == len(labels)
    ):
        return None
    return Slot(
        tuple(dict.fromkeys(label for label, _ in chosen)), chosen[0][1][0], chosen[-1][1][1]
    )


def _table_votes(text: str, low: str, labels: tuple[str, ...]) -> list[tuple[str, bool, Span]]:
    votes = []
    for row in _ROW.finditer(text):
        cells = [cell.strip(" \t*_`\"'") for cell in row[0].strip().strip("|").split("|")]
        head = re.fullmatch(
            rf"(?:{OPTION_NOUN}\s*)?\(?([A-Za-z]|\d{{1,2}})\)?[.):]?(?:\s.*)?",
            cells[0],
            re.IGNORECASE,
        )
        if not head or head[1].upper() not in labels:
            continue
        verdicts = [lower_cell for cell in cells[1:] if (lower_cell := cell.lower())]
        yes = [cell for cell in verdicts if re.match(rf"{_YES}(?!\w)", cell)]
        no = [cell for cell in verdicts if re.match(rf"{_NO}(?!\w)", cell)]
        if yes or no:
            votes.append((head[1].upper(), bool(yes) and not no, row.span()))
    return votes


def _ahead_votes(text: str, labels: tuple[str, ...]) -> list[tuple[str, bool, Span]]:
    """Read marks that stand before the labels, a line each."""
    votes = []
    for line in re.finditer(r"^[\s*+-]*(\S[^\n]*)$", text, re.MULTILINE):
        mark = _AHEAD.match(text, line.start(1))
        if not mark:
            continue
        label = re.compile(
            rf"[\s*_(\[]*(?:{OPTION_NOUN}\s*)?[(\[]?([A-Z]|\d)(?!\w)", re.IGNORECASE
        ).match(text, mark.end())
        if label and label[1].upper() in labels:
            votes.append((label[1].upper(), bool(mark["yes"]), line.span()))
    return votes


def _behind_votes(text: str, low: str, labels: tuple[str, ...]) -> list[tuple[str, bool, Span]]:
    """Read marks and yes or no right behind the labels."""
    votes = []
    for match in re.finditer(r"(?<![\w'-])(?:[A-Z]|\d)(?![\w'-])", text):
        if match[0] in labels and (mark := _BEHIND.match(low, match.end(), match.end() + 40)):
            votes.append((match[0], mark["no"] is None, (match.start(), mark.end())))
    return votes
