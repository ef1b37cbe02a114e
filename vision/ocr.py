"""The interface of all OCR engines: a picture goes in, lines of text come out."""

from collections.abc import Callable
from typing import Protocol

from metrics.core.text_lines import TextLine
from vision.picture import Picture


class OcrError(RuntimeError):
    """An engine that cannot work here: a package, a program or a file is missing.

    Args:
        problem: What is missing.
        mend: The command or setting that mends it.
    """

    def __init__(self, problem: str, mend: str) -> None:
        super().__init__(f"{problem}: {mend}")
        self.problem = problem
        self.mend = mend


class OcrEngine(Protocol):
    """Reads text in pictures.

    Attributes:
        signature: Engine, version and options: everything that decides what is read.
    """

    @property
    def signature(self) -> str:
        """Engine, version and options, as they stand in a metric's signature."""

    def read(self, picture: Picture) -> tuple[TextLine, ...]:
        """Return the lines of text in a picture, unmerged and unfiltered."""


def _rapidocr(argument: str) -> OcrEngine:
    from vision.rapidocr_engine import RapidOcrEngine

    return RapidOcrEngine(fast=_fast("rapidocr", argument))


def _tesseract(argument: str) -> OcrEngine:
    from vision.tesseract_engine import TesseractEngine

    return TesseractEngine(language=argument or "eng")


def _paddle(argument: str) -> OcrEngine:
    from vision.paddle_engine import PaddleEngine

    return PaddleEngine(models=argument or None)


def _file(argument: str) -> OcrEngine:
    from vision.file_engine import FileEngine

    return FileEngine(argument)


ENGINES: dict[str, Callable[[str], OcrEngine]] = {
    "rapidocr": _rapidocr,
    "tesseract": _tesseract,
    "paddle": _paddle,
    "file": _file,
}


def load_engine(spec: str = "rapidocr") -> OcrEngine:
    """Make the engine that a name stands for.

    Args:
        spec: `rapidocr` (the embedded default), `rapidocr:fast`, `tesseract`,
            `tesseract:deu` (language packs), `paddle`, `paddle:FOLDER` (folder of models),
            `file:PATH` (texts that another reader wrote as JSON or JSONL).

    Raises:
        OcrError: The engine's package, program or file is missing.
        ValueError: There is no such engine.
    """
    name, _, argument = spec.partition(":")
    if name not in ENGINES:
        raise ValueError(f"no OCR engine {name!r}; there are {', '.join(sorted(ENGINES))}")
    return ENGINES[name](argument)


def _fast(engine: str, argument: str) -> bool:
    if argument not in ("", "fast"):
        raise ValueError(f"engine {engine} knows only the mode 'fast', not {argument!r}")
    return argument == "fast"
