"""The OCR engines by name."""

from collections.abc import Callable

from vision.ocr import OcrEngine


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
