"""The words by which replies to counting questions are read for their meaning.

Patterns run on folded lower-case text. Those named `…_BEFORE` are searched in the text before a
number and end with it; those named `…_BEHIND` are matched in the text behind it.
"""

import re
from typing import Literal

from .number_words import CHINESE_NUMBER

Counted = Literal["nodes", "arrows"]

# Nodes and arrows in other languages, and the word that counts them in Chinese and its kin.
_FOREIGN_NODE = (
    r"节点|節點|结点|方框|文本框|ノード|노드|nœuds?|noeuds?|nodos?|nós?|nodi|nodo|knoten"
    r"|узл\w{1,2}|узел"
)
_FOREIGN_ARROW = (
    r"箭头|箭頭|矢印|화살표|flèches?|flechas?|pfeile?|frecce|freccia|setas?|стрел\w{1,3}"
)
_CLASSIFIER = r"(?:(?:个|個|条|條|支|根|つ|本)の?|개의?)"
_END = r"(?:\b|(?<=[^\x00-\u02ff]))"
NODE = (
    r"(?:nodes?|box(?:es)?|vertex|vertices|entit(?:y|ies)|shapes?|blocks?|elements?|rectangles?"
    r"|labels?|texts?|steps|items|objects?|components|states"
    rf"|{_FOREIGN_NODE})"
)
ARROW = (
    r"(?:arrows?|edges?|links?|connections?|connectors?|lines|relationships|transitions"
    rf"|{_FOREIGN_ARROW})"
)
_THING = rf"(?:{NODE}|{ARROW})"

NUMBER = re.compile(
    r"(?<![a-zà-ɏ\d])(?<![\d][.:])(?<![a-z][-−])(?P<sign>[-−](?=\d))?"
    r"(?P<whole>\d{1,3}(?:([,. '])\d{3})(?:\3\d{3})*(?![\d])|\d{1,18})"
    r"(?:\.(?P<fraction>\d+)|,0+(?![\d,]))?(?!(?!nodes|arrows|edges|links|boxes)[a-zà-ɏ\d]|\s?%|:\d)"
)
# In the plural a number stands before it: "two pairs".
QUANTITY = re.compile(
    r"(?<![^\W_])(?:(?P<half>half[ -](?:a[ -])?)|(?P<more>(?:one|1) and a half |1\.5 ))?(?:an? )?"
    r"(?P<unit>dozen|couple|pair|trio)(?P<many>s)?(?: of)?(?P<and_half> and a half)?"
    r"(?! ?'s)(?![^\W_])"
)
UNITS = {"dozen": 12, "couple": 2, "pair": 2, "trio": 3}
SINGLE = re.compile(rf"(?<![^\W_])(?:single|lone|sole)(?= (?:\w+ )?{_THING}\b)")
ONE_THING = re.compile(rf"\bthere(?: is|'s|’s) (?:only |just )?(an?)(?= (?:\w+ ){{0,2}}{_THING}\b)")
BOTH = re.compile(rf"(?<![^\W_])both(?= (?:\w+ ){{0,2}}{_THING}\b)")
NOTHING = re.compile(
    rf"(?:没有|沒有)(?:任何)?(?={_FOREIGN_NODE}|{_FOREIGN_ARROW})"
    rf"|(?<![^\W_])(?:keine|aucune?|ningun[ao]|nessuna?|nenhuma?)"
    rf"(?= (?:{_FOREIGN_NODE}|{_FOREIGN_ARROW}))"
    r"|(?<![^\W_])(?:none(?! of)|nil|(?:no|not (?:a single|any)|(?<=n't )any)"
    rf"(?= (?:\w+ )?{_THING}\b))"
    r"(?![^\W_])"
)
# Only as the whole reply.
WHOLE = {
    **dict.fromkeys(("零", "nothing", "keine", "aucun", "aucune", "ninguno", "ninguna"), 0),
    **dict.fromkeys(("nessuno", "nessuna", "nenhum", "nenhuma"), 0),
}
FOREIGN = {
    word: value
    for words in (
        "- eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn",
        "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze",
        "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince",
        "zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici",
        "zero um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze",
        "ноль один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать",
    )
    for value, word in enumerate(words.split())
}
FOREIGN_COUNT = re.compile(
    rf"(?<![^\W_])(?P<word>{'|'.join(sorted(FOREIGN, key=len, reverse=True))})"
    rf"(?= (?:\w+ )?(?:{_FOREIGN_NODE}|{_FOREIGN_ARROW}){_END})"
)
CHINESE_COUNT = re.compile(
    rf"(?P<word>{CHINESE_NUMBER})(?={_CLASSIFIER}(?:文本|文字)?(?:{_FOREIGN_NODE}|{_FOREIGN_ARROW}))"
    rf"|(?<=[为是有共:])(?P<last>{CHINESE_NUMBER})(?=[。.,\n]|$)"
)
WHOLE_CHINESE = re.compile(rf"({CHINESE_NUMBER}){_CLASSIFIER}?")
ANNOUNCED_WORD = re.compile(
    r"(?:the )?(?:answer|答案|回答|答え|정답|답|ответ|antwort|réponse|respuesta|resposta|risposta"
    r"|cevap)[\s:*]*(?:is|ist|est|es|è|é|是|为|は)?[\s:*]*"
)
ROMAN = re.compile(r"(x{0,3})(ix|iv|v?i{0,3})")
MARKUP = re.compile(r"\\(?:boxed|text\w{0,9}|math\w{0,9}|bf|rm)(?![a-z])|</?\w{1,10}>|[\W_]+")

