import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.simulated.legibility import blend, contrast, link_contrast, luminance
from builders.simulated.paths import flatten_path, marker
from builders.simulated.svg import parse_css_colour


@pytest.mark.parametrize(
    ("d", "first", "last", "direction"),
    [
        ("M0,0L10,0", (0, 0), (10, 0), (1, 0)),
        ("M1.5,2L1.5,8.25", (1.5, 2), (1.5, 8.25), (0, 1)),
        ("M0,0C0,5,5,10,10,10L20,10", (0, 0), (20, 10), (1, 0)),
        ("M-3,4L-8,4", (-3, 4), (-8, 4), (-1, 0)),
        ("M0,0L1e-8,0L10,10", (0, 0), (10, 10), (2**-0.5, 2**-0.5)),
    ],
)
def test_paths_keep_their_ends_and_end_direction(d, first, last, direction):
    curve = flatten_path(d)
    assert curve.points[0] == pytest.approx(first)
    assert curve.points[-1] == pytest.approx(last)
    assert curve.end_direction == pytest.approx(direction, abs=1e-6)


@pytest.mark.parametrize("d", ["M187.7,228.5Z", "M1,1L1,1", "M5,5", "M0,0L1,1Z"])
def test_degenerate_paths_are_refused(d):
    with pytest.raises(ValueError, match="no extent"):
        flatten_path(d)


numbers = st.floats(-500, 500).map(lambda x: round(x, 3))


@given(st.lists(numbers, min_size=8, max_size=8))
def test_flattened_curves_stay_in_the_hull_and_steps_are_short(values):
    x = values[0::2]
    y = values[1::2]
    d = f"M{x[0]},{y[0]}C{x[1]},{y[1]},{x[2]},{y[2]},{x[3]},{y[3]}"
    try:
        points = flatten_path(d, (10, 20)).points - (10, 20)
    except ValueError:
        return
    assert (points.min(axis=0) >= np.array([min(x), min(y)]) - 1e-6).all()
    assert (points.max(axis=0) <= np.array([max(x), max(y)]) + 1e-6).all()
    assert np.linalg.norm(np.diff(points, axis=0), axis=1).max() <= 10


@pytest.mark.parametrize(
    ("name", "direction", "tip", "box"),
    [
        ("pointEnd", (1, 0), (104, 50), (96, 46, 104, 54)),
        ("pointEnd", (0, -1), (100, 46), (96, 46, 104, 54)),
        ("pointStart", (1, 0), (96.4, 50), (96.4, 46, 104.4, 54)),
        ("circleEnd", (0, 1), (100, 48.9), (94.5, 37.9, 105.5, 48.9)),
        ("crossEnd", (1, 0), (98, 50), (89, 45.8, 98, 54.8)),
    ],
)
def test_heads_are_placed_as_the_svg_marker_says(name, direction, tip, box):
    anchors = {
        "pointEnd": ("0 0 10 10", (5, 5), 8),
        "pointStart": ("0 0 10 10", (4.5, 5), 8),
        "circleEnd": ("0 0 10 10", (11, 5), 11),
        "crossEnd": ("0 0 11 11", (12, 5.2), 11),
    }
    placed_tip, placed_box = marker(name, *anchors[name]).place(
        np.array([100.0, 50]), np.array(direction, dtype=float)
    )
    assert placed_tip == pytest.approx(tip)
    assert placed_box == pytest.approx(box, abs=1e-6)


def test_unknown_heads_are_refused():
    with pytest.raises(ValueError, match="unknown arrow head 'star'"):
        marker("star", "0 0 10 10", (5, 5), 8)


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [
        ((0, 0, 0), (255, 255, 255), 21.0),
        ((119, 119, 119), (255, 255, 255), 4.478),  # the best known border case of WCAG AA
        ((255, 0, 0), (255, 255, 255), 3.998),
        ((10, 20, 30), (10, 20, 30), 1.0),
    ],
)
def test_contrast_is_that_of_wcag(one, other, ratio):
    assert contrast(one, other) == pytest.approx(ratio, abs=1e-3)
    assert contrast(other, one) == contrast(one, other)


def test_colours():
    assert luminance((255, 255, 255)) == pytest.approx(1)
    assert blend((0, 0, 0), 0.5, (255, 255, 255)) == (127.5, 127.5, 127.5)
    assert link_contrast("default", "FFFFFF") == pytest.approx(12.63, abs=0.01)
    assert parse_css_colour("rgba(232, 232, 232, 0.5)") == ((232, 232, 232), 0.5)
    assert parse_css_colour("rgb(1, 2, 3)") == ((1, 2, 3), 1.0)
    with pytest.raises(ValueError, match="not a computed colour"):
        parse_css_colour("red")
