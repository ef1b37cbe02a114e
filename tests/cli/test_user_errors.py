"""What users get wrong is told in words: one line, exit code 1 or 2, never a traceback."""

import json
import shutil
from pathlib import Path

import pytest
from PIL import Image
from small_dataset import write_small_dataset

from cli.main import main

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
        (["parse", "--jsonl", "latin.jsonl"], 2, "latin.jsonl: not UTF-8 text"),
        (["extract", "tf", "--jsonl", "latin.jsonl"], 2, "latin.jsonl: not UTF-8 text"),
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


def test_what_is_no_file_of_the_user_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise OSError("a socket, say")

    monkeypatch.setattr("cli.main.app", fail)
    with pytest.raises(OSError, match="a socket"):
        main()
