"""How many: the number in a reply, by the FlowLearn paper's rule or by meaning."""

import re

from .count_meaning import read_count_by_meaning
from .count_words import Counted
from .number_words import numbers_in_words
from .reply import Answer, Mode, hide_thoughts, no_text

_LONGEST = 18  # digits; more are no count, and Python refuses to convert thousands of them
# A number that is not glued to letters: `entity0` is a name.
_DIGITS = re.compile(
    r"(?<![A-Za-zÀ-ɏ\d])(\d{1,3}(?:,\d{3})+(?![\d,])|\d+)(?:\.(\d+))?(?![A-Za-zÀ-ɏ\d])"
)


def read_first_number(reply: str) -> Answer[int]:
    """Read the count as the published scores do: the first number in digits.

    Thousands may be grouped by commas, and `4.0` is 4. A reply without digits counts by its first
    number in words. (FlowLearn; rule measured on the published replies.)

    >>> read_first_number("There are 3 nodes: 1. a 2. b 3. c").value
    3
    """
    if digits := _DIGITS.search(reply):
        if digits[2] and digits[2].strip("0"):
            return Answer(None, "not_whole")
        if len(digits[1]) > _LONGEST:
            return Answer(None, "too_large")
        return Answer(int(digits[1].replace(",", "")), "digits", digits.span(1))
    for number in numbers_in_words(reply):
        return Answer(number.value, "words", number.span)
    return Answer(None, "none" if reply.strip() else "empty")


def read_count(
    reply: object, *, mode: Mode = "paper", strip_think: bool = True, counted: Counted | None = None
) -> Answer[int]:
    """Read the count in a reply to "how many … are there?".

    Args:
        reply: The model's reply; what is no text has none.
        mode: `paper`: the first number; `meaning`: the count that a careful reader takes from it.
        strip_think: In paper mode, ignore `<think>` parts; meaning mode always does.
        counted: What was asked for, `nodes` or `arrows`: in meaning mode, counts of the other are
            passed over. Without it the last count stated is taken.

    Raises:
        ValueError: The mode, or what is counted, is unknown.
    """
    if mode not in ("paper", "meaning"):
        raise ValueError(f"mode: expected paper or meaning, got {mode!r}")
    if counted not in (None, "nodes", "arrows"):
        raise ValueError(f"counted: expected nodes or arrows, got {counted!r}")
    if not isinstance(reply, str):
        return Answer(None, no_text(reply))
    if mode == "meaning":
        return read_count_by_meaning(reply, counted)
    return read_first_number(hide_thoughts(reply) if strip_think else reply)
