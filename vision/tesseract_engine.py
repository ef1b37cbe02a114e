"""Tesseract, through its own program."""

import csv
import io
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterator

from PIL import Image

from metrics.core.text_lines import TextLine, rectangle
from vision.ocr import OcrError
from vision.picture import Picture

SPARSE_TEXT = "11"
"""Page segmentation mode: as much text as possible, in no order, which is what a chart is."""


class TesseractEngine:
    """Runs the `tesseract` program on a picture.

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
        buffer = io.BytesIO()
        # Scaling up by two brings screen text to the height that Tesseract was trained on.
        image = Image.fromarray(picture.pixels)
        scale = 2 if max(picture.size) < 2000 else 1
        image.resize((image.width * scale, image.height * scale)).save(buffer, "PNG")
        arguments = ["stdin", "stdout", "-l", self.language, "--psm", SPARSE_TEXT, "tsv"]
        return tuple(_lines(self._run(arguments, buffer.getvalue()), scale))

    def _run(self, arguments: list[str], data: bytes = b"") -> str:
        try:
            done = subprocess.run(
                [self._program, *arguments], input=data, capture_output=True, check=True
            )
        except subprocess.CalledProcessError as error:
            reason = error.stderr.decode("utf-8", "replace").strip()
            raise OcrError(f"tesseract failed ({reason})", "check the installation") from error
        return done.stdout.decode("utf-8", "replace")


def _lines(tsv: str, scale: int) -> Iterator[TextLine]:
    """Join Tesseract's words to the lines that it numbers."""
    words: defaultdict[tuple[str, ...], list[dict[str, str]]] = defaultdict(list)
    for row in csv.DictReader(io.StringIO(tsv), delimiter="\t", quoting=csv.QUOTE_NONE):
        if row["level"] == "5" and (row["text"] or "").strip():
            words[row["page_num"], row["block_num"], row["par_num"], row["line_num"]].append(row)
    for line in words.values():
        left = min(int(word["left"]) for word in line) / scale
        top = min(int(word["top"]) for word in line) / scale
        right = max(int(word["left"]) + int(word["width"]) for word in line) / scale
        bottom = max(int(word["top"]) + int(word["height"]) for word in line) / scale
        confidence = sum(float(word["conf"]) for word in line) / len(line) / 100
        text = " ".join(word["text"] for word in line)
        yield TextLine(text, rectangle(left, top, right, bottom), max(0.0, confidence))
