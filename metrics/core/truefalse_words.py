"""The words by which replies to true/false questions are read for their meaning.

Patterns run on folded lower-case text. Those named `…_BEFORE` are searched in the text before a cue
and end with it; those named `…_BEHIND` are matched in the text behind it.
"""

import re


def _any(*lists: str) -> str:
    """Return a pattern for any of the words, longest first; `_` stands for a space."""
    words = sorted({word for line in lists for word in line.split()}, key=len, reverse=True)
    return "(?:" + "|".join(re.escape(word).replace("_", " ") for word in words) + ")"


def _before(*patterns: str) -> re.Pattern[str]:
    """Return a pattern that ends where a cue begins, quotes and markup between them."""
    return re.compile(rf"(?:{'|'.join(patterns)}){_OPENING}$")


_OPENING = r"[\s\"'*_({\[$\\]*"
_CLOSING = r"[\s\"'*_)}\]$]*"
_SOME_WORDS = r"(?: [\w'’-]+){0,4}"
_LETTERS_END = r"(?![^\W_])"

# Words that give a verdict wherever they stand.
_TRUE = _any(
    "stimmt trifft_zu benar đúng",
    "true truthful vrai vraie wahr verdadero verdadera verdadeiro verdadeira",
    "正确 正確 属实 屬實 正しい 맞습니다 правда верно истина правильно صحيح सत्य doğru prawda",
)
_FALSE = _any(
    "false untrue falsehood falsely falsity faux fausse falsch unwahr falso falsa falsk falskt",
    "stimmt_nicht trifft_nicht_zu no_truth không_đúng tidak_benar",
    "不正确 不正確 错误 錯誤 不属实 不对 不對 不是真的 正しくない 誤り 間違い",
    "거짓 틀립니다 틀렸습니다 아닙니다 間違っています 間違いです",
    "неправда неверно неправильно ложь ложно ложное ложна خطأ गलत असत्य yanlış fałsz onwaar",
)
# Words that do so as a predicate ("is correct") or as the first words of a sentence.
_RIGHT = _any(
    "the_truth esatto esatta giusto",
    "correct right accurate valid factual the_case affirmative supported verified proven entailed",
    "consistent richtig korrekt correcto correcta",
    "verdad verdade correcte exact exacte cierto cierta corretto corretta vero vera correto",
    "correta",
    "waar juist",
)
_WRONG = _any(
    "incorrect wrong inaccurate invalid erroneous mistaken a_lie in_error a_mistake",
    "inexact inexacte inkorrekt",
    "unsupported refuted disproved disproven contradicted inconsistent",
    "incorrecto incorrecta erróneo errónea scorretto sbagliato incorreto errado onjuist",
)
# Words that do so as the first word of a sentence or as the announced answer.
_YES = _any(
    "yes yeah yep yup aye absolutely certainly definitely indeed exactly of_course sure agreed",
    "agree confirmed oui ja sí sim да evet tak",
)
_NO = _any(
    "no nope nah nay negative absolutely_not certainly_not definitely_not of_course_not not_at_all",
    "disagree not_really by_no_means non nein não нет hayır nee nej",
)
# Too short to mean anything but as the whole answer.
_BARE_TRUE = _any(
    "t 1 y si v 对 對 对的 是 是的 真 참 예 네 はい نعم đúng benar सही ✓ ✔ ✅ ☑ 👍 √ ✔️",
    "sì その通りです",
    "certo सही_है 참입니다 it_certainly_is it_definitely_is it_indeed_is indeed_it_is",
    "it_is it_does it_is_so it_exists it_does_exist there_is there_is_one there_are",
    "맞다 맞아요 맞습니다 हाँ हां जी_हाँ ya iya נכון αληθές σωστό sant sandt จริง ถูกต้อง درست так",
    "ture treu tru truly truely",
    "entailment confirm i_confirm i_can_confirm i_can_confirm_that accept accepted fact a_fact",
)
_BARE_FALSE = _any(
    "f 0 n nie х 错 錯 错的 否 不 不是 假 偽 아니요 아니오 いいえ لا sai salah ✗ ✘ ❌ ✕ 👎",
    "× ❎ 違います 違う",
    "गलत_है not_in_the_least not_even_close no_way no_chance it_certainly_isn't",
    "it_certainly_is_not it_definitely_isn't it_definitely_is_not",
    "it_is_not it_isn't it_does_not_exist it_doesn't_exist there_is_not there_isn't",
    "there_is_none there_are_none 틀리다 틀려요 틀렸어요 没有 沒有",
    "नहीं tidak לא_נכון ψευδές λάθος usant เท็จ ผิด نادرست ні",
    "it_does_not it_doesn't it_is_not_so not_so flase fasle fales fals",
    "contradiction denied deny reject rejected fiction not_quite not_exactly",
)

