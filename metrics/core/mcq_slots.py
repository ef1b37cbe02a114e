"""Reading a place that holds an option and nothing else: its label, its text, a list of labels."""

import re
from dataclasses import dataclass
from typing import Literal

from .mcq_mentions import place
from .mcq_texts import OptionTexts, trim
from .mcq_words import OPTION_NOUN

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


_ABBREVIATION = re.compile(r"(?<=\.)[A-Za-z]\.")
_ONE_LETTER = re.compile(r"[\W_]*[A-Za-z][\W_]*")
_HEAD_OPENING = re.compile(r"[\s*_\"'#>|`$-]*")
# Single-letter words that join are in lower case: "E" is an option, "e" joins in Portuguese.
_SEPARATOR = re.compile(
    r"\s*,\s*(?:[Aa]nd|[Oo]r|AND|OR|und|oder|et|ou|y|e|o)\s+"
    r"|\s*(?:[,;/&+、，；\n|]|\b(?:[Aa]nd|[Oo]r|AND|OR|und|oder|et|ou|y|e|o|и|или|và|och"
    r"|as well as|plus)\b"
    r"|和|与|與|及|或者?|または|と|와|과|또는|و|أو)\s*"
    r"|\.\s+(?=[(\[]?[A-Z1-9][).\]]?)"
)
_OR = re.compile(r"\b(?:or|oder|ou|o|или)\b|/|或|または|또는|أو", re.IGNORECASE)
_NOUN = re.compile(
    rf"(?:(?:the|both|all|la|le|die)\s+)?(?:(?:correct|right|final"
    rf"|best)\s+)?{OPTION_NOUN}(?:\s+(?:is|are|number|letter|no\.?))*[\s:#*_\"'(\[-]*",
    re.IGNORECASE,
)
_ROMAN = re.compile(r"[A-I]{2,9}")
_WITH_TEXT = re.compile(
    r"(?:[(\[{<]\s*([A-Za-z]|\d{1,2})\s*[)\]}>]\s*[.:,–—=-]*|([A-Za-z]"
    r"|\d{1,2})\s*[*_]*\s*(?:[)\]}.:]+(?!(?<=\d[.:])\d)|\s[–—-]\s|,(?=\s+(?:because|since|as|for"
    r"|due|although|though|but|while|even)\b))[*_]*)\s*(?=[^\s)])"
)
_BARE_HEAD = re.compile(r"([A-Z]|\d{1,2})\s+(?=\S)")
_BECAUSE = re.compile(
    r"(?:(?:because|since|as(?! well\b)|for|due to|explanation|reason\w*)\b|#+)", re.IGNORECASE
)
_ITEM_NUMBER = re.compile(r"\d{1,2}[.)]\s+(?=\S)")
_ITEM_LINES = re.compile(r"^[ \t]{0,4}\d{1,2}[.)][ \t]+", re.MULTILINE)
_COUNT = re.compile(r"one|two|three|four|five|six|seven|eight|nine")
_ORDINAL = re.compile(
    r"(?:the\s+)?(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|last|[1-9](?=st|nd"
    r"|rd|th))(?:st|nd|rd|th)?(?:\s+\w+)?"
)


# "-2", "$3", "1/2" and "2.5" are quantities; "- 2" is an item of a list, "$3$" a formula.
_QUANTITY = re.compile(r"(?:^|(?<=\s))(?:-|\$(?!\s?\d+\s?\$))\d|\d/\d|\d[.:]\d")


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
    if labels[0].isdigit() and _QUANTITY.search(text, max(0, first - 2), last):
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
    if own := texts.words and texts.whole(" ".join(_BRACES.sub(" ", low).split())):
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


_BRACES = re.compile(r"[{}]")  # left of "35 \\text{ lb}"
_AROUND = " \t-*_\"'([{<「『【《〈$#)]}>」』】》〉.,:;!?"
# A list begins with a label, or with a noun such as "options".
_NAMES_LABELS = re.compile(
    rf"[\W_]*(?:[A-Za-z1-9](?![^\W\d_]{{2}})|{OPTION_NOUN}|[A-I]{{2,9}}$)", re.IGNORECASE
)


_BRACKETED = re.compile(
    r"(?:[(\[]\s?[A-Z1-9]\s?[)\]]\s{0,3}){2,9}|[(\[]?[A-Z1-9](?:[)\]]\s{0,3}[(\[][A-Z1-9]){1,8}[)\]]?"
)
_SENTENCE = re.compile(r"\b(?:is|are|would|should|must)\b", re.IGNORECASE)


def _listed(inner: str, start: int, end: int, labels: tuple[str, ...]) -> Slot | None:
    """Read `A, C`, `(A) and (C)`, `A C`, `AC`."""
    if _BRACKETED.fullmatch(inner):
        inner = inner.replace(")", "), ").replace("]", "], ").strip(", ")
    if "\n" in inner and not labels[0].isdigit():
        inner = _ITEM_LINES.sub("", inner)
    if not _NAMES_LABELS.match(inner):
        return None
    pieces = [_ITEM_NUMBER.sub("", piece, count=1) for piece in _SEPARATOR.split(inner)]
    pieces = [piece.strip(_AROUND) for piece in pieces]
    if any(_SENTENCE.search(piece) for piece in pieces):
        return None
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
