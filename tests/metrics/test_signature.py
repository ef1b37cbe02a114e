import pytest

from metrics.core.signature import signature


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, "m|version:1.0"),
        ({"mode": "paper"}, "m|mode:paper|version:1.0"),
        ({"threshold": 0.9, "n": 3}, "m|threshold:0.9|n:3|version:1.0"),
        ({"on": True, "off": False, "no": None}, "m|on:yes|off:no|no:none|version:1.0"),
    ],
)
def test_signature_renders_options_in_order(options, expected):
    assert signature("m", "1.0", options) == expected
