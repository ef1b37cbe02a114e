"""What a reply says of each option it names: chosen, judged right, denied, weighed, just named."""

import re
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
    PREDICATE_RIGHT,
    QUESTION_RIGHT,
    UNREAL_RIGHT,
)
from .mcq_listing import merge_texts, restated_mentions
from .mcq_mentions import Mention, label_mentions, place_mentions
from .mcq_texts import OptionTexts
from .mcq_words import Cue

Strength = Literal[
    "answer", "choice", "verdict", "tentative", "mention", "denied", "aside", "listed"
]


@dataclass(frozen=True, slots=True)
class Claim:
    """One mention and what is said of it.

    Attributes:
        mention: The options named.
        strength: `answer` = called the answer; `choice` = chosen or concluded; `verdict` = judged
            right; `tentative` = called possible; `mention` = just named; `denied` = judged wrong;
            `aside` = in a condition, a question, someone else's view, an earlier thought;
            `listed` = in a list of all options.
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
_LINE_END = re.compile(r"[^\w\n]*(?:\n|$)")
_CLOSING = re.compile(r"[*_\"')\]}>」』】》〉$|~]*")
_CANDIDATES = re.compile(r"\b(?:candidates?|possible|possibilit\w+|potential\w*|contenders?)\b")
_TOGETHER = re.compile(r"\b(?:also|as well|too|both|likewise)\b")
_TAKEN_BACK = re.compile(
    r"[\s\S]{0,60}?\b(?:wait|no|hmm|actually|however|but|oh|on (?:reflection|second thought))\b"
    r"[^\n]{0,30}?\b(?:that|this|it|i)(?:'s| is| was|'m| am|) (?:\w+ )?"
    r"(?:wrong|incorrect|mistaken|(?:not|(?:can(?:no|')|isn'|doesn'|couldn')t) (?:\w+ )?"
    r"(?:right|correct))\b(?! to\b)"
    r"|[\s.,;:!?)*–—-]{0,20}(?:(?:oh|no|wait|actually|hmm|sorry)[\s,.]{1,4}){0,3}"
    r"(?:(?:scratch|strike|ignore|forget) that|never ?mind)\b(?! (?:the|how|about)\b)"
    r"|[\s.,;:!?)*–—-]{1,20}(?:(?:oh|wait|hmm|actually)[\s,.]{1,4}){1,3}no\W*$"
)


def is_taken_back(low: str, end: int) -> bool:
    """Tell whether the text behind an answer takes it back: "B. Hmm, that can't be right."."""
    return _TAKEN_BACK.match(low, end) is not None


def _read(mention: Mention, low: str) -> Claim:
    """Judge one mention by the words around it."""
    before = read_before(low, mention.start)
    closing = _CLOSING.match(low, mention.end)
    behind_start = closing.end() if closing else mention.end
    behind = low[behind_start : mention.end + _RIGHT_WINDOW]
    end = CLAUSE_END.match(behind) is not None
    positive = not before.governed and POSITIVE_RIGHT.match(behind) is not None
    negative = NEGATIVE_RIGHT.match(behind) is not None
    hedged = mention.joint == "or" or CUT_OFF_RIGHT.match(behind) is not None
    if len(mention.labels) > 1 and _CANDIDATES.search(
        low, max(0, mention.start - 50), mention.start
    ):
        hedged = True
    cue = before.cue
    if cue == "spared":
        return Claim(mention, "choice" if negative else "aside")
    if cue != "corrected" and (mention.joint == "nor" or cue == "denied" or negative):
        return Claim(mention, "denied")
    if cue in ("aside", "between"):
        return Claim(mention, "aside", hedged=cue == "between" and not mention.small)
    if QUESTION_RIGHT.match(behind):
        alone = cue in ("answer", "tentative") and not low[behind_start:].strip(" ?.!\n\"')")
        return Claim(mention, "tentative" if alone else "aside", hedged=hedged)
    if FORMER_RIGHT.match(behind) or UNREAL_RIGHT.match(behind):
        return Claim(mention, "aside")
    if cue == "tentative" or (cue != "only" and POSSIBLE_RIGHT.match(behind)):
        return Claim(mention, "tentative", hedged=hedged or len(mention.labels) > 1)
    if cue == "therefore" and PREDICATE_RIGHT.match(behind):
        positive = True
    called = positive and ANSWER_RIGHT.match(behind) is not None
    strength: Strength = (
        "answer"
        if called
        else _strength(mention, before, end, positive, last=_LINE_END.match(behind) is not None)
    )
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
        taken_back=strength in ("answer", "choice") and is_taken_back(low, mention.end),
    )


def _strength(mention: Mention, before: Before, end: bool, positive: bool, last: bool) -> Strength:
    """Say how strongly a mention that is neither denied nor in doubt is put forward.

    Args:
        mention: The options named.
        before: What leads up to them.
        end: The clause ends behind them.
        positive: What follows judges them right.
        last: Nothing else follows in the line.
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
        "colon": (last and label and not mention.small, "choice"),
        "only": (True, "verdict"),
    }
    condition, strength = holds.get(before.cue, (False, "mention"))
    if not condition:
        concluded = before.concludes and mention.kind == "text" and end
        strength = "choice" if concluded else "verdict" if positive else "mention"
        if strength == "mention" and before.governed and label and not mention.marked:
            strength = "aside"  # "the dot in A"
    if strength in ("choice", "verdict") and before.corrects and closed:
        return "answer"
    return "aside" if mention.small and strength in ("mention", "verdict") else strength


