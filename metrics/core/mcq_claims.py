"""What a reply says of each option it names: chosen, judged right, denied, weighed, just named."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from .mcq_before import Before, read_before
from .mcq_behind import (
    ANSWER_RIGHT,
    CLAUSE_END,
    CUT_OFF_RIGHT,
    FORMER_RIGHT,
    NEGATIVE_RIGHT,
    POSITIVE_RIGHT,
    POSSIBLE_RIGHT,
    QUESTION_RIGHT,
)
from .mcq_mentions import Mention, label_mentions, place_mentions
from .mcq_texts import OptionTexts
from .mcq_words import Cue

Strength = Literal["answer", "choice", "verdict", "tentative", "mention", "denied", "aside"]


@dataclass(frozen=True, slots=True)
class Claim:
    """One mention and what is said of it.

    Attributes:
        mention: The options named.
        strength: `answer` = called the answer; `choice` = chosen or concluded; `verdict` = judged
            right; `tentative` = called possible; `mention` = just named; `denied` = judged wrong;
            `aside` = in a condition, a question, someone else's view, an earlier thought.
        hedged: Several options are named and left open.
        together: Said to be right as well ("C is also correct").
        taken_back: The text behind it takes it back without naming another.
    """

    mention: Mention
    strength: Strength
    hedged: bool = False
    together: bool = False
    taken_back: bool = False

    @property
    def mention_span(self) -> tuple[int, int]:
        """Return where the options are named."""
        return self.mention.start, self.mention.end


_RIGHT_WINDOW = 90
# A reply that names options more often is a run-on: only its two ends are read word by word, what
# lies between counts as naming alone.
_READ_FIRST, _READ_LAST = 100, 400
_CLOSING = re.compile(r"[*_\"')\]}>」』】》〉$|~]*")
_TOGETHER = re.compile(r"\b(?:also|as well|too|both|likewise)\b")
_TAKEN_BACK = re.compile(
    r"[\s\S]{0,60}?(?:\bwait\b|\bno\b|\bhmm\b|\bactually\b|\bhowever\b|\bbut\b|\boh\b)[^\n]{0,30}?"
    r"\b(?:that(?:'s| is| was|)|this(?:'s| is| was)|it(?:'s| is)|i(?:'m| am"
    r"| was))\s+(?:\w+\s+)?(?:wrong|incorrect|not right|not correct|mistaken)\b"
)
_LABEL_AFTER_TEXT = re.compile(r"[\"'.,*]{0,3}\s{0,2}[(\[]\s?")
_TEXT_AFTER_LABEL = re.compile(r"[\s)\]}.:,\"'*_$=>–—-]{0,8}(?:\(\s*|\"\s*)?")


def _own_text(mentions: list[Mention], texts: Sequence[Mention], text: str) -> list[Mention]:
    """Merge the labels with the texts that follow them, and drop labels inside texts.

    "(C) 35 lb" is one naming of C; in "A and C turn clockwise", the text of option B, no label is.
    """
    merged: list[Mention] = []
    used: set[int] = set()
    starts = {mention.start: index for index, mention in enumerate(texts)}
    for mention in mentions:
        gap = _TEXT_AFTER_LABEL.match(text, mention.end)
        index = starts.get(gap.end()) if gap and gap.end() > mention.end else None
        if (
            index is not None
            and mention.joint == "single"
            and (not mention.small or _is_head(text, mention))
        ):
            used.add(index)
            if texts[index].labels == mention.labels:
                mention = replace(mention, end=texts[index].end, marked=True, small=False)
        merged.append(mention)
    labelled = {
        mention.start: at
        for at, mention in enumerate(merged)
        if mention.marked and mention.joint == "single"
    }
    for index, said in enumerate(texts):
        # "35 lb (C)" is one naming too.
        gap = _LABEL_AFTER_TEXT.match(text, said.end)
        at_label = labelled.get(gap.end()) if gap and index not in used else None
        if at_label is not None:
            used.add(index)
            merged[at_label] = replace(merged[at_label], start=said.start)
    free = [mention for index, mention in enumerate(texts) if index not in used]
    covers = sorted((mention.start, mention.end) for mention in texts)
    kept: list[Mention] = []
    position = 0
    for mention in merged:
        while position < len(covers) and covers[position][1] <= mention.start:
            position += 1
        inside = (
            position < len(covers)
            and covers[position][0] <= mention.start
            and mention.end <= covers[position][1]
        )
        if not inside:
            kept.append(mention)
    return sorted([*kept, *free], key=lambda mention: mention.start)


def _restated(mentions: list[Mention], text: str, count: int) -> set[int]:
    """Return the indices of mentions in which the options are listed one after the other.

    `(A) 10 (B) 1000 (C) 5000 (D) 10000`, a heading per option, or "A, B, C or D".
    """
    found: set[int] = set()
    run: list[int] = []
    for index, mention in enumerate(mentions):
        if len(mention.labels) >= count > 2 and mention.joint != "nor":
            found.add(index)
            run = []
            continue
        if len(mention.labels) > 1 or mention.kind == "place":
            continue
        if mention.kind in ("text", "paraphrase"):
            continue
        if not _is_head(text, mention):
            continue
        label = mention.labels[0]
        if label in ("A", "1"):
            run = [index]
        elif run and _follows(mentions[run[-1]].labels[0], label):
            run.append(index)
        else:
            run = []
        if len(run) >= max(2, count):
            found.update(range(run[0], run[-1] + 1))
    return found


def _is_head(text: str, mention: Mention) -> bool:
    """Tell whether a label stands as `(A)`, `A)`, `A.` or `A:`."""
    first = text[mention.start + 1 : mention.start + 4].lstrip(" *_\"'")
    return first[:1] in tuple(").:]")


def _follows(first: str, second: str) -> bool:
    return len(first) == len(second) == 1 and ord(second) == ord(first) + 1


def _read(mention: Mention, low: str) -> Claim:
    """Judge one mention by the words around it."""
    before = read_before(low, mention.start)
    closing = _CLOSING.match(low, mention.end)
    behind_start = closing.end() if closing else mention.end
    behind = low[behind_start : mention.end + _RIGHT_WINDOW]
    end = CLAUSE_END.match(behind) is not None
    positive = POSITIVE_RIGHT.match(behind) is not None
    negative = NEGATIVE_RIGHT.match(behind) is not None
    hedged = mention.joint == "or" or CUT_OFF_RIGHT.match(behind) is not None
    cue = before.cue
    if cue == "spared":
        return Claim(mention, "choice" if negative else "aside")
    if cue != "corrected" and (mention.joint == "nor" or cue == "denied" or negative):
        return Claim(mention, "denied")
    if cue in ("aside", "between"):
        return Claim(mention, "aside", hedged=cue == "between" and not mention.small)
    if QUESTION_RIGHT.match(behind):
        alone = cue == "answer" and not low[behind_start:].strip(" ?.!\n\"')")
        return Claim(mention, "tentative" if alone else "aside", hedged=hedged)
    if FORMER_RIGHT.match(behind):
        return Claim(mention, "aside")
    if cue == "tentative" or POSSIBLE_RIGHT.match(behind):
        return Claim(mention, "tentative", hedged=hedged or len(mention.labels) > 1)
    called = positive and ANSWER_RIGHT.match(behind) is not None
    strength: Strength = "answer" if called else _strength(mention, before, end, positive)
    if (
        strength == "mention"
        and cue == ""
        and before.corrects_here
        and re.match(r"\W*$|\s*[.,;!]", behind)
    ):
        strength = "answer"
    return Claim(
        mention,
        strength,
        hedged=hedged,
        together=positive and _TOGETHER.search(behind[:25]) is not None,
        taken_back=strength == "answer" and _TAKEN_BACK.match(low, mention.end) is not None,
    )


def _strength(mention: Mention, before: Before, end: bool, positive: bool) -> Strength:
    """Say how strongly a mention that is neither denied nor in doubt is put forward.

    Args:
        mention: The options named.
        before: What leads up to them.
        end: The clause ends behind them.
        positive: What follows judges them right.
    """
    label, closed = mention.kind in ("label", "place"), end or positive
    firm = closed or not mention.small
    holds: dict[Cue, tuple[bool, Strength]] = {
        "corrected": (firm, "answer"),
        "answer": (firm, "answer"),
        "called_answer": (end, "answer"),
        "choice": (closed or (mention.marked and label), "choice"),
        "therefore": (closed, "choice"),
        "copula": (closed and (end or not mention.small), "choice"),
        "colon": (end and label and not mention.small, "choice"),
        "only": (True, "verdict"),
    }
    condition, strength = holds.get(before.cue, (False, "mention"))
    if not condition:
        concluded = before.concludes and mention.kind == "text" and end
        strength = "choice" if concluded else "verdict" if positive else "mention"
    if strength in ("choice", "verdict") and before.corrects and closed:
        return "answer"
    return "aside" if mention.small and strength in ("mention", "verdict") else strength


_OPTIONS_ARE = re.compile(r"\b(?:possible|available|given|options|choices|candidates?)\b")
# What counts of a list of all options: verdicts under each heading; "the answers are A, B and C".
_STATED_IN_LIST: dict[bool, tuple[Strength, ...]] = {
    False: ("verdict", "denied"),
    True: ("answer", "denied"),
}


def read_claims(text: str, low: str, labels: tuple[str, ...], texts: OptionTexts) -> list[Claim]:
    """Judge every mention of an option in a reply, in order; restated lists of options left out.

    Args:
        text: Folded text.
        low: The same in lower case.
        labels: The allowed labels.
        texts: Their texts.
    """
    named = label_mentions(text, low, labels)
    exact = list(texts.mentions(low))
    reworded = [
        other
        for other in texts.paraphrases(low)
        if not any(own.start < other.end and other.start < own.end for own in exact)
    ]
    said = [*exact, *reworded, *place_mentions(text, labels)]
    mentions = _own_text(named, sorted(said, key=lambda mention: mention.start), text)
    restated = _restated(mentions, text, len(labels))
    claims = []
    for index, mention in enumerate(mentions):
        far = len(mentions) > _READ_FIRST + _READ_LAST and (
            _READ_FIRST <= index < len(mentions) - _READ_LAST
        )
        claim = (
            Claim(mention, "aside" if mention.small else "mention") if far else _read(mention, low)
        )
        if (
            index - 1 in restated
            and index not in restated
            and not text[mention.end :].strip(" .)\n*")
        ):
            claim = replace(claim, strength="choice")  # the options listed, then one named
        listing = index in restated and len(mention.labels) > 1
        if listing and _OPTIONS_ARE.search(low, max(0, mention.start - 40), mention.start):
            continue
        if index in restated and claim.strength not in _STATED_IN_LIST[len(mention.labels) > 1]:
            continue
        claims.append(claim)
    return claims