# A number that names a thing: "step 1", "picture 3", "node 5", "#2".
INDEX_BEFORE = re.compile(
    r"(?:\b(?:steps?|pictures?|images?|figures?|fig\.?|examples?|questions?|q|node|entity|box"
    r"|option|chart|flow ?chart|diagram|pages?|table|section|item|levels?|row|column|arrow|edge"
    r"|label(?:l?ed)?|line|version|v|shot|named|called|nr\.?|no\.|part|phase|stage|id)"
    r"[\"'*_ #(]{0,4}|#)$"
)
# The items of a list by name: "Arrow 1: a to b".
NAMED_ITEM = re.compile(rf"^\W{{0,6}}{_THING} #?(\d{{1,3}})\s?[:.)–-]", re.MULTILINE)
MARKER_BEHIND = re.compile(r"[.)][*_]{0,2}[ \t]+(?=[^\s\d])")
STOP = re.compile(r"[!?;\n。！？；]|\.(?=\s|$)")
# "one" as a pronoun.
PRONOUN_BEFORE = re.compile(
    r"\b(?:no|any|every|some|each|which|this|that|the|another|other|last|first|previous|missed"
    r"|but) $"
)
PRONOUN_BEHIND = re.compile(
    r" (?:of (?:the|these|those|them|its)|another|by one|can|could|would|might)\b|'s\b"
)
# Counts of other things.
_OTHER = (
    r"(?:columns?|rows?|levels?|layers?|branch(?:es)?|pages?|images?|pictures?|figures?"
    r"|flow ?charts?|diagrams?|charts?|colou?rs?|types?|kinds?|times|paths?|decisions?|ovals?"
    r"|diamonds?|circles?|rectangles?|squares?|groups?|clusters?|subgraphs?|sections?|parts|sides?"
    r"|directions?|loops?|cycles?|words?|letters?|inputs?|outputs?)"
)
OTHER_BEHIND = re.compile(
    rf"[ -](?:(?:\w+ ){{0,2}}?{_OTHER}\b|(?:incoming|outgoing|solid|dotted|dashed|thick|thin)\b"
    r")"
)
KIND_BEHIND = re.compile(
    r"[ -](?:\w+ )?(?:types?|kinds?|groups?|sets?|rows?|columns?|levels?|layers?|colou?rs?) of\b"
)
OTHER_BEFORE = re.compile(
    r"(?<!\bthe )(?<!this )(?<!first )(?<!second )(?<!third )(?<!last )"
    rf"\b{_OTHER}[\"'*_ ]{{0,3}}[:=] ?[\"']?$"
)
THING_BEHIND = re.compile(
    rf"[\s\"'*_()\]}}]*(?:-(?=[a-z]))?(?:{_CLASSIFIER}(?:文本|文字)?)?"
    r"(?:(?!and\b|or\b|is\b|are\b)[\w-]+ ){0,3}?"
    rf"(?:(?P<nodes>{NODE})|(?P<arrows>{ARROW})){_END}"
)
THING_BEFORE = re.compile(
    rf"(?:\b|(?<=[_\u0300-\uffff]))(?:(?P<nodes>{NODE})|(?P<arrows>{ARROW}))"
    r"(?:[的のはがは는은이](?:总数|總數|数量|數量|个数|個数|数)?|总数|數量|数量|个数)?(?:は|是|为|共有?|有)?"
    r"(?: (?:in|on|of|shown|present|the|this|that|given|flow ?charts?|charts?|diagrams?|images?"
    r"|pictures?|figures?|is|are|was|equals?|total|count|counted|there|here|simulated|all|three))"
    r"{0,8}[\s\"'*_:=({\[–—-]{0,8}$"
)
_DIGIT = r"(?:\d|one|two|three|four|five|six|seven|eight|nine)"
OPERAND_BEFORE = re.compile(
    rf"\d[\s)]*[+*/×÷·-]\s*$|{_DIGIT}\s+(?:plus|minus|times)\s+$",
)
OPERAND_BEHIND = re.compile(
    rf"\s*(?:[+*/×÷·]|[-−](?=\s))\s*\(?\d|\s+(?:plus|minus|times)\s+{_DIGIT}"
)
SUM = re.compile(r"\d{1,9}(?:\s*\+\s*\d{1,9})+")

