"""What replies count part by part: by kind, by place, by the node that arrows leave.

"4 rectangles and 3 diamonds", "2 nodes on the left and 3 on the right", "2 arrows leave a, 1 leaves
b" are 7 nodes, 5 nodes, 3 arrows. Patterns run on folded lower-case text.
"""

import re

from .count_words import ARROW, NODE

_QUALITY = (
    r"(?:solid|dashed|dotted|thick|thin|bold|normal|plain|regular|double(?:-headed)?|one-way|two-way"
    r"|bidirectional|unidirectional|black|red|blue|green|gr[ae]y|orange|horizontal|vertical|forward|backward|curved|straight)"
)
_ROLE = (
    r"(?:start|end|process(?:ing)?|decision|terminal|input|output|(?:round|rectangular|square|oval"
    r"|circular|diamond|hexagonal|triangular)(?:ed|-shaped)?)"
)
_SHAPE = (
    r"(?:rectangles?|diamonds?|circles?|ovals?|ellipses?|squares?|hexagons?|parallelograms?"
    r"|trapezoids?|triangles?|cylinders?|stadiums?|terminators?|decisions?|process(?:es)?|terminals?|starts?"
    r"|ends?|inputs?|outputs?|boxes|box)"
)
_FEW = r"(?:\d{1,4}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"


_LEAVE = (
    r"(?:leaves?|leaving|exits?|(?:(?:comes?|go(?:es)?|starts?|originates?|points?|leads?|runs?) )?"
    r"(?:from|out of))"
)
_NAME = r"[^,.;:\n]{1,40}?(?=[,.;:\n]|$| and | plus | & )"
_PLACE = (
    r"(?:on|in|at|to) the (?:left|right|top|bottom|middle|cent(?:er|re)|upper|lower|(?:first|second"
    r"|third|fourth|last)(?= (?:row|column|level|layer|line)))"
    r"(?: (?:side|row|column|part|half|level|layer|line|hand side))?"
)


def _joined(first: str, further: str = "") -> str:
    """Return a pattern for two parts or more that commas or "and" join."""
    joint = r"(?:[,;] (?:and |plus )?| and | plus | & )"
    return rf"(?<![^\W_]){first}(?:{joint}{further or first})+(?![^\W_])"


def _listed(part: str) -> str:
    """Return a pattern for two lines or more such as `solid arrows: 4`."""
    line = rf"{part}[*_]{{0,2}} ?[:=][*_]{{0,2}} ?\d{{1,4}}"
    return rf"(?<![^\W_]){line}(?:[,;\n][\s*•-]{{0,6}}{line})+(?![^\W_])"


_SPOT = (
    r"(?:first|second|third|fourth|last|top|bottom|middle|left|right|upper|lower)"
    r"(?: (?:row|column|side|part|half|level|layer))?"
)

_ARROWS = (
    _joined(rf"{_FEW} {_QUALITY}(?: {ARROW})?"),
    _joined(rf"{_FEW} {ARROW} {_LEAVE} {_NAME}", rf"{_FEW} (?:{ARROW} )?{_LEAVE} {_NAME}"),
    _joined(
        rf"has {_FEW} outgoing(?: {ARROW})?", rf"{_NAME} has {_FEW}(?: outgoing)?(?: {ARROW})?"
    ),
    _joined(rf"{_FEW} {ARROW} {_PLACE}", rf"{_FEW} (?:{ARROW} )?{_PLACE}"),
    _listed(rf"{_QUALITY}(?: {ARROW})?"),
)
_NODES = (
    _joined(rf"{_FEW} (?:(?:{_ROLE} )+{NODE}|(?:{_ROLE} )?{_SHAPE})"),
    _joined(rf"{_FEW} {NODE} {_PLACE}", rf"{_FEW} (?:{NODE} )?{_PLACE}"),
    _listed(rf"(?:(?:{_ROLE} )+{NODE}|(?:{_ROLE} )?{_SHAPE})"),
    _joined(rf"{_SPOT}: {_FEW} {NODE}", rf"(?:the )?{_SPOT}: {_FEW}(?: {NODE})?"),
)
PARTS = re.compile(f"(?P<arrows>{'|'.join(_ARROWS)})|(?P<nodes>{'|'.join(_NODES)})")
"""Two parts or more of one count."""

JOINT = re.compile(r"[,;\n]|\band\b|\bplus\b|&")
"""What may stand between two parts."""
