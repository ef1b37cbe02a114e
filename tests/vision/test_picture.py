"""Colours compared by OpenCV against the same in NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from vision.picture import has_colour, largest_difference

CHANNEL = st.integers(0, 255)
SIZES = st.tuples(st.integers(1, 5), st.integers(1, 5))


def pictures(size):
    return arrays(np.uint8, (*size, 3), elements=CHANNEL)


@given(SIZES.flatmap(pictures), st.tuples(CHANNEL, CHANNEL, CHANNEL), st.integers(0, 300))
def test_colour_within_a_tolerance(pixels, colour, tolerance):
    found = has_colour(pixels, np.array(colour, np.int16), tolerance)
    difference = np.abs(pixels.astype(int) - colour).max(axis=2)
    assert (found == np.where(difference <= tolerance, 255, 0)).all()


@given(SIZES.flatmap(lambda size: st.tuples(pictures(size), pictures(size))))
def test_largest_difference(pair):
    one, other = pair
    expected = np.abs(one.astype(int) - other).max(axis=2)
    assert (largest_difference(one, other) == expected).all()


@pytest.mark.parametrize("tolerance", [0, 12])
def test_no_pixel_has_another_colour(tolerance):
    white = np.full((4, 1, 3), 255, np.uint8)
    assert not has_colour(white, np.array([255, 255, 240]), tolerance).any()
