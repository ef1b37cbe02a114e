"""The embedded verifier on charts drawn here, with texts given, so that no OCR has to run."""

from math import atan2, cos, sin
from pathlib import Path

import matplotlib
import pytest
from PIL import Image, ImageDraw, ImageFont

from metrics.core.elements import Elements
from metrics.core.text_lines import TextLine, rectangle
from vision.picture import Picture
from vision.verifier import fold_glyphs, scene_of, verify

FONT = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
Place = tuple[int, int]

PLACES: dict[str, Place] = {"Start": (40, 20), "Check": (40, 140), "Stop": (240, 140)}


class Chart:
    """A chart in Mermaid's look at twice its size, halved at the end as a browser smooths."""

    def __init__(self, ground: str = "white") -> None:
        self.image = Image.new("RGB", (760, 440), ground)
        self.pen = ImageDraw.Draw(self.image)
        self.font = ImageFont.truetype(FONT, 32)
        self.lines: list[TextLine] = []

    def text(self, text: str, x: int, y: int) -> tuple[float, float, float, float]:
        x0, y0, x1, y1 = self.pen.textbbox((2 * x, 2 * y), text, self.font)
        self.pen.text((2 * x, 2 * y), text, "#333333", self.font)
        box = rectangle(x0 / 2 - 4, y0 / 2 - 5, x1 / 2 + 4, y1 / 2 + 5)
        self.lines.append(TextLine(text, box, 0.99))
        return x0, y0, x1, y1

    def node(self, text: str, x: int, y: int) -> None:
        x0, y0, x1, y1 = self.pen.textbbox((2 * x, 2 * y), text, self.font)
        area = (x0 - 30, y0 - 30, x1 + 30, y1 + 30)
        self.pen.rounded_rectangle(area, 10, "#ECECFF", "#9370DB", 3)
        self.text(text, x, y)

    def link_label(self, text: str, x: int, y: int) -> None:
        x0, y0, x1, y1 = self.pen.textbbox((2 * x, 2 * y), text, self.font)
        self.pen.rectangle((x0 - 4, y0 - 6, x1 + 4, y1 + 6), "#E8E8E8")
        self.text(text, x, y)

    def arrow(self, start: Place, end: Place, width: int = 4) -> None:
        (x0, y0), (x1, y1) = ((2 * a, 2 * b) for a, b in (start, end))
        angle = atan2(y1 - y0, x1 - x0)
        base = (x1 - 18 * cos(angle), y1 - 18 * sin(angle))
        self.pen.line((x0, y0, *base), "#333333", width)
        side = (10 * sin(angle), -10 * cos(angle))
        corners = [(x1, y1), (base[0] + side[0], base[1] + side[1])]
        self.pen.polygon([*corners, (base[0] - side[0], base[1] - side[1])], "#333333")

    def picture(self) -> Picture:
        return Picture.of(self.image.resize((380, 220), Image.Resampling.LANCZOS), "chart.png")


def chart(ground: str = "white") -> Chart:
    drawn = Chart(ground)
    drawn.arrow((62, 50), (62, 127))
    drawn.arrow((108, 150), (222, 150), 7)
    for text, place in PLACES.items():
        drawn.node(text, *place)
    return drawn


@pytest.mark.parametrize("ground", ["white", "#C0C0C0", "#2040A0", "#F5D060"])
def test_shapes_and_arrows_on_any_ground(ground: str) -> None:
    drawn = chart(ground)
    scene = scene_of(drawn.picture(), drawn.lines)
    assert sorted(shape.text for shape in scene.shapes) == ["Check", "Start", "Stop"]
    assert sorted(scene.proposed_arrows()) == [
        ("Check", "Stop", "", True),
        ("Start", "Check", "", True),
    ]


def test_label_of_a_link_is_no_shape() -> None:
    drawn = chart()
    drawn.link_label("Yes", 50, 78)
    scene = scene_of(drawn.picture(), drawn.lines)
    assert sorted(shape.text for shape in scene.shapes) == ["Check", "Start", "Stop"]
    assert scene.free == ("Yes",)
    assert ("Start", "Check", "Yes", True) in scene.proposed_arrows()


@pytest.mark.parametrize(
    ("elements", "edge_labels", "expected"),
    [
        pytest.param(
            Elements((("Start",), ("Stop",)), (("Start", "Check", ""),)),
            True,
            [True] * 3,
            id="there",
        ),
        pytest.param(Elements((("Sturt",), ("Ghost",))), True, [False] * 2, id="other texts"),
        pytest.param(Elements((("Start",), ("Start",))), True, [True, False], id="drawn once"),
        pytest.param(Elements(links=(("Check", "Start", ""),)), True, [False], id="reversed"),
        pytest.param(Elements(links=(("Start", "Stop", ""),)), True, [False], id="no such arrow"),
        pytest.param(Elements(links=(("Start", "Check", "No"),)), True, [False], id="other label"),
        pytest.param(
            Elements(links=(("Start", "Check", "No"),)), False, [True], id="label ignored"
        ),
        pytest.param(Elements(), True, [], id="nothing"),
    ],
)
def test_verdicts(elements: Elements, edge_labels: bool, expected: list[bool]) -> None:
    drawn = chart()
    assert verify(scene_of(drawn.picture(), drawn.lines), elements, edge_labels) == expected


@pytest.mark.parametrize("lines", [[], [TextLine("without a place")]])
def test_picture_without_placed_texts(lines: list[TextLine]) -> None:
    scene = scene_of(chart().picture(), lines)
    assert (scene.shapes, scene.arrows, scene.free) == ((), (), ())


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("Set `i` to 0", "Set i to O", True),
        ("‘arr’", "'arr'", True),
        ("Start", "start", False),
        ("Start", "Stort", False),
        ("l1I|", "llll", True),
    ],
)
def test_fold_glyphs(first: str, second: str, same: bool) -> None:
    assert (fold_glyphs(first) == fold_glyphs(second)) is same
