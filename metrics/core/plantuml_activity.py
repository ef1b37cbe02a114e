"""PlantUML activity diagrams in the present syntax (`:step;`, `if`, `while`, `fork`, …).

What becomes of the control flow is said in `plantuml_flow`.
"""

import re
from bisect import bisect_left
from collections.abc import Callable

from .diagram import Diagram
from .plantuml_flow import ActivityFlow
from .plantuml_lines import Line, Source

_COLOR = r"(?:#[\w/\\|-]*)?"
_STEREO = r"(?:\s*<<[^<>]*>>)?"
_IS = r"\s*(?:is|equals?)\s*"
_THEN = r"\)\s*then(?:\s*\((.*)\))?"

# The grammar: what a statement begins with (in lower case), its form, and what it does.
_RULES: tuple[tuple[str, re.Pattern[str], Callable[..., None]], ...] = tuple(
    (first, re.compile(pattern + "$", re.IGNORECASE | re.DOTALL), handler)
    for first, pattern, handler in (
        (":#<", rf"{_COLOR}{_STEREO}:(.*)[;|<>/\\\]}}]", ActivityFlow.action),
        ("s", r"start", ActivityFlow.start),
        ("se", r"(stop|end)", ActivityFlow.stop),
        ("kd", r"(?:kill|detach)", ActivityFlow.cut),
        ("#:(", rf"{_COLOR}:?\((\w[\w ]{{0,20}})\)", ActivityFlow.connector),
        ("#i", rf"{_COLOR}if\s*\((.*?)\){_IS}\((.*?)\)\s*then", ActivityFlow.if_),
        ("#i", rf"{_COLOR}if\s*\((.*?){_THEN}", ActivityFlow.if_),
        ("e", rf"()else\s?if\s*\((.*?)\){_IS}\((.*?)\)\s*then", ActivityFlow.elseif),
        ("e", rf"()else\s?if\s*\((.*?){_THEN}", ActivityFlow.elseif),
        ("(", rf"\((.*?)\)\s*else\s?if\s*\((.*?){_THEN}", ActivityFlow.elseif),
        ("e", r"else(?:\s*\((.*)\))?", ActivityFlow.else_),
        ("e", r"end\s?if", ActivityFlow.endif),
        ("#s", rf"{_COLOR}switch\s*\((.*)\)", ActivityFlow.switch),
        ("c", r"case\s*\((.*)\)", ActivityFlow.case),
        ("e", r"end\s?switch", ActivityFlow.endswitch),
        ("#w", rf"{_COLOR}while\s*\((.*?)\)(?:{_IS}\((.*)\))?", ActivityFlow.while_),
        ("e", r"end\s?while(?:\s*\((.*)\))?", ActivityFlow.endwhile),
        (
            "r",
            rf"repeat\s?while(?:\s*\((.*?)\))?(?:{_IS}\((.*?)\))?(?:\s*not\s*\((.*?)\))?;?",
            ActivityFlow.repeat_while,
        ),
        ("r", rf"repeat(?:\s*{_COLOR}:(.*)[;|<>/\\\]}}])?", ActivityFlow.repeat),
        ("b", r"backward\s*:(.*)[;|<>/\\\]}]", ActivityFlow.backward),
        ("b", r"break", ActivityFlow.break_),
        ("f", r"fork", ActivityFlow.fork),
        ("s", r"split", ActivityFlow.split),
        ("fs", r"(fork|split)\s?again", ActivityFlow.again),
        ("e", r"end\s?(fork|split|merge)(?:\s*\{.*\})?", ActivityFlow.join),
        ("pgrc", r"(?:partition|group|package|rectangle|card)\s(.*)", ActivityFlow.partition),
        ("}e", r"(?:\}|end\s?group|end\s?partition)", ActivityFlow.close),
        ("|", r"\|(?:#\w+\|)?([^|]+)\|(.*)", ActivityFlow.lane),
        ("-.=~", r"[-.=~]+(?:\[([^\]]*)\][-.=~]*)?>(.*)", ActivityFlow.arrow),
        ("l", r"label\s+(\w+)", ActivityFlow.label),
        ("g", r"goto\s+(\w+)", ActivityFlow.goto),
    )
)
# Longer lines are no statements; the rules stay linear all the same.
_MOST = 1000
_ACTION = _RULES[0][1]


