"""Places of a reply that are meant for the answer: boxes, tags, fields, ticks, chat turns."""

import re

from .mcq_slots import Slot
from .mcq_words import OPTION_NOUN
from .reply import Span

_BOX = re.compile(r"\\(?:boxed|fbox|framebox)\s*\{|<\|?begin_of_box\|?>")
_BOX_END = re.compile(r"<\|?end_of_box\|?>")
_TAG = re.compile(
    r"<\s*/?\s*(?:(?:final|correct|my|selected)[_ -]?)?(?:answer|ans|choice|option|result|solution"
    r"|conclusion|letter)\s*>",
    re.IGNORECASE,
)
_FIELD = re.compile(
    r"[\"']\s*(?:[\w ]{0,20}?)(?:answer|choice|option|selection|selected|prediction|label"
    r"|letter|result|response|output|pick|答案)(?:[_ ]?(?:letter|id|key|choice|option|label"
    r"|index))?\s*[\"']\s*:\s*",
    re.IGNORECASE,
)
_NOT_CHOSEN = re.compile(
    r"wrong|incorrect|eliminat|reject|discard|other|possible|explan|reason", re.IGNORECASE
)
_VALUE = re.compile(
    r"\"((?:[^\"\\\n]|\\.){0,300})\"?|'([^'\n]{0,300})'?|(\[[^\]\n]{0,300}\]?)|([\w.%]{1,30})"
)
_MARKUP = re.compile(
    r"\\(?:text(?:bf|it|rm|sf|tt)?|math(?:bf|rm|sf|it|bb)|operatorname|bf|rm|left|right|quad"
    r"|qquad|displaystyle|Large|large|huge)\b\*?|\\[,;:! ]"
    r"|</?(?:b|i|u|em|strong|br|p|span|div|sup|sub|mark|code|h[1-6]|li|ul|ol|td|tr|center|font"
    r"|img|s)\b[^<>]{0,80}>"
    r"|~~[^~\n]{1,80}~~|<(?:del|strike)>[^<\n]{1,80}</(?:del|strike)>"
    r"|<\|[^<>|]{1,40}\|>|&nbsp;|<(?:unk|s|/s|pad|eos|bos)>",
    re.IGNORECASE,
)
_ROLE = re.compile(
    r"\s*(?:###\s*)?(?:assistant|model|chatbot|bot|ai|gpt[-\w.]{0,12}|response)\s*:", re.IGNORECASE
)
_NEXT_QUESTION = re.compile(
    r"\banswer\s{0,3}:[^\n]{0,400}(?:\n[^\n]{0,400}){0,4}?\n\s{0,8}(?=\d{1,2}[.)]\s[^\n]{0,300}\?\s*\n)",
    re.IGNORECASE,
)
# "A: I don't know": the A of "Q and A".
_SPEAKER = re.compile(r"\s*A\s?:(?=\s+(?:I|unknown|unclear|none|sorry)\b)")
_TURN = re.compile(
    r"\n[ \t]{0,8}(?:#+\s*|<\|?im_start\|?>\s*|\*\*)?(?:user|human|question|q|instruction"
    r"|problem|student)\s*\d*\s*(?:\*\*)?\s*[:：]"
    r"|\n#+[ \t]{0,4}(?:user|human|question|problem|exercise)[ \t]{0,4}\d{0,3}[ \t]{0,4}(?=\n)",
    re.IGNORECASE,
)


_END_TOKEN = re.compile(
    r"[\w*)}.]\s{0,9}(<\|(?:endoftext|end_of_text|im_end|eot_id)\|>|</s>|<eos>)"
)

# Of a run-on's many boxes, tags and fields only the last are read.
_LAST_PLACES = 20


def hide_markup(text: str) -> str:
    """Blank out LaTeX and HTML formatting and a leading role name, keeping length."""
    if any(mark in text for mark in "\\<&~"):
        text = _MARKUP.sub(lambda match: " " * len(match[0]), text)
    if role := _ROLE.match(text) or _SPEAKER.match(text):
        text = " " * role.end() + text[role.end() :]
    return text


def chat_turns(text: str) -> int | None:
    """Return where a question begins that the model invented after its reply."""
    turn = _TURN.search(text)
    ends = [turn.start()] if turn and text[: turn.start()].strip() else []
    if question := _NEXT_QUESTION.search(text):
        ends.append(question.end())
    return min(ends, default=None)