CUE = re.compile(
    rf"(?<![^\W_])(?:(?P<false>{_FALSE})|(?P<true>{_TRUE})|(?P<right>{_RIGHT})|(?P<wrong>{_WRONG})"
    rf"|(?P<yes>{_YES})|(?P<no>{_NO})"
    r"|i (?:do |did |can ?)?(?:not |don['’]t |can['’]t )?(?:\w+ly )?"
    r"(?:(?P<agree>agree)|(?P<disagree>disagree))"
    r"|(?:statement|claim|assertion|it|this) (?:do(?:es)? ?(?:not |n['’]t )?)?"
    r"(?:(?P<holds>holds?(?! true)|checks? out)|(?P<fails>fails))(?! to\b))"
    rf"(?:{_LETTERS_END}|(?<=[^\x00-\u02ff]))"
    r"|(?P<far_true>正确|正確|属实|屬實|正しい|맞습니다|(?:为|為|是)真(?:的|实)?)"
    r"|(?P<far_false>不正确|不正確|错误|錯誤|不属实|不对|不對|正しくない|間違い|間違って|誤り|틀립니다"
    r"|틀렸|거짓|(?:为|為|是)假的?)"
    r"|(?:^|(?<=[\n:。]))\s{0,9}(?:(?P<far_yes>是的|对的|对|没错|はい|네|예)"
    r"|(?P<far_no>不是的?|不|否|没有|いいえ|아니요|아니오))(?=[,、!。.])"
)
POSITIVE = frozenset({"true", "right", "yes", "agree", "holds", "far_true", "far_yes"})
PREDICATES = frozenset({"right", "wrong"})
INTERJECTIONS = frozenset({"yes", "no", "far_yes", "far_no"})

BARE = re.compile(
    r"(?:(?:the )?(?:statement|claim)(?: is)? )?"
    rf"(?:(?P<true>{_TRUE}|{_RIGHT}|{_YES}|{_BARE_TRUE})"
    rf"|(?P<false>{_FALSE}|{_WRONG}|{_NO}|{_BARE_FALSE}))"
)
SHORT_ANSWER = re.compile(
    r"(?:\b(?:answer|verdict|ans|label|output|result)[\W_]{0,12}(?:is|would be)?|boxed"
    r"|答(?:案(?:是|为|為)?)?)"
    rf"[\W_]{{0,12}}(?:text[\W_]{{0,3}})?(?:(?P<true>{_BARE_TRUE})|(?P<false>{_BARE_FALSE}))"
    rf"{_LETTERS_END}(?=[\W_]{{0,8}}(?:\n|$))"
)
MARKUP = re.compile(r"\\(?:boxed|text\w{0,9}|math\w{0,9}|bf|rm)(?![a-z])|\s*</?\w{1,10}>|[\W_]+")
STOP = re.compile(r"[.!?;\n。！？；]")
ASKED = re.compile(r"[.!;\s]*[?？]")

