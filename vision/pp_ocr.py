"""The PP-OCR models inside the wheel of `rapidocr`, without any download."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from vision.ocr import OcrError
from vision.picture import Pixels, Polygon

if TYPE_CHECKING:
    from rapidocr import RapidOCR

Result = TypeVar("Result")


class PpOcrModels:
    """The detector and the recognizer, run by ONNX Runtime with one thread.

    Args:
        least_width: Crops of text are padded to this width, in pixels at the recognizer's height
            of 48. The models were trained with 320.

    Raises:
        OcrError: The package is missing.
    """

    def __init__(self, least_width: int = 320) -> None:
        if find_spec("rapidocr") is None:
            raise OcrError("the package rapidocr is missing", "pip install 'flowlearn[ocr]'")
        self._least_width = least_width

    @cached_property
    def _models(self) -> "RapidOCR":
        # Loaded by the first call, in the worker: a process that only hands out work needs none.
        return _load(self._least_width)

    def detect(self, pixels: Pixels) -> list[Polygon]:
        """Return the polygons of texts.

        Args:
            pixels: BGR, shape `(height, width, 3)`.
        """
        found = _in_worker(lambda: self._models(pixels, use_det=True, use_cls=False, use_rec=False))
        boxes = getattr(found, "boxes", None)
        if boxes is None:
            return []
        return [tuple((float(x), float(y)) for x, y in box) for box in boxes]

    def recognize(self, crops: Sequence[Pixels]) -> list[tuple[str, float]]:
        """Return the text of each crop, and how sure it is, 0 to 1.

        Args:
            crops: Lines of text set upright, BGR.
        """
        if not crops:
            return []
        found = _in_worker(lambda: self._models.recognize_txt(list(crops)))
        return [
            (text, float(score))
            for text, score in zip(found.txts or (), found.scores or (), strict=True)
        ]


def _load(least_width: int) -> "RapidOCR":
    from rapidocr import RapidOCR

    # Scaling, turning and filtering are done by the engine, where their reasons can be read.
    parameters: dict[str, Any] = {
        "Global.log_level": "critical",
        "Global.use_cls": False,
        "Global.text_score": 0.0,
        "Global.min_side_len": 1,
        "Global.max_side_len": 1_000_000,
        "Det.limit_type": "max",
        "Det.limit_side_len": 1_000_000,
        # A batch is padded to its widest crop: one by one, nothing is padded for another, and
        # what is read does not depend on the other texts of a picture.
        "Rec.rec_batch_num": 1,
        "Rec.rec_img_shape": [3, 48, least_width],
        "EngineConfig.onnxruntime.intra_op_num_threads": 1,
        "EngineConfig.onnxruntime.enable_cpu_mem_arena": True,
    }
    return RapidOCR(params=parameters)


def _in_worker(call: Callable[[], Result]) -> Result:
    return _worker().submit(call).result()


@cache
def _worker() -> ThreadPoolExecutor:
    """Return the one thread in which the models run.

    The last layers of the detector yield denormal numbers, with which processors calculate a
    hundred times as slowly: taking them for zero changes nothing that is read, and saves two
    thirds of the detector's time. That mode belongs to a thread, and must not reach the caller's.
    """
    return ThreadPoolExecutor(1, "pp-ocr", _take_denormals_for_zero)


if hasattr(os, "register_at_fork"):
    # Threads stay behind in the parent. The child's gets no such mode any more: it reads slowly.
    os.register_at_fork(after_in_child=_worker.cache_clear)


def _take_denormals_for_zero() -> None:
    try:
        import rapidocr
        from onnxruntime import InferenceSession, SessionOptions
    except ImportError:
        return  # the call itself tells
    # ONNX Runtime sets the mode of the thread that loads the first model of a process, whichever.
    models = Path(rapidocr.__file__).with_name("models").glob("*.onnx")
    smallest = min(models, key=lambda file: file.stat().st_size, default=None)
    if smallest:
        options = SessionOptions()
        options.add_session_config_entry("session.set_denormal_as_zero", "1")
        InferenceSession(smallest, options)
