"""Legibility: contrast of what is drawn against what it is drawn on."""

from __future__ import annotations

Colour = tuple[float, float, float]
"""Red, green, blue, each 0–255."""

THEME_LINK_COLOURS = {
    "default": "333333",
    "neutral": "666666",
    "dark": "D3D3D3",
    "forest": "000000",
    "base": "0B0B0B",
}
"""Colour of the links in each of Mermaid's themes."""


def parse_hex(colour: str) -> Colour:
    """Read six hexadecimal digits."""
    return int(colour[0:2], 16), int(colour[2:4], 16), int(colour[4:6], 16)


def luminance(colour: Colour) -> float:
    """Return the relative luminance, 0 (black) to 1 (white), as WCAG 2 defines it."""
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
        for c in (channel / 255 for channel in colour)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: Colour, other: Colour) -> float:
    """Return the contrast ratio of two colours, 1 (none) to 21, as WCAG 2 defines it."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def blend(top: Colour, alpha: float, bottom: Colour) -> Colour:
    """Return a colour laid over another with an opacity of 0 to 1."""
    red, green, blue = (alpha * t + (1 - alpha) * b for t, b in zip(top, bottom, strict=True))
    return red, green, blue


def link_contrast(theme: str, background: str) -> float:
    """Return the contrast of a theme's links against a background of six hexadecimal digits."""
    return contrast(parse_hex(THEME_LINK_COLOURS[theme]), parse_hex(background))
