"""What a reply to a true/false question says to a careful reader.

The reply is cut into sentences; in each, cues (words of truth and falsehood) are found, and the
words just before and behind tell whether a cue is asserted, negated, hedged, only talked about, or
a name in the picture. Then the asserted cues are weighed: what is announced as the answer or
corrects it above what is concluded, that above a bare verdict, that above the rest.
"""

import re
from collections import deque
from dataclasses import dataclass, replace
from itertools import islice

from .letters import fold, lower
from .reply import Answer, Span, hide_thoughts, is_refusal, next_turn
from .truefalse_words import (
    AFFIRMED,
    ANSWER_BEFORE,
    ASKED,
    BARE,
    CONCEDED_BEHIND,
    CONCLUSION_BEFORE,
    CONTRAST,
    CORRECTION,
    CUE,
    DENIED,
    ECHO,
    HEDGE_BEFORE,
    HEDGE_BEHIND,
    INTERJECTION_BEFORE,
    INTERJECTION_BEHIND,
    INTERJECTIONS,
    MARKUP,
    NAME_OF_BEHIND,
    NAMED_BEFORE,
    NEGATION_BEFORE,
    NESTED_BEHIND,
    PICTURE,
    POSITIVE,
    PREDICATE_BEFORE,
    PREDICATE_BEHIND,
    PREDICATES,
    SHORT_ANSWER,
    STOP,
    STRUCK_OUT,
    TALKED_ABOUT_BEFORE,
    UNSEEN,
)

_WINDOW = 100  # characters looked at before and behind a cue
_MOST_CUES = 100  # looked at from either end; more are a model in a loop

_PLAIN, _BARE, _CONCLUSION, _ANSWER = range(4)
_REASONS = {_PLAIN: "verdict", _BARE: "verdict", _CONCLUSION: "conclusion", _ANSWER: "answer"}


@dataclass(frozen=True, slots=True)
class _Cue:
    """A word of truth or falsehood.

    Attributes:
        value: The verdict that it gives, negation applied; `None` where it is hedged.
        weight: How the reply puts it.
        span: Where it stands.
        interjection: Whether it is a yes or no, which a verdict in words explains.
        picture: Number of the picture of which it is said; 0 where none is named.
    """

    value: bool | None
    weight: int
    span: Span
    interjection: bool
    picture: int


def _weight(kind: str, before: str, bare: bool) -> int:
    if ANSWER_BEFORE.search(before):
        return _ANSWER
    if CONCLUSION_BEFORE.search(before):
        return _CONCLUSION
    return _BARE if bare and kind not in INTERJECTIONS else _PLAIN


def _usable(kind: str, before: str, behind: str) -> bool:
    """Tell whether a cue of this kind can be a verdict where it stands."""
    if NAMED_BEFORE.search(before) or NAME_OF_BEHIND.match(behind):
        return False
    if kind in PREDICATES and not ANSWER_BEFORE.search(before):
        return bool(PREDICATE_BEFORE.search(before) and PREDICATE_BEHIND.match(behind))
    if kind in INTERJECTIONS:
        return bool(INTERJECTION_BEFORE.search(before) and INTERJECTION_BEHIND.match(behind))
    return True


def _read_cue(text: str, cue: re.Match[str]) -> _Cue | None:
    """Return what a cue says in its sentence; `None` where it gives no verdict."""
    kind = str(cue.lastgroup)
    span = start, end = cue.span(kind)
    before = STOP.split(text[max(0, start - _WINDOW) : start])[-1]
    behind = STOP.split(text[end : end + _WINDOW])[0]
    if not _usable(kind, before, behind):
        return None
    hedged = HEDGE_BEFORE.search(before) or HEDGE_BEHIND.match(behind)
    asked = ASKED.match(text, end + len(behind))
    if not hedged and (
        asked or TALKED_ABOUT_BEFORE.search(before) or CONCEDED_BEHIND.match(behind)
    ):
        return None
    negated = NEGATION_BEFORE.search(before) is not None
    pictures = PICTURE.findall(before)
    return _Cue(
        value=None if hedged else (kind in POSITIVE) != negated,
        weight=_weight(kind, before, bare=not MARKUP.sub("", before + behind)),
        span=span,
        interjection=kind in INTERJECTIONS,
        picture=int(pictures[-1]) if pictures else 0,
    )


