"""`flowlearn score reference-free` from end to end, on pictures drawn here."""

import json
import os
from pathlib import Path
from typing import Any

import cv2
import pytest
from drawn_chart import DrawnChart, curve
from typer.testing import CliRunner, Result

from cli.main import app
from metrics.core.text_lines import TextLine
from vision.file_engine import FileEngine
from vision.picture import Picture

GOOD = "flowchart LR\na(mix) --> b(bake)"
INVENTED = "flowchart LR\na(mix) --> b(bake) --> c(burn)"
REVERSED = "flowchart LR\na(mix) <-- b(bake)"
ENGINE = ("--engine", "file:texts.jsonl")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["score", "reference-free", *arguments])


def rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def write(file: Path, values: list[dict[str, Any]]) -> None:
    file.write_text("".join(json.dumps(value) + "\n" for value in values))


def texts_of(chart: DrawnChart, name: str, places: bool = True) -> dict[str, Any]:
    kept = [
        {"text": label.text, "confidence": 0.99} | ({"box": list(label.box)} if places else {})
        for label in chart.labels
    ]
    return {"image": name, "texts": kept}


@pytest.fixture
def chart() -> DrawnChart:
    drawn = DrawnChart()
    drawn.node("mix", 200, 300)
    drawn.node("bake", 600, 300)
    drawn.link(curve((320, 300), (480, 300)))
    return drawn


@pytest.fixture
def folder(tmp_path: Path, chart: DrawnChart, monkeypatch: pytest.MonkeyPatch) -> Path:
    codes = {"good": GOOD, "invented": INVENTED, "reversed": REVERSED, "empty": ""}
    for name in codes:
        cv2.imwrite(str(tmp_path / f"{name}.png"), chart.pixels[:, :, ::-1])
    write(tmp_path / "texts.jsonl", [texts_of(chart, f"{name}.png") for name in codes])
    charts = [{"id": n, "image": f"{n}.png", "code": code} for n, code in codes.items()]
    write(tmp_path / "charts.jsonl", charts)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_what_is_missing_and_what_is_made_up_is_told(folder: Path) -> None:
    made = run("charts.jsonl", *ENGINE, "--out", "scored.jsonl")
    assert made.exit_code == 0, made.output
    assert made.stdout.splitlines()[:11] == [
        "F1 0.8500  recall 0.7500  precision 0.7556  (4 charts, 1 without F1 (empty))",
        "edges: recall 0.5000  precision 0.5000",
        "to look at first:",
        "  empty: F1 – (empty), edge recall 0.0000",
        '    in the picture, not in the code: "mix", "bake"',
        '    arrows not in the code: "mix" --> "bake"',
        "  reversed: F1 0.8000, edge recall 0.0000",
        '    in the code, perhaps not in the picture: Edge: "bake" --> "mix"',
        '    arrows not in the code: "mix" --> "bake"',
        "  invented: F1 0.7500, edge recall 1.0000",
        '    in the code, perhaps not in the picture: Node: "burn", Edge: "bake" --> "burn"',
    ]
    assert "reader:file-texts.jsonl" in made.stdout
    assert "verifier:embedded-" in made.stdout
    assert "finder:embedded-" in made.stdout
    scored = rows(folder / "scored.jsonl")
    assert [row["id"] for row in scored] == ["good", "invented", "reversed", "empty"]
    assert scored[0]["verdicts"] == [True, True, True]
    assert scored[0]["arrows"] == [["mix", "bake", "", True]]


def test_rows_are_the_inputs_of_the_metric(folder: Path) -> None:
    import evaluate

    run("charts.jsonl", *ENGINE, "--out", "scored.jsonl")
    scored = rows(folder / "scored.jsonl")
    root = Path(__file__).parents[2]
    result = evaluate.load(str(root / "metrics/f1_ocr_ve")).compute(
        predictions=[row["code"] for row in rows(folder / "charts.jsonl")],
        texts=[row["texts"] for row in scored],
        verdicts=[row["verdicts"] for row in scored],
        arrows=[row["arrows"] for row in scored],
    )
    assert [item["f1"] for item in result["items"]] == [row["score"]["f1"] for row in scored]
    assert result["edge_recall"] == 0.5


def test_several_processes_give_the_same(folder: Path) -> None:
    for jobs in ("1", "2"):
        made = run("charts.jsonl", *ENGINE, "--jobs", jobs, "--out", f"{jobs}.jsonl")
        assert made.exit_code == 0, made.output
    assert (folder / "1.jsonl").read_bytes() == (folder / "2.jsonl").read_bytes()


