"""Where a reply names an option: by its label, by its place ("the second option"), or in a list.

A one-letter word is not always an option: "A diagram", "I think", "N/A", "B-movies", "A-D", "i.e."
and a lower-case "a" are told apart here by what stands next to the letter.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from .mcq_words import OPTION_NOUNS, STRICT_NOUNS

Joint = Literal["single", "and", "or", "nor"]
Kind = Literal["label", "place", "text", "paraphrase"]


@dataclass(frozen=True, slots=True)
class Mention:
    """One place of a reply that names one option, or several in a list.

    Attributes:
        labels: The options named; a label outside the allowed set stays in, see `outside`.
        start: Offset of the first name.
        end: Offset behind the last name.
        joint: How the names of a list are joined.
        kind: Named by label, by place or by the option's text.
        marked: In brackets, bold or quotes, or after a word such as "option".
        small: Written in lower case with nothing that marks it as a label.
        outside: Some label is not among the choices.
    """

    labels: tuple[str, ...]
    start: int
    end: int
    joint: Joint = "single"
    kind: Kind = "label"
    marked: bool = False
    small: bool = False
    outside: bool = False


_LETTER = r"A-Za-z0-9\u00c0-\u024f\u0400-\u04ff"
_LETTERS = re.compile(rf"(?<![{_LETTER}])(?:[A-Za-z]|[A-I]{{2,9}})(?![{_LETTER}])")
# Not of "2.5", "1/2", "3:1", "4%", "-2", "$3"; "$3$" is a formula.
_NUMBER = re.compile(
    rf"(?<![{_LETTER}.,])(?<!\d[/:])(?<!\s-)(?<!\A-)(?:(?<!\$)|(?=\d{{1,2}}\s?\$))"
    rf"\d{{1,2}}(?![{_LETTER}]|[.,:/]\d|\s?%)"
)
_OPENERS = frozenset("([{<\"'*_「『【《〈$#")
_CLOSERS = frozenset(")]}>\"'*_」』】》〉$")
_COUNTED = re.compile(r"\s{0,3}[^\W\d_]{2}")
_WRAPPERS = " \t\n([{<\"'*_「『【《〈$#|~\\:"

# Words that follow an option's letter and never the article "a" or the pronoun "I".
_VERB = (
    "is|was|has|had|does|doesn't|isn't|hasn't|wasn't|shows?|fits|matches|works|contains"
    "|completes|continues|"
    "looks|seems|appears|follows|makes|keeps|breaks|violates|lacks|repeats|satisfies|belongs"
    "|goes|comes|"
    "stands|represents|corresponds|rotates|moves|turns|points|depicts|best|correct|wrong|incorrect|"
    "will|would|should|must|can|cannot|can't|could|won't|might|may"
)
# "A replaces the …": behind an article stands no verb.
_ANY_VERB = r"[a-z]{2,}(?<![sui])s\s+(?:the|an?|both|all|each|this|that|its?|two|least|most|more)"
_AFTER_LETTER = re.compile(
    rf"\s+(?:{_VERB}|{_ANY_VERB}|are|and|or|nor|but|because|since|as|for|with|by|in|on|at|from|to|of|due"
    rf"|based|then|also|"
    r"alone|only|when|where|while|which|that|if|not|no|yes|does|therefore|so|y|et|und|est|ist"
    r"|es|é|è|oder|ou|it\s+(?:is|must|has))\b",
    re.IGNORECASE,
)
_AFTER_PRONOUN = re.compile(
    r"\s+(?:is|was|has|does|doesn't|isn't|hasn't|fits|matches|shows|works|completes|looks|seems"
    r"|belongs)\b",
    re.IGNORECASE,
)
_PRONOUN_ASIDE = re.compile(r",\s+(?:unfortunately|personally|however|too|for one|as an?)\b")
_NEXT_WORD = re.compile(r"\s+[\"']?([^\W\d_]+)")
_SENTENCE_START = re.compile(r"(?:^|[.!?:;。！？：\n\"(*>|–—-])[\s*_\"'#>-]*$")
_JOIN = re.compile(
    r"[\s*_\"')\]}>」』】》〉$]*"
    r"(?P<word>,?\s*\b(?:and|or|nor|und|oder|et|ou|y|e|o|и|или|và|hoặc|och|eller|en|of|ve|dan"
    r"|as well as|plus)\b|"
    r"[,]\s*(?:and|or)\s+|[,/&+、，]|\s*(?:和|与|與|及|或者?|または|と|か|와|과|또는|و|أو)|\.(?=\s)|\n)?"
    r"\s*(?:(?:both|also|either|the|option|options|choice|choices|answer|figure|figures|letter"
    r"|opción|opção|选项)\s+){0,3}"
    r"[\s*_\"'(\[{<「『【《〈$]*$",
    re.IGNORECASE,
)
_OR = re.compile(r"\b(?:or|oder|ou|o|или|hoặc|eller|of)\b|/|或|または|か|또는|أو", re.IGNORECASE)
_NOR = re.compile(r"\bnor\b", re.IGNORECASE)
_ORDINALS = (
    ("first", "1st", "1"), ("second", "2nd", "2"), ("third", "3rd", "3"), ("fourth", "4th", "4"),
    ("fifth", "5th", "5"), ("sixth", "6th", "6"), ("seventh", "7th", "7"), ("eighth", "8th", "8"),
    ("ninth", "9th", "9"),
)  # fmt: skip
_PLACE = re.compile(
    r"(?<!my )(?<!our )\b(?:(?P<word>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth"
    r"|last|[1-9](?:st|nd|rd|th))"
    r"\s+(?:(?:answer|given|listed)\s+)?(?:option|choice|answer|alternative|figure|image"
    r"|picture|diagram|statement|one)\b(?!\s+in\s+the\s+(?:sequence|series|row|pattern))"
    r"|(?:option|choice|alternative)\s+(?:number\s+|no\.?\s*|#\s*)?(?P<digit>[1-9]|one|two"
    r"|three|four|five|six)(?!\w|\.\d)"
    r"|\banswer is (?P<count>one|two|three|four|five|six|seven|eight|nine)(?=\W{0,4}(?:$|\n)))",
    re.IGNORECASE,
)
_BEFORE_ARTICLE = {"has", "have", "had", "with", "shows", "contains", "of", "such", "like", "into"}
_OF_PATTERN = re.compile(
    r"\b(?:each|every|any|all|\w+(?:st|nd|rd|th|top)) "
    r"(?:row|column|line|sequence|series)s?\b[^.!?\n]*$",
    re.IGNORECASE,
)
_NUMBER_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


@lru_cache(maxsize=256)
def _joined_labels(labels: tuple[str, ...]) -> frozenset[str]:
    return frozenset(labels)


def place(word: str, labels: Sequence[str]) -> str | None:
    """Return the label at a place named by an ordinal or a number word.

    >>> place("second", "ABCD"), place("last", "ABCD"), place("9th", "ABCD")
    ('B', 'D', None)
    """
    word = word.lower()
    if word == "last":
        return labels[-1]
    for index, forms in enumerate(_ORDINALS):
        if word in forms or word == _NUMBER_WORDS[index]:
            return labels[index] if index < len(labels) else None
    return None


# What makes a lone letter part of a word, by the text right before and right behind it: B-movies,
# A-D, I'd, d'accord, i.e., 25 °C, R&D, N/A, B = 5.
_WORD_BEFORE = re.compile(
    r"(?:\w[-–]|[^\W\d_]'|(?<![^\W\d_])[^\W\d_]\.|°|[^\W\d_]&|(?<![^\W\d_])[Nn]/)$"
)
_WORD_BEHIND = re.compile(
    r"[-–]\w|'(?!s(?!\w))[^\W\d_]|\.[^\W\d_](?![^\W\d_])|(?<=[Nn])/[Aa]\b|\s{0,2}=(?!>|\s*$)"
)


def _is_part_of_word(text: str, start: int, end: int) -> bool:
    """Tell whether a lone letter belongs to an abbreviation, a compound, a formula."""
    if _WORD_BEHIND.match(text, end):
        return True
    return _WORD_BEFORE.search(text, max(0, start - 3), start) is not None


def _is_article(text: str, start: int, end: int) -> bool:
    """Tell whether a capital A or I is the article or the pronoun."""
    letter = text[start]
    if letter == "I" and _PRONOUN_ASIDE.match(text, end):
        return True
    word = _NEXT_WORD.match(text, end, end + 24)
    if not word:
        return False
    if letter == "I":
        return _AFTER_PRONOUN.match(text, end, end + 24) is None
    if _AFTER_LETTER.match(text, end, end + 24):
        return False
    head = text[max(0, start - 24) : start]
    if word[1].isupper() and len(word[1]) > 1:
        return head.strip() == "" or head.strip()[-1:].isupper() or head.rstrip()[-1:] in ".:!?"
    return _SENTENCE_START.search(head) is not None


def _last_word(window: str) -> str:
    """Return the word a text ends with, in a script with or without spaces."""
    at = len(window)
    while at and window[at - 1].isalpha():
        at -= 1
    word = window[at:]
    return (
        word
        if word.isascii()
        else next((noun for noun in STRICT_NOUNS if word.endswith(noun)), word)
    )


def _surroundings(text: str, low: str, start: int, end: int) -> tuple[bool, str]:
    """Return whether a name stands in brackets or quotes, and the word before it."""
    window = low[max(0, start - 40) : start]
    bare = window.rstrip(_WRAPPERS)
    wrapper = window[len(bare) :].strip()
    closing = text[end : end + 2].strip()[:1]
    tight = wrapper[-1:] in _OPENERS and text[end : end + 1] in _CLOSERS
    return tight or (wrapper[-1:] in {"(", "["} and closing in {")", "]"}), _last_word(bare)


def _number_mention(
    text: str, low: str, match: re.Match[str], labels: frozenset[str]
) -> Mention | None:
    """Return the option that a number names; "3 shapes" names none."""
    start, end = match.span()
    bracketed, word = _surroundings(text, low, start, end)
    marked = bracketed or word in OPTION_NOUNS
    if not marked and _COUNTED.match(text, end) and not _AFTER_LETTER.match(text, end, end + 24):
        return None
    return Mention((match[0],), start, end, marked=marked, outside=match[0] not in labels)


def _letter_mention(
    text: str, low: str, match: re.Match[str], labels: frozenset[str]
) -> Mention | None:
    """Return the option that a lone letter names, if it is no word of its own."""
    start, end = match.span()
    if _is_part_of_word(text, start, end):
        return None
    bracketed, word = _surroundings(text, low, start, end)
    noun = word in OPTION_NOUNS
    letter = match[0]
    if letter == "a" and word in _BEFORE_ARTICLE and not bracketed:
        return None
    small = False
    named = bracketed or _is_named(text, letter, word, end)
    if letter in "AI" and not named and _is_article(text, start, end):
        return None
    if letter.islower():
        if letter in "ai":  # "the image a child drew"
            noun = word in STRICT_NOUNS and not _NEXT_WORD.match(text, end, end + 24)
        small = not (bracketed or noun)
    label = letter.upper()
    return Mention(
        (label,), start, end, marked=bracketed or noun, small=small, outside=label not in labels
    )


def _is_named(text: str, letter: str, word: str, end: int) -> bool:
    """Tell whether the word before makes a capital A or I a name: "option I", "figure A"."""
    if letter == "A":
        return word in OPTION_NOUNS
    return (
        word in ("through", "thru")
        or word in STRICT_NOUNS
        or (word in OPTION_NOUNS and _AFTER_PRONOUN.match(text, end, end + 24) is not None)
    )


_LIST_GOES_ON = re.compile(r"[)\]*]*\s*(?:[.,]|$)")


def _joined(text: str, first: Mention, second: Mention) -> Mention | None:
    """Return the list of two neighbouring mentions, if nothing but a joint lies between."""
    if second.start - first.end > 40 or first.small != second.small:
        return None
    if (second.small and second.outside) or set(second.labels) < set(first.labels):
        return None  # "of A, B and C, C"
    between = text[first.end : second.start]
    joint = _JOIN.match(between)
    if not joint or joint["word"] is None:
        return None
    word = joint["word"]
    if word == "." and not _LIST_GOES_ON.match(text, second.end):
        return None
    if word == "\n" and not (first.labels == second.labels or _alone_on_lines(text, first, second)):
        return None
    kind: Joint = "nor" if _NOR.search(word) else "or" if _OR.search(word) else "and"
    if first.joint in ("or", "nor"):
        kind = first.joint
    return replace(
        first,
        labels=tuple(dict.fromkeys(first.labels + second.labels)),
        end=second.end,
        joint=kind,
        marked=first.marked or second.marked,
        outside=first.outside or second.outside,
    )


def _alone_on_lines(text: str, first: Mention, second: Mention) -> bool:
    line_start = text.rfind("\n", 0, first.start) + 1
    line_end = text.find("\n", second.end)
    line_end = len(text) if line_end < 0 else line_end
    rest = text[line_start : first.start] + text[second.end : line_end]
    return not any(character.isalnum() for character in rest)


_RANGE = re.compile(r"[)\]\"']*\s*(?:-|–|—|~|to|through|thru|bis|到|至)\s*[(\[\"']*", re.IGNORECASE)
_CHANGE = re.compile(r"\b(?:chang|switch|revis|updat)[^.!?\n]{0,40}\bfrom\b[^.!?\n]{0,20}$")
_NEW_CLAUSE = re.compile(r"[)\]*\"']*\s*,\s*(?:and\b|but\b)?")
_SINGULAR_VERB = re.compile(rf"\s+(?:{_VERB})\b", re.IGNORECASE)


def _letter_run(match: re.Match[str], allowed: frozenset[str]) -> Mention | None:
    """Return the options that letters written together name, "AC": only where one is called for."""
    run = tuple(match[0])
    ordered = list(run) == sorted(run) or len(run) == 2
    if not ordered or len(set(run)) < len(run) or not allowed.issuperset(run):
        return None
    return Mention(run, *match.span(), joint="and", small=True)


def label_mentions(text: str, low: str, labels: tuple[str, ...]) -> list[Mention]:
    """Find the options that a text names by label, lists joined.

    Args:
        text: Folded text.
        low: The same in lower case.
        labels: The allowed labels.
    """
    allowed = _joined_labels(labels)
    pattern, single = (
        (_NUMBER, _number_mention) if labels[0].isdigit() else (_LETTERS, _letter_mention)
    )
    found: list[Mention] = []
    for match in pattern.finditer(text):
        if len(match[0]) > 1 and not match[0].isdigit():
            mention = _letter_run(match, allowed)
        else:
            mention = single(text, low, match, allowed)
        if mention is None:
            continue
        last = found[-1] if found else None
        if (
            last
            and _RANGE.fullmatch(text, last.end, mention.start)
            and last.labels < mention.labels
            and not _CHANGE.search(low, max(0, last.start - 60), last.start)
        ):
            found.pop()
        elif last and (both := _joined(text, last, mention)):
            comma_and = _NEW_CLAUSE.match(text, last.end, mention.start)
            if (
                comma_and
                and last.joint == "single"
                and _SINGULAR_VERB.match(text, mention.end, mention.end + 20)
            ):
                found.append(mention)  # "so A, and C is out"
            else:
                found[-1] = both
        else:
            found.append(mention)
    return found


def place_mentions(text: str, labels: tuple[str, ...]) -> Iterator[Mention]:
    """Find the options named by their place: "the second option", "option 3"."""
    for match in _PLACE.finditer(text):
        if match["count"]:
            if labels[0].isdigit() and (counted := place(match["count"], labels)):
                yield Mention((counted,), *match.span("count"), kind="place", marked=True)
            continue
        if match["word"] and _OF_PATTERN.search(text, max(0, match.start() - 60), match.start()):
            continue  # "in each row the third figure"
        word = match["word"] or match["digit"]
        if match["digit"] and word in labels:
            continue
        ordinal = word[0] if word[0].isdigit() and match["word"] else word
        label = place(ordinal, labels)
        if label:
            yield Mention((label,), match.start(), match.end(), kind="place", marked=True)
        elif match["digit"]:
            yield Mention(
                (word,), match.start(), match.end(), kind="place", marked=True, outside=True
            )
