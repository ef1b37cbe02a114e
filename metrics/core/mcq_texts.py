"""Where a reply gives the text of an option instead of its label.

Texts are matched as whole words, the longest first, with freedom in case, spacing, hyphens,
articles, currency signs and thousands separators: "35 lb" is not "135 lb", "clockwise" is not
"counterclockwise", and "neither set A nor set B" is not "set A".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from .letters import fold, lower
from .mcq_mentions import Mention

_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|[^\w\s]")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_NONE_OF_THEM = re.compile(
    r"\bnone of (?:the|these|those|them)\b(?: (?:other )?(?:above|options?|choices|answers"
    r"|given|listed|figures|images|boxes|statements))?"
    r"|\bno (?:correct|right|valid) (?:option|answer|choice)"
    r"|\b(?:the )?correct answer is not (?:listed|given|among)"
)
_CANNOT_TELL = re.compile(
    r"\b(?:(?:can ?not|can't|impossible to|not possible to|unable to|hard to) (?:be )?(?:say"
    r"|tell|determined?|know|conclude|decide|ascertain)\b"
    r"(?: from the information)?|(?:not enough|insufficient|not sufficient|inadequate|lack of"
    r"|no) information\b(?: to (?:say|tell|determine))?"
    r"|(?:not|cannot be|can't be) (?:determined|determinable)|indeterminable|undeterminable)"
)
_BLIND = re.compile(
    r"\b(?:sorry|as an ai|ai (?:language )?model|(?:can ?not|can't|unable to"
    r"|not able to) (?:see|view|access|open|display|process)"
    r"|please (?:provide|upload|share)|no image|blurry|unclear image|not (?:visible|legible)"
    r"|provide (?:more|me|an|the))"
)
_ARTICLE = re.compile(r"(?:an?|the)\s+(?=[^\W\d])")
_BARE_NUMBER = re.compile(r"[£$€]?\s*(\d+(?:,\d{3})*(?:\.\d+)?)\s*%?")
_OPENING = re.compile(r"[\s*_\"'(\[{<「『【《$#>~|:=.,-]*")


def trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span without white space, quotes, brackets and punctuation at its edges."""
    opening = _OPENING.match(text, start, end)
    start = opening.end() if opening else start
    while end > start and (
        text[end - 1].isspace() or text[end - 1] in "*_\"')]}>」』】》$.,;:!?。！，、|="
    ):
        end -= 1
    return start, end


def _number(written: str) -> str:
    """Return a pattern for a number, however its thousands and trailing zeros are written."""
    plain = written.replace(",", "") if _THOUSANDS.fullmatch(written) else written
    if not re.fullmatch(r"\d+(?:\.\d+)?", plain):
        return re.escape(written)
    whole, _, decimals = plain.partition(".")
    head = len(whole) % 3 or 3
    groups = [whole[:head], *(whole[at : at + 3] for at in range(head, len(whole), 3))]
    pattern = r"[,\s]?".join(groups)
    if whole == "0" and decimals:
        pattern = "0?"
    decimals = decimals.rstrip("0")
    return pattern + (rf"\.{decimals}0*" if decimals else r"(?:\.0+)?")


_UNITS = (
    ("lb", "lbs", "pound", "pounds"), ("oz", "ounce", "ounces"), ("kg", "kilogram", "kilograms"),
    ("g", "gram", "grams"), ("mm", "millimeter", "millimeters"),
    ("cm", "centimeter", "centimeters"), ("m", "meter", "meters"),
    ("km", "kilometer", "kilometers"), ("ft", "foot", "feet"),
    ("in", "inch", "inches"), ("mi", "mile", "miles"), ("s", "sec", "second", "seconds"),
    ("min", "mins", "minute", "minutes"), ("h", "hr", "hrs", "hour", "hours"),
    ("l", "liter", "liters"), ("ml", "milliliter", "milliliters"), ("n", "newton", "newtons"),
    ("w", "watt", "watts"), ("v", "volt", "volts"), ("j", "joule", "joules"), ("k", "thousand"),
    ("million", "millions", "m", "mn"), ("billion", "bn"), ("°", "degree", "degrees"),
)  # fmt: skip


def _unit(word: str) -> str | None:
    """Return a pattern for all spellings of a unit of measure behind a number."""
    spellings = dict.fromkeys(
        spelling for unit in _UNITS if word in unit for spelling in (word, *unit)
    )
    if not spellings:
        return None
    longest_first = sorted(spellings, key=lambda spelling: -len(spelling))
    return "(?:" + "|".join(map(_word, longest_first)) + ")"


