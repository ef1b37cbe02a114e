"""The embedded default: PP-OCR models that travel inside the wheel of `rapidocr`."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from math import sqrt
from statistics import median

import numpy as np

from metrics.core.text_lines import TextLine, bounding_box
from vision.picture import Picture, Pixels, Polygon, cut_out, sides
from vision.pp_ocr import PpOcrModels
from vision.text_air import without_air
from vision.text_bands import broken_words, overlooked_words, packed, text_bands
from vision.text_ends import without_strokes
from vision.text_grounds import on_one_ground
from vision.words import respaced, words_of

COARSE_PIXELS = 500_000
"""Size of the first look, which tells how large the text is; smaller pictures stay as they are.

Time goes into detection and grows with its pixels; most text is much larger than it needs."""

TEXT_HEIGHT = 40.0
"""Height of a detected line, in pixels, below which short words begin to be missed."""

FAST_TEXT_HEIGHT = 28.0
"""Height below which lines begin to fall apart: less than half of the pixels."""

FAST_WIDTH = 160
"""Width to which the fast mode pads what it recognizes, see `PpOcrModels`."""

STACK_PIXELS = 2_000_000
"""Size of one run of the detector, which bounds its memory."""

MIN_WORD_CONFIDENCE = 0.9
"""What a word that the detector overlooked must reach to be believed."""

MIN_REPEATED_CONFIDENCE = 0.5
"""The same for a word that the picture shows elsewhere, as charts repeat `Yes` and `No`."""

MAX_OVERLAP = 0.2
"""Most of an overlooked word, as a share of its area, that may lie on a longer one."""

TALL = 1.5
"""A box this much higher than wide may hold turned text, or one upright letter."""


@dataclass(eq=False)
class RapidOcrEngine:
    """PP-OCR through ONNX Runtime, without any download.

    A coarse look tells how large the text is; text is then detected at the scale at which it
    has the height that the detector needs, only in the rows where text can be; recognition
    always reads the full resolution. Tall boxes are read upright and turned both ways, and the
    most confident reading is kept.

    Args:
        fast: Look more coarsely, read tall boxes once, and no line word by word: faster, but
            short words are missed, spaces of code are lost, and text turned to the other side is
            misread.
    """

    fast: bool = False
    _models: PpOcrModels = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._models = PpOcrModels(FAST_WIDTH) if self.fast else PpOcrModels()

    @property
    def signature(self) -> str:
        """Engine, version and mode."""
        return f"rapidocr-{version('rapidocr')}{'-fast' if self.fast else ''}"

    def read(self, picture: Picture) -> tuple[TextLine, ...]:
        """Return the lines of text in a picture."""
        pixels = np.ascontiguousarray(picture.pixels[:, :, ::-1])  # the models want BGR
        detected, scale = self._detect(pixels)
        candidates = [text for p in detected for text in _texts(pixels, p, once=self.fast)]
        lines = self._recognize(pixels, candidates)
        return self._completed(pixels, lines, scale)

    def _completed(
        self, pixels: Pixels, lines: Sequence[TextLine], scale: float
    ) -> tuple[TextLine, ...]:
        """Add the words that the detector overlooked, some of which have lines as their parts."""
        heights = [line.height for line in lines if line.text]
        if not heights:
            return ()
        small, found = _scaled(pixels, scale), _resized([ln.polygon for ln in lines], scale)
        height = median(heights) * scale
        words = [*overlooked_words(small, found, height), *broken_words(found, height)]
        places = [on_one_ground(pixels, p) for p in _resized([w.polygon for w in words], 1 / scale)]
        # Parts on several grounds are texts of their own.
        whole = [(w, place) for w, [place, *more] in zip(words, places, strict=True) if not more]
        read = self._recognize(pixels, [[place] for _, place in whole])
        sure = {line.text for line in lines if (line.confidence or 0.0) >= MIN_WORD_CONFIDENCE}
        added, replaced = list[TextLine](), set[int]()
        longest_first = sorted(zip(whole, read, strict=True), key=lambda pair: -len(pair[1].text))
        for (word, _), line in longest_first:
            known = sum(_letters(lines[part]) for part in word.parts)
            new = _letters(line) > known and replaced.isdisjoint(word.parts)
            if new and _is_word(line, sure) and not _overlaps(line, added):
                added.append(line)
                replaced.update(word.parts)
        kept = [line for index, line in enumerate(lines) if line.text and index not in replaced]
        return (*kept, *added)

    def _detect(self, pixels: Pixels) -> tuple[list[Polygon], float]:
        """Return the polygons of texts and the scale at which they were found."""
        area = pixels.shape[0] * pixels.shape[1]
        coarse = sqrt(COARSE_PIXELS / area)
        if coarse >= 1:
            return self._models.detect(pixels), 1.0
        found = self._models.detect(_scaled(pixels, coarse))
        # No text at a coarse look may be text too small for it: look as closely as is bearable.
        height = median(min(sides(polygon)) for polygon in found) if found else 0.0
        wanted = FAST_TEXT_HEIGHT if self.fast else TEXT_HEIGHT
        factor = min(wanted / height if height else sqrt(STACK_PIXELS / area) / coarse, 1 / coarse)
        if factor <= 1:
            return _resized(found, 1 / coarse), coarse
        scale = coarse * factor
        found = self._detect_in_bands(_scaled(pixels, scale), height * factor or wanted)
        return _resized(found, 1 / scale), scale

    def _detect_in_bands(self, pixels: Pixels, text_height: float) -> list[Polygon]:
        found = []
        for stack, rows in packed(pixels, text_bands(pixels, text_height), STACK_PIXELS):
            for polygon in self._models.detect(stack):
                # The middle of a text is in its own band; its margin may reach into the next.
                middle = int(sum(y for _, y in polygon) / len(polygon))
                shift = float(rows[min(middle, len(rows) - 1)] - middle)
                found.append(tuple((x, y + shift) for x, y in polygon))
        return found

    def _recognize(
        self, pixels: Pixels, candidates: Sequence[Sequence[Polygon]]
    ) -> tuple[TextLine, ...]:
        flat = [polygon for options in candidates for polygon in options]
        places = [without_air(pixels, polygon) for polygon in flat] if self.fast else flat
        found = self._models.recognize([cut_out(pixels, place) for place in places])
        read = iter(
            TextLine(text, polygon, score)
            for polygon, (text, score) in zip(flat, found, strict=True)
        )
        best = (max((next(read) for _ in options), key=_trust) for options in candidates)
        lines = [without_strokes(pixels, line) for line in best]
        return tuple(lines if self.fast else (self._spaced(pixels, line) for line in lines))

    def _spaced(self, pixels: Pixels, line: TextLine) -> TextLine:
        words = words_of(pixels, line)
        if not words:
            return line
        return respaced(line, [text for text, _ in self._models.recognize(words)])


def _scaled(pixels: Pixels, scale: float) -> Pixels:
    import cv2

    if scale == 1:
        return pixels
    scaled = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(scaled, dtype=np.uint8)


def _resized(polygons: list[Polygon], scale: float) -> list[Polygon]:
    return [tuple((x * scale, y * scale) for x, y in polygon) for polygon in polygons]


def _is_word(line: TextLine, sure: Collection[str]) -> bool:
    # Arrow heads and dashes are proposed as well; they are read as single or uncertain letters.
    least = MIN_REPEATED_CONFIDENCE if line.text in sure else MIN_WORD_CONFIDENCE
    return len(line.text) > 1 and (line.confidence or 0.0) >= least


def _letters(line: TextLine) -> int:
    return sum(not character.isspace() for character in line.text)


def _overlaps(line: TextLine, others: Iterable[TextLine]) -> bool:
    x0, y0, x1, y1 = bounding_box(line.polygon)
    for other in others:
        ox0, oy0, ox1, oy1 = bounding_box(other.polygon)
        width, height = min(x1, ox1) - max(x0, ox0), min(y1, oy1) - max(y0, oy0)
        smaller = min((x1 - x0) * (y1 - y0), (ox1 - ox0) * (oy1 - oy0))
        if min(width, height) > 0 and width * height > MAX_OVERLAP * smaller:
            return True
    return False


def _trust(line: TextLine) -> float:
    # A column of letters read sideways gives one or two confident characters: the length of
    # the text weighs as well.
    length = len(line.text.strip())
    return (line.confidence or 0.0) * (1 - 0.5 ** max(length, 0))


def _texts(pixels: Pixels, polygon: Polygon, *, once: bool) -> list[list[Polygon]]:
    """Return the texts in a detected box, each in every order of corners in which it may run."""
    width, height = sides(polygon)
    if height < TALL * width:
        return [[text] for text in on_one_ground(pixels, polygon)]
    a, b, c, d = polygon
    upwards, downwards = (d, a, b, c), (b, c, d, a)
    return [[upwards] if once else [polygon, upwards, downwards]]
