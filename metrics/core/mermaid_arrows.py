"""Arrows as models write them: Mermaid's own, those of other languages, and misspelt ones."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from .diagram import Arrow, Stroke

_LINE = "-=.~–—−―─━═－"
_ARROW = re.compile(
    rf"""
    (?<![{_LINE}<])
    (?:
        (?P<left><{{1,2}}\|?|(?<=\s)[xo](?=[-=.]{{2}}))?
        (?:(?<=\s)\+|(?<=\s)-[ ](?=-*>))?
        (?P<line>[{_LINE}]+)
        (?P<right>[ ]?\|?>{{1,2}}|[＞»▶►▸➤▷→⇒⟶➔➜]|[ ]?\">{{1,2}}\"|[xo](?![\w]))?
      | (?P<sign>[→⟶⇒⟹➔➜➝➞➡⇨↦⟼⇢↓⬇▼←⟵⇐⟸⬅⇠↔⟷⇔⟺])\ufe0f?
    )
    """,
    re.VERBOSE,
)
_BARE_LINE = re.compile(r"-{2,}|={2,}|-+\.+-*|\.+-+|~{3,}|[–—−―─━═]{2,}")
_POINTS = frozenset(">＞»▶►▸➤▷→⇒⟶➔➜")
_OPENS_TEXT = frozenset({"--", "==", "-.", "–", "—", "──", "━━", "══"})
_LEFT_SIGNS = frozenset("←⟵⇐⟸⬅⇠")
_BOTH_SIGNS = frozenset("↔⟷⇔⟺")
_THICK_SIGNS = frozenset("⇒⟹⇨⇐⟸⇔⟺")
_HEADS: dict[str, Arrow] = {"x": "cross", "o": "circle"}


class LooseArrow(NamedTuple):
    """An arrow in a line of text.

    Attributes:
        start: Offset of its first character.
        end: Offset behind its last character.
        stroke: How the line is drawn.
        arrow: What stands at its right end.
        arrow_start: What stands at its left end.
        opens_text: Whether a link's text may follow, as in `-- text -->`.
    """

    start: int
    end: int
    stroke: Stroke
    arrow: Arrow
    arrow_start: Arrow
    opens_text: bool = False


def find_arrows(line: str) -> Iterator[LooseArrow]:
    """Find the arrows in a line, brackets and quotes disregarded.

    >>> [line.arrow for line in find_arrows("well-known -> a--b => c")]
    ['point', 'none', 'point']
    """
    for match in _ARROW.finditer(line):
        if match["sign"]:
            yield _sign_arrow(match)
        elif arrow := _drawn_arrow(match):
            yield arrow


def _sign_arrow(match: re.Match[str]) -> LooseArrow:
    sign = match["sign"]
    stroke: Stroke = "thick" if sign in _THICK_SIGNS else "normal"
    right: Arrow = "none" if sign in _LEFT_SIGNS else "point"
    left: Arrow = "point" if sign in _LEFT_SIGNS | _BOTH_SIGNS else "none"
    return LooseArrow(match.start(), match.end(), stroke, right, left)


def _drawn_arrow(match: re.Match[str]) -> LooseArrow | None:
    """Read an arrow drawn with signs; `None` for a hyphen, dots, `<=` and the like."""
    line, left, right = match["line"], match["left"] or "", match["right"] or ""
    end = match.end()
    bare = _BARE_LINE.fullmatch(line) is not None
    if right in _HEADS and not bare:
        right, end = "", match.end("line")
    points = not _POINTS.isdisjoint(right)
    if points and line.strip(".") == "" and len(line) < 2:
        return None
    if "<" in left and not points and line in ("=", ".", "~"):
        return None
    if not (bare or points or "<" in left):
        return None
    stroke: Stroke = "normal"
    if "=" in line:
        stroke = "thick"
    elif "." in line:
        stroke = "dotted"
    elif "~" in line:
        stroke = "invisible"
    return LooseArrow(
        match.start(),
        end,
        stroke,
        "point" if points else _HEADS.get(right, "none"),
        "point" if "<" in left else _HEADS.get(left, "none"),
        opens_text=not right and line in _OPENS_TEXT,
    )
