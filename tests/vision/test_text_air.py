"""Air round letters is cut off, and nothing else."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from metrics.core.text_lines import rectangle
from vision.text_air import HEIGHT, without_air

FONT = Path(__import__("matplotlib").get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
TOP, BOTTOM = 34, 61
"""First row of the ink of `gulp lid` below, and the row after its last."""


def drawn(ground: str = "white", ink: str = "black") -> tuple[Image.Image, ImageDraw.ImageDraw]:
    image = Image.new("RGB", (240, 100), ground)
    pen = ImageDraw.Draw(image)
    pen.text((40, 29), "gulp lid", ink, ImageFont.truetype(FONT, 28))
    return image, pen


def rows_of(image: Image.Image, polygon: tuple[tuple[float, float], ...]) -> tuple[float, float]:
    made = without_air(np.asarray(image), polygon)
    return made[0][1], made[2][1]


def is_round_letters(rows: tuple[float, float]) -> bool:
    margin = (HEIGHT - 1) / 2 * (BOTTOM - TOP)
    return bool(np.allclose(rows, (TOP - margin, BOTTOM + margin), atol=3))


@pytest.mark.parametrize(("ground", "ink"), [("white", "black"), ("#223", "#EEE")])
@pytest.mark.parametrize("box", [(30, 4, 170, 96), (30, 20, 170, 74), (20, 10, 180, 85)])
def test_air_is_cut_off(box: tuple[int, int, int, int], ground: str, ink: str) -> None:
    image, _ = drawn(ground, ink)
    assert is_round_letters(rows_of(image, rectangle(*box)))


def test_a_flat_box_stays() -> None:
    image, _ = drawn()
    assert rows_of(image, rectangle(30, 32, 170, 63)) == (32, 63)


def test_borders_are_no_letters() -> None:
    image, pen = drawn()
    pen.rectangle((22, 12, 178, 88), outline="black", width=3)
    assert is_round_letters(rows_of(image, rectangle(20, 8, 180, 90)))


def test_turned_text() -> None:
    image, _ = drawn()
    turned = np.rot90(np.asarray(image))  # text runs upwards
    corners = ((4.0, 209.0), (4.0, 69.0), (96.0, 69.0), (96.0, 209.0))
    made = without_air(np.ascontiguousarray(turned), corners)
    assert is_round_letters((made[0][0], made[2][0]))
    assert (made[0][1], made[1][1]) == (209.0, 69.0)


@pytest.mark.parametrize("box", [(10, 4, 30, 96), (0, 0, 0, 0), (5, 5, 6, 6), (300, 300, 320, 310)])
def test_without_letters_nothing_changes(box: tuple[int, int, int, int]) -> None:
    image, _ = drawn()
    assert without_air(np.asarray(image), rectangle(*box)) == rectangle(*box)
