"""What users get wrong is told in words, never in a traceback.

The exit code is 2 where the command line itself is wrong, and 1 where what it names is: files,
their contents, data, the Hub, a missing tool.
"""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from PIL import Image
from small_dataset import write_small_dataset

from cli.main import app, main

ROOT = Path(__file__).resolve().parents[2]
Capture = pytest.CaptureFixture[str]


def run(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, arguments: list[str]
) -> tuple[object, str]:
    """Run the command as the console script does; return the exit code and all that is told."""
    monkeypatch.setattr("sys.argv", ["flowlearn", *arguments])
    monkeypatch.setenv("COLUMNS", "300")
    with pytest.raises(SystemExit) as left:
        main()
    captured = capsys.readouterr()
    return left.value.code, captured.out + captured.err


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with good and bad data."""
    monkeypatch.chdir(tmp_path)
    write_small_dataset(tmp_path / "good")
    shutil.copytree(tmp_path / "good", tmp_path / "tampered")
    changed = next((tmp_path / "tampered/data/simulated").glob("test-*.parquet"))
    changed.write_bytes(b"nonsense")
    shutil.copy(changed, tmp_path / "nonsense.parquet")
    shutil.copy(next((tmp_path / "good/data/simulated_vqa").glob("*.parquet")), "vqa.parquet")
    Image.new("RGB", (60, 40), "white").save(tmp_path / "a.png")
    (tmp_path / "file").write_text("a file, where a folder is wanted")
    (tmp_path / "texts.json").write_text(json.dumps({"a.png": ["mix"]}))
    (tmp_path / "latin.jsonl").write_bytes('{"code": "é", "reply": "é"}'.encode("latin-1"))
    (tmp_path / "huge.jsonl").write_text('{"code": "", "id": ' + "9" * 5000 + "}")
    (tmp_path / "nul.jsonl").write_text(r'{"image": "a\u0000.png", "code": ""}')
    (tmp_path / "half.jsonl").write_text(r'{"image": "a\ud800.png", "code": ""}')
    (tmp_path / "numbers.jsonl").write_text('{"image": "a.png", "mermaid": 3}\n')
    return tmp_path


VALIDATE = ["validate", "reference-free", "--engine", "file:texts.json"]


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["export", "upstream", "tampered"], 1, "is not what manifest.json says"),
        (["export", "upstream", "good", "--out", "file"], 1, "file/images: Not a directory"),
        (["ocr", "a.png", "--engine", "file:texts.json", "--out", "no/x"], 1, "no/x: No such file"),
        (["ocr", "none.png", "--engine", "file:texts.json"], 1, "none.png: No such file or dir"),
        (["parse", "--jsonl", "latin.jsonl"], 1, "latin.jsonl: not UTF-8 text"),
        (["parse", "--jsonl", "huge.jsonl"], 1, "huge.jsonl, line 1: not JSON (Exceeds the limit"),
        (["score", "reference-free", "nul.jsonl"], 1, r"no file can be named 'a\x00.png'"),
        (["score", "reference-free", "half.jsonl"], 1, r"no file can be named 'a\ud800.png'"),
        (["extract", "tf", "--jsonl", "latin.jsonl"], 1, "latin.jsonl: not UTF-8 text"),
        ([*VALIDATE, "vqa.parquet", "--out", "o"], 1, "vqa.parquet has no column mermaid"),
        ([*VALIDATE, "nonsense.parquet", "--out", "o"], 1, "nonsense.parquet is no Parquet file"),
        ([*VALIDATE, "numbers.jsonl", "--out", "o"], 1, "image and mermaid must be strings"),
        ([*VALIDATE, "numbers.jsonl", "--out", "file"], 1, "file: File exists"),
        (["install"], 1, "no dataset is built in "),
        (["install", "--metric", "none"], 1, "there is no metric 'none'"),
        (["install", "--dataset", "file"], 1, "file/data holds no built config"),
        (["install", "--status", "--remove"], 2, "--status and --remove"),
        (["publish", "--namespace", "me", "--dry-run"], 1, "no dataset that may be published"),
        (
            ["publish", "--namespace", "me", "--dry-run", "--no-datasets", "--no-metrics"],
            1,
            "nothing is left to publish",
        ),
        (
            ["publish", "--namespace", "no/name!", "--dry-run", "--dataset", "good"],
            1,
            "'no/name!' is no name of the Hub",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_told_in_words(
    arguments: list[str],
    code: int,
    told: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
) -> None:
    exit_code, output = run(monkeypatch, capsys, arguments)
    assert exit_code == code, output
    assert told in output
    assert "Traceback" not in output


def leaves(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the names of all commands that do something."""
    if not hasattr(command, "commands"):
        yield path
    for name, sub in getattr(command, "commands", {}).items():
        yield from leaves(sub, (*path, name))


COMMANDS = sorted(leaves(typer.main.get_command(app)))

