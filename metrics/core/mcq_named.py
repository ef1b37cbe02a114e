"""Rules for replies that name an option without calling it the answer: judged right, sole, or told.

They are the last to be tried, and read only what all of the reply agrees on.
"""

import re
from collections.abc import Iterable, Sequence

from .mcq_claims import Claim
from .mcq_mentions import Mention
from .mcq_reply import Reply, Verdict
from .mcq_words import WORDS

_CONTRAST = re.compile(r"\b(?:but|however|yet|although|whereas|while|instead|actually)\b")


def verdict(reply: Reply) -> Verdict | None:
    """Read options judged right: "C fits", "only B has both"."""
    claims = [
        claim
        for claim in reply.claims
        if claim.strength == "verdict"
        and not claim.hedged
        and not _is_other_name(claim.mention, reply.low)
    ]
    if not claims:
        return None
    named = dict.fromkeys(label for claim in claims for label in claim.mention.labels)
    first, last = claims[0], claims[-1]
    if len({frozenset(claim.mention.labels) for claim in claims}) > 1:
        if any(claim.together for claim in claims[1:]) or _is_each_judged(reply, named):
            return Verdict(tuple(named), (first.mention.start, last.mention.end))
        if not _CONTRAST.search(reply.low, claims[-2].mention.end, last.mention.start):
            return Verdict((), (first.mention.start, last.mention.end), "conflicting")
    if last.mention.outside:
        return Verdict((), last.mention_span, "outside_choices")
    return Verdict(last.mention.labels, last.mention_span)


def _is_each_judged(reply: Reply, right: Iterable[str]) -> bool:
    """Tell whether all other options are judged wrong."""
    wrong = {
        label
        for claim in reply.claims
        if claim.strength == "denied"
        for label in claim.mention.labels
    }
    return wrong == set(reply.labels).difference(right) != set()


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


def option_text(reply: Reply) -> Verdict | None:
    """Read the one option whose text is given."""
    live = [claim for claim in reply.claims if claim.strength in ("mention", "tentative")]
    texts = [claim for claim in live if claim.mention.kind == "text"]
    if any(claim.hedged for claim in reply.claims) or any(
        claim.mention.kind != "text" and claim.mention.marked for claim in live
    ):
        return None
    return _sole(reply, texts)


def paraphrase(reply: Reply) -> Verdict | None:
    """Read other wordings of "none of the above" and "one cannot tell"."""
    live = [claim for claim in reply.claims if claim.strength in ("mention", "tentative", "denied")]
    said = [claim for claim in live if claim.mention.kind == "paraphrase"]
    return (
        _sole(reply, said)
        if len(said) == len([c for c in live if c.strength != "denied" or c in said])
        else None
    )


def tentative(reply: Reply) -> Verdict | None:
    """Read the one option called possible, where no other is named."""
    live = [claim for claim in reply.claims if claim.strength in ("mention", "tentative")]
    if any(claim.hedged for claim in reply.claims) or not any(
        claim.strength == "tentative" for claim in live
    ):
        return None
    return _sole(reply, live)


# Words that end no sentence.
_OPEN_END = re.compile(
    r"\b(?:a|an|the|of|to|and|or|but|with|in|on|at|by|for|from|as|is|are|was|were|has|have|had|be|that"
    r"|which|who|because|since|if|so|shows?|seems|contains|looks|option|figure|choice|picture|than|can|could|would|will|may|not|its?)$",
    re.IGNORECASE,
)


_OPEN_SUBJECT = re.compile(
    r"\b(?:that|because|since|while|whereas|when) (?:the )?(?:[a-z]+ )?\W?\w$", re.IGNORECASE
)


def _is_cut_off(text: str, position: int) -> bool:
    """Tell whether a text breaks off in a sentence that goes on behind a position."""
    behind = text[position:].rstrip()
    if not behind:
        return _OPEN_SUBJECT.search(text, max(0, position - 40)) is not None
    return behind[-1:] in {",", ":", ";", "(", "-"} or _OPEN_END.search(behind) is not None


def only_mention(reply: Reply) -> Verdict | None:
    """Read the one option named at all, where it may stand for the answer."""
    live = [claim for claim in reply.claims if claim.strength in ("mention", "tentative")]
    if any(claim.hedged for claim in reply.claims) or not live:
        return None
    last = max(
        claim.mention.end for claim in reply.claims if claim.strength not in ("aside", "listed")
    )
    if _is_cut_off(reply.text, last):
        return None
    final = live[-1].mention
    if not _stands_for_answer(final, reply) or is_described(final, reply.low):
        return None
    return _sole(reply, live)


_NOUN_BEFORE = re.compile(r"\b([a-z]{3,}) $")
_UNIT = re.compile(r"(?:\d\s?°?[ ]|\bdegrees? |\b[A-Z]\s?(?:=|[=-]?>|→)\s?)$")
_LEADS_IN = re.compile(
    r"(?:^|[.!?\n]\s{0,3}|\bas (?:\w+ )?(?:shown|seen|depicted|illustrated|drawn) )"
    r"(?:in|for|with|at) (?:the )?(?:[a-z]+ )?\W{0,3}$"
)
_SPELLS = re.compile(r"\b(?:start|begin|end)(?:s|ing|ning)? with (?:the |an? )?(?:letter )?\W?$")
_LOOKS = re.compile(
    r"[\s)\]*_\"']{0,4}(?:has|have|had|shows?|contains?|appears?|consists?|depicts?|features?"
    r"|includes?|displays?|starts?|begins?|lies|sits"
    r"|is an? (?:\w+ )?(?:circle|triangle|square|rectangle|pentagon|hexagon|polygon|star|shape)"
    r"|is (?:drawn|shown|depicted|made|composed|black|white|grey|gray|written|printed"
    r"|located|placed|hidden|missing|at|on|in|next to|near))\b"
)
_GLUED = re.compile(r"[+&#](?=[\w+])")


def _stands_for_answer(mention: Mention, reply: Reply) -> bool:
    """Tell a label from the name of something that is no option: "25 C", "C++", "part A"."""
    text = reply.text
    if mention.kind != "label" or mention.marked:
        return True
    if _GLUED.match(text, mention.end) or (len(mention.labels) > 1 and mention.labels[0].isdigit()):
        return False
    unit = _UNIT.search(text, max(0, mention.start - 24), mention.start)
    return unit is None and not _is_other_name(mention, reply.low)


def _is_other_name(mention: Mention, low: str) -> bool:
    """Tell the letter or number of something that is no option: "vitamin C", "row 3"."""
    if mention.kind != "label" or mention.marked:
        return False
    noun = _NOUN_BEFORE.search(low, max(0, mention.start - 24), mention.start)
    return noun is not None and noun[1] in WORDS["other_name"]


def is_described(mention: Mention, low: str) -> bool:
    """Tell whether a text just says how the option looks: "figure 2 has 3 dots"."""
    if mention.kind not in ("label", "place"):
        return False
    if _LOOKS.match(low, mention.end):
        return True
    if _SPELLS.search(low, max(0, mention.start - 40), mention.start):
        return True
    led_in = _LEADS_IN.search(low, max(0, mention.start - 60), mention.start)
    return led_in is not None and low[mention.end : mention.end + 2].lstrip("*)")[:1] == ","