def read_claims(text: str, low: str, labels: tuple[str, ...], texts: OptionTexts) -> list[Claim]:
    """Judge every mention of an option in a reply, in order; restated lists of options left out.

    Args:
        text: Folded text.
        low: The same in lower case.
        labels: The allowed labels.
        texts: Their texts.
    """
    exact = list(texts.mentions(low))
    reworded = [
        other
        for other in texts.paraphrases(low)
        if not any(own.start < other.end and other.start < own.end for own in exact)
    ]
    said = sorted(
        [*exact, *reworded, *place_mentions(text, labels)], key=lambda mention: mention.start
    )
    mentions = merge_texts(label_mentions(text, low, labels), said, text)
    restated = restated_mentions(mentions, text, len(labels))
    stem = mentions[min(restated)].start if texts.finder and restated else 0
    claims: list[Claim] = []
    for index, mention in enumerate(mentions):
        far = _READ_FIRST <= index < len(mentions) - _READ_LAST
        claim = Claim(mention, _unread(mention)) if far else _read(mention, low)
        if index not in restated:
            if mention.start < stem and mention.kind == "text" and claim.strength != "answer":
                claim = replace(claim, strength="aside")  # of the question, before its options
            elif _is_named_beside(mentions, index, restated, text):
                claim = replace(claim, strength="choice")
        elif not _holds_in_list(claim, low, last=index + 1 not in restated):
            claim = Claim(mention, "listed")
        prior = claims[-1] if claims else None
        if prior and _SO_IS.fullmatch(low, prior.mention.end, mention.start):
            claims[-1] = replace(prior, mention=_both(prior.mention, mention))
        else:
            claims.append(claim)
    return claims


# "B is correct, and so is C"
_SO_IS = re.compile(
    r"[^.;:!?\n]{1,60}(?:,|\band|[.;]) so (?:is|are|does|do) (?:the )?(?:\w+ )?[\s*_\"'(\[]{0,4}"
)


def _both(first: Mention, second: Mention) -> Mention:
    labels = tuple(dict.fromkeys(first.labels + second.labels))
    return replace(
        first, labels=labels, end=second.end, joint="and", outside=first.outside or second.outside
    )


def _unread(mention: Mention) -> Strength:
    return "aside" if mention.small else "mention"


def _is_named_beside(mentions: list[Mention], index: int, restated: set[int], text: str) -> bool:
    """Tell whether all options are listed and then, or before, one is named and nothing else."""
    mention = mentions[index]
    behind = text[mention.end :].strip(" .)\n*\"'")
    if index - 1 in restated and not behind and not mention.outside:
        return True
    return (
        index == 0
        and 1 in restated
        and mention.marked
        and not text[: mention.start].strip(" \"'*(")
    )


_OPTIONS_ARE = re.compile(r"\b(?:possible|available|given|options|choices|candidates?)\b")


def _holds_in_list(claim: Claim, low: str, last: bool) -> bool:
    """Tell whether something is said of an option that stands in a list of all of them.

    A verdict under each heading counts, "therefore D." at the end, "the answers are A, B and C".
    """
    labels = claim.mention.labels
    if len(labels) == 1:
        bare = claim.mention.end - claim.mention.start == 1
        if last and bare and _LINE_END.match(low, claim.mention.end):
            return claim.strength in ("answer", "choice", "verdict", "denied")
        return claim.strength in ("verdict", "denied")
    if list(labels) != sorted(labels):
        return False  # an order of all: "the sequence is A, C, B, D"
    start = claim.mention.start
    if _OPTIONS_ARE.search(low, max(0, start - 40), start) or low[start - 1 : start] in ("(", "["):
        return False  # "the options are", "Answer [A/B/C/D]: B"
    return claim.strength in ("answer", "denied")
