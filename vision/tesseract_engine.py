"""Tesseract, through its own program."""

import csv
import io
import os
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from metrics.core.text_lines import TextLine, rectangle
from vision.ocr import OcrError
from vision.picture import Picture, Pixels

SPARSE_TEXT = "11"
"""Page segmentation mode: as much text as possible, in no order, which is what a chart is."""

LETTER_HEIGHT = 22
"""Height of letters, in pixels, to which pictures are scaled; screen text is half as high."""

GROUND = 3
"""Width of the surroundings that tell the ground, in widths of the thickest strokes; wider ones
reach beyond the shapes that texts stand in."""

THICKEST = 0.4
"""Thickest stroke of a letter, in heights of letters."""

MIN_WORD_CONFIDENCE = 30
"""Confidence, of 100, below which words are dots of links that were joined to a text."""

MAX_SCALE = 4.0
MAX_PIXELS = 20_000_000
"""Bounds of scaling up, for time and memory."""

LONGEST_MARK = 6
"""Marks that are longer than so many letters are high are borders and links, and left out."""

STROKE_CONTRAST = 40
"""Least difference of grey levels, of 255, between a stroke and its ground."""


class TesseractEngine:
    """Runs the `tesseract` program on a picture.

    Tesseract is made for pages: it is given the strokes of the picture, dark on white whatever
    they stand on, without borders and links, at the size it knows best.

    Args:
        language: Tesseract's language packs, e.g. `eng` or `eng+deu`.

    Raises:
        OcrError: The program or the language pack is not installed.
    """

    def __init__(self, language: str = "eng") -> None:
        program = shutil.which("tesseract")
        if program is None:
            raise OcrError(
                "the program tesseract is not installed", "apt-get install tesseract-ocr"
            )
        self._program = program
        self.language = language
        packs = self._run(["--list-langs"]).splitlines()[1:]
        if missing := sorted(set(language.split("+")) - set(packs)):
            raise OcrError(
                f"tesseract has no language pack {', '.join(missing)}",
                " ".join(["apt-get install", *(f"tesseract-ocr-{name}" for name in missing)]),
            )
        self._version = self._run(["--version"]).split()[1]

    @property
    def signature(self) -> str:
        """Engine, version and language packs."""
        return f"tesseract-{self._version}-{self.language}"

    def read(self, picture: Picture) -> tuple[TextLine, ...]:
        """Return the lines of text in a picture."""
        page, scale = page_of(picture.pixels)
        buffer = io.BytesIO()
        Image.fromarray(page).save(buffer, "PNG", compress_level=1)
        arguments = ["stdin", "stdout", "-l", self.language, "--psm", SPARSE_TEXT, "tsv"]
        return tuple(_lines(self._run(arguments, buffer.getvalue()), scale))

    def _run(self, arguments: list[str], data: bytes = b"") -> str:
        try:
            done = subprocess.run(
                [self._program, *arguments],
                input=data,
                capture_output=True,
                check=True,
                env=os.environ | {"OMP_THREAD_LIMIT": "1"},  # more threads only wait
            )
        except subprocess.CalledProcessError as error:
            reason = error.stderr.decode("utf-8", "replace").strip()
            raise OcrError(f"tesseract failed ({reason})", "check the installation") from error
        return done.stdout.decode("utf-8", "replace")


def page_of(pixels: Pixels) -> tuple[NDArray[np.uint8], float]:
    """Turn a chart into a page that Tesseract can read.

    Args:
        pixels: Picture, shape `(height, width, 3)`.

    Returns:
        Dark text on white, shape `(height, width)`, and how much larger it is.
    """
    import cv2

    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    # The ground of a text is what most of its surroundings are; strokes are thin.
    thick = max(9, min(grey.shape) // 100)
    around = GROUND * thick | 1
    strokes = cv2.absdiff(grey, cv2.medianBlur(grey, around))
    seen = strokes > STROKE_CONTRAST
    count, marks, stats, _ = cv2.connectedComponentsWithStats(seen.astype(np.uint8))
    extents = stats[1:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]]
    heights = extents[(extents.min(axis=1) >= 3) & (extents.max(axis=1) <= 60), 1]
    height = float(np.median(heights)) if len(heights) else LETTER_HEIGHT
    is_text = np.zeros(count, dtype=bool)
    is_text[1:] = extents.max(axis=1) <= LONGEST_MARK * height
    # Corners of shapes are as small as letters, but no strokes.
    side = max(4, round(THICKEST * height))
    core = np.ones((side, side), np.uint8)
    is_text[np.unique(marks[cv2.erode(seen.astype(np.uint8), core) > 0])] = False
    # Soft edges of letters lie just outside of their marks.
    near = cv2.dilate((is_text[marks] & seen).astype(np.uint8), np.ones((3, 3), np.uint8))
    full = np.percentile(strokes[seen], 90) if seen.any() else 255
    ink = np.where(near > 0, np.clip(strokes * (255 / full), 0, 255), 0)
    page = Image.fromarray(np.asarray(255 - ink, dtype=np.uint8))
    scale = min(LETTER_HEIGHT / height, MAX_SCALE, (MAX_PIXELS / grey.size) ** 0.5)
    size = (max(1, round(page.width * scale)), max(1, round(page.height * scale)))
    scaled = page.resize(size, Image.Resampling.BICUBIC)
    return np.asarray(scaled), scale


def _lines(tsv: str, scale: float) -> Iterator[TextLine]:
    """Join Tesseract's words to the lines that it numbers."""
    words: defaultdict[tuple[str, ...], list[dict[str, str]]] = defaultdict(list)
    for row in csv.DictReader(io.StringIO(tsv), delimiter="\t", quoting=csv.QUOTE_NONE):
        if row["level"] != "5" or not (row["text"] or "").strip():
            continue
        if float(row["conf"]) >= MIN_WORD_CONFIDENCE:
            words[row["page_num"], row["block_num"], row["par_num"], row["line_num"]].append(row)
    for line in words.values():
        left = min(int(word["left"]) for word in line) / scale
        top = min(int(word["top"]) for word in line) / scale
        right = max(int(word["left"]) + int(word["width"]) for word in line) / scale
        bottom = max(int(word["top"]) + int(word["height"]) for word in line) / scale
        confidence = sum(float(word["conf"]) for word in line) / len(line) / 100
        text = " ".join(word["text"] for word in line)
        yield TextLine(text, rectangle(left, top, right, bottom), max(0.0, confidence))
