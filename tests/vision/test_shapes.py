"""Outlines of shapes against what was drawn."""

import cv2
import numpy as np
import pytest
from drawn_chart import BORDER, FILL, DrawnChart, curve, outline_of

from vision.shapes import find_shapes

KINDS = ["rect", "diamond", "hexagon", "lean", "trapezoid", "flag", "circle", "triangle"]
OVERLAP = 0.88
"""Outlines are those of the fill; borders of 2 pixels are up to 12 % of a small shape."""
GROUNDS = [(255, 255, 255), (192, 192, 192), (32, 64, 160), (45, 240, 30), (0, 0, 0)]


def filled(points, size):
    mask = np.zeros(size, np.uint8)
    cv2.fillPoly(mask, [np.rint(points).astype(np.int32).reshape(-1, 1, 2)], 1)
    return mask > 0


def overlap(first, second):
    return (first & second).sum() / (first | second).sum()


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("kind", KINDS)
def test_outline_of_each_shape(kind, ground):
    chart = DrawnChart(ground=ground)
    drawn = chart.node("start", 400, 300, kind)
    (shape,) = find_shapes(chart.pixels, chart.labels).nodes
    size = chart.pixels.shape[:2]
    assert shape.text == "start"
    assert overlap(filled(drawn, size), filled(shape.outline, size)) > OVERLAP


def test_lines_within_a_shape_do_not_part_it():
    chart = DrawnChart()
    drawn = outline_of("rect", 400, 300, half_width=180, half_height=80)
    chart.polygon(drawn)
    cv2.ellipse(chart.pixels, (400, 250), (179, 25), 0, 0, 180, BORDER, 2, cv2.LINE_AA)
    cv2.line(chart.pixels, (240, 220), (240, 380), BORDER, 2)
    chart.text("cylinder", 400, 330)
    (shape,) = find_shapes(chart.pixels, chart.labels).nodes
    size = chart.pixels.shape[:2]
    assert overlap(filled(drawn, size), filled(shape.outline, size)) > OVERLAP


def test_stacked_sheets_are_one_shape():
    chart = DrawnChart()
    sheets = [outline_of("rect", 400 + 14 * n, 300 - 14 * n) for n in (2, 1, 0)]
    for sheet in sheets:
        chart.polygon(sheet)
    chart.text("pile", 400, 300)
    (shape,) = find_shapes(chart.pixels, chart.labels).nodes
    x0, y0, x1, y1 = shape.box
    expected = (sheets[2][0][0], sheets[0][0][1], sheets[0][1][0], sheets[2][2][1])
    assert np.abs(np.subtract((x0, y0, x1, y1), expected)).max() <= 4


@pytest.mark.parametrize("ground", GROUNDS)
def test_ground_of_a_label_is_no_shape(ground):
    chart = DrawnChart(ground=ground)
    chart.link(curve((400, 60), (400, 600)), end="none")
    chart.link_label("maybe", 400, 300)
    found = find_shapes(chart.pixels, chart.labels)
    assert (found.nodes, found.groups) == ((), ())
    assert [label.text for label in found.free] == ["maybe"]


def test_ground_that_links_enclose_is_no_shape():
    chart = DrawnChart()
    chart.link(curve((380, 140), (250, 300), (380, 460)))
    chart.link(curve((420, 460), (600, 300), (420, 140)))
    chart.node("above", 400, 100)
    chart.node("below", 400, 500)
    chart.text("No", 430, 300)
    found = find_shapes(chart.pixels, chart.labels)
    assert [shape.text for shape in found.nodes] == ["above", "below"]
    assert [label.text for label in found.free] == ["No"]


def test_frame_of_a_group_holds_shapes_and_a_title():
    chart = DrawnChart()
    frame = outline_of("rect", 400, 330, half_width=300, half_height=250)
    chart.polygon(frame, (255, 255, 222), (170, 170, 51))
    chart.text("group", 400, 110)
    chart.link(curve((400, 260), (400, 420)))
    chart.node("inner", 400, 220)
    chart.node("other", 400, 460)
    found = find_shapes(chart.pixels, chart.labels)
    assert [shape.text for shape in found.nodes] == ["inner", "other"]
    assert [shape.text for shape in found.groups] == ["group"]
    assert [label.text for label in found.titles] == ["group"]
    assert np.abs(np.subtract(found.groups[0].box, (100, 80, 700, 580))).max() <= 4


def test_two_lines_in_one_shape_are_one_text():
    chart = DrawnChart()
    chart.polygon(outline_of("rect", 400, 300, half_height=70))
    chart.text("upper", 400, 275)
    chart.text("lower", 400, 325)
    (shape,) = find_shapes(chart.pixels, chart.labels).nodes
    assert shape.text == "upper lower"
    assert shape.fill.tolist() == pytest.approx(FILL, abs=2)