def _word(word: str) -> str:
    if word in ("counterclockwise", "anticlockwise"):
        return r"(?:counter|anti)[-\s]?clockwise"
    if word.endswith(("metre", "metres", "meter", "meters", "litre", "litres", "liter", "liters")):
        return re.escape(re.sub(r"(?:re|er)s?$", "", word)) + "(?:re|er)s?"
    return re.escape(word)


def _pattern(text: str) -> str | None:
    """Return a pattern for an option's text; None where there is nothing to look for."""
    tokens = list(_TOKEN.finditer(text))
    article = ""
    if len(tokens) > 1 and tokens[0][0] in ("a", "an", "the"):
        tokens, article = tokens[1:], r"(?:(?:an?|the)\s+)?"
    if len(tokens) > 2 and tokens[0][0] in ("it", "they"):
        tokens, article = tokens[1:], rf"(?:{tokens[0][0]}\s+)?"  # "the gear does not move"
    while tokens and not tokens[-1][0][-1].isalnum() and tokens[-1][0] not in "%°":
        tokens = tokens[:-1]
    while tokens and not tokens[0][0][-1].isalnum() and tokens[0][0] not in "-+":
        tokens = tokens[1:]
    if not tokens or (len(tokens) == 1 and len(tokens[0][0]) == 1 and tokens[0][0].isalpha()):
        return None
    parts: list[str] = []
    for index, token in enumerate(tokens):
        written = token[0]
        following = tokens[index + 1][0] if index + 1 < len(tokens) else ""
        previous = tokens[index - 1][0] if index else ""
        if _NUMBER.fullmatch(written):
            part = _number(written)
        elif previous[:1].isdigit() and (unit := _unit(written)):
            part = unit
        elif written.isalnum():
            part = _word(written)
        elif written in ":/=<>+×*^" or (
            written == "-" and following[:1].isdigit() and not previous
        ):
            part = re.escape(written)
        elif written == "%":
            part = "(?:%|percent|per cent)"
        else:
            part = f"(?:{re.escape(written)})?"
        gap = r"\W{0,3}?" if previous else ""
        if previous.isalpha() and written.isalpha():
            spaced = token.start() > tokens[index - 1].end()
            gap = r"[^\w.!?]{1,4}(?:the\s)?" if spaced else r"[^\w.!?]{0,3}"
        if written == "not" and previous in ("does", "do", "is", "are", "was", "were", "will"):
            gap, part = "", r"(?:n't|[^\w.!?]{1,4}not)"
        if len(written) == 1 and written.isalpha() and _QUANTIFIERS & {told[0] for told in tokens}:
            gap += r"(?:[a-z]{3,12}\s)?"  # "neither gear A nor gear B"
        parts.append(gap + part)
    body = article + "".join(parts)
    # `\w` around Chinese or Japanese text is not the rest of a word.
    if re.match(r"[a-z\u00c0-\u04ff]", tokens[0][0]):
        body = r"(?<![\w])(?<!\w-)" + body
    elif tokens[0][0][0].isdigit():
        body = r"(?<![\w])(?<!\d[.,])(?<!\d-)" + body
    if re.match(r"[a-z0-9\u00c0-\u04ff]", tokens[-1][0][-1]):
        body += r"(?![\w])(?![.,]\d)(?!-[a-z])"
    return body


