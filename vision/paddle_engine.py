"""The real PaddleOCR package, versions 2 and 3, with the user's models."""

from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from metrics.core.text_lines import TextLine
from vision.ocr import OcrError
from vision.picture import Picture
from vision.text_formats import paddle_v2, paddle_v3

_INSTALL = "pip install 'flowlearn[paddle]', in an environment of its own"


class PaddleEngine:
    """Reads with PaddleOCR.

    Args:
        models: Folder with the models in `det/` and `rec/` (version 3: each with its
            `inference.yml`; ONNX weights run on ONNX Runtime). Without it PaddleOCR looks
            for its own models and may download them.

    Raises:
        OcrError: The package or the models are missing.
    """

    def __init__(self, models: str | Path | None = None) -> None:
        try:
            from paddleocr import PaddleOCR
        except ImportError as error:
            raise OcrError("the package paddleocr is missing", _INSTALL) from error
        self._version = version("paddleocr")
        self._third = int(self._version.split(".")[0]) >= 3
        folder = Path(models) if models is not None else None
        if folder is not None:
            for part in ("det", "rec"):
                if not (folder / part).is_dir():
                    raise OcrError(f"{folder} has no folder {part}/", "put the models there")
        options = _options_v3(folder) if self._third else _options_v2(folder)
        try:
            self._reader = PaddleOCR(**options)
        except Exception as error:  # PaddleOCR raises a bare Exception when it finds no models
            raise OcrError(
                f"PaddleOCR {self._version} does not start ({error})",
                "give a folder of models: paddle:FOLDER",
            ) from error

    @property
    def signature(self) -> str:
        """Engine and version."""
        return f"paddleocr-{self._version}"

    def read(self, picture: Picture) -> tuple[TextLine, ...]:
        """Return the lines of text in a picture."""
        pixels = np.ascontiguousarray(picture.pixels[:, :, ::-1])  # PaddleOCR wants BGR
        if self._third:
            return tuple(line for page in self._reader.predict(pixels) for line in _page(page))
        return paddle_v2(self._reader.ocr(pixels, cls=False) or [])


def _page(page: Mapping[str, Any]) -> tuple[TextLine, ...]:
    return paddle_v3(page)


def _options_v3(models: Path | None) -> dict[str, Any]:
    # Charts are flat and upright: the page-straightening models would only cost time.
    options: dict[str, Any] = {
        "use_doc_orientation_classify": False,
        "use_doc_unwarping": False,
        "use_textline_orientation": False,
    }
    if models is None:
        return options
    for part, name in (("det", "text_detection"), ("rec", "text_recognition")):
        options[f"{name}_model_dir"] = str(models / part)
        options[f"{name}_model_name"] = _model_name(models / part)
    if list(models.glob("*/*.onnx")):
        options["engine"] = "onnxruntime"
    else:
        options["enable_mkldnn"] = False  # crashes on some versions of paddlepaddle
    return options


def _model_name(folder: Path) -> str:
    import yaml

    path = folder / "inference.yml"
    if not path.is_file():
        raise OcrError(f"{path} is missing", "PaddleOCR 3 needs it beside the weights")
    return str(yaml.safe_load(path.read_text(encoding="utf-8"))["Global"]["model_name"])


def _options_v2(models: Path | None) -> dict[str, Any]:
    options: dict[str, Any] = {"use_angle_cls": False, "show_log": False}
    if models is not None:
        options["det_model_dir"] = str(models / "det")
        options["rec_model_dir"] = str(models / "rec")
        if keys := next(iter(sorted((models / "rec").glob("*.txt"))), None):
            options["rec_char_dict_path"] = str(keys)
        options["use_onnx"] = bool(list(models.glob("*/*.onnx")))
    return options
