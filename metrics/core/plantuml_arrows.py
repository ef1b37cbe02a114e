"""PlantUML's arrows, as component and state diagrams and the old activity syntax write them."""

import re
from dataclasses import dataclass
from functools import lru_cache

from .diagram import Arrow, Stroke

_TURN = "(?:left|right|down|up|le|ri|do|l|r|d|u)"
_LINE = "[-.=~]"
ARROW = re.compile(
    rf"(?P<left><\||<<|<|\^|\*|\+|\#|\}}[|o]?|@|0\)?|\)|o(?={_LINE})|x(?={_LINE}))?"
    # Each part begins with a sign of its own: a run of strokes is looked at once.
    rf"(?P<body>{_LINE}+(?:\[(?P<style>[^\]\n]*)\](?:{_TURN}(?={_LINE}))?{_LINE}*"
    rf"|(?:\(0\)?|0\)?){_LINE}+"
    rf"|{_TURN}(?:\[(?P<more>[^\]\n]*)\])?{_LINE}+)?)"
    r"(?P<right>\|>|>>|>|\^|\*|\+|\#|[|o]?\{|@|\(?0|\((?=\s)|[ox](?=[\s\[(\"]))?",
    re.IGNORECASE,
)
_SIGNS: dict[str, Arrow] = {
    "o": "circle",
    "0": "circle",
    "(0": "circle",
    "0)": "circle",
    "x": "cross",
}
_POINTS = frozenset({"<", "<|", "<<", ">", "|>", ">>", "^"})


@dataclass(frozen=True, slots=True)
class Drawn:
    """How an arrow is drawn.

    Attributes:
        turned: It points from the right end to the left end.
        stroke: How the line is drawn.
        arrow: What stands at the end that it points to.
        arrow_start: What stands at the other end.
    """

    turned: bool
    stroke: Stroke
    arrow: Arrow
    arrow_start: Arrow


def _head(sign: str | None) -> Arrow:
    if sign in _POINTS:
        return "point"
    return _SIGNS.get((sign or "").lower(), "none")


def draw(match: re.Match[str]) -> Drawn:
    """Read a match of `ARROW`; an arrow that points only to the left is turned."""
    return _draw(*match.group("left", "body", "right", "style", "more"))


@lru_cache(maxsize=1024)
def _draw(
    left: str | None, body: str, right: str | None, before: str | None, behind: str | None
) -> Drawn:
    style = f"{before or ''},{behind or ''}".lower()
    stroke: Stroke = "normal"
    if "hidden" in style:
        stroke = "invisible"
    elif "dotted" in style or "dashed" in style or "." in body.split("[")[0] or "~" in body:
        stroke = "dotted"
    elif "bold" in style or "thickness" in style or "=" in body.split("[")[0]:
        stroke = "thick"
    if left in _POINTS and right not in _POINTS:
        return Drawn(True, stroke, _head(left), _head(right))
    return Drawn(False, stroke, _head(right), _head(left))
