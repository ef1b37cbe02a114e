"""Node shapes and link styles that charts can have, with their Mermaid code."""

from __future__ import annotations

BRACKETS: dict[str, tuple[str, str]] = {
    "rect": ("[", "]"),
    "rounded": ("(", ")"),
    "stadium": ("([", "])"),
    "fr-rect": ("[[", "]]"),
    "cyl": ("[(", ")]"),
    "circle": ("((", "))"),
    "dbl-circ": ("(((", ")))"),
    "diam": ("{", "}"),
    "hex": ("{{", "}}"),
    "lean-r": ("[/", "/]"),
    "lean-l": ("[\\", "\\]"),
    "trap-b": ("[/", "\\]"),
    "trap-t": ("[\\", "/]"),
    "odd": (">", "]"),
}
"""Shapes with brackets of their own, by Mermaid's short name."""

NAMED = (
    "notch-rect",
    "lin-rect",
    "doc",
    "docs",
    "lin-doc",
    "tag-doc",
    "tag-rect",
    "div-rect",
    "win-pane",
    "st-rect",
    "sl-rect",
    "delay",
    "h-cyl",
    "lin-cyl",
    "curv-trap",
    "bow-rect",
    "notch-pent",
    "tri",
    "flip-tri",
    "flag",
)
"""Shapes that are asked for by name, `id@{ shape: … }`."""

SHAPES: tuple[str, ...] = (*BRACKETS, *NAMED)

LINK_STYLES: dict[str, tuple[str, str, str]] = {
    "-->": ("normal", "point", "none"),
    "==>": ("thick", "point", "none"),
    "-.->": ("dotted", "point", "none"),
    "-..->": ("dotted", "point", "none"),
    "---": ("normal", "none", "none"),
    "===": ("thick", "none", "none"),
    "-.-": ("dotted", "none", "none"),
    "--o": ("normal", "circle", "none"),
    "--x": ("normal", "cross", "none"),
    "<-->": ("normal", "point", "point"),
}
"""Link tokens with their stroke, arrow at the target's end, arrow at the source's end."""