def interrupt_at(name: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let the reading of a picture be interrupted; return the list of what is read."""
    seen: list[str] = []
    read = FileEngine.read

    def counted(engine: FileEngine, picture: Picture) -> tuple[TextLine, ...]:
        seen.append(picture.name)
        if picture.name == name:
            raise KeyboardInterrupt
        return read(engine, picture)

    monkeypatch.setattr(FileEngine, "read", counted)
    return seen


def test_an_interrupted_run_goes_on(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = run("charts.jsonl", *ENGINE, "--json")
    with monkeypatch.context() as patched:
        interrupt_at("reversed.png", patched)
        assert run("charts.jsonl", *ENGINE, "--out", "scored.jsonl").exit_code
    with (folder / "scored.jsonl.partial").open("a") as partial:
        partial.write('["cut')
    seen = interrupt_at("", monkeypatch)
    made = run("charts.jsonl", *ENGINE, "--out", "scored.jsonl", "--json")
    assert made.exit_code == 0, made.output
    assert seen == ["reversed.png", "empty.png"]
    assert made.stdout == whole.stdout
    assert not (folder / "scored.jsonl.partial").exists()


@pytest.mark.parametrize("change", ["options", "texts", "code", "picture"])
def test_what_was_kept_of_another_job_is_not_used(
    folder: Path, chart: DrawnChart, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        interrupt_at("invented.png", patched)
        assert run("charts.jsonl", *ENGINE, "--out", "scored.jsonl").exit_code
    options = ["--no-edge-labels"] if change == "options" else []
    if change == "texts":
        write(folder / "texts.jsonl", [*rows(folder / "texts.jsonl"), texts_of(chart, "new.png")])
    if change == "code":
        charts = (folder / "charts.jsonl").read_text().replace("mix", "stir", 1)
        (folder / "charts.jsonl").write_text(charts)
    if change == "picture":
        cv2.imwrite(str(folder / "good.png"), chart.pixels)
        os.utime(folder / "good.png", (1, 1))
    seen = interrupt_at("", monkeypatch)
    assert run("charts.jsonl", *ENGINE, *options, "--out", "scored.jsonl").exit_code == 0
    assert seen[0] == "good.png"


def test_reading_texts_goes_on_too(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pictures = ["good.png", "good.png", "empty.png", "reversed.png"]
    command = ["ocr", *pictures, *ENGINE, "--out", "read.jsonl"]
    with monkeypatch.context() as patched:
        interrupt_at("empty.png", patched)
        assert CliRunner().invoke(app, command).exit_code
    seen = interrupt_at("", monkeypatch)
    assert CliRunner().invoke(app, command).exit_code == 0
    assert seen == ["empty.png", "reversed.png"]
    assert [row["image"] for row in rows(folder / "read.jsonl")] == pictures


def test_unreadable_pictures_are_counted(folder: Path) -> None:
    (folder / "invented.png").write_text("no picture")
    (folder / "reversed.png").unlink()
    made = run("charts.jsonl", *ENGINE, "--out", "scored.jsonl")
    assert made.exit_code == 0, made.output
    assert "unreadable, 2 pictures, not scored:" in made.stdout
    assert "reversed: cannot read the picture reversed.png: No such file" in made.stdout
    assert [row["score"] is None for row in rows(folder / "scored.jsonl")] == [
        False,
        True,
        True,
        False,
    ]


def test_a_model_may_verify_instead(folder: Path) -> None:
    arguments = ["ve", "requests", "charts.jsonl", "--model", "vlm", "--out", "requests.jsonl"]
    assert CliRunner().invoke(app, arguments).exit_code == 0
    body = {"model": "vlm", "choices": [{"message": {"content": "1. yes\n2. yes\n3. no\n4. no"}}]}
    answers = [
        {"custom_id": row["custom_id"], "response": {"body": body}}
        for row in rows(folder / "requests.jsonl")
    ]
    write(folder / "replies.jsonl", answers)
    made = run("charts.jsonl", *ENGINE, "--replies", "replies.jsonl", "--json")
    assert made.exit_code == 0, made.output
    result = json.loads(made.stdout)
    assert [row["score"]["precision"]["entailed"] for row in result["charts"]] == [2, 2, 2, 0]
    assert "verifier:vlm" in result["signature"]


def test_texts_without_places_need_another_verifier(folder: Path, chart: DrawnChart) -> None:
    names = ("good", "invented", "reversed", "empty")
    write(folder / "texts.jsonl", [texts_of(chart, f"{n}.png", places=False) for n in names])
    made = run("charts.jsonl", *ENGINE)
    assert "good: its texts have no places" in str(made.exception)
    assert "--replies" in str(made.exception)


def test_pictures_must_be_files(folder: Path) -> None:
    write(folder / "charts.jsonl", [{"image": "https://example.org/a.png", "code": GOOD}])
    made = run("charts.jsonl", *ENGINE)
    assert "the pictures of https://example.org/a.png are URLs" in str(made.exception)


@pytest.mark.parametrize(("least", "code"), [("0.84", 0), ("0.86", 1)])
def test_a_low_score_can_fail_a_pipeline(folder: Path, least: str, code: int) -> None:
    made = run("charts.jsonl", *ENGINE, "--fail-under", least)
    assert made.exit_code == code
    assert ("is below" in str(made.exception)) == bool(code)


def test_an_undefined_score_fails_a_pipeline_too(folder: Path) -> None:
    write(folder / "charts.jsonl", [{"image": "good.png", "code": None}])
    made = run("charts.jsonl", *ENGINE, "--fail-under", "0")
    assert made.exit_code == 1
    assert "the mean F1 is undefined" in str(made.exception)
