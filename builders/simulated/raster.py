"""Pixels from SVG: one function, four engines."""

from __future__ import annotations

import hashlib
import io
import tempfile
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

from PIL import Image

from builders.simulated.fonts import Font
from common.errors import UserError

Rasterizer = Literal["lunasvg", "resvg", "cairosvg", "screenshot"]
Screenshot = Callable[[str, int, int], bytes]

MAX_PIXELS = 64_000_000
"""Largest picture that is made."""

_MODULES = {"lunasvg": "pillow_lunasvg", "resvg": "resvg_py", "cairosvg": "cairosvg"}


def rasterize(
    svg: str,
    size: tuple[int, int],
    engine: Rasterizer,
    fonts: Sequence[Font],
    screenshot: Screenshot | None = None,
) -> Image.Image:
    """Turn an SVG into pixels.

    Args:
        svg: SVG with whole `width` and `height` and an opaque background.
        size: Its width and height in pixels.
        engine: What draws it.
        fonts: Fonts of its texts.
        screenshot: How a browser draws it: SVG, width, height → PNG; needed by `screenshot`.

    Returns:
        RGB picture of `size`.

    Raises:
        UserError: The engine is not installed, or the picture would be too large.
    """
    if size[0] * size[1] > MAX_PIXELS:
        raise UserError(
            f"a chart of {size[0]} × {size[1]} pixels is above {MAX_PIXELS:,} pixels",
            "lower `max_nodes` or `wrap_width`",
        )
    if engine == "lunasvg":
        picture = _lunasvg(svg, fonts)
    elif engine == "resvg":
        picture = _resvg(svg, fonts)
    elif engine == "cairosvg":
        picture = _cairosvg(svg)
    else:
        if screenshot is None:
            raise ValueError("the engine 'screenshot' needs a browser's screenshot function")
        picture = Image.open(io.BytesIO(screenshot(svg, *size)))
    return picture.convert("RGB")


_SHAPING: tuple[Rasterizer, ...] = ("resvg", "screenshot")
"""Engines that shape text and take each character from the font that has it."""


def check_fallback(fonts: Sequence[Font], engine: Rasterizer) -> None:
    """Refuse several fonts for an engine that takes a text from one.

    Raises:
        UserError: There are several, and the engine would leave characters out.
    """
    if len(fonts) > 1 and engine not in _SHAPING:
        raise UserError(
            f"the rasterizer {engine} draws a text in one font, and the labels need "
            f"{', '.join(font.source for font in fonts)}",
            "set `rasterizer` to resvg",
        )


def check_shaping(characters: Iterable[str], engine: Rasterizer) -> None:
    """Refuse characters that an engine would draw wrong.

    Only resvg and the browser join letters, place marks and turn right-to-left words.

    Args:
        characters: Every character that a label can hold.
        engine: What draws.

    Raises:
        UserError: Some need shaping that the engine lacks.
    """
    if engine in _SHAPING:
        return
    shaped = sorted(
        c
        for c in set(characters)
        if unicodedata.bidirectional(c) in ("R", "AL", "AN") or unicodedata.category(c)[0] == "M"
    )
    if shaped:
        names = " ".join(f"U+{ord(c):04X}" for c in shaped[:10])
        raise UserError(
            f"the rasterizer {engine} would draw {len(shaped)} of the characters wrong, which are "
            f"joined, combined or written right to left: {names}",
            "set `rasterizer` to resvg",
        )


def rasterizer_version(engine: Rasterizer) -> str:
    """Return name and version of what an engine is made of, for the manifest."""
    if engine not in _MODULES:
        return "the browser's screenshot"
    return f"{_distribution(engine)} {version(_distribution(engine))}"


def _distribution(engine: Rasterizer) -> str:
    return _MODULES[engine].replace("_", "-")


def encode_jpeg(picture: Image.Image, quality: int) -> bytes:
    """Encode a picture as JPEG with full colour resolution, which thin strokes need."""
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=quality, subsampling=0)
    return out.getvalue()


@lru_cache(maxsize=1)
def _font_folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="flowlearn-fonts-")


def _font_file(font: Font) -> str:
    path = Path(_font_folder().name) / f"{hashlib.sha256(font.ttf).hexdigest()}.ttf"
    if not path.exists():
        path.write_bytes(font.ttf)
    return str(path)


@lru_cache(maxsize=32)
def _register(path: str, family: str) -> None:
    import pillow_lunasvg

    pillow_lunasvg.add_font_file(path, family)


def _lunasvg(svg: str, fonts: Sequence[Font]) -> Image.Image:
    load_engine("lunasvg")
    for font in fonts:
        _register(_font_file(font), font.family)
    picture = Image.open(io.BytesIO(svg.encode()))
    picture.load()
    return picture


def _resvg(svg: str, fonts: Sequence[Font]) -> Image.Image:
    resvg = load_engine("resvg")
    png = resvg.svg_to_bytes(
        svg_string=svg, skip_system_fonts=True, font_files=[_font_file(font) for font in fonts]
    )
    return Image.open(io.BytesIO(bytes(png)))


def _cairosvg(svg: str) -> Image.Image:
    cairosvg = load_engine("cairosvg")
    return Image.open(io.BytesIO(cairosvg.svg2png(bytestring=svg.encode())))


def load_engine(engine: Rasterizer) -> Any:
    """Import the library of an engine; the browser has none.

    Raises:
        UserError: It, or a system library that it needs, is not here.
    """
    try:
        return import_module(_MODULES[engine]) if engine in _MODULES else None
    except ImportError as error:
        raise UserError(
            f"the rasterizer {engine} is not here: {error}",
            f"run `pip install {_distribution(engine)}` or choose another `rasterizer`",
        ) from error
    except OSError as error:  # the package is here, the library under it is not
        raise UserError(
            f"the rasterizer {engine} cannot load: {str(error).splitlines()[0]}",
            "install that library (cairo: `apt-get install libcairo2`) or choose another "
            "`rasterizer`",
        ) from error
