"""What the words around an option's name say of it: the text before it, the text behind it.

The text before is read word by word from the option backwards (`read_before`), with the words of
`mcq_words`; the text behind by patterns that begin where the name ends. Both read folded
lower-case text, and no further than a sentence reaches.
"""

import re
from dataclasses import dataclass
from .mcq_words import PAIRS, SUFFIX_FILL, SUFFIXES, WORDS, Cue


@dataclass(frozen=True, slots=True)
class Before:
    """What the text before an option says.

    Attributes:
        cue: How it leads up to the option; empty where it does not.
        corrects: It takes something back ("wait", "on second thought").
        corrects_here: It does so in the very last words ("no, B").
        concludes: Its sentence begins with a word such as "therefore".
    """

    cue: Cue
    corrects: bool = False
    corrects_here: bool = False
    concludes: bool = False


_WINDOW = 140
_TOKEN = re.compile(r"i\.e\b|[^\W_]+(?:['-][^\W_]+)*|'s\b|[-=]>|[.!?;,:=\n→⇒∴⟹–—-]", re.IGNORECASE)
_ENDS = frozenset(".!?;\n")
_COLONS = frozenset(":=→–—-") | {"->", "=>"}
_ABBREVIATED = frozenset("ans opt no fig i.e viz approx resp".split())
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
    if words[last] == "." and last and words[last - 1] in _ABBREVIATED:
        last -= 1
    words = words[: last + 1]
    corrects = _corrects(words[-22:])
    clause = _clause(words)
    if _denies(words):
        return Before("denied")
    if _not_but(words):
        return Before("corrected")
    if _is_aside(clause):
        return Before("aside")
    if words[-1] in _WEIGHED:
        return Before("between" if words[-1] == "between" else "aside")
    concludes = bool(clause) and clause[0] in THEREFORE
    return Before(_cue(words, clause), corrects, corrects and _corrects(words[-4:]), concludes)


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
        if role in ("fill", "maybe") and before in DENY:
            return False
        following = words[index + 1] if index + 1 < len(words) else ""
        if (word in DENY or word.endswith("n't")) and PAIRS.get(
            (word, following), "deny"
        ) == "deny":
            return True
        if word in LINK and word not in ("be", "been", "have", "to"):
            return before in WORDS["no"]
        if word in STOP or word in _ENDS or word in ",:=":
            return False
    return False


def _not_but(words: list[str]) -> bool:
    """Tell whether the text ends with "not A but"."""
    tail = words[-9:]
    while tail and (tail[-1] in FILL or tail[-1] in NOUN or tail[-1] in ("it's", "it", "is")):
        tail = tail[:-1]
    if not tail or tail[-1] not in WORDS["but"]:
        return False
    named = [index for index, word in enumerate(tail[:-1]) if len(word) == 1 and word.isalnum()]
    return bool(named) and any(word in DENY or word.endswith("n't") for word in tail[: named[-1]])


_WEIGHED = frozenset(
    "between at from among amongst versus vs than consider considering compare comparing".split()
)
_SUPPOSED = CHOOSE | frozenset("think argue expect assume answer claim".split())
_REPORTING = frozenset("might may could would think say argue assume expect to".split())
_FIRST = frozenset(
    "thought guess answer impression instinct choice idea inclination glance".split()
)


def _is_aside(clause: list[str]) -> bool:
    """Tell whether the clause supposes, reports someone else's view, or an earlier thought."""
    for index, word in enumerate(clause):
        rest = clause[index + 1 :]
        if index and clause[index - 1] == "i":
            continue  # "I suppose"
        if word in WORDS["if"] and "," not in rest and not {"had", "have", "forced"} & set(rest):
            return True
        if word in WORDS["before"] and "," not in rest:
            return True
        if (
            word in ("first", "at")
            and rest[:1]
            and rest[0] in _FIRST | {"first"}
            and "," not in rest
        ):
            return True
        reported = word in WORDS["others"] and _REPORTING & set(rest[:3])
        if reported and _SUPPOSED & set(rest[:6]) and "," not in rest:
            return True
    return False


def _corrects(tail: list[str]) -> bool:
    """Tell whether the words take something back."""
    for index, word in enumerate(tail):
        if word in WORDS["correction"]:
            return True
        following = tail[index + 1] if index + 1 < len(tail) else ""
        if (word == "no" and following in (",", ".", "!")) or (word, following) in _TAKES_BACK:
            return True
    return False


_TAKES_BACK = frozenset(
    {("second", "thought"), ("i", "mean"), ("i", "meant"), ("closer", "look"), ("was", "wrong"),
     ("was", "incorrect"), ("let", "me"), ("stand", "corrected"), ("changed", "my"),
     ("double", "checking"), ("further", "review"), ("en", "fait"), ("en", "realidad")}
)  # fmt: skip