RANGE_BETWEEN = re.compile(
    r"\s?(?:-|–|—|~)\s?| ?\(or (?:maybe )?"
    r"|(?: [\w-]+){0,2},? (?:or|to)(?: (?:maybe|perhaps|possibly|even|at most))? "
)
BETWEEN_BEFORE = re.compile(r"\bbetween $")
BOUND_BEFORE = re.compile(
    r"\b(?:more|fewer|less|greater) than(?: or equal to)? $|\b(?:over|under|above|below"
    r"|(?<!add )(?<!adds )up to"
    r"|at least|at most|no more than|no fewer than|no less than|minimum(?: of)?|maximum(?: of)?"
    r"|upwards of) $|[<≥≤] ?$|(?<!\S)>$|\w > ?$"
)
BOUND_BEHIND = re.compile(
    r"\+(?!\s*\d)| at (?:least|most)\b| ?plus\b(?! \d)| or (?:more|fewer|less|so)\b"
)
NEGATED_BEFORE = re.compile(
    r"(?:\bnot|n['’]t|\brather than|\binstead of)(?: (?:have|be|just|only|exactly|the))? ?[\"'*_]*$"
)
# Counts beside the one in question: "5 arrows connecting 4 nodes", "4, maybe 5", "5 of them".
ASIDE_BEFORE = re.compile(
    r"\b(?:connecting|between|joining|linking|among|across|maybe|possibly|perhaps|excluding|including"
    r"|except|besides|counting|without)(?: the| all)? $"
)
ASIDE_BEHIND = re.compile(
    r" of (?:which|them|these|those)\b|(?: [\w-]+)? (?:each|apiece|per)\b"
    r"| (?:is|are|being) (?:solid|dashed|dotted|thick|thin|bold|bidirectional)\b"
)
QUOTED_BEFORE = re.compile(r"(?<![\w:=])[\"']$")
QUOTED_BEHIND = re.compile(r"[\"']")
# What follows a count and opens it up: "8 nodes: 5 rectangles and 3 diamonds".
DETAILS_BEHIND = re.compile(
    rf"[\s*_]*(?:(?:[\w-]+ ){{0,2}}{_THING})?"
    r"(?: in (?:the|this) (?:flow ?chart|chart|diagram|image|picture)| in total| total)?[*_]*"
    r"(?:\s?[:(]|,? (?:of which|including|consisting|comprising|namely|made up|with|where|which"
    r"|that)\b| ?[-–—] )"
)

ANSWER_BEFORE = re.compile(
    r"(?:\b(?:answer|ans|result|output|final|solution|conclusion)[\"'*_\s]*"
    r"(?:is|are|would be|should be|must be|:|=|->|→)?[\s\"'*_:=({\[$\\]*"
    r"|boxed\W{0,4}(?:\\?text\w{0,9}\W{0,3})?|####\s*|答案(?:是|为|為)?:?\s*)$"
)
TOTAL_BEFORE = re.compile(
    r"(?:\b(?:so|therefore|thus|hence|total|totals|totalling|totaling|altogether|in all|overall"
    r"|in sum|in conclusion|sum|i(?:'d| would) say|mak(?:ing|es?)|giv(?:ing|es)"
    r"|adds? up to)\b[^.!?;\n]{0,70}"
    r"|(?:[=≈⇒→]>?|->)\s?|equals )$"
)
TOTAL_BEHIND = re.compile(
    rf"(?: (?:[\w-]+ ){{0,2}}{_THING})? (?:in total|altogether|in all|overall|total)\b"
)
CORRECTION = re.compile(
    r"\b(?:actually|wait|correction|corrected|scratch that|on second thoughts?|i mean|i meant|sorry"
    r"|my mistake|my bad|oops|hmm|no(?=,|\s*$)|but|rather(?! than)|let me (?:re|double|correct)\w*"
    r"|edit|(?:up)?on (?:closer|further|re)\w*|re-?(?:examin|check|look|consider|count)\w*|i missed"
    r"|i take that back|i was wrong|strike that|instead(?! of)|revised?|looking (?:again|closer)"
    r"|after checking)\b|不对|更正"
)
# The charts of a few-shot prompt taken in turn: the query's comes last.
IN_TURN = re.compile(
    r"\b(?:first|second|third|last|image|picture|figure|chart|flow ?chart|example|1st|2nd|3rd)\b"
)
