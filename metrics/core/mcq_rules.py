"""The rules that read an answer, in the order they are tried, each with the name of its reason."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from .letters import lower
from .mcq_claims import Claim, is_taken_back, read_claims
from .mcq_mentions import Mention
from .mcq_places import boxed, fields, label_map, tagged, ticked
from .mcq_slots import Slot, read_slot
from .mcq_texts import OptionTexts
from .mcq_words import WORDS
from .reply import Span, is_refusal


@dataclass(frozen=True)
class Reply:
    """A reply made ready for the rules; all offsets are those of the reply as given."""

    text: str
    labels: tuple[str, ...]
    texts: OptionTexts

    @cached_property
    def low(self) -> str:
        """Return the text in lower case."""
        return lower(self.text)

    @cached_property
    def claims(self) -> list[Claim]:
        """Return what the reply says of the options it names."""
        return read_claims(self.text, self.low, self.labels, self.texts)

    def slot(self, start: int, end: int, leading: bool = False) -> Slot | None:
        """Read a place that should hold an option."""
        return read_slot(self.text, self.low, start, end, self.labels, self.texts, leading)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The labels a rule read, or why the reply as a whole has none."""

    labels: tuple[str, ...]
    span: Span | None
    no_answer: str = ""


def _of_slot(slot: Slot | None) -> Verdict | None:
    if slot is None or slot.status == "restated":
        return None
    if slot.status != "stated":
        return Verdict((), (slot.start, slot.end), slot.status)
    return Verdict(slot.labels, (slot.start, slot.end))


def _last_readable(reply: Reply, spans: Sequence[Span]) -> Verdict | None:
    """Return what the last of the marked places says that says anything."""
    for start, end in reversed(spans):
        if verdict := _of_slot(reply.slot(start, end, leading=True)):
            return verdict
    return None


def _boxed(reply: Reply) -> Verdict | None:
    return _last_readable(reply, boxed(reply.text))


def _tagged(reply: Reply) -> Verdict | None:
    spans = [span for span in tagged(reply.text) if _says_something(reply.text, span)]
    verdict = _last_readable(reply, spans)
    if verdict or not spans:
        return verdict
    start, end = spans[-1]
    inside, reason = decide(Reply(reply.text[start:end], reply.labels, reply.texts))
    first, last = inside.span or (0, end - start)
    span = (start + first, start + last)
    if inside.labels:
        return Verdict(inside.labels, span)
    settles = _ANSWER_TAG.search(reply.low, max(0, start - 30), start)
    return Verdict((), span, reason) if settles else None


# What such a tag holds is the answer, even if it is none; a `<solution>` may just lead up to it.
_ANSWER_TAG = re.compile(r"(?:answer|ans|choice|option|letter)\s*>$")


def _says_something(text: str, span: Span) -> bool:
    return any(character.isalnum() for character in text[slice(*span)])


def _field(reply: Reply) -> Verdict | None:
    return _last_readable(reply, fields(reply.text))


def _unread_place(reply: Reply) -> Verdict | None:
    """Let no weaker rule choose where the place for the answer is there and holds no option."""
    for span in reversed([*boxed(reply.text), *fields(reply.text)]):
        if reply.text[slice(*span)].strip():
            return Verdict((), span, "no_option_named")
    if reply.texts.none_of_them or reply.texts.cannot_tell:
        return None
    blank = _ANSWER_BLANK.search(reply.low)
    return Verdict((), blank.span(), "no_option_named") if blank else None


_ANSWER_BLANK = re.compile(
    r"\banswer[\s*_:]{0,4}:[\s*_]{0,4}(?:unknown|unclear|undetermined|indeterminate|none|null|n/a"
    r"|not (?:sure|given|available|listed)|cannot|can't)\b"
)


def _label_map(reply: Reply) -> Verdict | None:
    return _of_slot(label_map(reply.text, reply.labels))


def _whole_reply(reply: Reply) -> Verdict | None:
    if len(reply.text.strip()) > 300:
        return None
    return _of_slot(reply.slot(0, len(reply.text)))


def _last_claim(reply: Reply, strength: str) -> Verdict | None:
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
            return Verdict((), last.mention_span, "hedged")
        last = later[-1]
    if last.mention.outside:
        return Verdict((), last.mention_span, "outside_choices")
    if last.taken_back:
        return Verdict((), last.mention_span, "taken_back")
    return Verdict(last.mention.labels, last.mention_span)


def _answer_phrase(reply: Reply) -> Verdict | None:
    return _last_claim(reply, "answer")