def _cue(words: list[str], clause: list[str]) -> Cue:
    """Name the phrase that the words end with, nouns and fillers skipped."""
    at = len(words) - 1
    skipped = 0
    while at > 0 and skipped < 10:
        pair = PAIRS.get((words[at - 1], words[at]), "")
        if pair == "fill":
            at -= 2
        elif words[at] in THEREFORE and words[at - 1] not in LINK:
            break
        elif not pair and (words[at] in NOUN or words[at] in FILL):
            at -= 1
        elif words[at] == "," and skipped and at > 0:
            at -= 1
        elif skipped == 0 and _is_other_noun(words, at):
            at -= 1
        else:
            break
        skipped += 1
    word = words[at]
    pair = PAIRS.get((words[at - 1], word), "") if at else ""
    comma = words[at] == ","
    if comma and at and (words[at - 1] in THEREFORE or words[at - 1] in LINK):
        at -= 1
        word = words[at]
    left = clause[: max(0, len(clause) - (len(words) - at))]
    if pair in ("choose", "maybe", "spared"):
        return {"choose": "choice", "maybe": "tentative", "spared": "spared"}[pair]  # type: ignore[return-value]
    if word in MAYBE:
        return "tentative"
    if word in ANSWER and word not in ("guess", "response", "answers", "answer's", "solution"):
        return "called_answer"
    if word == "answer's":
        return "answer"
    if word in LINK or word in ("it's", "that's", "c'est"):
        return _linked(words[: at + 1], left)
    if word in _COLONS and word not in ("=>", "->", "→"):
        return _after_colon(left)
    if word in CHOOSE and "from" not in words[at:]:
        return "choice"
    if word in WORDS["only"]:
        return "only"
    if word in THEREFORE:
        return "answer" if word in ("=>", "->", "→") and ANSWER & set(left) else "therefore"
    return ""


def _is_other_noun(words: list[str], at: int) -> bool:
    """Tell whether a word is the noun of a name such as "ball D", behind "is" or "the"."""
    if at == 0 or not words[at].isalpha() or words[at] in _KNOWN or len(words[at]) < 3:
        return False
    return words[at - 1] in LINK or words[at - 1] in ("the", ":") or words[at - 1] in THEREFORE


def _linked(words: list[str], left: list[str]) -> Cue:
    """Read "… is": what is the subject?"""
    at = len(words) - 1
    while at > 0 and (words[at] in LINK or words[at] in FILL):
        if words[at - 1] in MAYBE:
            return "tentative"
        at -= 1
    subject = set(left[-20:])
    if subject & ANSWER or subject & RIGHT:
        return "answer"
    pronoun = words[at] in PRONOUN or words[-1] in PRONOUN
    return "choice" if pronoun else "copula"


def _after_colon(left: list[str]) -> Cue:
    if not left:
        return ""
    said = set(left[-16:])
    if said & ANSWER or said & (RIGHT - {"likely"}):
        return "answer"
    if said & CHOOSE:
        return "choice"
    if left and left[-1] in THEREFORE:
        return "therefore"
    return "colon"


