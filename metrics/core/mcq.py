"""Reading the answer letters out of a model's reply to a multiple-choice question.

The rules of `mcq_rules.RULES` are tried in order; the first that reaches a verdict decides, and its
name is the reason. Nothing is ever guessed: a reply that rejects, hedges, restates the options or
never commits itself yields no letters, with the reason. Stands in for the language model that the
LogicVista paper extracts with (section 3.3).
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from .letters import fold
from .mcq_places import chat_turns, end_of_reply, hide_markup, tagged
from .mcq_reply import Reply, Verdict
from .mcq_rules import decide
from .mcq_texts import OptionTexts, option_texts
from .reply import Span, hide_thoughts

Choices = Sequence[str] | Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a reply answers.

    Attributes:
        letters: The labels chosen, in the order of the choices; empty if none was.
        reason: Name of the rule that decided, or why there is no answer.
        span: Offsets in the reply of what decided; None where nothing did.
    """

    letters: tuple[str, ...]
    reason: str
    span: Span | None


_LABEL = re.compile(r"[A-Za-z]|\d{1,2}")


@dataclass(frozen=True, slots=True)
class _Options:
    """The choices made ready: labels as written and in upper case, and the texts."""

    written: tuple[str, ...]
    labels: tuple[str, ...]
    texts: OptionTexts


@lru_cache(maxsize=512)
def _options(pairs: tuple[tuple[str, str], ...]) -> _Options:
    written = tuple(label.strip() for label, _ in pairs)
    if not written or not all(_LABEL.fullmatch(label) for label in written):
        raise ValueError(f"choices need labels such as 'A' or '1': {list(written)}")
    labels = tuple(label.upper() for label in written)
    if len(set(labels)) < len(labels):
        raise ValueError(f"choices name a label twice: {list(written)}")
    texts = option_texts(tuple(zip(labels, (text for _, text in pairs), strict=True)))
    return _Options(written, labels, texts)


def _allowed(choices: Choices) -> _Options:
    if isinstance(choices, str) or not isinstance(choices, Iterable):
        raise TypeError(f"choices are a list of labels or {{label: text}}, not {choices!r}")
    if isinstance(choices, Mapping):
        pairs = ((str(label), str(text or "")) for label, text in choices.items())
    else:
        pairs = ((str(label), "") for label in choices)
    return _options(tuple(pairs))


# An answer before an invented chat turn is the answer, even if it is none of the choices.
_SETTLED = frozenset({"outside_choices", "hedged", "taken_back", "conflicting"})
# Of a longer reply only the ends are read: no person looks for the answer in the middle.
_HEAD, _TAIL = 10_000, 50_000


@dataclass(frozen=True, slots=True)
class _Excerpt:
    """What is read of a reply, and where it stands there.

    Attributes:
        text: The reply without white space around it, and without its middle where it is long.
        start: Offset of the text in the reply.
        removed: How many characters were left out behind the first `_HEAD`.
    """

    text: str
    start: int
    removed: int

    def in_reply(self, span: Span | None) -> Span | None:
        """Return the offsets in the reply of a span of the text."""
        if span is None:
            return None
        start, end = (
            place + self.start + (self.removed if self.removed and place > _HEAD else 0)
            for place in span
        )
        return start, end


def _excerpt(text: str) -> _Excerpt:
    start = len(text) - len(text.lstrip())
    text = text.strip()
    removed = max(0, len(text) - _HEAD - _TAIL)
    if removed:
        text = f"{text[:_HEAD]}\n{text[_HEAD + removed + 1 :]}"
    return _Excerpt(text, start, removed)


def _turns(text: str) -> Iterator[str]:
    """Yield the reply up to a chat turn that the model invented, then the whole reply."""
    if end := chat_turns(text):
        yield text[:end]
    yield text


def extract(reply: object, choices: Choices) -> Extraction:
    """Read which options a reply chooses.

    Args:
        reply: The model's reply; anything but text reads as no answer.
        choices: The allowed labels (`A` … or `1` …), or `{label: text of the option}`.

    Returns:
        The labels, the rule that read them and the place; no labels with the reason otherwise.

    Raises:
        ValueError: There are no choices, or a label is neither one letter nor a number.
        TypeError: The choices are a plain text.

    >>> extract("It is not A; wait, B is the odd one out.", "A B C D".split())
    Extraction(letters=('B',), reason='verdict', span=(20, 21))
    """
    options = _allowed(choices)
    if reply is None:
        return Extraction((), "empty", None)
    if not isinstance(reply, str):
        return Extraction((), "not_text", None)
    folded = fold(reply)
    visible = hide_thoughts(folded)
    if not visible.strip():
        if not folded.strip():
            return Extraction((), "empty", None)
        last = tagged(folded)
        if not last:
            return Extraction((), "thought_only", None)
        start, end = last[-1]
        visible = " " * start + folded[start:end]
    excerpt = _excerpt(hide_markup(visible[: end_of_reply(visible)]))
    verdict, reason = Verdict((), None), "empty"
    for text in _turns(excerpt.text):
        verdict, reason = decide(Reply(text, options.labels, options.texts))
        if verdict.labels or reason in _SETTLED:
            break
    chosen = tuple(
        own
        for own, label in zip(options.written, options.labels, strict=True)
        if label in verdict.labels
    )
    if verdict.labels and not chosen:
        reason = "outside_choices"
    return Extraction(chosen, reason, excerpt.in_reply(verdict.span))