# "true or false", "True/False", "neither true nor false": the question's words, no verdict.
ECHO = re.compile(
    r"\b(?:(?:true|yes|correct|right)[\W_]{0,4}(?:(?:and/)?or|/|\||nor|vs\.?)[\W_]{0,4}"
    r"(?:false|no|incorrect|wrong)|(?:false|no|incorrect|wrong)[\W_]{0,4}(?:or|/|\||nor)[\W_]{0,4}"
    r"(?:true|yes|correct|right)|true or not|t/f)\b"
    # `"is_correct": false`: the first word is the name of a field.
    r"|\b(?:is_)?(?:correct|true|valid|right)[\"'*_ ]{0,4}[:=]"
    r"(?=[\"'*_ ]{0,4}(?:true|false|yes|no)\b)"
    # "It's true, isn't it?"
    r"|,? (?:is|does)(?:n['’]t| it not)?(?: (?:it|this|that))?\?$"
)
STRUCK_OUT = re.compile(r"~~[^~\n]{1,80}~~|<del>[^<\n]{1,80}</del>")

NEGATION_BEFORE = _before(
    r"(?:\b(?:not(?! (?:only|just))|never|hardly|cannot|nor|by no means|(?:in )?no way|nothing"
    r"|none of"
    r"|anything but|far from|nowhere near|(?<!no )(?<!without )(?<!without a )doubt|nicht|pas|não"
    r"|niet|inte|не|non è|no es|no está)|n['’]t|并非)"
    r"(?: (?!and|but|so|because|since)[\w'’-]+){0,5}",
    r"\b(?:rather than|instead of|as opposed to)(?: being)?(?: an?)?",
    r"\b(?:opposite|reverse|converse|contrary)(?: of (?:this|that|it))?"
    r" (?:is|would be|of)(?: \w+ly)?",
    r"不",
)
HEDGE_BEFORE = _before(
    r"\b(?:partially|partly|half|halfway|somewhat|mostly|largely|sometimes|sort of|kind of|in part"
    r"|may|might|could|possibly|perhaps|maybe|potentially|unsure|uncertain|unclear|vielleicht"
    rf"|peut-être|quizás|talvez|forse|возможно){_SOME_WORDS}",
    r"(?:\bnot|n['’]t) (?:necessarily|entirely|completely|fully|wholly|always|totally|strictly|sure"
    rf"|certain|clear|quite sure|100 ?%){_SOME_WORDS}",
    r"\bhalf-|部分|可能(?:是)?",
)
HEDGE_BEHIND = re.compile(
    r"-?ish\b|[\s\"'*_]*(?:,? ?(?:but|though|although|and|-) )?(?:only )?"
    r"(?:partially|partly|in part|to (?:some|a certain) (?:extent|degree)|sometimes)\b"
)
# Conditions, questions within a sentence, concessions, what others say or what might be asked.
TALKED_ABOUT_BEFORE = _before(
    r"\b(?:whether|if(?! (?:you|we) (?:look|follow|trace|check|see|examine))|unless|suppos(?:e|ing)"
    r"|assum(?:e|es|ing)|si la|respond with|reply with|answer with|either)\b.{0,80}|是否.{0,20}",
    r"\bwhen(?:ever)?\b[^,]{0,60}",
    r"\bthan (?:it is |it's |being )?",
    r"(?<!answer )(?<!that )\bwould(?! (?:say|appear|seem|(?:not )?(?:call|consider)|answer"
    rf"|conclude|argue|go|be (?:considered|deemed|rated|classified|called))){_SOME_WORDS}",
    r"\bfor .{1,60} to be",
    r"\b(?:can ?not|can['’]?t|could not|couldn['’]t|(?:un|not )able to|do not|don['’]t) (?:\w+ )?"
    r"(?:determine|tell|say|confirm|verify|decide|judge|conclude|know|establish)\b.{0,60}",
    r"(?:\b(?:not|in)|n['’]t) ?(?:enough|sufficient)\b.{0,60}",
    r"\b(?:although|though|while|even if|despite|whereas)\b[^,:—–]{0,80}",
    r"\b(?:at first|initially|(?:might|may|could) (?:think|assume|seem|appear)"
    r"|would (?:think|assume))\b[^,;]{0,40}",
)
CONCEDED_BEHIND = re.compile(
    r"[\s\"'*_]*that [^.!?;\n]{0,150}\b(?:but|however|yet|though)\b"
    r"|[\s\"'*_]*(?:at first|only if|if|otherwise)\b"
)
NESTED_BEHIND = re.compile(r"[\s\"'*_]*(?:to say )?that [^,.:;!?\n—–]{0,60}$")
# A word of the picture: the label of a node or of a branch.
NAMED_BEFORE = re.compile(
    r"(?:\b(?:label(?:l?ed)?|named|called|marked|titled|tagged|says?|reads?|text|word|node"
    r"|box|branch|edge|path|option|decision|condition|cell)"
    r"(?: (?:with|is|of|the|text|label|word)){0,2} ?"
    r"[\"'(\[*]{1,3}|\b(?:from|to|between) [\"']"
    r"|\b(?:labell?ed|named|titled|tagged)(?: with)? )$"
)
NAME_OF_BEHIND = re.compile(
    r"[\"')\]*_]{0,3}[ -](?:branch|path|label|node|box|arrow|edge|side|outcome|case|condition|link"
    r"|exit|route|leg|flow|arm|line|connection|direction|order|response|option|choice)"
)
PREDICATE_BEFORE = re.compile(
    r"(?:(?:\b(?:is|are|was|be|been|as|seems|appears|looks|sounds|deemed|considered|est|ist|es|è|é"
    r"|not)|n['’]t|['’]s)(?: (?:\w+ly|an?|not|quite|very|also|to be|indeed|in fact|just|nicht|pas"
    rf"|no|thus|so|still)){{0,3}}{_OPENING}"
    r"|^[\s\W_]*(?:(?:so|thus|hence|therefore|absolutely|exactly|quite|completely|entirely"
    r"|perfectly|not|nicht|statement)\W{1,3})?)$"
)
PREDICATE_BEHIND = re.compile(
    rf"(?: (?:statement|claim|assertion|description))?{_CLOSING}(?:$|[.,!?;:\n—–-]"
    r"|(?:at all|because|since|as|that|and|but|so|given|in|based|according|for|here"
    r"|due|if|when|regarding|about|to say|the|there|by|with)\b)"
)
INTERJECTION_BEFORE = re.compile(
    rf"(?:^|[,:—–>-]|\b(?:so|therefore|thus|hence|actually|wait|then|say|answer|is)){_OPENING}$"
)
INTERJECTION_BEHIND = re.compile(
    rf"{_CLOSING}(?:$|[.,、!?;:\n—–-]|(?:it|the|that|this|there(?! is an? arrow)"
    r"|because|since|i|they)\b)"
)

