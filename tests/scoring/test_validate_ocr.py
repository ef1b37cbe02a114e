import json
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from typer.testing import CliRunner

from cli.main import app
from metrics.core.text_lines import TextLine, rectangle
from scoring.validate_ocr import (
    Counts,
    EngineQuality,
    compare,
    from_json,
    merged,
    quality_of,
    to_json,
    to_markdown,
)
from vision.ocr import OcrError
from vision.picture import Picture
from vision.timed_reading import TimedReading, read_timed

CODE = "flowchart TD\na[mix well] -->|then| b[bake]"


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    Image.new("RGB", (60, 60), "white").save(tmp_path / "a.png")
    return tmp_path / "a.png"


@pytest.fixture
def engine(tmp_path: Path) -> str:
    texts = [
        {"text": "mix", "box": [10, 2, 40, 12], "confidence": 0.9},
        {"text": "well", "box": [10, 12, 40, 22], "confidence": 0.9},
        "bake",
    ]
    (tmp_path / "texts.json").write_text(json.dumps({"a.png": texts}))
    return f"file:{tmp_path / 'texts.json'}"


@pytest.mark.parametrize(
    ("drawn", "read", "threshold", "expected"),
    [
        (["mix", "bake"], ["bake", "mix"], 1.0, Counts(2, 2, 2)),
        (["mix", "mix"], ["mix"], 1.0, Counts(1, 2, 1)),
        (["left subtree"], ["right subtree"], 0.9, Counts(0, 1, 1)),
        (["refrigerator"], ["refrigerat0r"], 1.0, Counts(0, 1, 1)),
        (["refrigerator"], ["refrigerat0r"], 0.9, Counts(1, 1, 1)),
        ([], [], 0.9, Counts()),
    ],
)
def test_texts_are_matched_one_to_one(
    drawn: list[str], read: list[str], threshold: float, expected: Counts
) -> None:
    assert compare(drawn, read, threshold) == expected


def test_f1_of_sums() -> None:
    total = Counts(1, 2, 1) + Counts(2, 2, 2)
    assert total.f1 == 2 * 3 / (4 + 3)
    assert Counts().f1 == 1.0
    assert Counts(0, 2, 0).f1 == 0.0


def test_quality_tells_labels_lines_time_and_memory(picture: Path) -> None:
    lines = (
        TextLine("mix", rectangle(10, 2, 40, 12), 0.9),
        TextLine("well", rectangle(10, 12, 40, 22), 0.9),
        TextLine("bake", rectangle(10, 40, 40, 50), 0.9),
        TextLine("then", rectangle(45, 20, 60, 30), 0.9),
    )
    reading = TimedReading("perfect-1", (lines,), 0.25, 0.5, 3 * 2**20)
    row = quality_of("mine", [(Picture.open(picture), CODE)], reading)
    assert row.exact == row.similar == Counts(3, 3, 3)
    assert row.raw_similar == Counts(2, 3, 4)
    (values,) = to_json([row])
    assert (values["exact_f1"], values["processor_ms"], values["peak_mb"]) == (1.0, 250.0, 3.0)
    assert "| mine (1) | perfect-1 | 1.000 | 1.000 | 0.571 | 250 | 500 | 3 |" in to_markdown([row])


def row_of(charts: str, engine: str, pictures: int = 1) -> EngineQuality:
    counts = Counts(pictures, pictures, pictures)
    return EngineQuality(charts, pictures, engine, counts, counts, counts, 1.0, 1.0, 1.0)


def test_rows_of_several_runs_are_one_table() -> None:
    first = [row_of("rich", "a"), row_of("word", "a")]
    later = [row_of("word", "b"), row_of("rich", "a", 5), row_of("rich", "b")]
    told = [(row.charts, row.engine, row.pictures) for row in merged(first, later)]
    assert told == [("rich", "a", 5), ("rich", "b", 1), ("word", "a", 1), ("word", "b", 1)]
    assert from_json(to_json(first)) == first


@pytest.mark.parametrize("rows", [[{}], ["a"], {"engines": []}, [{"charts": "rich"}]])
def test_other_json_holds_no_rows(rows: Any) -> None:
    with pytest.raises(ValueError, match="no rows of engines"):
        from_json(rows)


def test_no_charts() -> None:
    with pytest.raises(ValueError, match="no charts to read"):
        quality_of("mine", [], TimedReading("x", (), 0, 0, 0))


def test_an_engine_reads_in_a_process_of_its_own(picture: Path, engine: str) -> None:
    seen: list[int] = []
    reading = read_timed(engine, [picture, picture], sys.executable, seen.append)
    assert [[line.text for line in page] for page in reading.pages] == [["mix", "well", "bake"]] * 2
    assert reading.pages[0][0].box == (10, 2, 40, 12)
    assert seen == [1, 1]
    assert reading.processor_seconds >= 0
    assert reading.peak_bytes > 2**20


def test_an_engine_that_does_not_work_there_says_why(picture: Path) -> None:
    with pytest.raises(OcrError, match=r"cannot read /nowhere\.json"):
        read_timed("file:/nowhere.json", [picture])


def test_a_process_that_dies_is_told(tmp_path: Path, engine: str) -> None:
    with pytest.raises(OcrError, match="ended after 0 pictures"):
        read_timed(engine, [tmp_path / "missing.png"])


def test_command(tmp_path: Path, picture: Path, engine: str) -> None:
    charts = tmp_path / "charts.jsonl"
    charts.write_text(json.dumps({"image": picture.name, "mermaid": CODE}))
    arguments = ["validate", "ocr", f"mine={charts}", "--engine", engine]
    result = CliRunner().invoke(app, [*arguments, "--out", str(tmp_path / "out")])
    assert result.exit_code == 0, result.output
    assert "| mine (1) |" in (tmp_path / "out" / "ocr.md").read_text()
    (row,) = json.loads((tmp_path / "out" / "ocr.json").read_text())
    assert row["charts"] == "mine"
    arguments[2] = f"other={charts}"
    result = CliRunner().invoke(app, [*arguments, "--out", str(tmp_path / "out")])
    assert result.exit_code == 0, result.output
    rows = json.loads((tmp_path / "out" / "ocr.json").read_text())
    assert [row["charts"] for row in rows] == ["mine", "other"]
    (tmp_path / "out" / "ocr.json").write_text('{"engines": 1}')
    result = CliRunner().invoke(app, [*arguments, "--out", str(tmp_path / "out")])
    assert "cannot read the rows" in str(result.exception)
    wrong = CliRunner().invoke(app, ["validate", "ocr", str(charts), "--out", str(tmp_path)])
    assert wrong.exit_code != 0
    # The box that the message stands in wraps it where the path is long.
    assert "expected NAME=FILE" in " ".join(wrong.output.replace("│", " ").split())
