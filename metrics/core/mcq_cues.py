"""The words around an option's name that tell what a reply says of it.

A cue is read in the text just before a mention (its pattern ends with the text) or just behind it
(its pattern begins with the text). All patterns work on folded lower-case text in short windows.
"""

import re


def _words(*lists: str) -> str:
    """Return a pattern for any of the words; `_` stands for white space."""
    words = sorted({word for line in lists for word in line.split()}, key=len, reverse=True)
    return "(?:" + "|".join(re.escape(word).replace("_", r"\s+") for word in words) + ")"


OPTION_NOUN = _words(
    "option options choice choices alternative alternatives letter letters answer answers number",
    "figure figures image images picture pictures diagram diagrams box boxes shape shapes piece",
    "pieces object objects statement statements panel panels tile tiles item items proposal cube",
    "proposals pattern patterns drawing drawings candidate candidates design designs view views",
    "no. opt. fig. réponse reponse lettre choix opción opcion letra respuesta alternativa figura",
    "opção opcao opzione lettera risposta optie buchstabe möglichkeit antwort abbildung bild",
    "вариант варианту варианта варианте ответ буква рисунок фигура opcja seçenek şık opsi pilihan",
    "phương_án đáp_án lựa_chọn 选项 選項 答案 选择 图 圖 選択肢 図 보기 선택지 그림 الخيار الإجابة विकल्प",
)
_STRICT_NOUN = _words(
    "option options choice choices alternative alternatives letter letters answer answers opt.",
    "réponse lettre choix opción opcion letra respuesta alternativa opção opcao opzione lettera",
    "risposta optie buchstabe möglichkeit antwort вариант варианту варианта варианте ответ буква",
    "opcja seçenek opsi pilihan 选项 選項 答案 選択肢 보기 선택지 الخيار विकल्प",
)
_ANSWER = _words(
    "answer answers answer's ans ans. answered solution final conclusion verdict prediction result",
    "response selection guess pick decision key",
    "réponse reponse solution antwort lösung loesung respuesta solución resposta solução risposta",
    "soluzione ответ решение відповідь antwoord odpowiedź odpowiedz odpověď svar svaret cevap yanıt",
    "jawaban jawapan vastaus válasz răspunsul răspuns απάντηση đáp_án câu_trả_lời",
    "答案 答 答え 正解 正答 解答 回答 정답 정답은 답 답은 답이 الإجابة الاجابة الجواب إجابة उत्तर जवाब คำตอบ תשובה התשובה",
)
_RIGHT_ONE = _words(
    "correct right best only missing matching next final proper appropriate accurate likely odd true",
    "logical suitable valid closest required remaining",
)
_LINK = _words(
    "is are was were 's would_be should_be must_be will_be has_to_be can_only_be ought_to_be be",
    "seems_to_be appears_to_be turns_out_to_be comes_out_to_be becomes remains being equals",
    "corresponds_to matches",
    "est serait ist wäre waere lautet sind es son sería seria é e' è sarebbe jest это є είναι er är",
    "är: on adalah ialah là este este_opțiunea is_de",
    "是 为 為 應為 应为 应该是 應該是 应是 應是 选 選 は が 은 는 이 가 هي هو है คือ היא הוא",
)
_COLON = r"(?:\s*(?:[:=→⇒]|-+>|[-–—]+|：))"
_FILL = _words(
    "the clearly definitely obviously certainly simply likely most_likely probably therefore thus",
    "then hence indeed actually still now surely just in_fact of_course as_follows that to_be only",
    "given_by represented_by labeled labelled marked denoted_by shown_in in named called denoted",
    "namely i.e. apparently evidently undoubtedly again also option_number number my final",
    "la le l' el los las die der das den o a_letra a_opção la_lettre la_réponse la_letra la_opción",
    "la_lettera l'opzione l'option il dann also donc mithin somit вариант буква под_буквой het de",
    "选项 選項 第 选 選 应该是 應該是 应选 應選 :",
    "about roughly approximately around equal_to exactly approx. ~ ≈ an a",
)
_FILLS = rf"(?:[\s,:*\"'(]*{_FILL}(?![a-z])){{0,5}}[\s,:*\"'(]*"
_GAP = r"[^.!?;\n]"