ANSWER_BEFORE = _before(
    r"\b(?:answer|verdict|conclusion|response|prediction|decision|ans|final|output|is_true"
    r"|truth value|judge?ment)[\"'*_\s]*(?:is|are|was|would be|should be|must be|remains|:|=|->|→)?"
    r"[\s\"'*_:=({\[]*(?:that )?(?:(?:(?:the|this|that) (?:given |above )?(?:statement|claim) is"
    r"|it is|it's)(?: not)?)?(?: therefore| thus| clearly)?",
    r"boxed\W{0,4}(?:\\?text\w{0,9}\W{0,3})?|####",
    r"答案(?:是|为|為)?:?|antwort(?: ist|:)?|réponse(?: est| ?:)?|respuesta(?: es|:)?|ответ:?",
)
CONCLUSION_BEFORE = re.compile(
    r"(?:\b(?:so|therefore|thus|hence|consequently|overall|in conclusion|in summary|to conclude"
    r"|in short|as a result|accordingly|but|however|donc|daher|por lo tanto|quindi|поэтому)\b"
    r"|所以|因此|=>|⇒|→|∴)[^.!?;\n]{0,80}$"
)
CORRECTION = re.compile(
    r"\b(?:actually|wait|hold on|correction|corrected|scratch that|on second thoughts?|i mean|sorry"
    r"|i meant|my mistake|my bad|oops|hmm|rather(?! than)|let me (?:re|double|correct)\w*|edit"
    r"|strike that|(?:up)?on (?:closer|further|re)\w*|re-?(?:examin|check|look|consider|evaluat)\w*"
    r"|in fact|i take that back|i was wrong|instead(?! of)|revised?|looking (?:again|closer)"
    r"|after checking)\b|不对|等等|更正"
)
PICTURE = re.compile(r"\b(?:picture|image|figure|flow ?chart|example|diagram)\s?#?(\d{1,3})\b")