def end_of_reply(text: str) -> int:
    """Return where a token ends the reply; what a model runs on to behind it is not read."""
    end = _END_TOKEN.search(text) if "<" in text else None
    return end.start(1) if end else len(text)


def boxed(text: str) -> list[Span]:
    r"""Find the insides of `\boxed{…}` and of box tokens, in order."""
    found: list[Span] = []
    for box in list(_BOX.finditer(text))[-_LAST_PLACES:]:
        start = box.end()
        if box[0].startswith("<"):
            close = _BOX_END.search(text, start, start + 400)
            found.append((start, close.start() if close else min(len(text), start + 100)))
            continue
        depth, end = 1, start
        while end < min(len(text), start + 400) and depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        found.append((start, end - 1 if depth == 0 else end))
    return found


def tagged(text: str) -> list[Span]:
    """Find the insides of `<answer>…</answer>` and its kin, in order; the last may be unclosed."""
    tags = list(_TAG.finditer(text))[-_LAST_PLACES:]
    found: list[Span] = []
    for index, tag in enumerate(tags):
        if "/" in tag[0]:
            continue
        end = tags[index + 1].start() if index + 1 < len(tags) else len(text)
        found.append((tag.end(), end))
    return found


def fields(text: str) -> list[Span]:
    """Find the values of JSON or Python keys such as `"answer"`, in order."""
    found: list[Span] = []
    for key in list(_FIELD.finditer(text))[-_LAST_PLACES:]:
        if _NOT_CHOSEN.search(key[0]):
            continue
        value = _VALUE.match(text, key.end())
        if value and value.lastindex:
            found.append(value.span(value.lastindex))
    return found


def label_map(text: str, labels: tuple[str, ...]) -> Slot | None:
    """Read an object that gives every option a probability or a truth value."""
    pairs: list[tuple[str, float, Span]] = []
    for match in _MAP_ENTRY.finditer(text):
        if match[1].upper() not in labels:
            return None
        value = {"true": 1.0, "false": 0.0}.get(match[2].lower())
        pairs.append((match[1].upper(), float(match[2]) if value is None else value, match.span()))
    if len(pairs) < 2 or len({label for label, _, _ in pairs}) != len(pairs):
        return None
    top = max(value for _, value, _ in pairs)
    best = [(label, span) for label, value, span in pairs if value == top]
    truth = all(value in (0.0, 1.0) for _, value, _ in pairs)
    if len(best) > 1 and not (truth and top == 1.0):
        return Slot((), pairs[0][2][0], pairs[-1][2][1], "hedged")
    if top <= 0:
        return None
    return Slot(tuple(label for label, _ in best), best[0][1][0], best[-1][1][1])


_MAP_ENTRY = re.compile(
    r"[\"']([A-Za-z1-9])[\"']\s*:\s*(\d{1,3}(?:\.\d{1,20})?|\.\d{1,20}|true|false)(?=\s*[,%}\]]"
    r"|\s*$)",
    re.IGNORECASE,
)


_YES = r"(?:[✓✔✅☑]|\byes\b|\bcorrect\b|\btrue\b|\bright\b|\bfits\b|\bmatch(?:es)?\b|✓|对|是|正确)"
_NO = (
    r"(?:[✗✘❌×✖☒]|\bno\b|\bincorrect\b|\bwrong\b|\bfalse\b|\bnot\b|\bdoes(?:n't| not)\b|错|否|不)"
)
_BEHIND = re.compile(rf"[\s)\]}}*_\"':=|.?–—>→⇒-]*(?:(?P<no>{_NO})|(?P<yes>{_YES}))(?![\w])")
_TICK = re.compile(r"[✓✔✅☑✗✘❌✖☒☐]|\[[xX ✓✔]?\]")
_ROW = re.compile(r"^[^|\n]{0,80}\|[^\n]*$", re.MULTILINE)


def ticked(text: str, low: str, labels: tuple[str, ...]) -> Slot | None:
    """Read options marked one by one: a table, `A ✗, B ✓`, `A no, B yes`, `[x] B`."""
    votes: list[tuple[str, bool, Span]] = _table_votes(text, labels)
    if not votes and _TICK.search(text):
        votes = _ahead_votes(text, labels)
        votes = votes or _line_votes(text, labels)
    if not votes:
        votes = _behind_votes(text, low, labels)
    chosen = [(label, span) for label, yes, span in votes if yes]
    judged = _TICK.search(text) is not None or len(chosen) < len(votes)
    if (
        not chosen
        or not judged
        or len({label for label, _, _ in votes}) < 2
        or len({label for label, _ in chosen}) == len(labels)
    ):
        return None
    return Slot(
        tuple(dict.fromkeys(label for label, _ in chosen)), chosen[0][1][0], chosen[-1][1][1]
    )


