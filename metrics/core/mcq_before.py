"""What the text before an option says of it, read word by word from the option backwards.

The words and their roles are those of `mcq_words`. All text is folded and in lower case, and no
more of it is read than a sentence reaches.
"""

import re
from dataclasses import dataclass
from itertools import pairwise

from .mcq_words import PAIRS, SUFFIX_FILL, SUFFIXES, WORDS, Cue


@dataclass(frozen=True, slots=True)
class Before:
    """What the text before an option says.

    Attributes:
        cue: How it leads up to the option; empty where it does not.
        corrects: It takes something back ("wait", "on second thought").
        corrects_here: It does so in the very last words ("no, B").
        concludes: Its sentence begins with a word such as "therefore".
        governed: It ends with a preposition: "the dot in".
    """

    cue: Cue
    corrects: bool = False
    corrects_here: bool = False
    concludes: bool = False
    governed: bool = False


_WINDOW = 140
_TOKEN = re.compile(r"i\.e\b|[^\W_]+(?:['-][^\W_]+)*|'s\b|[-=]>|[.!?;,:=\n→⇒∴⟹–—-]", re.IGNORECASE)
_ENDS = frozenset(".!?;\n")
_COLONS = frozenset(":=→–—-") | {"->", "=>"}
_OPENERS = " \t*_\"'([{<"
_CROSSES = frozenset("❌✖")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")

ANSWER, RIGHT, LINK, MAYBE = WORDS["answer"], WORDS["right"], WORDS["link"], WORDS["maybe"]
FILL, NOUN, CHOOSE, THEREFORE = WORDS["fill"], WORDS["noun"], WORDS["choose"], WORDS["therefore"]
DENY, STOP, PRONOUN = WORDS["deny"], WORDS["stop"], WORDS["pronoun"]
_KNOWN = ANSWER | RIGHT | LINK | MAYBE | FILL | CHOOSE | THEREFORE | DENY | STOP | PRONOUN


def read_before(low: str, start: int) -> Before:
    """Read the text that leads up to an option.

    Args:
        low: Folded lower-case text of the reply.
        start: Where the option's name begins.
    """
    window = low[max(0, start - _WINDOW) : start]
    if window.rstrip(_OPENERS)[-1:] in _CROSSES:
        return Before("denied")
    if cue := _unspaced_cue(window):
        return Before(cue)
    words: list[str] = _TOKEN.findall(window)
    last = len(words) - 1
    while last >= 0 and words[last] == "\n":
        last -= 1
    if last < 0:
        return Before("")
    if last < len(words) - 1:
        # Only a heading or a colon reaches over the end of a line.
        if words[last] in ANSWER:
            return Before("answer")
        if words[last] not in (":", "=") and words[last] not in LINK:
            return Before("")
    if words[last] == "." and last and words[last - 1] in WORDS["abbreviated"]:
        is_denial = words[last - 1] == "no" and not low[start].isdigit()  # "No. B."
        last -= 0 if is_denial else 1
    words = words[: last + 1]
    corrects = _corrects(words[-22:])
    clause = _clause(words)
    if _NO_OTHER.search(window):
        return Before("only")
    if _denies(words) or _denies_clause(clause):
        return Before("denied")
    if _not_but(words):
        return Before("corrected")
    if _is_aside(clause):
        return Before("aside")
    if words[-1] == "between" or words[-2:] == ["one", "of"]:
        return Before("between")
    if words[-1] == "to" and words[-3:-2] == ["from"] and not WORDS["change"].isdisjoint(clause):
        return Before("answer")  # "I change my answer from A to"
    if words[-1] in WORDS["weighed"] or words[-1] == "let":
        return Before("aside")
    if words[-1] in ("with", "to", "against") and not WORDS["weighed"].isdisjoint(words[-4:]):
        return Before("aside")  # "comparing A with"
    concludes = bool(clause) and clause[0] in THEREFORE
    cue = _cue(words, clause)
    if cue == "spared" and any(_is_denial(pair) for pair in pairwise(clause)):
        cue = "choice"  # "we ruled out all but"
    return Before(
        cue,
        corrects=corrects,
        corrects_here=corrects and _corrects(words[-4:]),
        concludes=concludes,
        governed=_is_governed(words),
    )


def _is_governed(words: list[str]) -> bool:
    """Tell whether the option is where a thing is: "the dot in", not "the figure in"."""
    at = _skip_fill(words)
    before = words[at - 1] if at else ""
    return words[at] in WORDS["preposition"] and before not in LINK and before not in NOUN