_THING = r"(?:arrow|link|edge|connection|path|line|relationship|connector)s?"
DENIED = re.compile(
    r"\b(?:there(?: is| are| exists?|['’]s) (?:\w+ ){0,2}?"
    r"(?:no(?! (?:way|doubt|image|picture|info))|not an?|not any)\b"
    rf"|there (?:isn['’]t|aren['’]t|does not exist|is not)\b|(?:no|without an?) (?:\w+ )?{_THING}\b"
    rf"|{_THING} (?:does not|doesn['’]t|do not|don['’]t) (?:\w+ )?"
    r"(?:exist|point|go|connect|run|lead)|(?:does|do)(?: not|n['’]t) exist"
    r"|(?:is|are)(?: not|n['’]t) (?:directly )?(?:connected|linked|supported|consistent with)"
    r"|(?:does|do)(?: not|n['’]t) (?:\w+ )?"
    r"(?:point|connect|lead|match|reflect|describe|show|support|contain|confirm)"
    r"|(?:contradict|refute|disprove)s?\b)"
    r"|(?:不存在|没有|沒有)[^。,]{0,20}箭头|箭头不存在"
)
UNSEEN = re.compile(
    r"(?:\b(?:can ?not|do not|could not|did not)|n['’]t) (?:\w+ )?"
    rf"(?:see|find|detect|observe|spot|locate|identify) (?:an?|any) (?:\w+ ){{0,2}}{_THING}\b"
)
AFFIRMED = re.compile(
    r"\b(?:(?:i|we|you)(?: can)?(?: clearly)? (?:see|find|spot) (?:an?|one) "
    rf"(?:\w+ ){{0,2}}{_THING}\b"
    rf"|{_THING} (?:from|between|connecting|joining|pointing|going) [^.!?;\n]{{1,80}} exists\b"
    rf"|{_THING} (?:can (?:clearly )?be (?:seen|found)"
    r"|is (?:clearly )?(?:present|visible|drawn|shown))\b"
    rf"|has an? (?:\w+ ){{0,2}}{_THING} (?:pointing |leading |going )?(?:to|from|towards?)\b"
    r"|there(?: is| exists| does exist|['’]s)(?: \w+ly| indeed)? (?:an?|one) (?:\w+ )?"
    rf"{_THING}\b|{_THING} (?:does |indeed |clearly ){{0,2}}exists?\b"
    rf"|{_THING} (?:does (?:indeed |really )?|indeed |clearly )(?:point|lead|go|run)s?\b"
    r"|are (?:directly |indeed )?(?:connected|linked)\b"
    r"|does (?:indeed |in fact )?(?:point|connect|lead|link) (?:directly )?to\b"
    r"|(?:accurately|correctly) (?:describes|reflects|matches|represents)\b"
    r"|(?:(?:support|confirm|prove)s?|verif(?:y|ies)|match(?:es)?) (?:this\b(?! \w)"
    r"|(?:the|this) (?:\w+ )?(?:statement|claim|flow ?chart|diagram|chart|image|figure|picture)\b))"
    r"|(?<!不)存在[^。,]{0,20}箭头|(?<!没)有箭头|箭头存在"
)
CONTRAST = re.compile(
    r"\b(?:but|not|only|instead|opposite|reversed?|other way|however|although|while|no)\b|n['’]t"
)
