"""Reading the answer letters out of a model's reply to a multiple-choice question.

The rules are tried in the order of `RULES`; the first that reaches a verdict decides, and its name
is the reason. Nothing is ever guessed: a reply that rejects, hedges, restates the options or never
commits itself yields no letters, with the reason. Replaces the language model that the LogicVista
paper extracts with (section 3.3).
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from .mcq_claims import Claim, read_claims
from .mcq_fold import fold, lower
from .mcq_slots import (
    Slot,
    boxed,
    chat_turns,
    fields,
    hide_markup,
    label_map,
    read_slot,
    tagged,
    ticked,
)
from .mcq_texts import OptionTexts, option_texts
from .reply import Span, hide_thoughts, is_refusal

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


@dataclass(frozen=True)
class _Reply:
    """A reply made ready for the rules; all offsets are those of the reply as given."""

    text: str
    labels: tuple[str, ...]
    texts: OptionTexts

    @cached_property
    def low(self) -> str:
        return lower(self.text)

    @cached_property
    def claims(self) -> list[Claim]:
        return read_claims(self.text, self.low, self.labels, self.texts)

    def slot(self, start: int, end: int, leading: bool = False) -> Slot | None:
        return read_slot(self.text, self.low, start, end, self.labels, self.texts, leading)


@dataclass(frozen=True, slots=True)
class _Verdict:
    """The labels a rule read, or why the reply as a whole has none."""

    labels: tuple[str, ...]
    span: Span | None
    no_answer: str = ""


def _of_slot(slot: Slot | None) -> _Verdict | None:
    if slot is None or slot.status == "restated":
        return None
    if slot.status != "stated":
        return _Verdict((), (slot.start, slot.end), slot.status)
    return _Verdict(slot.labels, (slot.start, slot.end))


def _last_readable(reply: _Reply, spans: Sequence[Span]) -> _Verdict | None:
    """Return what the last of the marked places says that says anything."""
    for start, end in reversed(spans):
        if verdict := _of_slot(reply.slot(start, end, leading=True)):
            return verdict
    return None


def _boxed(reply: _Reply) -> _Verdict | None:
    return _last_readable(reply, boxed(reply.text))


def _tagged(reply: _Reply) -> _Verdict | None:
    return _last_readable(reply, tagged(reply.text))


def _field(reply: _Reply) -> _Verdict | None:
    return _last_readable(reply, fields(reply.text))


def _label_map(reply: _Reply) -> _Verdict | None:
    return _of_slot(label_map(reply.text, reply.labels))


def _whole_reply(reply: _Reply) -> _Verdict | None:
    if len(reply.text.strip()) > 300:
        return None
    return _of_slot(reply.slot(0, len(reply.text)))


def _last_claim(reply: _Reply, strength: str) -> _Verdict | None:
    """Return the last statement of one strength; one that hedges is settled by what follows."""
    claims = [claim for claim in reply.claims if claim.strength == strength]
    if not claims:
        return None
    by_label = [claim for claim in claims if claim.mention.kind == "label"]
    last = (by_label or claims)[-1]
    if last.hedged:
        later = [
            claim
            for claim in reply.claims
            if claim.mention.start > last.mention.end
            and not claim.hedged
            and claim.strength in ("choice", "verdict")
        ]
        if not later:
            return _Verdict((), last.mention_span, "hedged")
        last = later[-1]
    if last.mention.outside:
        return _Verdict((), last.mention_span, "outside_choices")
    if last.taken_back:
        return _Verdict((), last.mention_span, "taken_back")
    return _Verdict(last.mention.labels, last.mention_span)


def _answer_phrase(reply: _Reply) -> _Verdict | None:
    return _last_claim(reply, "answer")


def _choice_phrase(reply: _Reply) -> _Verdict | None:
    return _last_claim(reply, "choice")


def _lines(text: str) -> list[Span]:
    return [match.span() for match in re.finditer(r"[^\n]*\S[^\n]*", text)]


_LAST_SENTENCE = re.compile(r"(?<!\d)[.!?:。！？]\s+(?=[^.!?。！？\n]{1,40}[.!]?\s*$)")


def _final_line(reply: _Reply) -> _Verdict | None:
    """Read a last line, or a last sentence, that is nothing but an option."""
    lines = _lines(reply.text)
    if not lines:
        return None
    start, end = lines[-1]
    slot = reply.slot(start, end) if end - start <= 80 else None
    if slot and len(lines) > 1 and reply.slot(*lines[-2]):
        return None  # the end of a list of options
    tail = max(start, end - 60)
    if slot is None and (sentence := _LAST_SENTENCE.search(reply.text, tail, end)):
        slot = reply.slot(sentence.end(), end)
        if slot and slot.kind != "label":
            slot = None
    return _of_slot(slot)


_OTHER_HEAD = re.compile(r"[(\[]\s?([A-Za-z]|\d)\s?[)\]]|(?<!\w)([A-Z](?=[).:]\s)|[a-z](?=\)\s))")


def _leading_label(reply: _Reply) -> _Verdict | None:
    """Read a reply that begins with an option, `B) text …`, and lists no other so."""
    lines = _lines(reply.text)
    if not lines:
        return None
    first = reply.slot(*lines[0], leading=True)
    if first is None:
        return None
    heads = [reply.slot(*line, leading=True) for line in lines[1:60]]
    line_end = lines[0][1]
    others = {
        (match[1] or match[2]).upper()
        for match in _OTHER_HEAD.finditer(reply.text, first.end, line_end)
    }
    if first.kind == "label" and others & set(reply.labels) - set(first.labels):
        return None
    if any(head and head.labels != first.labels for head in heads):
        return None
    return _of_slot(first)


def _ticked(reply: _Reply) -> _Verdict | None:
    if reply.texts.judging:
        return None  # "(B) False" names an option, it does not judge one
    return _of_slot(ticked(reply.text, reply.low, reply.labels))


_CONTRAST = re.compile(r"\b(?:but|however|yet|although|whereas|while|instead|actually)\b")


def _verdict(reply: _Reply) -> _Verdict | None:
    claims = [claim for claim in reply.claims if claim.strength == "verdict" and not claim.hedged]
    if not claims:
        return None
    named = dict.fromkeys(label for claim in claims for label in claim.mention.labels)
    first, last = claims[0], claims[-1]
    if len({frozenset(claim.mention.labels) for claim in claims}) > 1:
        if any(claim.together for claim in claims[1:]):
            return _Verdict(tuple(named), (first.mention.start, last.mention.end))
        if not _CONTRAST.search(reply.low, claims[-2].mention.end, last.mention.start):
            return _Verdict((), (first.mention.start, last.mention.end), "conflicting")
    if last.mention.outside:
        return _Verdict((), last.mention_span, "outside_choices")
    return _Verdict(last.mention.labels, last.mention_span)


def _sole(claims: Sequence[Claim]) -> _Verdict | None:
    """Return the one option that all the claims name."""
    if not claims or len({claim.mention.labels for claim in claims}) != 1:
        return None
    last = claims[-1]
    if last.hedged or last.mention.outside:
        return None
    return _Verdict(last.mention.labels, last.mention_span)


def _option_text(reply: _Reply) -> _Verdict | None:
    live = [claim for claim in reply.claims if claim.strength in ("mention", "tentative")]
    texts = [claim for claim in live if claim.mention.kind == "text"]
    if any(claim.mention.kind != "text" and claim.mention.marked for claim in live):
        return None
    return _sole(texts)


def _paraphrase(reply: _Reply) -> _Verdict | None:
    live = [claim for claim in reply.claims if claim.strength in ("mention", "tentative", "denied")]
    said = [claim for claim in live if claim.mention.kind == "paraphrase"]
    return (
        _sole(said)
        if len(said) == len([c for c in live if c.strength != "denied" or c in said])
        else None
    )


def _tentative(reply: _Reply) -> _Verdict | None:
    if any(claim.hedged for claim in reply.claims):
        return None
    return _sole([claim for claim in reply.claims if claim.strength == "tentative"])


def _is_cut_off(text: str, position: int) -> bool:
    """Tell whether a text breaks off in a sentence that goes on behind a position."""
    end = text.rstrip()
    return len(end) - position > 6 and (end[-1].isalnum() or end[-1] in ",:;(-")


def _only_mention(reply: _Reply) -> _Verdict | None:
    live = [claim for claim in reply.claims if claim.strength in ("mention", "tentative")]
    if any(claim.hedged for claim in reply.claims) or not live:
        return None
    if _is_cut_off(reply.text, reply.claims[-1].mention.end):
        return None
    return _sole(live)


RULES: tuple[tuple[str, Callable[[_Reply], _Verdict | None]], ...] = (
    ("boxed", _boxed),
    ("answer_tag", _tagged),
    ("field", _field),
    ("label_map", _label_map),
    ("whole_reply", _whole_reply),
    ("answer_phrase", _answer_phrase),
    ("final_line", _final_line),
    ("ticked", _ticked),
    ("choice_phrase", _choice_phrase),
    ("leading_label", _leading_label),
    ("verdict", _verdict),
    ("option_text", _option_text),
    ("paraphrase", _paraphrase),
    ("tentative", _tentative),
    ("only_mention", _only_mention),
)
"""The rules in the order they are tried, by the name that an extraction gives as its reason."""


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
    if isinstance(choices, str):
        raise TypeError(
            f"choices are a list of labels or {{label: text}}, not the text {choices!r}"
        )
    if isinstance(choices, Mapping):
        pairs = ((str(label), str(text or "")) for label, text in choices.items())
    else:
        pairs = ((str(label), "") for label in choices)
    return _options(tuple(pairs))


def _why_none(reply: _Reply) -> _Verdict:
    """Name what stands in the way of an answer."""
    claims = reply.claims
    for reason, kept in (
        ("hedged", [claim for claim in claims if claim.hedged]),
        ("only_denied", [c for c in claims if c.strength == "denied"]),
        ("no_choice_made", [c for c in claims if not c.mention.outside]),
        ("outside_choices", claims),
    ):
        if kept and (reason != "only_denied" or not any(c.strength == "mention" for c in claims)):
            return _Verdict((), (kept[0].mention.start, kept[-1].mention.end), reason)
    return _Verdict((), None, "refusal" if is_refusal(reply.text) else "no_option_named")


def _decide(reply: _Reply) -> tuple[_Verdict, str]:
    for name, rule in RULES:
        if verdict := rule(reply):
            return verdict, verdict.no_answer or name
    verdict = _why_none(reply)
    return verdict, verdict.no_answer


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
    verdict, reason = _Verdict((), None), "empty"
    for text in _turns(hide_markup(visible)):
        verdict, reason = _decide(_Reply(text, options.labels, options.texts))
        if verdict.labels:
            break
    chosen = tuple(
        own
        for own, label in zip(options.written, options.labels, strict=True)
        if label in verdict.labels
    )
    if verdict.labels and not chosen:
        return Extraction((), "outside_choices", verdict.span)
    return Extraction(chosen, reason, verdict.span)