@dataclass(frozen=True, slots=True)
class OptionTexts:
    """The texts of a question's options, ready to be found in replies.

    Attributes:
        finder: Pattern with one group an option, longest text first; None without any text.
        groups: Label of each group of `finder`.
        words: Words of each option's text, by label.
        none_of_them: Label of the option that says "none of the above".
        cannot_tell: Label of the option that says that one cannot tell.
        judging: Some text is itself a verdict, such as "True" or "No".
    """

    finder: re.Pattern[str] | None
    groups: tuple[str, ...]
    words: tuple[tuple[str, tuple[str, ...]], ...]
    none_of_them: str | None
    cannot_tell: str | None
    judging: bool

    def mentions(self, low: str) -> Iterator[Mention]:
        """Find the option texts in a folded lower-case text, the longest of overlapping ones."""
        if self.finder is None:
            return
        for match in self.finder.finditer(low):
            index = match.lastindex
            if index and not (" " not in match[0] and _OTHER_SENSE.match(low, match.start())):
                yield Mention((self.groups[index - 1],), *match.span(), kind="text")

    def paraphrases(self, low: str) -> Iterator[Mention]:
        """Find other wordings of "none of the above" and "one cannot tell"."""
        for label, pattern in (
            (self.none_of_them, _NONE_OF_THEM),
            (self.cannot_tell, _CANNOT_TELL),
        ):
            if label and not (pattern is _CANNOT_TELL and _BLIND.search(low)):
                for match in pattern.finditer(low):
                    yield Mention((label,), *match.span(), kind="paraphrase")

    def whole(self, low: str) -> str | None:
        """Return the label of the one option whose text is all that a short text says."""
        if equation := _EQUATION.match(low):
            low = low[equation.end() :]
        if self.finder is not None:
            article = _ARTICLE.match(low)
            match = self.finder.fullmatch(low, article.end() if article else 0)
            if match and match.lastindex:
                return self.groups[match.lastindex - 1]
        return self._part(low) or self._same_number(low)

    def _part(self, low: str) -> str | None:
        """Return the one option that begins or ends so: "neither", for "neither A nor B"."""
        given = tuple(_TOKEN.findall(low))
        if not given or len(given) > 12:
            return None
        if given[0] in _QUANTIFIERS and len(given) <= 3:
            begin = [label for label, words in self.words if words[:1] == given[:1]]
            if len(begin) == 1:
                return begin[0]
        alike = [
            (label, words)
            for label, words in self.words
            if given in (words[: len(given)], words[-len(given) :])
        ]
        if len(alike) != 1:
            return None
        label, words = alike[0]
        if given[0] in _QUANTIFIERS:
            return label
        told, said = (
            [word for word in part if word not in _EMPTY_WORDS] for part in (given, words)
        )
        unique = not any(set(told) <= set(other) for own, other in self.words if own != label)
        spelled = len(told) > 1 or (len(told) == 1 and told[0].isalpha() and len(told[0]) > 2)
        return label if spelled and unique and 2 * len(told) >= len(said) else None

    def _same_number(self, low: str) -> str | None:
        """Return the one option with the number given, whose unit the text leaves out."""
        bare = _BARE_NUMBER.fullmatch(low)
        if not bare or not self.words:
            return None
        value = float(bare[1].replace(",", ""))
        numbers = [(label, _only_number(words)) for label, words in self.words]
        if sum(number is not None for _, number in numbers) < 2:
            return None
        alike = [label for label, number in numbers if number == value]
        return alike[0] if len(alike) == 1 else None


_QUANTIFIERS = {"neither", "both", "none", "all"}
_EQUATION = re.compile(r"[a-zθα]\s?=\s?")
_EMPTY_WORDS = {"a", "an", "the", "it", "they", "there", "is", "are", "has", "have", "to", "of"}
_OTHER_SENSE = re.compile(
    r"right\s+(?:answer|choice|option|one|of|side|angle|hand)|left\s+(?:with|side|of|hand|is"
    r"|to)|no\s+[a-z]|all\s+[a-z]|true\s+(?:that|if)"
)


def _only_number(words: tuple[str, ...]) -> float | None:
    numbers = [word for word in words if word[0].isdigit()]
    if len(numbers) != 1:
        return None
    written = numbers[0].replace(",", "") if _THOUSANDS.fullmatch(numbers[0]) else numbers[0]
    try:
        return float(written)
    except ValueError:
        return None


@lru_cache(maxsize=512)
def option_texts(choices: tuple[tuple[str, str], ...]) -> OptionTexts:
    """Prepare the texts of a question's options; an empty text is an option without one.

    >>> option_texts((("A", "clockwise"), ("B", "counterclockwise"))).whole("counter-clockwise")
    'B'
    """
    labels = {lower(label) for label, _ in choices}
    plain = [(label, lower(fold(text)).strip()) for label, text in choices]
    plain = [(label, text) for label, text in plain if text.strip(" ().'\"") not in labels]
    patterns = [(label, pattern) for label, text in plain if (pattern := _pattern(text))]
    counts: dict[str, int] = {}
    for _, pattern in patterns:
        counts[pattern] = counts.get(pattern, 0) + 1
    unique = [(label, pattern) for label, pattern in patterns if counts[pattern] == 1]
    unique.sort(key=lambda item: len(item[1]), reverse=True)
    nota = [label for label, text in plain if _NOTA_TEXT.search(text)]
    cannot = [label for label, text in plain if _CANNOT_TEXT.search(text)]
    return OptionTexts(
        re.compile("|".join(f"({pattern})" for _, pattern in unique)) if unique else None,
        tuple(label for label, _ in unique),
        tuple((label, tuple(_TOKEN.findall(text))) for label, text in plain if text),
        nota[0] if len(nota) == 1 else None,
        cannot[0] if len(cannot) == 1 else None,
        any(text in _VERDICTS for _, text in plain),
    )


_VERDICTS = {"true", "false", "yes", "no", "correct", "incorrect", "right", "wrong"}
_NOTA_TEXT = re.compile(r"^(?:none of (?:the|these|those|them)|none$)")
_CANNOT_TEXT = re.compile(
    r"^(?:it is )?(?:can ?not|can't|impossible to|not possible to|insufficient|not enough"
    r"|unable to)\s*(?:be )?"
    r"(?:say|tell|determined?|know|information|data)"
)