def _cues(text: str) -> list[_Cue]:
    """Return the cues of a text in order; those behind a correction weigh as answers."""
    cues: list[_Cue] = []
    corrected = False
    matches = CUE.finditer(text)
    first = list(islice(matches, _MOST_CUES))
    for match in (*first, *deque(matches, maxlen=_MOST_CUES)):
        cue = _read_cue(text, match)
        if cue is None:
            continue
        if cues:
            outer = cues[-1]
            between = text[outer.span[1] : cue.span[0]]
            corrected = corrected or CORRECTION.search(between) is not None
            if NESTED_BEHIND.match(between) and None not in (outer.value, cue.value):
                # "It is false that the statement is wrong."
                cue = replace(cue, value=outer.value is cue.value)
                cues.pop()
        cues.append(replace(cue, weight=_ANSWER) if corrected else cue)
    return cues


def _weigh(cues: list[_Cue]) -> Answer[bool]:
    """Return the verdict of a reply's cues."""
    asserted = [cue for cue in cues if cue.value is not None]
    if not asserted:
        return Answer(None, "hedged" if cues else "none")
    words = [cue for cue in asserted if not cue.interjection]
    if words and max(cue.weight for cue in words) >= max(cue.weight for cue in asserted):
        asserted = words
    if len({cue.picture for cue in asserted} - {0}) > 1:
        # The pictures of a few-shot prompt in turn: the query's comes last.
        last = [cue for cue in asserted if cue.picture][-1]
        return Answer(last.value, "last_picture", last.span)
    top = max(cue.weight for cue in asserted)
    best = [cue for cue in asserted if cue.weight == top]
    if top < _CONCLUSION and len({cue.value for cue in best}) > 1:
        return Answer(None, "both")
    cue = best[0] if top < _CONCLUSION else best[-1]
    return Answer(cue.value, _REASONS[top], cue.span)


def _whole(text: str) -> Answer[bool] | None:
    """Read a reply that is one word or sign, whatever marks stand round it."""
    for plain in (text.strip(), text.strip(" \n.!,"), MARKUP.sub(" ", text).strip()):
        if bare := BARE.fullmatch(plain):
            start = text.find(plain)
            span = (start, start + len(plain)) if start >= 0 else None
            return Answer(bare["true"] is not None, "verdict", span)
    return None


def _implied(text: str) -> Answer[bool] | None:
    """Read a reply that says whether there is an arrow, but not whether the statement is true."""
    if "?" in text or " if " in text or " whether " in text:
        return None
    if denied := UNSEEN.search(text, 0, 2000) or DENIED.search(text, 0, 2000):
        return Answer(False, "implied", denied.span())
    affirmed = AFFIRMED.search(text, 0, 2000)
    if affirmed and not CONTRAST.search(text, 0, 2000):
        return Answer(True, "implied", affirmed.span())
    return None


def read_by_meaning(reply: str) -> Answer[bool]:
    """Read the verdict that a careful reader takes from a reply.

    The reply alone is read: without the statement, a reply that only describes the arrow ("The
    arrow points from a to b.") has no verdict.

    Args:
        reply: The model's reply; `<think>` parts are no part of it.

    Returns:
        The verdict with the reason `verdict`, `conclusion`, `answer` (announced as such, or a
        correction), `last_picture`, or `implied` (says that there is, or is no, arrow); or none:
        `both`, `hedged`, `refusal`, `none`, `empty`.

    >>> read_by_meaning("It might look true, but it is not.").value
    >>> read_by_meaning("False. It would be true if the arrow pointed the other way.").value
    False
    """
    text = lower(fold(hide_thoughts(reply)))
    if not text.strip():
        return Answer(None, "empty")
    if whole := _whole(text):
        return whole
    for beside in (ECHO, STRUCK_OUT):
        text = beside.sub(lambda match: " " * len(match[0]), text)
    cues = _cues(text)
    asserted = next((cue for cue in cues if cue.value is not None), None)
    if asserted:
        end = next_turn(text, asserted.span[1])
        cues = [cue for cue in cues if cue.span[0] < end]
    short = [
        _Cue(match["true"] is not None, _ANSWER, match.span(match.lastgroup or 0), False, 0)
        for match in SHORT_ANSWER.finditer(text)
    ]
    answer = _weigh(cues + short)
    if answer.reason != "none":
        return answer
    if is_refusal(text) and not UNSEEN.search(text, 0, 2000):
        return Answer(None, "refusal")
    return _implied(text) or answer