def _choice_phrase(reply: Reply) -> Verdict | None:
    if all(claim.mention.kind == "text" for claim in reply.claims if claim.strength == "choice"):
        return None
    return _last_claim(reply, "choice")


def _concluded_text(reply: Reply) -> Verdict | None:
    return _last_claim(reply, "choice")


def _lines(text: str) -> list[Span]:
    """Return the spans of the lines that are not blank."""
    spans: list[Span] = []
    start = 0
    for line in text.split("\n"):
        if line.strip():
            spans.append((start, start + len(line)))
        start += len(line) + 1
    return spans


_LAST_SENTENCE = re.compile(r"(?<!\d)(?<!vs)[.!?:。！？]\s+(?=[^.!?。！？\n]{1,40}[.!]?\s*$)")


def _final_line(reply: Reply) -> Verdict | None:
    """Read a last line, or a last sentence, that is nothing but an option."""
    lines = _lines(reply.text)
    if not lines:
        return None
    slot = _at_end_of(reply, lines[-1])
    if slot and any(
        claim.hedged and slot.start <= claim.mention.start <= slot.end for claim in reply.claims
    ):
        return Verdict((), (slot.start, slot.end), "hedged")
    if slot and len(lines) > 1:
        before = _at_end_of(reply, lines[-2]) or reply.slot(*lines[-2], leading=True)
        if before and before.labels != slot.labels:
            return None  # the end of a list
    return _of_slot(slot)


def _at_end_of(reply: Reply, line: Span) -> Slot | None:
    """Read a line that is an option, or whose last sentence is a label."""
    start, end = line
    if slot := reply.slot(start, end) if end - start <= 80 else None:
        return slot
    sentence = _LAST_SENTENCE.search(reply.text, max(start, end - 60), end)
    slot = reply.slot(sentence.end(), end) if sentence else None
    return slot if slot and slot.kind == "label" else None


_OTHER_HEAD = re.compile(r"[(\[]\s?([A-Za-z]|\d)\s?[)\]]|(?<!\w)([A-Z](?=[).:]\s)|[a-z](?=\)\s))")


def _leading_label(reply: Reply) -> Verdict | None:
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
    if any(
        claim.strength == "denied" and first.start <= claim.mention.start < first.end
        for claim in reply.claims
    ):
        return None
    if is_taken_back(reply.low, first.end):
        return Verdict((), (first.start, first.end), "taken_back")
    return _of_slot(first)


def _ticked(reply: Reply) -> Verdict | None:
    if reply.texts.judging:
        return None  # "(B) False" names an option, it does not judge one
    return _of_slot(ticked(reply.text, reply.low, reply.labels))


_CONTRAST = re.compile(r"\b(?:but|however|yet|although|whereas|while|instead|actually)\b")


def _verdict(reply: Reply) -> Verdict | None:
    claims = [claim for claim in reply.claims if claim.strength == "verdict" and not claim.hedged]
    if not claims:
        return None
    named = dict.fromkeys(label for claim in claims for label in claim.mention.labels)
    first, last = claims[0], claims[-1]
    if len({frozenset(claim.mention.labels) for claim in claims}) > 1:
        if any(claim.together for claim in claims[1:]):
            return Verdict(tuple(named), (first.mention.start, last.mention.end))
        if not _CONTRAST.search(reply.low, claims[-2].mention.end, last.mention.start):
            return Verdict((), (first.mention.start, last.mention.end), "conflicting")
    if last.mention.outside:
        return Verdict((), last.mention_span, "outside_choices")
    return Verdict(last.mention.labels, last.mention_span)


def _sole(reply: Reply, claims: Sequence[Claim]) -> Verdict | None:
    """Return the one option that all the claims name, unless it is denied elsewhere."""
    if not claims or len({claim.mention.labels for claim in claims}) != 1:
        return None
    last = claims[-1]
    denied = {
        label
        for claim in reply.claims
        if claim.strength == "denied" and not claim.mention.small
        for label in claim.mention.labels
    }
    if last.hedged or last.mention.outside or denied & set(last.mention.labels):
        return None
    return Verdict(last.mention.labels, last.mention_span)


def _option_text(reply: Reply) -> Verdict | None:
    live = [claim for claim in reply.claims if claim.strength in ("mention", "tentative")]
    texts = [claim for claim in live if claim.mention.kind == "text"]
    if any(claim.hedged for claim in reply.claims) or any(
        claim.mention.kind != "text" and claim.mention.marked for claim in live
    ):
        return None
    return _sole(reply, texts)


