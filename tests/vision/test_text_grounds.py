"""Detected lines that hold several texts, cut where their ground ends."""

from io import BytesIO
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from metrics.core.text_lines import rectangle
from vision.picture import Pixels, Polygon
from vision.text_bands import Word, broken_words
from vision.text_grounds import on_one_ground

FONTS = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
FONT = ImageFont.truetype(FONTS / "DejaVuSans.ttf", 20)
HEIGHT = 40
NODE, LABEL, PAGE, INK = "#ECECFF", "#E8E8E8", "white", "#333333"

Piece = tuple[str, str, int]
"""Colour of the ground; what is on it (a text; `|`, a stroke from top to bottom; `>`, the rest of
an arrow head); its width."""


def drawn(*pieces: Piece) -> Pixels:
    """Draw pieces of a line side by side."""
    image = Image.new("RGB", (sum(width for *_, width in pieces), HEIGHT), PAGE)
    pen = ImageDraw.Draw(image)
    x = 0
    for ground, text, width in pieces:
        pen.rectangle((x, 0, x + width - 1, HEIGHT - 1), ground)
        if text == "|":
            pen.line((x + width // 2, 0, x + width // 2, HEIGHT), INK, 2)
        elif text == ">":
            pen.polygon([(x, 10), (x + width - 4, 20), (x, 30)], INK)
        else:
            pen.text((x + width / 2, HEIGHT / 2), text, INK, FONT, anchor="mm")
        x += width
    return np.asarray(image, dtype=np.uint8)


def whole(pixels: Pixels) -> Polygon:
    return rectangle(0, 0, pixels.shape[1], pixels.shape[0])


def cuts(*pieces: Piece) -> list[tuple[int, int]]:
    """Return from where to where the texts of a line reach."""
    pixels = drawn(*pieces)
    found = on_one_ground(pixels, whole(pixels))
    return [(round(polygon[0][0]), round(polygon[1][0])) for polygon in found]


@pytest.mark.parametrize(
    "pieces",
    [
        pytest.param([(NODE, "mix well", 160)], id="one text"),
        pytest.param([(NODE, "lilli", 160)], id="stems"),
        pytest.param([(PAGE, "a | b", 120)], id="a bar that is text"),
        pytest.param([(NODE, "mix", 80), (NODE, "bake", 90)], id="two words on one ground"),
        pytest.param([(PAGE, "", 120)], id="nothing"),
        pytest.param([(PAGE, "i", 20)], id="narrow"),
    ],
)
def test_one_text_stays_whole(pieces: list[Piece]) -> None:
    assert cuts(*pieces) == [(0, sum(width for *_, width in pieces))]


@pytest.mark.parametrize("name", ["DejaVuSans", "DejaVuSans-Bold"])
@pytest.mark.parametrize(("size", "quality"), [(12, 95), (14, 75), (20, 30), (20, 95)])
@pytest.mark.parametrize(
    "text",
    [
        "swimmingly melipona",
        "endotropic bunkums",
        "minimum millimeter",
        "illicit willful",
        "intervisible",
        "WWWWMMMM",
    ],
)
def test_dense_letters_close_to_their_box_are_no_ground(
    text: str, name: str, size: int, quality: int
) -> None:
    font = ImageFont.truetype(FONTS / f"{name}.ttf", size)
    image = Image.new("RGB", (500, 60), NODE)
    ImageDraw.Draw(image).text((20, 15), text, INK, font)
    jpeg = BytesIO()
    image.save(jpeg, "jpeg", quality=quality)
    pixels = np.asarray(Image.open(jpeg).convert("RGB"))
    x0, y0, x1, y1 = font.getbbox(text, anchor="la")
    margin = 0.2 * size
    line = rectangle(20 + x0 - margin, 15 + y0 - margin, 20 + x1 + margin, 15 + y1 + margin)
    assert on_one_ground(pixels, line) == [line]


@pytest.mark.parametrize(
    ("pieces", "texts"),
    [
        pytest.param(
            [(NODE, "mix", 80), (LABEL, "yes", 80)], [(0, 80), (80, 160)], id="node and label"
        ),
        pytest.param(
            [(LABEL, "yes", 80), (PAGE, "", 30), (LABEL, "no", 70)],
            [(0, 80), (110, 180)],
            id="two labels apart",
        ),
        pytest.param(
            [(PAGE, ">", 40), (LABEL, "yes", 80)],
            [(40, 120)],
            id="the end of a link before its label",
        ),
        pytest.param(
            [(PAGE, "mix", 70), (PAGE, "|", 40), (PAGE, "bake", 80)],
            [(0, 89), (91, 190)],
            id="a border between two texts",
        ),
    ],
)
def test_texts_on_several_grounds_are_parted(
    pieces: list[Piece], texts: list[tuple[int, int]]
) -> None:
    found = cuts(*pieces)
    assert len(found) == len(texts)
    for (start, end), (first, last) in zip(found, texts, strict=True):
        assert abs(start - first) <= 8
        assert abs(end - last) <= 8


def test_turned_lines_are_cut_along_their_direction() -> None:
    flat = drawn((NODE, "mix", 80), (LABEL, "yes", 80))
    pixels = np.ascontiguousarray(np.rot90(flat))  # reads upwards
    a, b, c, d = whole(pixels)
    first, second = on_one_ground(pixels, (d, a, b, c))
    assert first[1][1] == pytest.approx(80, abs=8)
    assert second[0][1] == pytest.approx(80, abs=8)


def test_what_stands_closer_than_words_is_one_broken_word() -> None:
    start, end = rectangle(0, 0, 60, 30), rectangle(66, 1, 120, 31)
    below, far = rectangle(66, 20, 120, 50), rectangle(100, 0, 160, 30)
    assert broken_words([start, end], 30) == [Word(rectangle(0, 0, 120, 31), (0, 1))]
    assert broken_words([end, start], 30) == [Word(rectangle(0, 0, 120, 31), (1, 0))]
    assert broken_words([start, below], 30) == []
    assert broken_words([start, far], 30) == []
