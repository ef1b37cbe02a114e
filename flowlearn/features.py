"""Features of the dataset's rows."""

from __future__ import annotations

from datasets import Features, Image, List, Value

_TEXT = Value("string")
_NUMBER = Value("float32")
_BOX = List(_NUMBER)
"""`x0, y0, x1, y1` in pixels of the image, origin top-left; empty where there is none."""
_POINT = List(_NUMBER)
"""`x, y` in pixels of the image; empty where there is none."""

SIMULATED = Features(
    {
        "id": _TEXT,
        "image": Image(),
        "svg": _TEXT,
        "mermaid": _TEXT,
        "description": _TEXT,
        "width": Value("int32"),
        "height": Value("int32"),
        "direction": _TEXT,
        "background": _TEXT,
        "nodes": List(
            {
                "id": _TEXT,
                "label": _TEXT,
                "shape": _TEXT,
                "box": List(_NUMBER, length=4),
                "text_box": List(_NUMBER, length=4),
            }
        ),
        "links": List(
            {
                "source": _TEXT,
                "target": _TEXT,
                "style": _TEXT,
                "label": _TEXT,
                "label_box": _BOX,
                "polyline": List(List(_NUMBER, length=2)),
                "tail": List(_NUMBER, length=2),
                "stroke_end": List(_NUMBER, length=2),
                "head_tip": List(_NUMBER, length=2),
                "head_box": _BOX,
                "tail_tip": _POINT,
                "tail_box": _BOX,
            }
        ),
        "groups": List(
            {
                "id": _TEXT,
                "label": _TEXT,
                "members": List(_TEXT),
                "box": List(_NUMBER, length=4),
                "text_box": List(_NUMBER, length=4),
            }
        ),
        "questions": List(
            {
                "task": _TEXT,
                "question": _TEXT,
                "answer": _TEXT,
                "node": _TEXT,
                "box": _BOX,
                "reason": _TEXT,
            }
        ),
        "seed": Value("int64"),
        "parameters": _TEXT,
    }
)
"""A row of the `simulated*` configs: one chart."""

SIMULATED_VQA = Features(
    {
        "id": _TEXT,
        "chart_id": _TEXT,
        "image": Image(),
        "task": _TEXT,
        "prompt": _TEXT,
        "question": _TEXT,
        "answer": _TEXT,
        "box": _BOX,
        "support": List(
            {
                "chart_id": _TEXT,
                "question": _TEXT,
                "answer": _TEXT,
                "box": _BOX,
            }
        ),
    }
)
"""A row of the `simulated*_vqa` configs: one question on one chart of the test split."""

BENCHMARK = Features(
    {
        "id": _TEXT,
        "chart_id": _TEXT,
        "task": _TEXT,
        "prompt": _TEXT,
        "image": _TEXT,
        "answer": _TEXT,
    }
)
"""A row of the `simulated*_benchmark` configs: a question with its picture as a data URI."""