def _paraphrase(reply: Reply) -> Verdict | None:
    live = [claim for claim in reply.claims if claim.strength in ("mention", "tentative", "denied")]
    said = [claim for claim in live if claim.mention.kind == "paraphrase"]
    return (
        _sole(reply, said)
        if len(said) == len([c for c in live if c.strength != "denied" or c in said])
        else None
    )


def _tentative(reply: Reply) -> Verdict | None:
    live = [claim for claim in reply.claims if claim.strength in ("mention", "tentative")]
    if any(claim.hedged for claim in reply.claims) or not any(
        claim.strength == "tentative" for claim in live
    ):
        return None
    return _sole(reply, live)


# Words that end no sentence.
_OPEN_END = re.compile(
    r"\b(?:a|an|the|of|to|and|or|but|with|in|on|at|by|for|from|as|is|are|was|were|has|have|had|be|that"
    r"|which|who|because|since|if|so|shows?|seems|contains|looks|can|could|would|will|may|not|its?)$",
    re.IGNORECASE,
)


def _is_cut_off(text: str, position: int) -> bool:
    """Tell whether a text breaks off in a sentence that goes on behind a position."""
    behind = text[position:].rstrip()
    return behind[-1:] in {",", ":", ";", "(", "-"} or _OPEN_END.search(behind) is not None


def _only_mention(reply: Reply) -> Verdict | None:
    live = [claim for claim in reply.claims if claim.strength in ("mention", "tentative")]
    if any(claim.hedged for claim in reply.claims) or not live:
        return None
    last = max(
        claim.mention.end for claim in reply.claims if claim.strength not in ("aside", "listed")
    )
    if _is_cut_off(reply.text, last):
        return None
    final = live[-1].mention
    if not _stands_for_answer(final, reply.text):
        return None
    return _sole(reply, live)


_OTHER_NAME = re.compile(r"(?:\b([A-Za-z]{3,})[ ]|\d\s?°?[ ]|\b[A-Z]\s?(?:=|[=-]?>|→)\s?)$")
_GLUED = re.compile(r"[+&#](?=[\w+])")


def _stands_for_answer(mention: Mention, text: str) -> bool:
    """Tell a label from the name of something that is no option: "25 C", "C++", "part A"."""
    if mention.kind != "label" or mention.marked:
        return True
    if _GLUED.match(text, mention.end) or (len(mention.labels) > 1 and mention.labels[0].isdigit()):
        return False
    other = _OTHER_NAME.search(text, max(0, mention.start - 24), mention.start)
    return other is None or (other[1] is not None and other[1].lower() not in WORDS["other_name"])


RULES: tuple[tuple[str, Callable[[Reply], Verdict | None]], ...] = (
    ("boxed", _boxed),
    ("answer_tag", _tagged),
    ("field", _field),
    ("label_map", _label_map),
    ("whole_reply", _whole_reply),
    ("answer_phrase", _answer_phrase),
    ("final_line", _final_line),
    ("ticked", _ticked),
    ("choice_phrase", _choice_phrase),
    ("unread_place", _unread_place),
    ("leading_label", _leading_label),
    ("verdict", _verdict),
    ("concluded_text", _concluded_text),
    ("option_text", _option_text),
    ("paraphrase", _paraphrase),
    ("tentative", _tentative),
    ("only_mention", _only_mention),
)
"""The rules in the order they are tried, by the name that an extraction gives as its reason."""


def _why_none(reply: Reply) -> Verdict:
    """Name what stands in the way of an answer."""
    claims = [claim for claim in reply.claims if not claim.mention.small]
    listed = [claim for claim in claims if claim.strength == "listed"]
    others = [claim for claim in claims if claim.strength != "listed"]
    denied = [claim for claim in others if claim.strength == "denied"]
    for reason, kept in (
        ("hedged", [claim for claim in others if claim.hedged]),
        ("only_denied", denied if len(denied) == len(others) else []),
        ("no_choice_made", [claim for claim in others if not claim.mention.outside]),
        ("outside_choices", others),
        ("options_restated", listed),
    ):
        if kept:
            return Verdict((), (kept[0].mention.start, kept[-1].mention.end), reason)
    return Verdict((), None, "refusal" if is_refusal(reply.text) else "no_option_named")


def decide(reply: Reply) -> tuple[Verdict, str]:
    """Return the verdict of the first rule that reaches one, and the reason."""
    for name, rule in RULES:
        if verdict := rule(reply):
            return verdict, verdict.no_answer or name
    verdict = _why_none(reply)
    return verdict, verdict.no_answer
