"""What a reply to a counting question says to a careful reader.

Every number of the reply is looked at with the words round it: is it a count at all, or the name of
a thing, the mark of a list, an operand; is it exact, or a range or a bound; is it announced as the
answer, a total, or one count among others. The last of the most decided counts is the answer.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeVar

from .count_parts import JOINT, PARTS
from .count_words import (
    ANNOUNCED_WORD,
    ANSWER_BEFORE,
    ASIDE_BEFORE,
    ASIDE_BEHIND,
    BETWEEN_BEFORE,
    BOTH,
    BOUND_BEFORE,
    BOUND_BEHIND,
    CHINESE_COUNT,
    CORRECTION,
    DETAILS_BEHIND,
    FOREIGN,
    FOREIGN_COUNT,
    IN_TURN,
    INDEX_BEFORE,
    KIND_BEHIND,
    MARKER_BEHIND,
    MARKUP,
    NAMED_ITEM,
    NEGATED_BEFORE,
    NOTHING,
    NUMBER,
    ONE_THING,
    OPERAND_BEFORE,
    OPERAND_BEHIND,
    OTHER_BEFORE,
    OTHER_BEHIND,
    PRONOUN_BEFORE,
    PRONOUN_BEHIND,
    QUANTITY,
    QUOTED_BEFORE,
    QUOTED_BEHIND,
    RANGE_BETWEEN,
    ROMAN,
    SINGLE,
    STOP,
    SUM,
    THING_BEFORE,
    THING_BEHIND,
    TOTAL_BEFORE,
    TOTAL_BEHIND,
    UNITS,
    WHOLE,
    WHOLE_CHINESE,
    Counted,
)
from .letters import fold, lower
from .number_words import chinese_number, numbers_in_words
from .reply import Answer, Span, hide_thoughts, is_refusal, next_turn

Found = TypeVar("Found")

_WINDOW = 100  # characters looked at before and behind a number
_MOST_NUMBERS = 100  # looked at from either end; more are a model in a loop

_HEAD, _TAIL = 20_000, 50_000  # characters read of a long reply

_ASIDE, _PLAIN, _TOTAL, _ANSWER = range(4)
_REASONS = {_ASIDE: "count", _PLAIN: "count", _TOTAL: "total", _ANSWER: "answer"}


@dataclass(frozen=True, slots=True)
class _Number:
    """A number in the text; `value` is `None` where it is not whole or not exact."""

    value: int | None
    span: Span
    in_words: bool = False


@dataclass(frozen=True, slots=True)
class _Count:
    """A number that counts something.

    Attributes:
        value: The number; `None` where the reply does not settle on one.
        weight: How the reply puts it.
        span: Where it stands.
        thing: What it counts, as far as the words beside it tell.
    """

    value: int | None
    weight: int
    span: Span
    thing: str | None


def _ends(found: Iterable[Found]) -> list[Found]:
    """Return the first and the last of what was found, where there is too much of it."""
    everything = list(found)
    if len(everything) <= 2 * _MOST_NUMBERS:
        return everything
    return everything[:_MOST_NUMBERS] + everything[-_MOST_NUMBERS:]


def _in_digits(text: str) -> Iterator[_Number]:
    for match in _ends(NUMBER.finditer(text)):
        fraction = match["fraction"] or ""
        if not match["sign"]:
            whole = int(re.sub(r"\D", "", match["whole"]))
            yield _Number(None if fraction.strip("0") else whole, match.span("whole"))


def _in_other_words(text: str, numbers: Sequence[_Number]) -> Iterator[_Number]:
    """Yield quantities such as "a dozen", "no arrows", "a single node"."""
    ends = {number.span[1]: number for number in numbers}
    for match in _ends(QUANTITY.finditer(text)):
        times = ends.get(match.start() - 1)
        if match["many"] and not times:
            continue
        factor = times.value if times and times.value is not None else 1
        halves = 1 if match["half"] else 3 if match["more"] else 2 * factor
        halves += 1 if match["and_half"] else 0
        start = times.span[0] if times else match.start()
        yield _Number(halves * UNITS[match["unit"]] // 2, (start, match.end()), True)
    for pattern, value in ((SINGLE, 1), (ONE_THING, 1), (BOTH, 2), (NOTHING, 0)):
        for match in _ends(pattern.finditer(text)):
            yield _Number(value, match.span(match.lastindex or 0), True)
    for match in _ends(FOREIGN_COUNT.finditer(text)):
        yield _Number(FOREIGN[match["word"]], match.span("word"), True)
    for match in _ends(CHINESE_COUNT.finditer(text)):
        yield _Number(chinese_number(match[0]), match.span(), True)


def _numbers(text: str) -> list[_Number]:
    """Return the numbers of a text in order, none inside another."""
    numbers = [
        *_in_digits(text),
        *(_Number(word.value, word.span, True) for word in _ends(numbers_in_words(text))),
    ]
    numbers += list(_in_other_words(text, numbers))
    numbers.sort(key=lambda number: (number.span[0], -number.span[1]))
    outer: list[_Number] = []
    for number in numbers:
        if not outer or number.span[0] >= outer[-1].span[1]:
            outer.append(number)
    return _ends(outer)


def _list_marks(text: str, numbers: Sequence[_Number]) -> list[_Number]:
    """Return the numbers that mark the items of a list, as 1 and 2 in "1. a 2. b"."""
    marks: list[_Number] = []
    for number in numbers:
        start, end = number.span
        begins = not marks and re.search(
            r"(?:^|[\n:;,.(*])[\s*(_-]*$", text[max(0, start - 20) : start]
        )
        expected = marks[-1].value + 1 if marks and marks[-1].value else 1
        if (
            (marks or begins)
            and number.value == expected
            and not number.in_words
            and MARKER_BEHIND.match(text, end)
        ):
            marks.append(number)
    return marks if len(marks) > 1 else []


def _hedge(text: str, numbers: Sequence[_Number]) -> list[_Number]:
    """Take the value from numbers that are the ends of a range."""
    vague: set[_Number] = set()
    for one, other in pairwise(numbers):
        between = text[one.span[1] : other.span[0]]
        range_ = RANGE_BETWEEN.fullmatch(between) or (
            between == " and " and BETWEEN_BEFORE.search(text[: one.span[0]][-10:])
        )
        if range_ and one.value != other.value:
            vague |= {one, other}
    return [replace(number, value=None) if number in vague else number for number in numbers]


def _read_number(text: str, number: _Number) -> _Count | None:
    """Return what a number counts; `None` where it counts nothing."""
    start, end = number.span
    before = STOP.split(text[max(0, start - _WINDOW) : start])[-1]
    behind = STOP.split(text[end : end + _WINDOW])[0]
    if before.endswith("#") and ANSWER_BEFORE.search(before[:-1] or "answer "):
        before = before[:-1]
    if (
        INDEX_BEFORE.search(before)
        or KIND_BEHIND.match(behind)
        or (number.value and NEGATED_BEFORE.search(before))
        or OPERAND_BEFORE.search(before)
        or OPERAND_BEHIND.match(behind)
    ):
        return None
    if text[start:end] == "one" and (PRONOUN_BEFORE.search(before) or PRONOUN_BEHIND.match(behind)):
        return None
    announced = ANSWER_BEFORE.search(before)
    total = TOTAL_BEFORE.search(before) or TOTAL_BEHIND.match(behind)
    thing = THING_BEHIND.match(behind)
    if not (announced or total or thing) and OTHER_BEHIND.match(behind):
        return None
    thing = thing or THING_BEFORE.search(before)
    if not (announced or thing) and OTHER_BEFORE.search(before):
        return None
    bound = BOUND_BEFORE.search(before) or BOUND_BEHIND.match(behind)
    quoted = QUOTED_BEFORE.search(before) and QUOTED_BEHIND.match(behind)
    aside = quoted or ASIDE_BEFORE.search(before) or ASIDE_BEHIND.match(behind)
    weight = _ANSWER if announced else _TOTAL if total else _ASIDE if aside else _PLAIN
    return _Count(
        None if bound else number.value, weight, number.span, thing.lastgroup if thing else None
    )


def _counts(text: str) -> list[_Count]:
    """Return the counts of a text in order."""
    numbers = _hedge(text, _numbers(text))
    marks = {mark.span for mark in _list_marks(text, numbers)}
    counts: list[_Count] = []
    corrected, details = False, 0
    for number in numbers:
        if number.span in marks or (count := _read_number(text, number)) is None:
            continue
        if counts and CORRECTION.search(text, counts[-1].span[1], count.span[0]):
            corrected = True
        if corrected:
            count = replace(count, weight=_ANSWER)
        elif count.span[0] < details and count.weight == _PLAIN:
            count = replace(count, weight=_ASIDE)
        elif DETAILS_BEHIND.match(text, count.span[1]):
            stop = STOP.search(text, count.span[1])
            details = stop.start() if stop else len(text)
        counts.append(count)
    return counts


def _weigh(text: str, counts: Sequence[_Count]) -> Answer[int]:
    """Return the count that a reply settles on."""
    top = max(count.weight for count in counts)
    best = [count for count in counts if count.weight == top]
    last = best[-1]
    values = [count.value for count in best]
    if top < _TOTAL and len(set(values)) > 1 and None not in values:
        exact = [value for value in values if value is not None]
        if exact[0] == sum(exact[1:]) and len(exact) > 2:
            return Answer(exact[0], "total", best[0].span)
        things = {count.thing for count in best}
        # "1, 2, 3, 4, so 4"
        aloud = len(exact) > 2 and exact == [
            min(number, exact[-1]) for number in range(1, len(exact) + 1)
        ]
        if not aloud and len(things) == 1 and not IN_TURN.search(text, 0, last.span[0]):
            return Answer(None, "conflict")
    if last.value is None:
        return Answer(None, "inexact")
    return Answer(last.value, _REASONS[top], last.span)


def _in_parts(
    text: str, counts: Sequence[_Count], counted: Counted | None
) -> tuple[list[_Count], Answer[int] | None]:
    """Add up what is counted kind by kind, where nothing else is.

    Returns:
        The counts without those of parts of the other thing, and the sum.
    """
    parts = PARTS.search(text)
    if parts is None:
        return list(counts), None
    outside = [count for count in counts if not parts.start() <= count.span[0] < parts.end()]
    if counted and parts.lastgroup != counted:
        return outside, None
    if any(count.weight > _ASIDE for count in outside):
        return list(counts), None
    words = re.sub(r"\ban? ", "one ", parts[0])
    return outside, Answer(sum(map(_of_part, JOINT.split(words))), "sum", parts.span())


def _of_part(part: str) -> int:
    """Return the number of a part: "2 arrows leave node 5", "node 5 has 2"."""
    numbers = _numbers(part)
    if not numbers:
        return 0
    first = part.lstrip().startswith(part[slice(*numbers[0].span)])
    return numbers[0 if first else -1].value or 0


def _without_numbers(text: str) -> Answer[int]:
    """Read a reply without a count: a sum, a numbered list, one word of another language."""
    if added := SUM.search(text):
        return Answer(sum(map(int, re.findall(r"\d+", added[0]))), "sum", added.span())
    if marks := _list_marks(text, _numbers(text)):
        return Answer(marks[-1].value, "list", marks[-1].span)
    items = list(NAMED_ITEM.finditer(text))
    if len(items) > 1 and [int(item[1]) for item in items] == [*range(1, len(items) + 1)]:
        return Answer(len(items), "list", items[-1].span(1))
    announced = ANNOUNCED_WORD.match(text)
    word = MARKUP.sub(" ", text[announced.end() if announced else 0 :]).strip()
    start = text.find(word)
    value = WHOLE.get(word, FOREIGN.get(word))
    if chinese := WHOLE_CHINESE.fullmatch(word):
        value = chinese_number(chinese[1])
    if value is None and len(word) > 1 and (roman := ROMAN.fullmatch(word)):
        ones = {"ix": 9, "iv": 4}
        value = 10 * len(roman[1]) + ones.get(
            roman[2], 5 * roman[2].count("v") + roman[2].count("i")
        )
    if value is not None and start >= 0:
        return Answer(value, "word", (start, start + len(word)))
    return Answer(None, "refusal" if is_refusal(text) else "none")


def read_count_by_meaning(reply: str, counted: Counted | None = None) -> Answer[int]:
    """Read the count that a careful reader takes from a reply.

    Args:
        reply: The model's reply; `<think>` parts are no part of it.
        counted: What was asked for; counts of the other thing are passed over.

    Returns:
        The count with the reason `answer` (announced as such, or a correction), `total`, `count`,
        `sum` ("5 + 3", or of kinds: "2 ovals and 3 circles"), `list` (the items are numbered) or
        `word`; or none: `inexact` (a range, a bound, a fraction), `conflict`, `refusal`, `none`,
        `empty`. Of a very long reply the beginning and the end are read.

    >>> read_count_by_meaning("5 + 3 = 8").value
    8
    >>> read_count_by_meaning("4 nodes and 5 arrows", "nodes").value
    4
    """
    text = lower(fold(hide_thoughts(reply)))
    between = len(text) - _HEAD - _TAIL
    if between <= 0:
        return _read(text, counted)
    answer = _read(f"{text[: _HEAD - 1]}\n{text[-_TAIL:]}", counted)
    if answer.span and answer.span[0] >= _HEAD:
        start, end = answer.span
        return replace(answer, span=(start + between, end + between))
    return answer


def _read(text: str, counted: Counted | None) -> Answer[int]:
    if not text.strip():
        return Answer(None, "empty")
    counts = _counts(text)
    if counts:
        end = next_turn(text, counts[0].span[1])
        counts = [count for count in counts if count.span[0] < end]
    if counted:
        counts = [count for count in counts if count.thing in (None, counted)]
    counts, added = _in_parts(text, counts, counted)
    if added:
        return added
    return _weigh(text, counts) if counts else _without_numbers(text)