NEGATION = re.compile(
    r"(?:\bnot(?!\s+only)|n't|\bcannot|\bnever|\bneither|\bnor|\bwithout|\bexcept(?:\s+for)?|\bunlike"
    r"|\banything but|\beverything but|\brather than|\binstead of|\bother than|\bas opposed to"
    r"|\b(?:eliminat|reject|discard|exclud|dismiss|disregard)(?:e|es|ed|ing|s)?|\bincorrectly"
    r"|\b(?:rul|cross)(?:e|es|ed|ing|ing)? out|\bavoid|\bincorrect|\bwrong|\bfalse"
    r"|\bnicht|\bkein\w*|\bpas|\bno|\bnão|\bnon|\bne|\bне|\bniet|\bnie|\binte|\bikke|\bdeğil"
    r"|不是|不选|不選|不会是|排除|并非|並非|而非|不能选)"
    r"(?:\s+(?!(?:but|and|so|then|doubt|question|is|are|was|were|would|must|should|'s|which|idea|a doubt)\b)[\w']+){0,4}$"
)
_BUT_INSTEAD = re.compile(
    r"(?:\bnot|n't|不是|\bnicht|\bpas|\bno|\bnão|\bnon|\bне)[^.!?\n]{0,60}?"
    r"(?:\bbut(?:\s+rather)?|\bsondern|\bmais|\bsino|\bmas|\bma|\bа|而是)(?:\s+(?:it'?s|it is|option|it should be|la|le|el|die))?$"
)
_CORRECTION = re.compile(
    r"(?:\bwait|\bactually|\bcorrection|\bon (?:second thought|reflection|closer|further|re)"
    r"|\bupon (?:closer|further|reflection|re)|\bafter (?:re|closer|double|further|checking|all\b)"
    r"|\bsorry|\boops|\bi mean(?:t)?\b|\bscratch that|\bmy mistake|\bapolog|\bchang(?:e|ed|ing) my"
    r"|\blet me (?:re|correct|fix|double)|\bi (?:stand corrected|take that back|was wrong|made an? )"
    r"|\bno[,.!]|\bhmm|\bnah\b|\binstead\b|\brevis|\bcorrected\b|\bupdate[ds]?\b|\bedit:|\bonce more"
    r"|不对|不對|等等|更正|应该是|doch\b|en fait|en realidad|на самом деле|вернее|точнее)[^\n]{0,90}$"
)
_ANSWER_LEFT = re.compile(
    rf"(?:(?<![a-z]){_ANSWER}(?![a-z]){_GAP}{{0,90}}?(?:{_COLON}|(?<![a-z]){_LINK}(?![a-z])){_FILLS}$"
    rf"|(?<![a-z]){_RIGHT_ONE}(?![a-z]){_GAP}{{0,90}}?(?:{_COLON}|(?<![a-z])(?:is|are|would be|should be|must be|will be)){_FILLS}$"
    rf"|(?<![a-z]){_ANSWER}[\s:.*_#>-]*\n[\s*_#>-]*$"
    rf"|####?\s*{_ANSWER}?\s*$"
    r"|(?:答案|故选|故選|应选|應選|因此选|所以选|我选|我選|选择|選擇|选|選|正确的是|正确选项|정답)(?:是|为|為|:|：|[\s項项])*$"
    rf"|\bfinal\s*:?\s*$)"
)
_CHOICE_LEFT = re.compile(
    r"(?:\b(?:choose|chose|chosen|choosing|pick|picked|picking|select|selected|selecting|prefer"
    r"|opt(?:ed|ing)? for|go(?:ing)? (?:with|for)|went with|settle(?:d)? (?:on|for)|vote for|bet on|lean(?:ing)? (?:towards?|to)"
    r"|(?:i|we)(?:'d|'ll| would| will| must| have to)? (?:say|guess|answer|conclude|believe|think|submit)|stick(?:ing)? with"
    r"|elijo|escojo|escolho|wähle|nehme|choisis|scelgo|выбираю|выберу|kies|wybieram|väljer)(?:\s+(?:that|it|it's|it is|this|would be|will be|is|for))*"
    r"|\b(?:leav(?:ing|es)|left with|that leaves|remains|reste|bleibt|queda|остаётся|остается)(?:\s+(?:us|me|only|with|just|one))*"
    r"|\b(?:it|that|this|which|one|answer)(?:'s|\s+is|\s+was|\s+must be|\s+should be|\s+would be|\s+has to be|\s+can only be|\s+will be)"
    r"|\b(?:most\s+)?(?:likely|probably)(?:\s+(?:to be|is))?"
    r"|\b(?:i\.e\.|that is|namely|viz\.)|\b(?:correspond(?:s|ing)? to|match(?:es|ing)?|points? to|favou?rs?)"
    r"|\b(?:must|should|would|has to|will) be|選ぶ|我选|선택)"
    rf"{_FILLS}$"
)
_THEREFORE_LEFT = re.compile(
    rf"(?:\b(?:so|thus|therefore|hence|consequently|accordingly|then|donc|also|daher|somit|luego|portanto|quindi|поэтому|следовательно|dus)|∴|⇒|=>|->|→|因此|所以|故|よって|따라서)"
    rf"(?:,?\s*(?:i|we|it|the answer|it is|it's|that is|must be|my answer|say|with))?{_FILLS}$"
)
_COPULA_LEFT = re.compile(
    rf"(?:(?<![a-z])(?:is|are|be|est|ist|es|é|è)(?![a-z])|:)(?:\s+(?:the|option|choice|labell?ed|marked|shown in|in|number))*[\s:]*$"
)
_ONLY_LEFT = re.compile(r"\b(?:only|just|solely)(?:\s+(?:in|the))?$")
_TENTATIVE_LEFT = re.compile(
    r"\b(?:maybe|perhaps|possibl[ye]|potentially|might be|could be|may be|can be|might well be|could also be|may also be|could well be"
    r"|wonder if|unsure|not sure|peut-être|vielleicht|quizás?|talvez|forse|может быть|возможно|可能是?|也许是?|かもしれない)"
    rf"(?:\s+(?:it's|it is|it|the|answer|is))*{_FILLS}$"
)
_RETRACTED_LEFT = re.compile(
    r"\b(?:at first|(?:i|we) (?:first|had)|first (?:thought|guess|impression|instinct|answer|choice)|initial(?:ly)?"
    r"|original(?:ly)?|previous(?:ly)?|earlier|tempt\w+|mistaken(?:ly)?|used to|(?:i|we) said|thought)\b"
    r"[^.!?;,\n]{0,60}$"
)
_OTHERS_LEFT = re.compile(
    r"\b(?:some|others?|one|you|people|many|someone|student|anyone)\b(?:\s+\w+){0,3}?\s+(?:think|say|choose|pick|select|answer|argue|expect|assume|guess|believe)s?\b[^.,;!?\n]{0,40}$"
)
_CONDITION_LEFT = re.compile(
    r"(?:\b(?:if(?! i (?:had|have) to|\s+forced)|whether|assuming|suppose|supposing|unless|when|in case|let's say|wenn|falls|если|如果|假如|若)(?![a-z])[^,.;!?\n]{0,80}"
    r"|\b(?:which|what)\s+(?:of|option|choice|choices|answer|letter|one)\b[^.;!?\n]{0,60})$"
)
_LISTING_LEFT = re.compile(
    r"\b(?:from|among|amongst|between|one of|out of|any of|options? are:?|choices? are:?|consider(?:ing)?"
    r"|compar(?:e|ing)|check(?:ing)?|look(?:ing)? at|versus|vs\.?|with|to|of|in|at|than|like|as|and|then)$"
)