BAD_INPUT: dict[str, list[str]] = {
    "build simulated": ["--config", "numbers.jsonl"],
    "cards": ["--dataset", "file"],
    "export upstream": ["file"],
    "extract mcq": ["--jsonl", "numbers.jsonl"],
    "extract mermaid": ["--jsonl", "numbers.jsonl"],
    "extract number": ["--jsonl", "none.jsonl"],
    "extract ocr": ["--jsonl", "nonsense.parquet"],
    "extract tf": ["--jsonl", "latin.jsonl"],
    "import logicvista": ["file"],
    "install": ["--dataset", "file"],
    "ocr": ["file", "--engine", "file:texts.json"],
    "parse": ["--jsonl", "nonsense.parquet"],
    "publish": ["--namespace", "me", "--dry-run", "--dataset", "tampered"],
    "reproduce cards": ["--flowlearn", ".", "--logicvista", "."],
    "reproduce flowlearn": ["--data", "."],
    "reproduce logicvista": ["--data", "none"],
    "score reference-free": ["numbers.jsonl"],
    "score logicvista": ["numbers.jsonl", "--data", "none"],
    "validate ocr": ["name=none.parquet", "--out", "o"],
    "validate reference-free": ["none.parquet", "--out", "o"],
    "ve requests": ["numbers.jsonl", "--model", "m"],
    "ve score": ["numbers.jsonl", "latin.jsonl"],
}
"""Commands, with arguments that name something bad in the folder."""


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_wrong_command_line_exits_with_2(
    command: tuple[str, ...], folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    code, output = run(monkeypatch, capsys, [*command, "--no-such-option"])
    assert code == 2, output
    assert "No such option: --no-such-option" in output


@pytest.mark.parametrize("command", BAD_INPUT)
def test_bad_input_exits_with_1(
    command: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    code, output = run(monkeypatch, capsys, [*command.split(), *BAD_INPUT[command]])
    assert code == 1, output
    assert "error: " in output
    assert "Traceback" not in output


def test_every_command_that_takes_input_is_in_the_table() -> None:
    without_input = {"doctor", "prompts"}
    assert {" ".join(command) for command in COMMANDS} - without_input == set(BAD_INPUT)


@pytest.mark.parametrize(
    "arguments",
    [
        ["ocr", "a.png", "--engine", "none"],
        ["parse", "--jsonl", "-", "--language", "none"],
        ["ve", "requests", "-", "--model", "m", "--language", "none"],
        ["extract", "tf", "--jsonl", "-", "--mode", "none"],
        ["extract", "mcq", "--jsonl", "-", "--llm-model", "m"],
        ["build", "simulated", "--jobs", "0"],
        ["prompts", "none"],
        ["prompts", "mermaid", "--style", "none"],
    ],
    ids=" ".join,
)
def test_a_value_that_an_option_cannot_have_exits_with_2(
    arguments: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    code, output = run(monkeypatch, capsys, arguments)
    assert code == 2, output
    assert "Traceback" not in output


def test_errors_begin_small_and_end_without_a_stop() -> None:
    """One style: they stand behind `error: ` and `→ `."""
    wrong = []
    for folder in ("builders", "cli", "scoring", "vision"):
        for path in (ROOT / folder).rglob("*.py"):
            for told in messages(ast.parse(path.read_text(encoding="utf-8"))):
                first = re.split(r"\W", told, maxsplit=1)[0]
                if (first.istitle() and first not in NAMES) or told.endswith("."):
                    wrong.append(f"{path.name}: {told}")
    assert wrong == []


NAMES = {"Chromium", "Mermaid"}


def messages(tree: ast.AST) -> Iterator[str]:
    """Yield the texts that errors for users are raised with."""
    for node in ast.walk(tree):
        called = getattr(getattr(node, "func", None), "id", "")
        if called in ("UserError", "OcrError"):
            for argument in node.args:
                parts = argument.values if isinstance(argument, ast.JoinedStr) else [argument]
                texts = [getattr(part, "value", "{}") for part in parts]
                if all(isinstance(part, (ast.Constant, ast.FormattedValue)) for part in parts):
                    yield "".join(text if isinstance(text, str) else "{}" for text in texts)


def test_what_is_no_file_of_the_user_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise OSError("a socket, say")

    monkeypatch.setattr("cli.main.app", fail)
    with pytest.raises(OSError, match="a socket"):
        main()


def test_texts_that_no_encoding_has_are_told_too(folder: Path) -> None:
    texts = {"image": "a.png", "texts": [{"text": "mix\ud800 茶", "box": [5, 5, 40, 20]}]}
    chart = {"image": "a.png", "id": "\ud800", "code": "graph TD\nA[\ud800]"}
    (folder / "odd.json").write_text(json.dumps(texts))
    (folder / "odd.jsonl").write_text(json.dumps(chart))
    command = ["score", "reference-free", "odd.jsonl", "--engine", "file:odd.json"]
    told = subprocess.run(
        [sys.executable, "-c", "from cli.main import main; main()", *command],
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        check=False,
    )
    assert told.returncode == 0, told.stderr
    assert rb"\ud800: F1 " in told.stdout
