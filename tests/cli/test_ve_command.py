"""`flowlearn ve` and `flowlearn prompts` from end to end."""

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from typer.testing import CliRunner, Result

from cli.main import app
from flowlearn.tasks import PROMPTS
from metrics.core.ve_protocol import GENERATION_PROMPT, OCR_PROMPT

CHARTS = [
    {"image": "a.png", "code": "flowchart LR\na(mix) --> b(bake)"},
    {"image": "b.png", "code": ""},
]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    Image.new("RGB", (9, 9)).save(tmp_path / "a.png")
    (tmp_path / "charts.jsonl").write_text("".join(json.dumps(row) + "\n" for row in CHARTS))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def answer(requests: list[dict[str, Any]], file: Path, reply: str) -> None:
    """Write what a batch endpoint makes of requests."""
    body = {"model": "vlm", "choices": [{"message": {"role": "assistant", "content": reply}}]}
    rows = [
        {"id": "x", "custom_id": row["custom_id"], "response": {"body": body}} for row in requests
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_from_code_to_precision(folder: Path) -> None:
    asked = run("ve", "requests", "charts.jsonl", "--model", "vlm")
    assert asked.exit_code == 0, asked.output
    assert asked.stderr == "1 requests for 2 charts; without elements: 1 empty\n"
    answer(lines(asked.stdout), folder / "replies.jsonl", "1. yes\n2. yes\n3. no")
    made = run("ve", "score", "charts.jsonl", "replies.jsonl", "--out", "scored.jsonl")
    assert made.exit_code == 0, made.output
    assert made.stdout.splitlines() == [
        "precision 0.6667  micro 0.6667  (2 charts, 1 without elements)",
        "verdicts: 0 missing, 0 odd, 0 surplus; 0 of 1 calls without a reply",
        "possibly hallucinated, 1 elements:",
        '  a.png: Edge: "mix" --> "bake"',
        "ve_precision|edge_labels:yes|threshold:0.9|language:auto|verifier:vlm|version:1.0",
    ]
    scored = lines((folder / "scored.jsonl").read_text())
    assert scored[0]["elements"][2] == ['Edge: "mix" --> "bake"', False]
    assert scored[1]["score"]["reason"] == "empty"
    as_json = json.loads(run("ve", "score", "charts.jsonl", "replies.jsonl", "--json").stdout)
    assert as_json["charts"] == scored
    assert as_json["ve_f1"] is None
    again = run(
        *("ve", "requests", "charts.jsonl", "--model", "vlm", "--answered", "replies.jsonl")
    )
    assert again.stdout == ""
    assert "0 requests for 2 charts" in again.stderr


def test_requests_go_into_a_file_with_pictures_from_elsewhere(folder: Path) -> None:
    (folder / "pictures").mkdir()
    (folder / "a.png").rename(folder / "pictures/a.png")
    asked = ("ve", "requests", "charts.jsonl", "--model", "m", "--pictures", "file")
    assert run(*asked, "--images", "pictures", "--out", "requests.jsonl").exit_code == 0
    (request,) = lines((folder / "requests.jsonl").read_text())
    url = request["body"]["messages"][0]["content"][1]["image_url"]["url"]
    assert url == (folder / "pictures/a.png").as_uri()


def test_no_model_verifies_its_own_code(folder: Path) -> None:
    (folder / "own.jsonl").write_text(json.dumps({**CHARTS[0], "generator": "vlm"}))
    asked = lines(run("ve", "requests", "charts.jsonl", "--model", "vlm").stdout)
    answer(asked, folder / "replies.jsonl", "1. yes\n2. yes\n3. yes")
    for command in (
        ["requests", "own.jsonl", "--model", "vlm"],
        ["score", "own.jsonl", "replies.jsonl"],
    ):
        refused = run("ve", *command)
        assert "vlm generated the code of a.png" in str(refused.exception)
    assert run("ve", "requests", "own.jsonl", "--model", "other").exit_code == 0


def test_prompts_are_listed_and_printed() -> None:
    names = run("prompts").stdout.split()
    assert set(PROMPTS) < set(names)
    assert run("prompts", "generation").stdout == GENERATION_PROMPT + "\n"
    assert run("prompts", "ocr-texts").stdout == OCR_PROMPT + "\n"
    assert "{elements}" in run("prompts", "verification").stdout
    assert run("prompts", "none").exit_code == 2


@pytest.mark.parametrize(
    ("options", "instruction", "question_end", "answer"),
    [
        ((), "represent the flowchart, reflecting the text nodes and arrows as depicted.", "", "{"),
        (("--as-released",), "The image contains a simulated flowchart. Generate", "", "{"),
        (("--style", "answer-only"), "and no other information.", " The answer is", "{"),
        (("--style", "chain-of-thought"), "depicted. Let's think step by step.", "", "First, the"),
    ],
)
def test_styles(options: tuple[str, ...], instruction: str, question_end: str, answer: str) -> None:
    made = json.loads(run("prompts", "mermaid", "--json", *options).stdout)
    assert instruction in made["instruction"]
    assert made["question_end"] == question_end
    assert made["answer"].startswith(answer)