_ADVERBS = (
    r"(?:\s*\b(?:also|clearly|definitely|obviously|certainly|therefore|thus|just|both|all|then|simply|"
    r"really|very|quite|indeed|likely|probably|most likely|completely|equally|too|most|still|now|"
    r"immediately|easily|safely|partially|partly)\b)*"
)
_IS = (
    r"(?:is|are|was|were|'s|seems?(?: to be)?|looks?|appears?(?: to be)?|would be|must be|should be|can be|could be|"
    r"may be|might be|will be|has to be|have been|has been|gets?|being|est|ist|es|é|è)"
)
_OPENING = r"^[\s,:(*_'\"\-–—]*(?:(?:which|that|it|and|this(?: one| option)?)\s+)?"
NEGATIVE_RIGHT = re.compile(
    _OPENING + rf"(?:{_IS}?{_ADVERBS}\s*"
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
    r"appropriate|next|true|valid|match\b|winner|better fit|better|good|perfect|what|consistent|accurate|choice|"
    r"richtig\w*|korrekt|correct[ae]?|corrett[ao]|bonne|juste|corret[ao]|верн\w+|правильн\w+|final|ideal|required|figure that|option that|"
    r"image that|box that|piece that|shape that)"
    r"(?!\s+(?:as|number of|but|in (?:size|shape|colou?r|orientation)|shape|colou?r|size|orientation))"
    r"|(?:also\s+|both\s+|all\s+|best\s+|perfectly\s+)*(?:fits?|matche?s?|works?|completes?|satisf(?:y|ies)|makes? sense|follows?|"
    r"continues?|belongs?|stands? out|comes? next|should (?:come|go|be|replace)|goes|wins|replaces?|obeys?|keeps? (?:both|all|the)|"
    r"meets?|preserves?|answers?|it is\b|does(?![n'\s]*(?:n't|not)))\b"
    r"|(?:項|项|选项|選項)?(?:是|为)?(?:正确|正確|对|對|答案|最佳|符合)|が正|が答|は正|[이가]\s*(?:정답|맞|옳)|입니다|です|だ|[✓✔✅☑]"
    r"|:?\s*(?:yes|correct)\b)"
)
POSSIBLE_RIGHT = re.compile(
    _OPENING + r"(?:(?:(?:is|are|was)(?:\s+also)?|could|might|may|can)(?:\s+also)?(?:\s+be)?\s+"
    r"(?:possible|plausible|a possibility|a candidate|close|tempting|work|fit|be|valid too|likely)"
    r"|(?:looks?|seems?|seemed|looked)\s+(?:possible|plausible|close|similar|promising|tempting))\b"
)
CLAUSE_END = re.compile(
    r"^[\s*_'\")\]}>]*(?:$|[.,;:!?。，、；！|]|\n|[-–—(\[]|(?:because|since|as|for|due|based|with|by|which|where|given|"
    r"if|when|after|in (?:this|the)|here|and|but|would|should|will|is|are|from|then|per|according|due|to)\b"
    r"|です|だ|입니다|이다|예요|である|となり|になり|。|\W*$)"
)
QUESTION_RIGHT = re.compile(r"^[^.!\n]{0,25}\?")
CUT_OFF_RIGHT = re.compile(r"^\s*(?:or|oder|ou|或|или)\s*[.…]*\s*$")