_ADVERBS = (
    r"(?:\s*\b(?:also|clearly|definitely|obviously|certainly|therefore|thus|just|both|all|then|simply|"
    r"really|very|quite|indeed|likely|probably|most likely|completely|equally|too|most|still|now|"
    r"immediately|actually|in fact|easily|safely|partially|partly)\b)*"
)
_IS = (
    r"(?:is|are|was|were|'s|seems?(?: to be)?|looks?|appears?(?: to be)?|would be|must be|should be|can be|could be|"
    r"may be|might be|will be|has to be|have been|has been|gets?|being|est|ist|es|é|è)"
)
_OPENING = r"^[\s:*_'\"]*(?:[,(–—-]+\s*(?:(?:which|that|it|and|this(?: one| option)?)\s+)?|(?:which|that)\s+)?"
NEGATIVE_RIGHT = re.compile(
    r"(?!\s*[,;(–—-]+\s*(?:and\s+|but\s+)?not\s+(?!correct|right|the (?:answer|correct)|valid|possible|a match))"
    + _OPENING
    + rf"(?:{_IS}?{_ADVERBS}\s*"
    r"(?:\b(?:not|n't|incorrect|wrong|false|out(?! of \d)|eliminat\w+|ruled out|excluded|invalid|impossible|rejected|"
    r"discarded|unlikely|mistaken|inconsistent|inaccurate|different from|no(?=\s*(?:[,.;:!?|]|$))|nope|"
    r"falsch|faux|fausse|falso|falsa|incorrect[ao]s?|errad[ao]|sbagliat[ao]|неверн\w+|неправильн\w+|не)\b"
    r"|n't\b|[✗✘❌×✖☒])"
    r"|(?:does|do|did|has|have|would|will|could|can|is|are|was|should|had)(?:n't|\s+not)\b|cannot\b|can't\b|won't\b"
    r"|(?:both\s+|all\s+|also\s+)?(?:fails?|lacks?|breaks?|violates?|contradicts?|misses)\b"
    r"|(?:項|项|选项|選項)?(?:也|都)?(?:不对|不對|不正确|不正確|错|錯|不符|不是|不行|不满足|排除|有误)"
    r"|は(?:間違|違|誤|不正解|正しくない)|では?な|[은는이가]?\s*(?:틀|아니|오답))"
)
POSITIVE_RIGHT = re.compile(
    _OPENING + rf"(?:{_IS}{_ADVERBS}\s*(?:(?:the|an?|my|our|la|le|die|der|das|el|o)\s+)?"
    r"(?:\w+ly\s+)?(?:only|best|correct|right|answer|solution|odd|missing|one\b|most|closest|logical|proper|"
    r"appropriate|next|true|valid|match\b|winner|(?:slightly\s+|much\s+)?better(?: fit)?|(?:more\s+|most\s+)?(?:likely|probable|plausible)|more\s+\w+|good|perfect|what|consistent|accurate|choice|"
    r"richtig\w*|korrekt|correct[ae]?|corrett[ao]|bonne|juste|corret[ao]|верн\w+|правильн\w+|final|ideal|required|figure that|option that|"
    r"image that|box that|piece that|shape that)"
    r"(?!\s+(?:as|number of|but|in (?:size|shape|colou?r|orientation)|shape|colou?r|size|orientation))"
    r"|(?:also\s+|both\s+|all\s+|best\s+|perfectly\s+)*(?:remains?|stays?(?=\s*(?:[.,;!]|$))|survives?|is left|fits?|matche?s?|works?|completes?|satisf(?:y|ies)|makes? sense|follows?|"
    r"continues?|belongs?|stands? out|comes? next|should (?:come|go|be|replace)|goes|wins|replaces?|obeys?|keeps? (?:both|all|the)|"
    r"meets?|preserves?|answers?|it is\b|does(?![n'\s]*(?:n't|not)))\b"
    r"|(?:項|项|选项|選項)?(?:是|为)?(?:正确|正確|对|對|答案|最佳|符合)|が正|が答|は正|[이가]\s*(?:정답|맞|옳)|입니다|です|だ|[✓✔✅☑]"
    r"|:?\s*(?:yes|correct)\b)"
)
POSSIBLE_RIGHT = re.compile(
    _OPENING + r"(?:(?:(?:is|are|was)(?:\s+also)?|could|might|may|can)(?:\s+also)?(?:\s+be)?\s+"
    r"(?:possible|plausible|a possibility|a candidate|close|tempting|work|fit|be|valid too|likely)"
    r"|(?:looks?|seems?|seemed|looked|appears?|appeared)\s+(?:\w+\s+){1,3}(?:at first|initially)"
    r"|(?:looks?|seems?|seemed|looked)\s+(?:possible|plausible|close|similar|promising|tempting))\b"
)
CLAUSE_END = re.compile(
    r"^[\s*_'\")\]}>]*(?:$|[.,;:!?。，、；！|]|\n|[-–—(\[]|(?:because|since|as|for|due|based|with|by|which|where|that|given|"
    r"if|when|after|in (?:this|the)|here|and|but|from|then|per|according|due|to)\b"
    r"|です|だ|입니다|이다|예요|である|となり|になり|。|\W*$)"
)
QUESTION_RIGHT = re.compile(r"^[^.!\n]{0,25}\?")
CUT_OFF_RIGHT = re.compile(
    r"^[\s,(]*(?:or|oder|ou|或|или)(?:\s*[.…]*\s*$|\s+(?:maybe|perhaps|possibly|even|potentially)\b)"
)
ANSWER_RIGHT = re.compile(
    _OPENING + rf"{_IS}{_ADVERBS}\s*(?:the|my|our)?\s*"
    r"(?:(?:correct|right|best|final|only|most|likely|logical|valid|possible|obvious)\s+){0,3}"
    r"(?:answer|solution|option|choice|pick|guess)s?\b(?!\s+(?:that|which|to|for|in)\b)"
)
FORMER_RIGHT = re.compile(
    _OPENING
    + r"(?:was|were|had been)\s+(?:my|the|our)?\s*(?:first|initial|earlier|original|previous)\b"
)