class _RulesFor(dict[str, tuple[tuple[re.Pattern[str], Callable[..., None]], ...]]):
    """The rules to try, by a line's first character."""

    def __missing__(self, first: str) -> tuple[tuple[re.Pattern[str], Callable[..., None]], ...]:
        sign = first.lower()
        self[first] = tuple(
            (pattern, handler) for firsts, pattern, handler in _RULES if sign in firsts
        )
        return self[first]


# `:Actor: --> …` and `:Actor: as a` are of another kind of diagram.
_OPENS_ACTION = re.compile(
    rf"(?!:[^:\n]+:\s*(?:$|as\s|[-.<=~*+^#@0}}]|[ox]-))(?:{_COLOR}|repeat\s*|backward\s*){_STEREO}:",
    re.IGNORECASE,
)
_OPENS_ARROW = re.compile(r"[-.=~]+(?:\[[^\]]*\][-.=~]*)?>\s*\S")
# What these begin with.
_ACTION_SIGNS = frozenset(":#<rRbB")
_ARROW_SIGNS = frozenset("-.=~")
_SEMICOLON = re.compile(r";$")
_CLOSES = re.compile(r"[;|<>/\\\]}]$")
_STEREOTYPE = re.compile(r"(?<=[;|\]}])\s*<<[^<>]*>>$")
# A line inside an action that is none of its own: the action lacks its `;`.
_NEXT = re.compile(
    r"^(?::|(?:if|else\s?if|while|switch|case|repeat\s?while)\s*\(|\|[^|]+\||@|-+>"
    r"|(?:start|stop|end|else|end\s?if|end\s?while|end\s?fork|fork|fork again|repeat|kill"
    r"|detach)$)",
    re.IGNORECASE,
)


class _Ahead:
    """Finds the next line with a sign; every line is looked at once for each sign."""

    def __init__(self, lines: tuple[Line, ...]) -> None:
        self._lines = lines
        self._found: dict[re.Pattern[str], list[int]] = {}

    def find(self, sign: re.Pattern[str], position: int) -> int:
        """Return the index of the line, or the number of lines where none follows."""
        if sign not in self._found:
            self._found[sign] = [i for i, line in enumerate(self._lines) if sign.search(line.text)]
        found = self._found[sign]
        index = bisect_left(found, position)
        return found[index] if index < len(found) else len(self._lines)


def _statements(source: Source, flow: ActivityFlow) -> list[Line]:
    """Join the lines of actions and arrow labels that take more than one."""
    joined: list[Line] = []
    lines = source.lines
    ahead = _Ahead(lines)
    position = 0
    while position < len(lines):
        number, text = lines[position]
        line = Line(number, _STEREOTYPE.sub("", text) if text.endswith(">>") else text)
        position += 1
        first, sign = line.text[:1], None
        if first in _ACTION_SIGNS and _OPENS_ACTION.match(line.text):
            sign = _CLOSES
        elif first in _ARROW_SIGNS and _OPENS_ARROW.match(line.text):
            sign = _SEMICOLON
        if sign is None or sign.search(line.text):
            joined.append(line)
            continue
        last = ahead.find(sign, position)
        if last < ahead.find(_NEXT, position):
            parts = [line.text, *(each.text for each in lines[position : last + 1])]
            joined.append(Line(line.number, "\n".join(parts)))
            position = last + 1
            continue
        # Only the first line is sure to belong.
        joined.append(Line(line.number, f"{line.text};"))
        if sign is _CLOSES:
            flow.line = line
            flow.skip("no ';' ends the action; it is read to the end of the line")
    return joined


def read_activity(source: Source) -> Diagram:
    """Read an activity diagram; what cannot be read stands under `skipped`."""
    flow = ActivityFlow(source)
    rules = _RulesFor()
    for line in _statements(source, flow):
        flow.line = line
        text = line.text
        is_long = len(text) > _MOST
        for pattern, handler in rules[text[:1]]:
            if is_long and pattern is not _ACTION:
                continue
            if match := pattern.match(text):
                handler(flow, *(part or "" for part in match.groups()))
                break
        else:
            flow.skip("not a statement of an activity diagram")
    return flow.diagram()