def _unspaced_cue(window: str) -> Cue:
    """Read text in a script without spaces by what it ends with."""
    text = window[-24:].rstrip(" \n\t*_\"'([{<「『【《〈$#:")
    if not text or not _UNSPACED.match(text[-1]):
        return ""
    for _ in range(2):
        for cue, endings in SUFFIXES:
            if text.endswith(endings):
                return cue
        filler = next((filler for filler in SUFFIX_FILL if text.endswith(filler)), None)
        if filler is None:
            break
        text = text[: -len(filler)].rstrip(" :*\"'「")
    return ""


def _clause(words: list[str]) -> list[str]:
    """Return the words of the sentence that ends with the last word."""
    for index in range(len(words) - 1, -1, -1):
        if words[index] in _ENDS:
            return words[index + 1 :]
    return words


def _denies(words: list[str]) -> bool:
    """Tell whether a word such as "not" bears on the option behind the last word."""
    for index in range(len(words) - 1, max(-1, len(words) - 8), -1):
        word = words[index]
        before = words[index - 1] if index else ""
        role = PAIRS.get((before, word), "")
        if role in ("deny", "spared"):
            return role == "deny"
        if role in ("fill", "maybe") and (before in DENY or word in DENY):
            return False
        following = words[index + 1] if index + 1 < len(words) else ""
        if (word in DENY or word.endswith("n't")) and PAIRS.get(
            (word, following), "deny"
        ) == "deny":
            return True
        if word in LINK and word not in ("be", "been", "have", "to"):
            return before in WORDS["no"]
        if word in STOP or word in _ENDS or word in _COLONS or word == ",":
            return False
    return False


def _denies_clause(clause: list[str]) -> bool:
    """Tell whether the clause denies what its rest says: "I don't think the answer is"."""
    return any(
        PAIRS.get(pair) == "deny_all"
        or (WORDS["believe"].issuperset(pair[1:]) and (pair[0] == "not" or pair[0].endswith("n't")))
        for pair in pairwise(clause)
    )


def _is_denial(pair: tuple[str, str]) -> bool:
    return PAIRS.get(pair) == "deny" or pair[0] in DENY or pair[0].endswith("n't")


def _not_but(words: list[str]) -> bool:
    """Tell whether the text ends with "not A but"."""
    tail = words[-9:]
    while tail and (tail[-1] in FILL or tail[-1] in NOUN or tail[-1] in ("it's", "it", "is")):
        tail = tail[:-1]
    if not tail or tail[-1] not in WORDS["but"]:
        return False
    named = [index for index, word in enumerate(tail[:-1]) if len(word) == 1 and word.isalnum()]
    return bool(named) and any(word in DENY or word.endswith("n't") for word in tail[: named[-1]])


_NO_OTHER = re.compile(r"\bno other (?:\w+ )?(?:than|but|except) (?:\w+ )?\W{0,4}$")
_BREAKS = frozenset({",", "but", "yet", "however"})
_IS_WRONG = frozenset({"that", "that's", "this", "it", "it's", "i'm"})


def _is_aside(clause: list[str]) -> bool:
    """Tell whether the clause supposes, reports someone else's view, or an earlier thought."""
    for index, word in enumerate(clause):
        rest = clause[index + 1 :]
        following = rest[0] if rest else ""
        if (
            index
            and clause[index - 1] == "i"
            and word != "first"
            and PAIRS.get((word, following)) != "dropped"
        ):
            continue  # "I suppose"
        if (
            word in WORDS["if"]
            and _BREAKS.isdisjoint(rest)
            and not {"had", "have", "forced"} & set(rest)
        ):
            return True
        if word == "if" and _IS_WRONG.issuperset(rest[:1]) and {"wrong", "incorrect"} & set(rest):
            return True  # "if that's wrong, C"
        second = word == "thought" and clause[index - 1 : index] == ["second"]
        if word in WORDS["before"] and not second and _BREAKS.isdisjoint(rest):
            return True
        if PAIRS.get((word, following)) == "dropped" and _BREAKS.isdisjoint(rest):
            return True
        if word in ("first", "at") and following in WORDS["first"] and _BREAKS.isdisjoint(rest):
            return True
        if word == "which" and following in WORDS["asked"]:
            return True
        reported = word in WORDS["others"] and WORDS["reported"] & set(rest[:3])
        if reported and WORDS["supposed"] & set(rest[:6]) and _BREAKS.isdisjoint(rest):
            return True
    return False


def _corrects(tail: list[str]) -> bool:
    """Tell whether the words take something back."""
    if not WORDS["correction"].isdisjoint(tail):
        return True
    for index, pair in enumerate(pairwise(tail)):
        if PAIRS.get(pair) == "correction":
            return True
        before = tail[index - 1] if index else ""
        answered = before in _COLONS or (len(before) == 1 and before.isalnum())  # "A: no,"
        if pair[0] == "no" and pair[1] in (",", ".", "!") and not answered:
            return True
    return False


