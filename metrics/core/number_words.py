"""Numbers in words: "twenty-one", "a hundred and five", 二十一."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .reply import Span

_UNITS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    "nineteen",
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
_VALUES = (
    {word: value for value, word in enumerate(_UNITS)}
    | {word: 10 * value for value, word in enumerate(_TENS, 2)}
    | {"fourty": 40}
    | _SCALES
)
_WORD = "|".join(sorted(_VALUES, key=len, reverse=True))
_JOINT = r"(?:[ \t]{1,3}and[ \t]{1,3}|[ \t]{0,3}-[ \t]{0,3}|[ \t]{1,3})"
_RUN = re.compile(rf"(?<![^\W\d_])(?:{_WORD})(?:{_JOINT}(?:{_WORD}))*(?![^\W\d_])", re.IGNORECASE)
_ONE_WORD = re.compile(rf"(?<![^\W\d_])(?:{_WORD})(?![^\W\d_])", re.IGNORECASE)
_CHINESE = dict(zip("零一二三四五六七八九", range(10), strict=True)) | {"〇": 0, "两": 2, "兩": 2}
_CHINESE_SCALES = {"十": 10, "百": 100}
CHINESE_NUMBER = f"[{''.join([*_CHINESE, *_CHINESE_SCALES])}]{{1,6}}"
"""Regular expression for a number in Chinese or Japanese characters."""
_ARTICLE = re.compile(r"(?<![^\W_])an?[ \t]{1,3}$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NumberInWords:
    """A number written out.

    Attributes:
        value: The number.
        span: Where it stands, an article before a scale ("a hundred") included.
    """

    value: int
    span: Span


def _continues(total: int, group: int, value: int, joined_by_and: bool) -> bool:
    """Tell whether a word adds to the number so far, e.g. "one" to "twenty", not to "five"."""
    if value >= 1000:
        return group > 0 and (total == 0 or value < _lowest_scale(total))
    if value == 100:
        return group in range(1, 100)
    if joined_by_and:
        return value > 0 and (group % 100 == 0) and (group >= 100 or total > 0)
    if 20 <= value < 100:
        return group % 100 == 0 and (group >= 100 or total > 0)
    return value > 0 and (
        (group % 100 >= 20 and group % 10 == 0 and value < 10)
        or (group % 100 == 0 and (group >= 100 or total > 0))
    )


def chinese_number(text: str) -> int:
    """Return the value of a number below a thousand that matches `CHINESE_NUMBER`.

    >>> [chinese_number(text) for text in ("七", "十二", "二十", "一百零五")]
    [7, 12, 20, 105]
    """
    total = digit = 0
    for character in text:
        if scale := _CHINESE_SCALES.get(character):
            total, digit = total + (digit or 1) * scale, 0
        else:
            digit = _CHINESE[character]
    return total + digit


def _lowest_scale(total: int) -> int:
    return next(scale for scale in (1000, 10**6, 10**9) if total % (scale * 1000))


def numbers_in_words(text: str) -> Iterator[NumberInWords]:
    """Yield the numbers written in English words, in order.

    >>> [number.value for number in numbers_in_words("a hundred and five, or twenty-one two")]
    [105, 21, 2]
    """
    for run in _RUN.finditer(text):
        total = group = 0
        start: int | None = None
        end = run.start()
        for word in _ONE_WORD.finditer(text, *run.span()):
            value = _VALUES[word[0].lower()]
            joined_by_and = "and" in text[end : word.start()].lower()
            if start is not None and not _continues(total, group, value, joined_by_and):
                yield NumberInWords(total + group, (start, end))
                start, total, group = None, 0, 0
            if start is None:
                article = _ARTICLE.search(text, max(0, word.start() - 5), word.start())
                scale = value in _SCALES.values()
                start = article.start() if article and scale else word.start()
                group = 1 if scale else 0
            if value >= 1000:
                total, group = total + group * value, 0
            else:
                group = group * 100 if value == 100 else group + value
            end = word.end()
        if start is not None:
            yield NumberInWords(total + group, (start, end))
