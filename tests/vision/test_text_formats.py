from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision.file_engine import FileEngine
from vision.ocr import OcrError
from vision.picture import Picture
from vision.text_formats import read_texts

BOX = [[1, 2], [11, 2], [11, 7], [1, 7]]
QUAD = ((1.0, 2.0), (11.0, 2.0), (11.0, 7.0), (1.0, 7.0))
FLAT = [number for corner in BOX for number in corner]
VERTICES = [{"x": x, "y": y} for x, y in BOX]
RELATIVE = [{"X": x / 100, "Y": y / 50} for x, y in BOX]

FORMS: dict[str, Any] = {
    "ours": {"texts": [{"text": "Start", "polygon": BOX, "confidence": 0.9}]},
    "upstream": {"text": [{"x0": 1, "x1": 11, "y0": 2, "y1": 7, "text": "Start"}]},
    "list with boxes": [{"text": "Start", "box": [1, 2, 11, 7]}],
    "paddle 2": [[[BOX, ("Start", 0.9)]]],
    "paddle 2, one page": [[BOX, ["Start", 0.9]]],
    "paddle 3": {"rec_texts": ["Start"], "rec_scores": [0.9], "rec_polys": [BOX]},
    "paddle 3 as saved": {"res": {"rec_texts": ["Start"], "rec_scores": [0.9], "rec_polys": [BOX]}},
    "textract": {
        "Blocks": [
            {"BlockType": "PAGE"},
            {
                "BlockType": "LINE",
                "Text": "Start",
                "Confidence": 90.0,
                "Geometry": {"Polygon": RELATIVE},
            },
            {"BlockType": "WORD", "Text": "Start"},
        ]
    },
    "azure": {
        "analyzeResult": {
            "pages": [{"unit": "pixel", "lines": [{"content": "Start", "polygon": FLAT}]}]
        }
    },
    "azure read 3": {
        "analyzeResult": {"readResults": [{"lines": [{"text": "Start", "boundingBox": FLAT}]}]}
    },
    "document ai": {
        "text": "Start\nEnd",
        "pages": [
            {
                "lines": [
                    {
                        "layout": {
                            "textAnchor": {"textSegments": [{"endIndex": "6"}]},
                            "confidence": 0.9,
                            "boundingPoly": {
                                "normalizedVertices": [{"x": x / 100, "y": y / 50} for x, y in BOX]
                            },
                        }
                    }
                ]
            }
        ],
    },
    "google vision": {
        "responses": [
            {
                "fullTextAnnotation": {
                    "pages": [
                        {
                            "blocks": [
                                {
                                    "paragraphs": [
                                        {
                                            "words": [
                                                {
                                                    "boundingBox": {"vertices": VERTICES},
                                                    "confidence": 0.9,
                                                    "symbols": [
                                                        {"text": "Star"},
                                                        {
                                                            "text": "t",
                                                            "property": {
                                                                "detectedBreak": {
                                                                    "type": "LINE_BREAK"
                                                                }
                                                            },
                                                        },
                                                    ],
                                                }
                                            ]
                                        }
                                    ]
                                }
                            ]
                        }
                    ]
                }
            }
        ]
    },
}
REPLIES: dict[str, tuple[Any, list[str]]] = {
    "plain": (["Start", "End"], ["Start", "End"]),
    "reply": ("Start\n\n End \n", ["Start", "End"]),
    "fenced reply": ("```\nStart\nEnd\n```", ["Start", "End"]),
    "thinking reply": ("<think>What is there?</think>\nStart", ["Start"]),
    "no text": ("No text found", []),
    "no text, quoted": ("'No text found'.", []),
    "chat": ({"choices": [{"message": {"content": "Start\nEnd"}}]}, ["Start", "End"]),
    "batch": (
        {"response": {"body": {"choices": [{"message": {"content": "Start"}}]}}, "error": None},
        ["Start"],
    ),
    "paddle 2 without text": ([None], []),
    "empty": ([], []),
}


@pytest.mark.parametrize("form", FORMS)
def test_forms_with_positions(form: str) -> None:
    (line,) = read_texts(FORMS[form], size=(100, 50))
    assert line.text == "Start"
    assert np.allclose(line.polygon, QUAD)
    assert line.confidence in (None, 0.9)


@pytest.mark.parametrize("form", REPLIES)
def test_replies(form: str) -> None:
    value, texts = REPLIES[form]
    assert [line.text for line in read_texts(value)] == texts


@pytest.mark.parametrize("value", [3, None, [3], {"unknown": 1}, [[1, 2]]])
def test_other_values_are_refused(value: Any) -> None:
    with pytest.raises(ValueError, match=r"expected|no texts found"):
        read_texts(value)


@pytest.fixture
def picture() -> Picture:
    return Picture("a.png", np.full((50, 100, 3), 255, np.uint8))


@pytest.mark.parametrize(
    "content",
    [
        '{"image": "a.png", "texts": ["Start"]}\n{"image": "b.png", "texts": []}\n',
        '[{"file_name": "charts/a.png", "texts": ["Start"]}]',
        '{"a.png": ["Start"], "b.png": []}',
        '{"id": "a", "response": {"body": {"choices": [{"message": {"content": "Start"}}]}}}',
        '\ufeff{"image": "a.png", "texts": ["Start"]}',
        '{"image": "b.png", "texts": ["Line\u2028end"]}\r\n{"image": "a.png", "texts": ["Start"]}',
    ],
)
def test_file_engine(content: str, picture: Picture, tmp_path: Path) -> None:
    (tmp_path / "texts.jsonl").write_text(content, encoding="utf-8")
    engine = FileEngine(tmp_path / "texts.jsonl")
    assert [line.text for line in engine.read(picture)] == ["Start"]
    assert engine.signature == "file-texts.jsonl"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"image": "b.png", "texts": []}', "no texts of a.png"),
        ('{"image": "a.png", "texts": [3]}', "cannot read the texts of a.png"),
        ('{"image": "a.png", "texts": [{"polygon": 3, "text": "x"}]}', "cannot read the texts"),
        ("[3]", "expected objects"),
        ('{"a": 1}\nnot json', "line 2 is not JSON"),
        ('{"a": ' + "9" * 5000 + "}", "line 1 is not JSON"),
        ('{"image": "a.png", "texts": [{"text": "x", "box": [0, 0, 1e999, 9]}]}', "is not finite"),
        ('{"image": "a.png", "texts": [{"text": "x", "box": [0, NaN, 9, 9]}]}', "is not finite"),
    ],
)
def test_file_engine_refuses(content: str, message: str, picture: Picture, tmp_path: Path) -> None:
    (tmp_path / "texts.jsonl").write_text(content)
    with pytest.raises(OcrError, match=message):
        FileEngine(tmp_path / "texts.jsonl").read(picture)


def test_missing_file() -> None:
    with pytest.raises(OcrError, match="cannot read"):
        FileEngine("/nowhere/texts.jsonl")
