"""From Mermaid's drawing to the SVG that is shipped."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from lxml import etree

from builders.simulated.fonts import Font
from builders.simulated.legibility import Colour

SVG = "http://www.w3.org/2000/svg"
_FOREIGN = f"{{{SVG}}}foreignObject"
_RGB = re.compile(r"rgba?\((\d+), (\d+), (\d+)(?:, ([0-9.]+))?\)")


def parse_css_colour(colour: str) -> tuple[Colour, float]:
    """Read a computed CSS colour as colour and opacity.

    Raises:
        ValueError: It is not of the form `rgb(r, g, b)` or `rgba(r, g, b, a)`.
    """
    match = _RGB.fullmatch(colour)
    if not match:
        raise ValueError(f"not a computed colour: {colour!r}")
    red, green, blue, alpha = match.groups()
    return (int(red), int(green), int(blue)), float(alpha or 1)


def picture_size(geometry: Mapping[str, Any]) -> tuple[int, int]:
    """Return width and height of the picture: the drawing's, rounded up to whole pixels."""
    width, height = geometry["size"]
    return math.ceil(width), math.ceil(height)


def finish_svg(
    svg: str, geometry: Mapping[str, Any], fonts: Sequence[Font], background: str
) -> str:
    """Make Mermaid's SVG one that any renderer shows alike.

    HTML labels become one `<text>` per word where the browser had put it, the font is embedded,
    the background is a rectangle, and the size is a whole number of pixels.

    Args:
        svg: What Mermaid drew.
        geometry: What the page measured of it.
        fonts: Fonts to embed.
        background: Six hexadecimal digits.

    Returns:
        The SVG, as many pixels wide and high as its `width` and `height` say.
    """
    root = etree.fromstring(svg.encode(), _parser())
    width, height = picture_size(geometry)
    left, top = root.get("viewBox", "0 0").split()[:2]
    root.set("width", str(width))
    root.set("height", str(height))
    root.set("viewBox", f"{left} {top} {width} {height}")
    root.set("style", "")
    for foreign, label in zip(list(root.iter(_FOREIGN)), geometry["labels"], strict=True):
        _replace(foreign, label)
    root.insert(0, _font_style(fonts))
    attributes = {"x": left, "y": top, "width": str(width), "height": str(height)}
    root.insert(1, etree.Element(f"{{{SVG}}}rect", attributes, style=f"fill:#{background}"))
    return etree.tostring(root, encoding="unicode")


def _parser() -> etree.XMLParser:
    return etree.XMLParser(resolve_entities=False, no_network=True)


def _font_style(fonts: Sequence[Font]) -> etree._Element:
    style = etree.Element(f"{{{SVG}}}style")
    style.text = "".join(
        f'@font-face{{font-family:"{font.family}";src:url({font.data_uri()})}}' for font in fonts
    )
    return style


def _replace(foreign: etree._Element, label: Mapping[str, Any]) -> None:
    parent = foreign.getparent()
    assert parent is not None
    left, top = label["box"][:2]
    place = parent.index(foreign)
    parent.remove(foreign)
    drawn = [_fill(fill, left, top) for fill in label["fills"] if label["words"]]
    drawn += [_word(word, left, top) for word in label["words"]]
    for offset, element in enumerate(drawn):
        parent.insert(place + offset, element)


def _fill(fill: Mapping[str, Any], left: float, top: float) -> etree._Element:
    x0, y0, x1, y1 = fill["box"]
    (red, green, blue), alpha = parse_css_colour(fill["colour"])
    attributes = {
        "x": _number(x0 - left),
        "y": _number(y0 - top),
        "width": _number(x1 - x0),
        "height": _number(y1 - y0),
        "style": f"fill:rgb({red},{green},{blue});fill-opacity:{alpha:g};opacity:1;stroke:none",
    }
    return etree.Element(f"{{{SVG}}}rect", attributes)


def _word(word: Mapping[str, Any], left: float, top: float) -> etree._Element:
    (red, green, blue), _ = parse_css_colour(word["colour"])
    attributes = {
        "x": _number(word["x"] - left),
        "y": _number(word["baseline"] - top),
        "style": f"fill:rgb({red},{green},{blue});stroke:none;text-anchor:start;"
        f"font-size:{word['size']:g}px;font-weight:{word['weight']};font-style:{word['style']}",
    }
    element = etree.Element(f"{{{SVG}}}text", attributes)
    element.text = word["text"]
    return element


def _number(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".")