def before(window: str) -> str:
    """Return the name of the strongest cue that ends the text before a mention, or "".

    One of `denied`, `condition`, `retracted`, `others`, `corrected`, `tentative`, `answer`,
    `choice`, `therefore`, `only`, `copula`, `listing`.
    """
    for name, cue in _BEFORE:
        if cue.search(window):
            return name
    return ""


def corrects(window: str) -> bool:
    """Tell whether the text before a mention takes something back."""
    return _CORRECTION.search(window) is not None


def strict_noun(window: str) -> bool:
    """Tell whether the text before a mention ends with a noun that names nothing but options."""
    return _STRICT_NOUN_END.search(window) is not None


_STRICT_NOUN_END = re.compile(rf"(?<![a-z]){_STRICT_NOUN}[\s#:]*$")
NOUN_END = re.compile(
    rf"(?:(?<![a-z])(?:the|an?|this|la|le|die|der|das|el)\s+)?(?<![a-z]){OPTION_NOUN}(?:\s+(?:letter|number|labell?ed|marked|named|called|no\.?))*[\s#]*$"
    r"|\b(?:labell?ed|marked|lettered)(?:\s+(?:as|with|by))?(?:\s+the\s+letter)?\s*$"
)
_BEFORE = (
    ("corrected", _BUT_INSTEAD),
    ("denied", NEGATION),
    ("condition", _CONDITION_LEFT),
    ("retracted", _RETRACTED_LEFT),
    ("others", _OTHERS_LEFT),
    ("tentative", _TENTATIVE_LEFT),
    ("answer", _ANSWER_LEFT),
    ("choice", _CHOICE_LEFT),
    ("therefore", _THEREFORE_LEFT),
    ("only", _ONLY_LEFT),
    ("copula", _COPULA_LEFT),
    ("listing", _LISTING_LEFT),
)
