"""Lines that an OCR engine reads, and how stacked lines join to one label.

A label that is wrapped in the picture comes out of every OCR engine as several lines, while
the code of the diagram holds it as one text. Comparing lines with labels therefore measures
the wrapping, not the reading; the rules here put wrapped labels together again.
"""

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import dist
from statistics import median
from typing import Any, Literal

Point = tuple[float, float]
Box = tuple[float, float, float, float]
Direction = Literal["right", "down", "up"]

MIN_CONFIDENCE = 0.5
"""Readings below this are noise (the threshold of PP-OCR's own pipeline)."""

MIN_CHARACTER_CONFIDENCE = 0.8
"""Arrow heads read as single letters stay below this, drawn letters above it."""

MIN_CHARACTER_HEIGHT = 0.6
"""Height of a single character, in heights of the words of its picture, below which it is none."""

_DIRECTIONS: tuple[Direction, ...] = ("right", "down", "up")

MAX_HEIGHT_RATIO = 1.8
MAX_GAP = 0.9
MIN_OVERLAP = 0.5
MAX_MISALIGNMENT = 0.75
_STRAY = "|_-–—~·•'`"


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line of text in a picture.

    Attributes:
        text: What the engine read.
        polygon: Four corners in pixels, clockwise in reading direction from the corner where
            the text begins: the text runs from the first to the second corner. Empty where
            the source gives no positions (the reply of a vision-language model).
        confidence: 0 to 1, `None` where the engine gives none.
    """

    text: str
    polygon: tuple[Point, ...] = ()
    confidence: float | None = None

    @property
    def box(self) -> Box | None:
        """Upright bounding box `(x0, y0, x1, y1)` in pixels."""
        return bounding_box(self.polygon) if self.polygon else None

    @property
    def height(self) -> float:
        """Extent across the reading direction in pixels, 0 without a polygon."""
        return dist(self.polygon[0], self.polygon[3]) if len(self.polygon) == 4 else 0.0

    @property
    def direction(self) -> Direction:
        """Where the text runs; text without a polygon runs to the right."""
        if len(self.polygon) != 4:
            return "right"
        (x0, y0), (x1, y1) = self.polygon[:2]
        if abs(y1 - y0) <= abs(x1 - x0):
            return "right"
        return "down" if y1 > y0 else "up"


@dataclass(frozen=True, slots=True)
class Label:
    """The text of one node or one link: a line, or several stacked ones.

    Attributes:
        text: The lines joined, cleaned of stray marks.
        lines: The lines as they were read, in reading order.
    """

    text: str
    lines: tuple[TextLine, ...]

    @property
    def box(self) -> Box | None:
        """Upright bounding box of all lines in pixels."""
        points = [point for line in self.lines for point in line.polygon]
        return bounding_box(points) if points else None

    @property
    def confidence(self) -> float | None:
        """Lowest confidence of the lines, `None` where an engine gives none."""
        known = [line.confidence for line in self.lines if line.confidence is not None]
        return min(known) if len(known) == len(self.lines) else None


def bounding_box(points: Iterable[Point]) -> Box:
    """Return the upright box round points."""
    xs, ys = zip(*points, strict=True)
    return (min(xs), min(ys), max(xs), max(ys))


def read_line(value: object) -> TextLine:
    """Read one text as JSON gives it.

    Args:
        value: The text alone, or an object with `text` and, optionally, `polygon` (four corners)
            or `box` (`x0, y0, x1, y1`) in pixels, and `confidence`.

    Raises:
        ValueError: Neither of these.
    """
    if isinstance(value, str):
        return TextLine(value)
    if not isinstance(value, Mapping) or not isinstance(value.get("text"), str):
        raise ValueError(f"expected a text or an object with 'text', not {value!r:.80}")
    confidence = value.get("confidence", value.get("score"))
    known = isinstance(confidence, int | float) and not isinstance(confidence, bool)
    return TextLine(value["text"], _read_polygon(value), float(confidence) if known else None)


def _read_polygon(value: Mapping[str, Any]) -> tuple[Point, ...]:
    try:
        if value.get("polygon"):
            return quad(value["polygon"])
        if value.get("box") or value.get("bbox"):
            x0, y0, x1, y1 = value.get("box") or value["bbox"]
            return rectangle(float(x0), float(y0), float(x1), float(y1))
        if all(isinstance(value.get(key), int | float) for key in ("x0", "x1", "y0", "y1")):
            x0, y0, x1, y1 = (float(value[key]) for key in ("x0", "y0", "x1", "y1"))
            return rectangle(x0, y0, x1, y1)
    except (TypeError, ValueError) as error:
        raise ValueError(f"cannot read the place of {value!r:.80}: {error}") from error
    return ()


def rectangle(x0: float, y0: float, x1: float, y1: float) -> tuple[Point, ...]:
    """Return the corners of an upright box, clockwise from the upper left."""
    return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))


def quad(points: Iterable[Any], scale: tuple[float, float] = (1, 1)) -> tuple[Point, ...]:
    """Read a polygon given as pairs, as objects with x and y, or as a flat list.

    Polygons with more or fewer than four corners become their upright box.
    """
    values = list(points)
    if values and isinstance(values[0], int | float):
        values = list(zip(values[::2], values[1::2], strict=True))
    corners: list[Point] = []
    for value in values:
        # Protocol buffers leave zeros out when they are written as JSON.
        named = {key.lower(): v for key, v in value.items()} if isinstance(value, dict) else None
        x, y = value if named is None else (named.get("x", 0), named.get("y", 0))
        corners.append((float(x) * scale[0], float(y) * scale[1]))
    if len(corners) == 4 or not corners:
        return tuple(corners)
    return rectangle(*bounding_box(corners))


def clean_text(text: str) -> str:
    """Fold white space and strip marks that stand apart at the ends of a line.

    A border or an arrow beside a text is often read as a dash or a bar. A mark counts as
    stray only when white space sets it apart, so that `-1` and `'arr'` stay.

    >>> clean_text("- croupiers  stupidest |")
    'croupiers stupidest'
    """
    words = text.split()
    while len(words) > 1 and not words[0].strip(_STRAY):
        words = words[1:]
    while len(words) > 1 and not words[-1].strip(_STRAY):
        words = words[:-1]
    return " ".join(words)


def is_noise(line: TextLine) -> bool:
    """Tell whether a reading is an arrow head, a border or nothing, instead of text."""
    text = "".join(line.text.split())
    if not any(unicodedata.category(character)[0] in "LNPS" for character in text):
        return True
    # ▼ ▲ ► ◄ → are how engines read arrow heads.
    if all(unicodedata.category(c) == "So" or "←" <= c <= "⇿" for c in text):
        return True
    # Cross-shaped ends of links are read as asterisks.
    if len(text) == 1 and text in f"{_STRAY}*":
        return True
    if line.confidence is None:
        return False
    return line.confidence < (MIN_CHARACTER_CONFIDENCE if len(text) == 1 else MIN_CONFIDENCE)


def _without_tiny(lines: Sequence[TextLine]) -> list[TextLine]:
    """Leave out single characters much smaller than the words beside them: heads and borders."""
    words = [line.height for line in lines if line.polygon and len(line.text.strip()) > 1]
    least = MIN_CHARACTER_HEIGHT * median(words) if words else 0.0
    return [ln for ln in lines if len(ln.text.strip()) > 1 or not ln.polygon or ln.height >= least]


def join_texts(texts: Sequence[str]) -> str:
    """Join lines to one text: by a space, but by nothing between two wide characters."""
    joined = ""
    for text in texts:
        wide = joined and text and _is_wide(joined[-1]) and _is_wide(text[0])
        joined = f"{joined}{'' if wide or not joined else ' '}{text}"
    return joined


def merge_lines(
    lines: Iterable[TextLine],
    separated: Callable[[TextLine, TextLine], bool] = lambda _upper, _lower: False,
) -> tuple[Label, ...]:
    """Join the stacked lines of wrapped labels; drop what is no text.

    Two lines belong together when they run in the same direction, their heights differ by
    less than a factor of 1.8, the gap between them is under 0.9 line heights, they overlap by
    more than half of the shorter one, their middles, starts or ends are aligned, and nothing
    separates them.

    Args:
        lines: Lines of one picture; lines without a polygon become labels of their own.
        separated: Tells whether something is drawn between two lines, the upper one first.

    Returns:
        Labels from top to bottom, then from left to right; labels without position last.
    """
    kept = _without_tiny([line for line in lines if not is_noise(line)])
    placed = [line for line in kept if line.polygon]
    labels = [
        _label(chain)
        for direction in _DIRECTIONS
        for chain in _chains([ln for ln in placed if ln.direction == direction], separated)
    ]
    labels.sort(key=lambda label: (label.box or (0, 0, 0, 0))[1::-1])
    return (*labels, *(_label([line]) for line in kept if not line.polygon))


def _label(lines: Sequence[TextLine]) -> Label:
    return Label(join_texts([clean_text(line.text) for line in lines]), tuple(lines))


def _is_wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in "WF"


def _frame(line: TextLine) -> Box:
    """Return the line's box as if the text ran to the right and further lines stood below."""
    x0, y0, x1, y1 = line.box or (0.0, 0.0, 0.0, 0.0)
    if line.direction == "right":
        return (x0, y0, x1, y1)
    return (-y1, x0, -y0, x1) if line.direction == "up" else (y0, -x1, y1, -x0)


