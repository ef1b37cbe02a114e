"""The rules that read an answer, in the order they are tried, each with the name of its reason."""

import re
from collections.abc import Callable, Sequence

from .mcq_claims import is_taken_back
from .mcq_named import only_mention, option_text, paraphrase, tentative, verdict
from .mcq_places import boxed, fields, label_map, tagged, ticked
from .mcq_reply import Reply, Verdict
from .mcq_slots import Slot
from .mcq_texts import trim
from .reply import Span, is_refusal


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
    r"""Read the last box, and with it those that stand beside it: `\boxed{B}, \boxed{C}`."""
    boxes = boxed(reply.text)
    first = len(boxes) - 1
    while first > 0 and _BETWEEN_BOXES.fullmatch(reply.text, boxes[first - 1][1], boxes[first][0]):
        first -= 1
    beside = [verdict for box in boxes[first:] if (verdict := _of_slot(reply.slot(*box)))]
    named = dict.fromkeys(label for verdict in beside for label in verdict.labels)
    if len(beside) == len(boxes) - first > 1 and all(verdict.labels for verdict in beside):
        return Verdict(tuple(named), (boxes[first][0], boxes[-1][1]))
    return _last_readable(reply, boxes)


_BETWEEN_BOXES = re.compile(r"\}[\s$]{0,4}(?:[,;&]|and)?[\s$]{0,4}(?:and\s)?\$?\\boxed\s?\{")


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


_WRONG_ARE = re.compile(r"\b(?:incorrect|wrong|false|eliminated|excluded|rejected)\W*$")


def _at_end_of(reply: Reply, line: Span) -> Slot | None:
    """Read a line that is an option, or whose last sentence is a label."""
    start, end = line
    if slot := reply.slot(start, end) if end - start <= 80 else None:
        return slot
    sentence = _LAST_SENTENCE.search(reply.text, max(start, end - 60), end)
    if sentence is None or _WRONG_ARE.search(reply.low, start, sentence.start()):
        return None
    slot = reply.slot(sentence.end(), end)
    return slot if slot and slot.kind == "label" else None


_OTHER_HEAD = re.compile(r"[(\[]\s?([A-Za-z]|\d)\s?[)\]]|(?<!\w)([A-Z](?=[).:]\s)|[a-z](?=\)\s))")


def _leading_label(reply: Reply) -> Verdict | None:
    """Read a reply that begins with an option, `B) text …`, and lists no other so."""
    lines = _lines(reply.text)
    if not lines:
        return None
    first = reply.slot(*lines[0], leading=True)
    if first is None:
        return _leading_judgement(reply)
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


def _leading_judgement(reply: Reply) -> Verdict | None:
    """Read a reply that begins "No, it does not", where "No" is an option."""
    if not reply.texts.judging or reply.texts.finder is None:
        return None
    start, end = trim(reply.text, 0, len(reply.text))
    said = reply.texts.finder.match(reply.low, start, end)
    if said is None or not said.lastindex or reply.low[said.end() : said.end() + 1] not in ",.;:!":
        return None
    label = reply.texts.groups[said.lastindex - 1]
    named = [claim.mention for claim in reply.claims if claim.strength != "aside"]
    if any(mention.labels != (label,) for mention in named):
        return None
    return Verdict((label,), said.span())


def _ticked(reply: Reply) -> Verdict | None:
    if reply.texts.judging:
        return None  # "(B) False" names an option, it does not judge one
    return _of_slot(ticked(reply.text, reply.low, reply.labels))


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
    ("verdict", verdict),
    ("concluded_text", _concluded_text),
    ("option_text", option_text),
    ("paraphrase", paraphrase),
    ("tentative", tentative),
    ("only_mention", only_mention),
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
