"""Fonts that charts are drawn in: the same file for the browser and every rasterizer."""

from __future__ import annotations

import base64
import hashlib
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont, TTLibError

from common.errors import UserError

_ALWAYS = frozenset(" -.…")


@dataclass(frozen=True, slots=True)
class Font:
    """A font cut down to the characters that a configuration can use.

    Attributes:
        family: Family name, one of its own for each cut of a font.
        ttf: The font as TrueType.
        source: File name of the font that it was cut from.
        source_sha256: SHA-256 of that file.
    """

    family: str
    ttf: bytes
    source: str
    source_sha256: str

    def data_uri(self) -> str:
        """Return the font as a data URI."""
        return "data:font/ttf;base64," + base64.b64encode(self.ttf).decode()


def default_font_path() -> Path:
    """Return DejaVu Sans as matplotlib ships it."""
    # Found, not imported: importing matplotlib takes longer than all else here.
    spec = find_spec("matplotlib")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    package = Path(spec.submodule_search_locations[0])
    return package / "mpl-data" / "fonts" / "ttf" / "DejaVuSans.ttf"


def chart_fonts(characters: frozenset[str], fallbacks: Sequence[str] = ()) -> tuple[Font, ...]:
    """Cut the fonts of a configuration.

    Args:
        characters: Every character that a label can hold.
        fallbacks: Font files for what DejaVu Sans lacks, tried in order.

    Returns:
        The fonts in use, DejaVu Sans first.

    Raises:
        UserError: A font cannot be read, or no font has some of the characters.
    """
    missing = set(characters | _ALWAYS)
    fonts = []
    for path in (default_font_path(), *map(Path, fallbacks)):
        have = missing & _coverage(path)
        if have:
            fonts.append(_cut(path, have))
            missing -= have
    if missing:
        names = " ".join(f"U+{ord(c):04X}" for c in sorted(missing)[:10])
        raise UserError(
            f"no font has {len(missing)} of the characters: {names}",
            "name a font file that has them in `fallback_fonts`",
        )
    return tuple(fonts)


@lru_cache(maxsize=8)
def _coverage(path: Path) -> frozenset[str]:
    with _open(path) as font:
        return frozenset(map(chr, font.getBestCmap() or {}))


def _open(path: Path) -> TTFont:
    try:
        # Time stamps would make the bytes differ from run to run.
        return TTFont(path, fontNumber=0, recalcTimestamp=False)
    except (OSError, TTLibError) as error:
        raise UserError(f"font {path}: {error}", "name a readable TrueType font") from error


def _cut(path: Path, characters: Iterable[str]) -> Font:
    options = subset.Options(hinting=False, layout_features=["*"], name_IDs=[1, 2, 4, 6])
    options.drop_tables += ["FFTM"]
    text = "".join(sorted(characters))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    # Rasterizers know fonts by family for as long as they live: each cut needs a name of its own.
    family = "FlowLearn-" + hashlib.sha256(f"{digest}{text}".encode()).hexdigest()[:8]
    with _open(path) as font:
        cutter = subset.Subsetter(options)
        cutter.populate(text=text)
        cutter.subset(font)
        for record in font["name"].names:
            record.string = family if record.nameID != 2 else "Regular"
        out = io.BytesIO()
        font.save(out)
    return Font(family, out.getvalue(), path.name, digest)
