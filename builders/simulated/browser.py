"""A Chromium page that draws charts with Mermaid and measures them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Route

from builders.simulated.chromium import launch
from builders.simulated.fonts import Font
from builders.toolchain import MEND, mermaid_source
from common.errors import UserError

_ORIGIN = "https://charts.invalid/"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; font-src data:; "
    "img-src data:; base-uri 'none'; form-action 'none'"
)
_ARGUMENTS = (
    "--font-render-hinting=none",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-color-profile=srgb",
    "--host-resolver-rules=MAP * ~NOTFOUND",
)
_RECYCLE_AFTER = 2500

# What is changed in Mermaid for speed; the drawings stay the same. It deep-copies its configuration
# on each of many reads a chart: one copy a change is enough, and plain assignment makes it cheaper
# than defining properties. The parsed graph is handed out with the drawing instead of parsed again.
_DEFINE = "Object.defineProperty(r,h,{value:%s,writable:!0,enumerable:!0,configurable:!0})"
_FASTER = (
    (
        'ri=i(()=>Bh({},Uee),"getConfig")',
        "ri=(()=>{let s,c;return()=>s===Uee?c:(s=Uee,c=Bh({},Uee))})()",
    ),
    (f"||{_DEFINE % 'void 0'},", f'||(h==="__proto__"?{_DEFINE % "void 0"}:r[h]=void 0),'),
    (f"l[h]=f:{_DEFINE % 'f'}", f'l[h]=f:h!=="__proto__"?r[h]=f:{_DEFINE % "f"}'),
    ("return T(),{diagramType:N,", "return T(),{db:L.db,diagramType:N,"),
)


@dataclass(frozen=True, slots=True)
class Drawing:
    """What the page says of one chart.

    Attributes:
        svg: Mermaid's SVG.
        graph: The graph as mermaid.js parsed the code: `direction`, `nodes`, `links`, `groups`.
        geometry: Boxes, paths, words and colours, in pixels of the SVG.
    """

    svg: str
    graph: Mapping[str, Any]
    geometry: Mapping[str, Any]


class DrawingError(Exception):
    """Mermaid could not draw a chart."""


def mermaid_config(theme: str, wrap_width: int, family: str) -> dict[str, Any]:
    """Return the configuration that gives classic charts in one font."""
    return {
        "startOnLoad": False,
        "securityLevel": "loose",
        "deterministicIds": True,
        # Shapes that are drawn in strokes get random ones unless there is a seed.
        "handDrawnSeed": 1,
        "layout": "dagre",
        "look": "classic",
        "theme": theme,
        "fontFamily": family,
        "themeVariables": {"fontFamily": family},
        "flowchart": {"useMaxWidth": False, "wrappingWidth": wrap_width, "minNodeWidth": 0},
    }


def fast_mermaid(source: str) -> str:
    """Return Mermaid changed to draw the same charts faster.

    Raises:
        UserError: The source is not the pinned Mermaid.
    """
    for slow, fast in _FASTER:
        if source.count(slow) != 1:
            raise UserError("the Mermaid in .tools is not the pinned version", MEND)
        source = source.replace(slow, fast)
    return source


class Browser:
    """Draws charts in one page of one Chromium; a context manager.

    No script but Mermaid and ours runs in the page, and nothing reaches the network.

    Args:
        theme: Mermaid's theme.
        wrap_width: Width in px at which labels wrap.
        fonts: Fonts of the labels, the main one first.
        fast: Whether Mermaid is changed to be faster (same drawings).
    """

    def __init__(
        self, theme: str, wrap_width: int, fonts: Sequence[Font], *, fast: bool = True
    ) -> None:
        family = ", ".join(font.family for font in fonts)
        self._config = mermaid_config(theme, wrap_width, family)
        self._fonts = [{"family": font.family, "data": font.data_uri()} for font in fonts]
        source = mermaid_source()
        self._files = {
            "": ("text/html", "<!doctype html><meta charset=utf-8><body>"
                 "<script src=mermaid.js></script><script src=draw.js></script>"),
            "mermaid.js": ("text/javascript", fast_mermaid(source) if fast else source),
            "draw.js": (
                "text/javascript",
                (Path(__file__).parent / "page" / "draw.js").read_text(encoding="utf-8"),
            ),
        }  # fmt: skip
        self._drawn = 0
        self._page: Page | None = None

    def __enter__(self) -> Browser:
        self._stack = ExitStack()
        self._chromium = self._stack.enter_context(launch(_ARGUMENTS))
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def draw(self, codes: Sequence[str]) -> list[Drawing | DrawingError]:
        """Draw charts.

        Args:
            codes: Mermaid code of each chart.

        Returns:
            A drawing, or the error that Mermaid gave, per chart.
        """
        page = self._ready_page()
        self._drawn += len(codes)
        charts = json.loads(page.evaluate("codes => drawAll(codes)", list(codes)))
        return [
            DrawingError(chart["error"])
            if "error" in chart
            else Drawing(chart.pop("svg"), chart.pop("graph"), chart)
            for chart in charts
        ]

    def screenshot(self, svg: str, width: int, height: int) -> bytes:
        """Draw an SVG as the browser shows it.

        Args:
            svg: SVG of `width` × `height` pixels.
            width: Width in pixels.
            height: Height in pixels.

        Returns:
            The picture as PNG.
        """
        page = self._chromium.new_page(viewport={"width": width, "height": height})
        try:
            page.set_content(f"<style>body{{margin:0}}svg{{display:block}}</style>{svg}")
            page.evaluate("document.fonts.ready.then(() => 0)")
            return page.screenshot()
        finally:
            page.close()

    def _ready_page(self) -> Page:
        if self._page is None or self._drawn >= _RECYCLE_AFTER:
            if self._page is not None:
                self._page.close()
            self._page = self._chromium.new_page()
            self._page.route("**/*", self._serve)
            self._page.goto(_ORIGIN)
            self._page.evaluate(
                "([config, fonts]) => prepare(config, fonts)", [self._config, self._fonts]
            )
            self._drawn = 0
        return self._page

    def _serve(self, route: Route) -> None:
        kind, body = self._files.get(route.request.url.removeprefix(_ORIGIN), ("", ""))
        if not kind or not route.request.url.startswith(_ORIGIN):
            route.abort()
            return
        route.fulfill(body=body, content_type=kind, headers={"Content-Security-Policy": _POLICY})
