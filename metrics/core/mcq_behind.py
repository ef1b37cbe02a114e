"""What the text behind an option says of it: patterns that begin where its name ends.

All text is folded and in lower case.
"""

import re

_ADVERBS = (
    r"(?:\s*\b(?:also|clearly|definitely|obviously|certainly|therefore|thus|just|both|all|then"
    r"|simply|"
    r"really|very|quite|indeed|likely|probably|most likely|completely|equally|too|most|still|now|"
    r"immediately|actually|in fact|easily|safely|partially|partly)\b)*"
)
_IS = (
    r"(?:is|are|was|were|'s|seems?(?: to be)?|looks?|appears?(?: to be)?|would be|must be"
    r"|should be|can be|could be|"
    r"may be|might be|will be|has to be|have been|has been|gets?|being|est|ist|es|é|è)"
)
_OPENING = (
    r"^[\s:*_'\"]*(?:(?:->|=>|→|⇒)\s*)?"
    r"(?:[,(–—-]+\s*(?:(?:which|that|it|and|this(?: one| option)?)\s+)?|(?:which|that)\s+)?"
)
_NOT_WRONG = (
    r"[^.;,\n]{0,20}?(?:n't|\b(?:can)?not)\s+(?:be\s+)?(?:wrong|incorrect|false"
    r"|eliminated|excluded|ruled out)"
)
NEGATIVE_RIGHT = re.compile(
    rf"(?!{_NOT_WRONG})"
    + r"(?!\s*[,;(–—-]+\s*(?:and\s+|but\s+)?not\s+(?!correct|right|the (?:answer|correct)|valid"
    r"|possible|a match))" + _OPENING + rf"(?:{_IS}?{_ADVERBS}\s*"
    r"(?:\b(?:not|n't|incorrect|wrong|false|out(?! of \d)|eliminat\w+|ruled out|excluded"
    r"|invalid|impossible|rejected|"
    r"discarded|unlikely|mistaken|inconsistent|inaccurate|"
    r"different from(?! (?:all )?(?:of )?the (?:other|rest))|no(?=\s*(?:[,.;:!?|]"
    r"|$))|nope|no\s+(?:match|good|fit|longer)|(?:the|an?)\s+(?:wrong|incorrect)|"
    r"falsch|faux|fausse|falso|falsa|incorrect[ao]s?|errad[ao]|sbagliat[ao]|неверн\w+"
    r"|неправильн\w+|не)\b"
    r"|n't\b|[✗✘❌×✖☒])"
    r"|(?:does|do|did|has|have|would|will|could|can|is|are|was|should|had)(?:n't|\s+not)\b"
    r"|cannot\b|can't\b|won't\b"
    r"|(?:both\s+|all\s+|also\s+)?(?:fails?|lacks?|breaks?|violates?|contradicts?|misses)\b"
    r"|(?:項|项|选项|選項)?(?:也|都)?(?:不对|不對|不正确|不正確|错|錯|不符|不是|不行|不满足|排除|有误)"
    r"|は(?:間違|違|誤|不正解|正しくない)|では?な|[은는이가]?\s*(?:틀|아니|오답))"
)
POSITIVE_RIGHT = re.compile(
    _OPENING + rf"(?:{_IS}{_ADVERBS}\s*(?:(?:the|an?|my|our|la|le|die|der|das|el|o)\s+)?"
    r"(?:\w+ly\s+)?(?:only|best|correct|right|answer|solution|odd|exception|outlier|intruder"
    r"|missing(?! from\b)|one\b"
    r"|most|least|\w{2,}est(?=\W{0,3}(?:[.!,;]|$))|closer|closest|nearer|nearest"
    r"|logical|proper|"
    r"appropriate|next(?! to\b)|true|valid|match\b|winner|(?:slightly\s+|much\s+)?better(?: fit)?"
    r"|(?:more\s+|most\s+)?(?:likely|probable|plausible)|more\s+\w+|good|perfect|what"
    r"|consistent|accurate|choice|"
    r"richtig\w*|korrekt|correct[ae]?|corrett[ao]|bonne|juste|corret[ao]|верн\w+|правильн\w+"
    r"|final|ideal|required|figure that|option that|"
    r"image that|box that|piece that|shape that)"
    r"(?!\s+(?:as|number of|but|in (?:size|shape|colou?r|orientation)|shape|colou?r|size"
    r"|orientation))"
    r"|(?:also\s+|both\s+|all\s+|best\s+|perfectly\s+)*(?:remains?|stays?(?=\s*(?:[.,;!]|$))"
    r"|survives?|is left|fits?|matche?s?|works?|completes?|satisf(?:y|ies)|makes? sense"
    r"|follows?|"
    r"continues?|belongs?|stands? out|comes? next|should (?:come|go|be|replace)|goes|wins"
    r"|replaces?|obeys?|keeps? (?:both|all|the)|"
    r"meets?|preserves?|answers?|it (?:is|must be|has to be)\b|does(?![n'\s]*(?:n't|not)))\b"
    r"|(?:項|项|选项|選項)?(?:是|为)?(?:正确|正確|对|對|答案|最佳|符合)|が正|が答|は正|[이가]\s*(?:정답|맞|옳)|[를을]\s*선택|を選|입니다|です|だ|[✓✔✅☑]"
    r"|:?\s*(?:yes|correct)\b"
    r"|shows? (?:exactly )?(?:that|this)\s*(?:[.!,]|$)"
    r"|is different\W{0,3}(?:$|\n)"
    r"|(?:is|looks) (?:\w+ )?different from (?:all )?(?:of )?the (?:other|rest)"
    r"|[^.;:\n]{1,60}\band is (?:therefore |thus |hence |so )?"
    r"the (?:exception|odd|answer|correct|right|missing)\b"
    r"|the\s+(?:only\s+)?(?:right|correct|best|odd)\s+(?:one|answer|choice|option|match|fit)\b)"
)
POSSIBLE_RIGHT = re.compile(
    _OPENING + r"(?:(?:both|all|also|equally)\s+)?(?:"
    r"(?:is|are|was)(?:\s+(?:also|both|all))?\s+equally\s+(?:\w+ly\b|plausible|possible|good|valid)"
    r"|(?:(?:is|are|was)(?:\s+(?:also|both|all))?|could|might|may|can)"
    r"(?:\s+(?:also|both|all))?(?:\s+be)?\s+"
    r"(?:possible|plausible|a possibility|a candidate|close|tempting|work|fit|be|valid too|likely)"
    r"|(?:looks?|seems?|seemed|looked|appears?|appeared)\s+(?:\w+\s+){1,3}(?:at first|initially)"
    r"|(?:looks?|seems?|seemed|looked)\s+(?:equally\s+)?"
    r"(?:possible|plausible|close|similar|promising|tempting))\b"
)
CLAUSE_END = re.compile(
    r"^[\s*_'\")\]}>]*(?:$|[.,;:!?。，、；！|]|\n|[-–—(\[]|(?:because|since|as|for|due|based|with|by"
    r"|which|where|that|given|"
    r"if|when|after|in (?:this|the)|here|and|but|from|then|per|according|due|to)\b"
    r"|(?:is|does)\s*(?:[.,;!]|$)"
    r"|です|だ|입니다|이다|예요|である|となり|になり|。|\W*$)"
)
QUESTION_RIGHT = re.compile(r"^[^.!\n]{0,25}\?")
CUT_OFF_RIGHT = re.compile(
    r"^[\s,(]*(?:(?:and|und|et)\s*$|(?:or|oder|ou|或|или)(?:\s*[.…]*\s*$|\s+(?:maybe|perhaps|possibly|even"
    r"|potentially)\b)|(?:vs|versus)\b)"
)
ANSWER_RIGHT = re.compile(
    _OPENING + rf"{_IS}{_ADVERBS}\s*(?:the|my|our)?\s*"
    r"(?:(?:correct|right|best|final|only|most|likely|logical|valid|possible|obvious)\s+){0,3}"
    r"(?:answer|solution|option|choice|pick|guess)s?\b(?!\s+(?:that|which|to|for|in)\b)"
)
# "Hence B is the rotation." ends what it concludes.
PREDICATE_RIGHT = re.compile(
    r"^\s+(?:is|are)\s+(?:the|an?|our)\s+[\w-]+(?:\s+[\w-]+)?\s*[.!]?\s*(?:\n|$)"
)
UNREAL_RIGHT = re.compile(r"^[^.;!?\n]{0,20}\bwould\b[^.;!?\n]{0,60}\bif\b")
FORMER_RIGHT = re.compile(
    _OPENING
    + r"(?:was|were|had been)\s+(?:my|the|our)?\s*(?:first|initial|earlier|original|previous)\b"
)
