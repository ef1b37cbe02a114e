"""The texts of a picture as JSON: in our schema, and in upstream FlowLearn's."""

from pathlib import Path
from typing import Any, Literal

from metrics.core.text_lines import Label
from vision.labels import Lines, labels_of
from vision.ocr import OcrEngine
from vision.picture import Picture

Schema = Literal["ours", "upstream"]


def annotate(
    path: Path, engine: OcrEngine, schema: Schema = "ours", lines: Lines = "merged"
) -> dict[str, Any]:
    """Read one picture and return its annotations.

    Args:
        path: Picture file.
        engine: Reads the picture.
        schema: `ours` keeps polygons, lines and confidences; `upstream` has FlowLearn's keys
            `x0, x1, y0, y1, text` a text.
        lines: Whether wrapped lines are joined, see `labels_of`.

    Raises:
        PictureError: The file is no readable picture.
    """
    picture = Picture.open(path)
    labels = labels_of(engine.read(picture), picture, lines)
    if schema == "upstream":
        return {"image": picture.name, "text": [_upstream(label) for label in labels]}
    width, height = picture.size
    return {
        "image": picture.name,
        "width": width,
        "height": height,
        "engine": engine.signature,
        "lines": lines,
        "texts": [annotation_of(label) for label in labels],
    }


def annotation_of(label: Label) -> dict[str, Any]:
    """Return a text in our schema: `text`, `box`, `confidence` and its `lines`."""
    return {
        "text": label.text,
        "box": _rounded(label.box),
        "confidence": None if label.confidence is None else round(label.confidence, 4),
        "lines": [
            {
                "text": line.text,
                "polygon": [_rounded(corner) for corner in line.polygon],
                "confidence": None if line.confidence is None else round(line.confidence, 4),
            }
            for line in label.lines
        ],
    }


def _upstream(label: Label) -> dict[str, Any]:
    keys = ("x0", "y0", "x1", "y1")
    corners = dict(zip(keys, _rounded(label.box), strict=False))
    return {key: corners.get(key) for key in ("x0", "x1", "y0", "y1")} | {"text": label.text}


def _rounded(numbers: tuple[float, ...] | None) -> list[float]:
    return [round(number, 1) for number in numbers or ()]