def _table_votes(text: str, labels: tuple[str, ...]) -> list[tuple[str, bool, Span]]:
    rows = [
        ([cell.strip(" \t*_`\"'()") for cell in row[0].strip().strip("|").split("|")], row.span())
        for row in _ROW.finditer(text)
    ]
    votes = _column_votes(rows, labels)
    for cells, span in rows:
        head = re.fullmatch(
            rf"(?:{OPTION_NOUN}\s*)?\(?([A-Za-z]|\d{{1,2}})\)?[.):]?(?:\s.*)?",
            cells[0],
            re.IGNORECASE,
        )
        if not head or head[1].upper() not in labels:
            continue
        verdicts = [lower_cell for cell in cells[1:] if (lower_cell := cell.lower())]
        yes = [cell for cell in verdicts if re.match(rf"{_YES}(?!\w)", cell)]
        no = [cell for cell in verdicts if re.match(rf"{_NO}(?!\w)", cell)]
        if yes or no:
            votes.append((head[1].upper(), bool(yes) and not no, span))
    return votes


def _column_votes(
    rows: list[tuple[list[str], Span]], labels: tuple[str, ...]
) -> list[tuple[str, bool, Span]]:
    """Read a table whose heading names the options and whose rows judge them."""
    if not rows or len(named := [cell for cell in rows[0][0] if cell in labels]) < 2:
        return []
    votes: list[tuple[str, bool, Span]] = []
    for column, label in enumerate(rows[0][0]):
        cells = [row[column].lower() for row, _ in rows[1:] if column < len(row)]
        no = any(re.match(rf"{_NO}(?!\w)", cell) for cell in cells)
        yes = any(re.match(rf"{_YES}(?!\w)", cell) for cell in cells)
        if label in named and (yes or no):
            votes.append((label, yes and not no, (rows[0][1][0], rows[-1][1][1])))
    return votes


_MARKED = re.compile(
    r"(?:(?P<yes>[✓✔✅☑]|\[[xX✓✔]\])|(?P<no>[✗✘❌✖☒☐]|\[\s?\]))"
    rf"[\s*_(\[]{{0,6}}(?:{OPTION_NOUN}\s{{0,3}})?[(\[]?(?P<label>[A-Z]|\d)(?!\w)",
    re.IGNORECASE,
)
_MARK_FIRST = re.compile(r"^[ \t*+-]{0,8}(?:[✓✔✅☑✗✘❌✖☒☐]|\[[xX ✓✔]?\])", re.MULTILINE)


def _ahead_votes(text: str, labels: tuple[str, ...]) -> list[tuple[str, bool, Span]]:
    """Read marks that stand before the labels."""
    if not _MARK_FIRST.search(text):
        return []
    return [
        (mark["label"].upper(), mark["yes"] is not None, mark.span())
        for mark in _MARKED.finditer(text)
        if mark["label"].upper() in labels
    ]


_LINE_HEAD = re.compile(
    rf"[\s*_#>•-]{{0,8}}(?:{OPTION_NOUN}\s{{0,3}})?[(\[]?([A-Z]|\d)[)\].:*_]", re.IGNORECASE
)


def _line_votes(text: str, labels: tuple[str, ...]) -> list[tuple[str, bool, Span]]:
    """Read marks at the ends of lines that begin with a label."""
    votes: list[tuple[str, bool, Span]] = []
    start = 0
    for line in text.split("\n"):
        mark = line.rstrip(" \t\ufe0f*_.)")[-1:]
        head = _LINE_HEAD.match(line) if mark and mark in "✓✔✅☑✗✘❌✖☒" else None
        if head and head[1].upper() in labels:
            votes.append((head[1].upper(), mark in "✓✔✅☑", (start, start + len(line))))
        start += len(line) + 1
    return votes if len(votes) > 1 else []


def _behind_votes(text: str, low: str, labels: tuple[str, ...]) -> list[tuple[str, bool, Span]]:
    """Read marks and yes or no right behind the labels."""
    votes = []
    for match in re.finditer(r"(?<![\w'-])(?:[A-Z]|\d)(?![\w'-])", text):
        if match[0] in labels and (mark := _BEHIND.match(low, match.end(), match.end() + 40)):
            votes.append((match[0], mark["no"] is None, (match.start(), mark.end())))
    return votes
