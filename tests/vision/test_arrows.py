"""Links of charts whose strokes and heads are known."""

from itertools import pairwise
from math import hypot

import numpy as np
import pytest
from drawn_chart import DrawnChart, curve, outline_of

from vision.arrows import find_arrows
from vision.heads import has_head, widths_along
from vision.ports import find_ports
from vision.shapes import find_shapes
from vision.strokes import find_strokes
from vision.tracing import follow

STYLES = {"thin": {}, "thick": {"thickness": 7}, "dotted": {"dotted": True}}
S_CURVE = curve((200, 140), (200, 330), (600, 330), (600, 558))


def strokes_of(chart):
    shapes = find_shapes(chart.pixels, chart.labels)
    return find_strokes(chart.pixels, shapes), shapes


def links_of(chart):
    """Return what links say: `source>target` with a head, `source-target` without a direction."""
    shapes = find_shapes(chart.pixels, chart.labels)
    names = [shape.text for shape in (*shapes.nodes, *shapes.groups)]
    said = []
    for arrow in find_arrows(chart.pixels, shapes):
        ends = (names[arrow.source], names[arrow.target])
        mark = ">" if arrow.directed else "-"
        said.append(mark.join(ends if arrow.directed else sorted(ends)) + arrow.label)
    return sorted(said)


def two_nodes(points=S_CURVE, **link):
    chart = DrawnChart()
    chart.link(points, **link)
    chart.node("up", 200, 100)
    chart.node("down", 600, 600)
    return chart


@pytest.mark.parametrize("style", STYLES)
def test_stroke_is_followed_from_end_to_end(style):
    chart = two_nodes(end="none", **STYLES[style])
    strokes, shapes = strokes_of(chart)
    ports = find_ports(strokes, shapes.nodes)
    assert sorted(port.shape for port in ports) == [0, 1]
    for port, end in zip(ports, (S_CURVE[0], S_CURVE[-1]), strict=True):
        assert hypot(*np.subtract(port.contact, end)) < 16
        trace = follow(strokes, port.shape, port.contact, port.exit)
        assert trace is not None
        assert trace.shape == 1 - port.shape
        away = [np.hypot(*(S_CURVE - point).T).min() for point in trace.path]
        assert max(away) < 4
        assert all(hypot(*np.subtract(a, b)) < 40 for a, b in pairwise(trace.path))


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("end", ["none", "point", "circle", "cross"])
@pytest.mark.parametrize("start", ["none", "point"])
def test_heads_of_each_kind(start, end, style):
    chart = two_nodes(start=start, end=end, **STYLES[style])
    strokes, _ = strokes_of(chart)
    widths = widths_along(strokes, [tuple(point) for point in S_CURVE])
    assert (has_head(widths), has_head(widths[::-1])) == (start != "none", end != "none")


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    ("start", "end", "said"),
    [
        ("none", "point", "up>down"),
        ("point", "none", "down>up"),
        ("none", "circle", "up>down"),
        ("none", "cross", "up>down"),
        ("none", "none", "down-up"),
        ("point", "point", "down-up"),
    ],
)
def test_direction_of_a_link(start, end, said, style):
    assert links_of(two_nodes(start=start, end=end, **STYLES[style])) == [said]


@pytest.mark.parametrize("style", STYLES)
def test_links_go_on_behind_their_labels(style):
    bend = curve((200, 140), (200, 350), (320, 330), (600, 340), (600, 558))
    chart = two_nodes(bend, **STYLES[style])
    middle = bend[len(bend) // 2]
    chart.link_label("maybe", round(middle[0]), round(middle[1]))
    assert links_of(chart) == ["up>downmaybe"]


def test_links_go_straight_on_where_they_cross():
    chart = DrawnChart()
    chart.link(curve((200, 140), (600, 558)))
    chart.link(curve((600, 140), (200, 558)), thickness=7)
    for text, x, y in (("a", 200, 100), ("b", 600, 100), ("c", 200, 600), ("d", 600, 600)):
        chart.node(text, x, y)
    assert links_of(chart) == ["a>d", "b>c"]


def test_both_links_of_one_head_are_found():
    chart = DrawnChart()
    chart.link(curve((200, 140), (200, 400), (400, 400), (400, 558)))
    chart.link(curve((600, 140), (600, 400), (400, 400), (400, 558)))
    for text, x, y in (("a", 200, 100), ("b", 600, 100), ("c", 400, 600)):
        chart.node(text, x, y)
    assert links_of(chart) == ["a>c", "b>c"]


def test_links_there_and_back_are_two():
    chart = DrawnChart()
    chart.link(curve((180, 140), (80, 300), (180, 460)))
    chart.link(curve((220, 460), (320, 300), (220, 140)))
    chart.node("a", 200, 100)
    chart.node("b", 200, 500)
    assert links_of(chart) == ["a>b", "b>a"]


def test_link_of_a_node_to_itself():
    chart = DrawnChart()
    chart.link(curve((380, 260), (280, 60), (620, 60), (500, 260)))
    chart.node("again", 440, 300)
    assert links_of(chart) == ["again>again"]


def test_link_that_passes_behind_a_corner_does_not_end_there():
    chart = DrawnChart(width=1000)
    chart.link(curve((200, 140), (760, 558)))
    for text, x, y in (("a", 200, 100), ("b", 760, 600)):
        chart.node(text, x, y)
    chart.node("corner", 390, 395, half_width=120)
    assert links_of(chart) == ["a>b"]


@pytest.mark.parametrize("inwards", [True, False])
def test_link_that_ends_at_the_frame_of_a_group(inwards):
    chart = DrawnChart(height=900)
    frame = outline_of("rect", 400, 600, half_width=300, half_height=250)
    chart.polygon(frame, (255, 255, 222), (170, 170, 51))
    chart.text("group", 400, 385)
    line = curve((600, 140), (600, 348))
    chart.link(line if inwards else line[::-1])
    chart.node("inner", 400, 700)
    chart.node("outer", 600, 100)
    assert links_of(chart) == ["outer>group" if inwards else "group>outer"]


def test_link_across_a_frame_goes_on():
    chart = DrawnChart(height=900)
    frame = outline_of("rect", 400, 600, half_width=300, half_height=250)
    chart.polygon(frame, (255, 255, 222), (170, 170, 51))
    chart.text("group", 200, 385)
    chart.link(curve((600, 140), (600, 400), (400, 450), (400, 658)))
    chart.node("inner", 400, 700)
    chart.node("outer", 600, 100)
    assert links_of(chart) == ["outer>inner"]


def test_chart_without_shapes_has_no_links():
    chart = DrawnChart()
    chart.link(S_CURVE)
    assert links_of(chart) == []
