"""Lines that are joined or kept apart by what is drawn between them."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from metrics.core.text_lines import TextLine, rectangle
from vision.labels import labels_of
from vision.picture import Picture
from vision.text_ends import without_strokes

FONT = ImageFont.truetype(
    Path(__import__("matplotlib").get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf", 16
)
UPPER, LOWER = (40, 30, 170, 54), (40, 52, 170, 76)
"""Boxes of two lines as detectors give them: with margins that overlap."""


def canvas() -> tuple[Image.Image, ImageDraw.ImageDraw]:
    image = Image.new("RGB", (210, 110), "#FFFFDE")
    return image, ImageDraw.Draw(image)


def write(pen: ImageDraw.ImageDraw, upper: str, lower: str) -> list[TextLine]:
    for text, box in ((upper, UPPER), (lower, LOWER)):
        pen.text(((box[0] + box[2]) / 2, (box[1] + box[3]) / 2), text, "#333333", FONT, anchor="mm")
    return [TextLine(upper, rectangle(*UPPER), 0.99), TextLine(lower, rectangle(*LOWER), 0.99)]


def labels(image: Image.Image, lines: list[TextLine], turned: bool = False) -> list[str]:
    if turned:
        # Turned left: the text runs upwards, further lines stand to the right.
        image = image.transpose(Image.Transpose.ROTATE_90)
        width = image.height
        turn = [tuple((y, width - x) for x, y in line.polygon) for line in lines]
        height = image.height
        turn = [tuple((x, y - width + height) for x, y in polygon) for polygon in turn]
        lines = [TextLine(ln.text, p, 0.99) for ln, p in zip(lines, turn, strict=True)]
    return [label.text for label in labels_of(lines, Picture.of(image))]


@pytest.mark.parametrize("turned", [False, True])
def test_lines_on_one_ground_are_one_label(turned: bool) -> None:
    # Words with flat tops cover more of a row than borders with gaps do.
    image, pen = canvas()
    pen.rectangle((20, 15, 190, 90), "#ECECFF", "#9370DB")
    lines = write(pen, "comprehension", "recommendation")
    assert labels(image, lines, turned) == ["comprehension recommendation"]


@pytest.mark.parametrize("turned", [False, True])
def test_labels_of_two_links_are_two(turned: bool) -> None:
    image, pen = canvas()
    pen.rectangle((42, 32, 168, 51), "#EDEDED")
    pen.rectangle((42, 55, 168, 74), "#EDEDED")
    lines = write(pen, "presidency", "dynamics")
    assert labels(image, lines, turned) == ["presidency", "dynamics"]


def test_a_wavy_border_separates() -> None:
    image, pen = canvas()
    xs = np.arange(0, 210)
    wave = list(zip(xs.tolist(), (53 + 3 * np.sin(xs / 20)).tolist(), strict=True))
    lines = write(pen, "hyacinth", "expectation")
    pen.line(wave, "#9370DB", 1)
    assert labels(image, lines) == ["hyacinth", "expectation"]


def test_a_label_above_a_shape_of_another_fill_is_apart() -> None:
    image, pen = canvas()
    pen.rectangle((20, 53, 190, 90), "#ECECFF")
    lines = write(pen, "Yes", "End")
    assert labels(image, lines) == ["Yes", "End"]


def on_link(
    text: str, read: str, dash: tuple[int, int] = (1, 0), width: int = 2, reach: int = 100
) -> TextLine:
    """Write a text on a link that is broken behind it, and strip what was read of it."""
    image, pen = canvas()
    box = pen.textbbox((105, 50), text, FONT, anchor="mm")
    drawn, gap = dash
    for x in range(105 - reach, 105 + reach, drawn + gap):
        pen.line((x, 50, x + drawn - 1, 50), "#333333", width)
    pen.rectangle((box[0] - 1, 40, box[2] + 1, 60), "#EDEDED")
    pen.text((105, 50), text, "#333333", FONT, anchor="mm")
    line = TextLine(read, rectangle(box[0] - 7, 36, box[2] + 7, 64), 0.9)
    return without_strokes(Picture.of(image).pixels, line)


@pytest.mark.parametrize(
    ("read", "dash", "width"),
    [
        ("-kitchen-", (1, 0), 2),
        ("kitchen-", (1, 0), 4),
        ("_kitchen", (1, 0), 2),
        ("..kitchen.", (2, 2), 2),
        ("—kitchen→", (1, 0), 2),
    ],
)
def test_strokes_of_links_are_no_text(read: str, dash: tuple[int, int], width: int) -> None:
    line = on_link("kitchen", read, dash, width)
    assert line.text == "kitchen"
    assert (line.box or (0,))[0] >= 60


@pytest.mark.parametrize("text", ["-1", "stop.", "a-", "...", "- yes -"])
def test_marks_that_belong_to_the_text_stay(text: str) -> None:
    # The link ends before it reaches the box.
    assert on_link(text, text, reach=0).text == text


def test_a_full_stop_stays_beside_a_slanted_border() -> None:
    image, pen = canvas()
    pen.text((30, 40), "meters.", "#333333", FONT)
    _, y0, x1, y1 = pen.textbbox((30, 40), "meters.", FONT)
    pen.line((x1 + 4, y1 + 6, x1 + 18, y0 - 10), "#9370DB", 2)
    line = TextLine("meters.", rectangle(24, y0 - 8, x1 + 6, y1 + 8), 0.99)
    assert without_strokes(Picture.of(image).pixels, line).text == "meters."
