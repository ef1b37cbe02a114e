"""PlantUML activity diagrams in the present syntax (`:step;`, `if`, `while`, `fork`, …).

What becomes of the control flow is said in `plantuml_flow`.
"""

import re
from collections.abc import Callable

from .diagram import Diagram
from .plantuml_flow import ActivityFlow
from .plantuml_lines import Line, Source

_COLOR = r"(?:#[\w/\\|-]*)?"
_STEREO = r"(?:\s*<<[^<>]*>>)?"
_IS = r"\s*(?:is|equals?)\s*"
_THEN = r"\)\s*then(?:\s*\((.*)\))?"

# The grammar: a statement and what it does with its parts.
_RULES: tuple[tuple[re.Pattern[str], Callable[..., None]], ...] = tuple(
    (re.compile(pattern + "$", re.IGNORECASE | re.DOTALL), handler)
    for pattern, handler in (
        (rf"{_COLOR}{_STEREO}:(.*)[;|<>/\\\]}}]", ActivityFlow.action),
        (r"start", ActivityFlow.start),
        (r"(stop|end)", ActivityFlow.stop),
        (r"(?:kill|detach)", ActivityFlow.cut),
        (rf"{_COLOR}:?\((\w[\w ]{{0,20}})\)", ActivityFlow.connector),
        (rf"{_COLOR}if\s*\((.*?)\){_IS}\((.*?)\)\s*then", ActivityFlow.if_),
        (rf"{_COLOR}if\s*\((.*?){_THEN}", ActivityFlow.if_),
        (rf"()else\s?if\s*\((.*?)\){_IS}\((.*?)\)\s*then", ActivityFlow.elseif),
        (rf"()else\s?if\s*\((.*?){_THEN}", ActivityFlow.elseif),
        (rf"\((.*?)\)\s*else\s?if\s*\((.*?){_THEN}", ActivityFlow.elseif),
        (r"else(?:\s*\((.*)\))?", ActivityFlow.else_),
        (r"end\s?if", ActivityFlow.endif),
        (rf"{_COLOR}switch\s*\((.*)\)", ActivityFlow.switch),
        (r"case\s*\((.*)\)", ActivityFlow.case),
        (r"end\s?switch", ActivityFlow.endswitch),
        (rf"{_COLOR}while\s*\((.*?)\)(?:{_IS}\((.*)\))?", ActivityFlow.while_),
        (r"end\s?while(?:\s*\((.*)\))?", ActivityFlow.endwhile),
        (
            rf"repeat\s?while(?:\s*\((.*?)\))?(?:{_IS}\((.*?)\))?(?:\s*not\s*\((.*?)\))?;?",
            ActivityFlow.repeat_while,
        ),
        (rf"repeat(?:\s*{_COLOR}:(.*)[;|<>/\\\]}}])?", ActivityFlow.repeat),
        (r"backward\s*:(.*)[;|<>/\\\]}]", ActivityFlow.backward),
        (r"break", ActivityFlow.break_),
        (r"fork", ActivityFlow.fork),
        (r"split", ActivityFlow.split),
        (r"(fork|split)\s?again", ActivityFlow.again),
        (r"end\s?(fork|split|merge)(?:\s*\{.*\})?", ActivityFlow.join),
        (r"(?:partition|group|package|rectangle|card)\s(.*)", ActivityFlow.partition),
        (r"(?:\}|end\s?group|end\s?partition)", ActivityFlow.close),
        (r"\|(?:#\w+\|)?([^|]+)\|(.*)", ActivityFlow.lane),
        (r"[-.=~]+(?:\[([^\]]*)\][-.=~]*)?>(.*)", ActivityFlow.arrow),
        (r"label\s+(\w+)", ActivityFlow.label),
        (r"goto\s+(\w+)", ActivityFlow.goto),
    )
)
# Longer lines are no statements; the rules stay linear all the same.
_MOST = 1000
_ACTION = _RULES[0]
# `:Actor: --> …` and `:Actor: as a` are of another kind of diagram.
_OPENS_ACTION = re.compile(
    rf"(?!:[^:\n]+:\s*(?:$|as\s|[-.<=~*+^#@0}}]|[ox]-))(?:{_COLOR}|repeat\s*|backward\s*){_STEREO}:",
    re.IGNORECASE,
)
_OPENS_ARROW = re.compile(r"[-.=~]+(?:\[[^\]]*\][-.=~]*)?>\s*\S")
_SEMICOLON = re.compile(r";$")
_CLOSES = re.compile(r"[;|<>/\\\]}]$")
_STEREOTYPE = re.compile(r"(?<=[;|\]}])\s*<<[^<>]*>>$")
# A line inside an action that is none of its own: the action lacks its `;`.
_NEXT = re.compile(
    r":|(?:if|else\s?if|while|switch|case|repeat\s?while)\s*\(|\|[^|]+\||@|-+>"
    r"|(?:start|stop|end|else|end\s?if|end\s?while|end\s?fork|fork|fork again|repeat|kill|detach)$",
    re.IGNORECASE,
)


def _statements(source: Source, flow: ActivityFlow) -> list[Line]:
    """Join the lines of actions and arrow labels that take more than one."""
    joined: list[Line] = []
    lines = source.lines
    position = 0
    while position < len(lines):
        number, text = lines[position]
        line = Line(number, _STEREOTYPE.sub("", text) if text.endswith(">>") else text)
        position += 1
        sign = _CLOSES if _OPENS_ACTION.match(line.text) else None
        if sign is None and _OPENS_ARROW.match(line.text):
            sign = _SEMICOLON
        if sign is None or sign.search(line.text):
            joined.append(line)
            continue
        parts = [line.text]
        while position < len(lines) and not _NEXT.match(lines[position].text):
            parts.append(lines[position].text)
            position += 1
            if sign.search(parts[-1]):
                break
        if not sign.search(parts[-1]):
            # Only the first line is sure to belong.
            position -= len(parts) - 1
            parts = [parts[0] + ";"]
            if sign is _CLOSES:
                flow.line = line
                flow.skip("no ';' ends the action; it is read to the end of the line")
        joined.append(Line(line.number, "\n".join(parts)))
    return joined


def read_activity(source: Source) -> Diagram:
    """Read an activity diagram; what cannot be read stands under `skipped`."""
    flow = ActivityFlow(source)
    for line in _statements(source, flow):
        flow.line = line
        for pattern, handler in _RULES if len(line.text) <= _MOST else (_ACTION,):
            if match := pattern.match(line.text):
                handler(flow, *(part or "" for part in match.groups()))
                break
        else:
            flow.skip("not a statement of an activity diagram")
    return flow.diagram()
