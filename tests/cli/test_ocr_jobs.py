"""Several processes read what one does, in the same order, with the real engine."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

FLOWLEARN = Path(sys.executable).with_name("flowlearn")
FONT = Path(__import__("matplotlib").get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
TEXTS = {"b.png": "swimmingly", "a.png": "croupiers", "c.png": "stupidest"}


@pytest.fixture
def charts(tmp_path: Path) -> Path:
    """The first picture is the largest: two processes finish out of order."""
    rows = []
    for number, (name, text) in enumerate(TEXTS.items()):
        image = Image.new("RGB", (900 - 300 * number, 700 - 250 * number), "white")
        pen = ImageDraw.Draw(image)
        pen.rectangle((30, 30, 230, 90), "#ECECFF", "#9370DB", 2)
        pen.text((60, 45), text, "#333333", ImageFont.truetype(FONT, 22))
        image.save(tmp_path / name)
        rows.append({"id": name, "image": name, "code": f"flowchart TD\na[{text}]"})
    (tmp_path / "charts.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return tmp_path


def run(*arguments: object) -> "subprocess.CompletedProcess[str]":
    pytest.importorskip("rapidocr")
    done = subprocess.run([FLOWLEARN, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done


def test_ocr(charts: Path) -> None:
    pictures = [charts / name for name in TEXTS]
    one, two = (run("ocr", *pictures, "--jobs", jobs) for jobs in (1, 2))
    assert one.stdout == two.stdout
    rows = [json.loads(line) for line in two.stdout.splitlines()]
    assert [row["texts"][0]["text"] for row in rows] == list(TEXTS.values())
    assert "3/3" in one.stderr
    assert "3/3" in two.stderr


def test_score_reference_free(charts: Path) -> None:
    def scored(jobs: int) -> str:
        out = charts / f"{jobs}.jsonl"
        arguments = ["score", "reference-free", charts / "charts.jsonl", "--jobs", jobs]
        assert "3/3" in run(*arguments, "--out", out).stderr
        return out.read_text()

    assert scored(1) == scored(2)
    assert [json.loads(line)["id"] for line in scored(2).splitlines()] == list(TEXTS)