def _skip_fill(words: list[str]) -> int:
    """Return the index of the last word that is no noun for options and no filler."""
    at = len(words) - 1
    for skipped in range(10):
        if at <= 0:
            break
        pair = PAIRS.get((words[at - 1], words[at]), "")
        concludes = words[at] in THEREFORE and words[at - 1] not in LINK
        filler = not pair and not concludes and (words[at] in NOUN or words[at] in FILL)
        comma = words[at] == "," and skipped
        if pair == "fill":
            at -= 2
        elif filler or comma or (not concludes and not skipped and _is_other_noun(words, at)):
            at -= 1
        else:
            break
    return max(at, 0)


_CUE_OF_PAIR: dict[str, Cue] = {"choose": "choice", "maybe": "tentative", "spared": "spared"}


def _cue(words: list[str], clause: list[str]) -> Cue:
    """Name the phrase that the words end with, nouns and fillers skipped."""
    at = _skip_fill(words)
    word = words[at]
    pair = PAIRS.get((words[at - 1], word), "") if at else ""
    comma = words[at] == ","
    if comma and at and (words[at - 1] in THEREFORE or words[at - 1] in LINK):
        at -= 1
        word = words[at]
    left = clause[: max(0, len(clause) - (len(words) - at))]
    if words[-1] == "," and clause[0] in WORDS["since"]:
        return "therefore"
    if pair in _CUE_OF_PAIR:
        return _CUE_OF_PAIR[pair]
    if word in MAYBE:
        return "tentative"
    if word in ANSWER and word not in ("guess", "response", "answers", "answer's", "solution"):
        return "called_answer"
    if word == "answer's":
        return "answer"
    if word == "on" and words[at - 1] not in ANSWER:
        return ""  # "depends on", not the Finnish "is"
    if word in LINK or word in ("it's", "that's", "c'est"):
        return _linked(words[: at + 1], left)
    if word == "=" and len(words[at - 1]) == 1 and words[at - 1] in "abcdefghi":
        return ""  # "A = B"
    if word in _COLONS and word not in ("=>", "->", "→"):
        return _after_colon(left)
    if word in CHOOSE and "from" not in words[at:]:
        return "choice"
    if word in WORDS["only"]:
        return "only"
    if word in ("=>", "->", "→") and len(words[at - 1]) == 1 and words[at - 1].isalpha():
        return ""  # "A -> C"
    if word in THEREFORE:
        return "answer" if word in ("=>", "->", "→") and ANSWER & set(left) else "therefore"
    return ""


def _is_other_noun(words: list[str], at: int) -> bool:
    """Tell whether a word is the noun of a name such as "ball D", behind "is" or "the"."""
    if words[at].endswith("ed"):  # "were graded D"
        return False
    if at == 0 or not words[at].isalpha() or words[at] in _KNOWN or len(words[at]) < 3:
        return False
    return words[at - 1] in LINK or words[at - 1] in ("the", ":") or words[at - 1] in THEREFORE


def _subject(words: list[str]) -> set[str]:
    """Return the words, without "answer" where it is a verb: "unable to answer"."""
    return {word for before, word in pairwise(["", *words]) if before != "to"}


def _linked(words: list[str], left: list[str]) -> Cue:
    """Read "… is": what is the subject?"""
    at = len(words) - 1
    if words[-1] == "are" and len(words[at - 1]) == 1:
        return ""  # "all A are B"
    while at > 0 and (words[at] in LINK or words[at] in FILL):
        if words[at - 1] in MAYBE:
            return "tentative"
        at -= 1
    for index in range(len(left) - 1, -1, -1):
        if left[index] in ("because", "whereas"):
            left = left[index + 1 :]  # "it is true because all A are B"
            break
    subject = _subject(left[-20:])
    if subject & ANSWER and words[-1] in ("was", "were"):
        return "choice"  # "my answer was", before a change of mind
    if subject & ANSWER or subject & RIGHT:
        return "answer"
    pronoun = words[at] in PRONOUN or words[-1] in PRONOUN
    return "choice" if pronoun else "copula"


def _after_colon(left: list[str]) -> Cue:
    if not left:
        return ""
    if left[-1] in DENY and left[-1] != "no":
        return "denied"  # "incorrect: B"
    said = _subject(left[-16:])
    if said & ANSWER or said & (RIGHT - {"likely"}):
        return "answer"
    if said & CHOOSE:
        return "choice"
    if left and left[-1] in THEREFORE:
        return "therefore"
    return "colon"