def _chains(
    lines: list[TextLine], separated: Callable[[TextLine, TextLine], bool]
) -> list[list[TextLine]]:
    """Group lines into chains; each line takes the nearest fitting line below it."""
    frames = {line: _frame(line) for line in lines}
    ordered = sorted(lines, key=lambda line: (frames[line][1], frames[line][0]))
    below: dict[TextLine, TextLine] = {}
    taken: set[TextLine] = set()
    for index, upper in enumerate(ordered):
        candidates = [
            lower
            for lower in ordered[index + 1 :]
            if lower not in taken
            and _stacked(frames[upper], frames[lower])
            and not separated(upper, lower)
        ]
        if candidates:
            below[upper] = min(candidates, key=lambda lower: frames[lower][1])
            taken.add(below[upper])
    chains = []
    for line in ordered:
        if line in taken:
            continue
        chain = [line]
        while chain[-1] in below:
            chain.append(below[chain[-1]])
        chains.append(chain)
    return chains


def _stacked(upper: Box, lower: Box) -> bool:
    heights = sorted((upper[3] - upper[1], lower[3] - lower[1]))
    if heights[0] <= 0 or heights[1] / heights[0] >= MAX_HEIGHT_RATIO:
        return False
    height = median(heights)
    # Boxes of neighbouring lines may overlap a little, lines side by side overlap a lot.
    gap = lower[1] - upper[3]
    if not -0.5 * height < gap < MAX_GAP * height:
        return False
    overlap = min(upper[2], lower[2]) - max(upper[0], lower[0])
    if overlap <= MIN_OVERLAP * min(upper[2] - upper[0], lower[2] - lower[0]):
        return False
    offsets = (
        lower[0] - upper[0],
        lower[2] - upper[2],
        (lower[0] + lower[2] - upper[0] - upper[2]) / 2,
    )
    return min(map(abs, offsets)) < MAX_MISALIGNMENT * height
