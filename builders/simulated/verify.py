"""Proof of annotations: against the shipped SVG in a fresh page, and against the shipped pixels."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from lxml import etree
from PIL import Image

from builders.simulated.annotate import boxes_meet
from builders.simulated.chromium import launch
from builders.simulated.fonts import Font
from builders.simulated.legibility import THEME_LINK_COLOURS, parse_hex
from builders.simulated.raster import Rasterizer, rasterize
from builders.simulated.shapes import LINK_STYLES
from builders.simulated.svg import SVG

Pixels = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

_ARGUMENTS = ("--disable-gpu", "--font-render-hinting=none")
_INSIDE = 3
_WINDOW = 10
_REACH = 3.0
_STEP = 0.25
_HEAD = 8.0
_OUTLINE = 0.4
_INK = 0.5
_TRACE = 0.2
_LEAST_PIXELS = 6
_DISTINCT = 0.5
_VISIBLE = 40.0

_READ_BOXES = """
() => {
  const svg = document.querySelector("svg"), origin = svg.getBoundingClientRect();
  const box = (element) => {
    const r = element.getBoundingClientRect();
    return [r.left - origin.left, r.top - origin.top, r.right - origin.left, r.bottom - origin.top];
  };
  const union = (elements) => {
    const boxes = elements.map(box);
    const side = (i) => boxes.map((b) => b[i]);
    return boxes.length ? [Math.min(...side(0)), Math.min(...side(1)), Math.max(...side(2)),
      Math.max(...side(3))] : [];
  };
  const texts = (g) => union([...g.querySelectorAll("text")]);
  const isLabel = (g) => g.matches(".label, .cluster-label");
  const read = {boxes: {}, texts: {}, links: {}};
  for (const g of svg.querySelectorAll("g.node, g.cluster")) {
    const id = g.id.replace(/^chart-(flowchart-)?/, "").replace(/-\\d+$/, "");
    read.boxes[id] = union([...g.children].filter((child) => !isLabel(child)));
    read.texts[id] = texts(g);
  }
  for (const g of svg.querySelectorAll("g.edgeLabels g.label")) read.links[g.dataset.id] = texts(g);
  return JSON.stringify(read);
}
"""


@dataclass(frozen=True, slots=True)
class Deviations:
    """How far the annotations of a chart are from what is drawn, in pixels.

    Attributes:
        boxes: Outlines and frames against the SVG in a fresh page; largest side's deviation.
        texts: Text boxes against the SVG in a fresh page; largest side's deviation.
        tips: Head tips against the drawn tips.
        overlapped: Heads that other ink hides, which are not measured.
        off_stroke: Share of polyline points without ink.
    """

    boxes: tuple[float, ...]
    texts: tuple[float, ...]
    tips: tuple[float, ...]
    overlapped: int
    off_stroke: float


class FreshPage:
    """A Chromium with nothing of ours in it, for looking at shipped SVGs; a context manager."""

    def __enter__(self) -> FreshPage:
        self._stack = ExitStack()
        chromium = self._stack.enter_context(launch(_ARGUMENTS))
        self._page = chromium.new_context(offline=True).new_page()
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def measure(self, svg: str) -> dict[str, Any]:
        """Return the boxes that the browser gives the SVG's elements.

        Args:
            svg: A shipped SVG.

        Returns:
            Boxes by id: `boxes` of nodes and groups, `texts` of both, `links` of
            labels of links by Mermaid's name for the link.
        """
        self._show(svg)
        measured: dict[str, Any] = json.loads(self._page.evaluate(_READ_BOXES))
        return measured

    def screenshot(self, svg: str, width: int, height: int) -> Image.Image:
        """Return what the browser shows of the SVG, RGB."""
        self._page.set_viewport_size({"width": width, "height": height})
        self._show(svg)
        return Image.open(io.BytesIO(self._page.screenshot())).convert("RGB")

    def _show(self, svg: str) -> None:
        self._page.set_content(f"<style>body{{margin:0}}svg{{display:block}}</style>{svg}")
        self._page.evaluate("document.fonts.ready.then(() => 0)")


def deviations(
    row: Mapping[str, Any], measured: Mapping[str, Any], fonts: Sequence[Font]
) -> Deviations:
    """Compare a row's annotations with what is drawn.

    Args:
        row: A row of a simulated config, the image as `{"bytes": …}`.
        measured: What a fresh page says of the row's SVG.
        fonts: Fonts of the configuration.
    """
    items = [*row["nodes"], *row["groups"]]
    boxes = [_apart(item["box"], measured["boxes"][item["id"]]) for item in items]
    texts = [_apart(item["text_box"], measured["texts"][item["id"]]) for item in items]
    labels = [box for box in measured["links"].values() if box]
    drawn = [link["label_box"] for link in row["links"] if len(link["label_box"])]
    # Labels of links stand in the SVG in another order than in the code.
    texts += [min(_apart(box, other) for other in labels) for box in drawn]
    ink, visible = link_ink(row, fonts)
    tips, overlapped = [], 0
    for link in row["links"]:
        if LINK_STYLES[link["style"]][1] == "point":
            found = drawn_tip(ink, visible, row, link)
            overlapped += found is None
            if found is not None:
                tips.append(float(np.linalg.norm(np.subtract(found, link["head_tip"]))))
    return Deviations(
        tuple(boxes), tuple(texts), tuple(tips), overlapped, _off_stroke(ink, visible, row)
    )


def _apart(one: Sequence[float], other: Sequence[float]) -> float:
    return float(np.abs(np.subtract(one, other)).max())


def link_ink(row: Mapping[str, Any], fonts: Sequence[Font]) -> tuple[Pixels, Mask]:
    """Find the links' ink in the shipped picture.

    Args:
        row: A row of a simulated config.
        fonts: Fonts of the configuration.

    Returns:
        How much of the links' colour each pixel has, 0 to 1, and where links can be seen: on the
        plain background or a subgraph, away from all that is drawn over them. Both of shape
        (height, width).
    """
    picture = np.asarray(Image.open(io.BytesIO(row["image"]["bytes"])).convert("RGB"), dtype=float)
    size = (row["width"], row["height"])
    bare = np.asarray(rasterize(_without_links(row["svg"]), size, "lunasvg", fonts), dtype=float)
    surfaces = [np.array(parse_hex(row["background"]), dtype=float)]
    for group in row["groups"]:
        x0, y0 = (int(side) + _INSIDE for side in group["box"][:2])
        surfaces.append(bare[y0, x0])
    plain = np.min([np.abs(bare - colour).max(axis=2) for colour in surfaces], axis=0) < 2
    theme = json.loads(row["parameters"])["theme"]
    axis = np.array(parse_hex(THEME_LINK_COLOURS[theme])) - bare
    length = (axis**2).sum(axis=2)
    share = ((picture - bare) * axis).sum(axis=2) / np.where(length == 0, 1, length)
    return share.clip(0, 1), _erode(plain)


def _without_links(svg: str) -> str:
    root = etree.fromstring(svg.encode(), etree.XMLParser(resolve_entities=False))
    for group in list(root.iter(f"{{{SVG}}}g")):
        if group.get("class") == "edgePaths":
            group.clear()
    return etree.tostring(root, encoding="unicode")


def _erode(mask: Mask) -> Mask:
    """Shrink a mask by a pixel, so that blended edges are out of it."""
    padded = np.pad(mask, 1, constant_values=True)
    shifts = [padded[1 + dy : padded.shape[0] - 1 + dy, 1 + dx : padded.shape[1] - 1 + dx]
              for dy in (-1, 0, 1) for dx in (-1, 0, 1)]  # fmt: skip
    eroded: Mask = np.logical_and.reduce(shifts)
    return eroded


def drawn_tip(
    ink: Pixels, visible: Mask, row: Mapping[str, Any], link: Mapping[str, Any]
) -> Pixels | None:
    """Find the tip of a head in the picture: where a drawn head fits the ink best.

    Args:
        ink: Share of the links' colour, of shape (height, width).
        visible: Where links can be seen, of shape (height, width).
        row: The chart.
        link: The link.

    Returns:
        The tip of shape (2,) in pixels; `None` where too little of the head can be told apart.
    """
    if _crowded(row, link):
        return None
    tip, end = np.asarray(link["head_tip"]), np.asarray(link["stroke_end"])
    direction = (tip - end) / np.linalg.norm(tip - end)
    x0, y0 = np.maximum(np.floor(tip).astype(int) - _WINDOW, 0)
    x1, y1 = np.floor(tip).astype(int) + _WINDOW + 1
    seen, shares = visible[y0:y1, x0:x1], ink[y0:y1, x0:x1]
    rows, columns = np.nonzero(seen)
    centres = np.stack([columns + x0 + 0.5, rows + y0 + 0.5], axis=1)
    # Dashes and thick strokes behind the head look different: only the head itself is fitted.
    ahead = (centres - end) @ direction > -_HEAD / 2 + 1
    centres, wanted = centres[ahead], shares[rows[ahead], columns[ahead]]
    if (wanted > _INK).sum() < _LEAST_PIXELS:
        return None
    offsets = np.arange(-_REACH, _REACH + _STEP, _STEP)
    candidates = np.stack(np.meshgrid(offsets, offsets), axis=-1).reshape(-1, 2)
    covered = _coverage(centres - tip - candidates[:, None], direction)
    errors = ((covered - wanted) ** 2).sum(axis=1)
    best = candidates[int(np.argmin(errors))]
    elsewhere = errors[np.linalg.norm(candidates - best, axis=1) > 1]
    # Where a node hides all but one edge of a head, the fit slides along that edge.
    if elsewhere.min() < errors.min() + _DISTINCT:
        return None
    found: Pixels = tip + best
    return found


def _coverage(points: Pixels, direction: Pixels) -> Pixels:
    """Return how much of each pixel a head covers, its tip in the origin.

    Mermaid's head is a triangle 8 px long and wide with an outline of 0.8 px, cut at the marker's
    own frame, which the triangle touches at its base.
    """
    along = points @ direction
    across = np.abs(points @ np.array([-direction[1], direction[0]]))
    side = (across + along / 2) * np.cos(np.arctan(0.5))
    outside = np.max([side - _OUTLINE, -_HEAD - along, across - _HEAD / 2], axis=0)
    inside: Pixels = (0.5 - outside).clip(0, 1)
    return inside


def _crowded(row: Mapping[str, Any], link: Mapping[str, Any]) -> bool:
    """Tell whether another link or label comes near the head."""
    x0, y0, x1, y1 = link["head_box"]
    margin = 3
    for other in row["links"]:
        points = np.asarray(other["polyline"])
        heads = [box for box in (other["head_box"], other["tail_box"]) if len(box)]
        if other is link:
            points, heads = (
                points[:-6],
                [box for box in heads if list(box) != list(link["head_box"])],
            )
        points = _dense(points.reshape(-1, 2))
        inside = (
            (points[:, 0] > x0 - margin) & (points[:, 0] < x1 + margin)
            & (points[:, 1] > y0 - margin) & (points[:, 1] < y1 + margin)
        )  # fmt: skip
        if inside.any() or any(boxes_meet(box, link["head_box"], margin) for box in heads):
            return True
        if len(other["label_box"]) and boxes_meet(other["label_box"], link["head_box"], margin):
            return True
    return False


def _dense(points: Pixels) -> Pixels:
    """Return a polyline with a point at least every pixel; straight pieces have only their ends."""
    if len(points) < 2:
        return points
    along = np.concatenate([[0], np.linalg.norm(np.diff(points, axis=0), axis=1).cumsum()])
    steps = np.linspace(0, along[-1], int(along[-1]) + 2)
    return np.stack([np.interp(steps, along, points[:, axis]) for axis in (0, 1)], axis=1)


def _off_stroke(ink: Pixels, visible: Mask, row: Mapping[str, Any]) -> float:
    """Return the share of visible points of solid strokes that have no ink within a pixel."""
    bare = total = 0
    for link in row["links"]:
        if LINK_STYLES[link["style"]][0] == "dotted":
            continue
        at = np.floor(np.asarray(link["polyline"])).astype(int)
        at = at.clip(0, np.array(ink.shape[::-1]) - 1)
        at = at[visible[at[:, 1], at[:, 0]]]
        near = [
            ink[
                (at[:, 1] + dy).clip(0, ink.shape[0] - 1), (at[:, 0] + dx).clip(0, ink.shape[1] - 1)
            ]
            for dx, dy in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))
        ]
        bare += int((np.max(near, axis=0) < _TRACE).sum())
        total += len(at)
    return bare / total if total else 0.0


def differing_pixels(one: Image.Image, other: Image.Image) -> float:
    """Return the share of pixels that visibly differ between two pictures of one size, 0–1."""
    apart = np.abs(np.asarray(one, dtype=float) - np.asarray(other, dtype=float)).max(axis=2)
    return float((apart > _VISIBLE).mean())


def summarize(found: Iterable[Deviations]) -> dict[str, Any]:
    """Return the largest and typical deviations of many charts."""
    charts = list(found)
    summary: dict[str, Any] = {"charts": len(charts)}
    for name in ("boxes", "texts", "tips"):
        values = np.array([value for chart in charts for value in getattr(chart, name)])
        summary[name] = {
            "n": len(values),
            "median": float(np.median(values)) if len(values) else None,
            "max": float(values.max()) if len(values) else None,
            "over 1 px": int((values > 1).sum()),
        }
    summary["overlapped heads"] = sum(chart.overlapped for chart in charts)
    summary["points without ink"] = float(np.mean([chart.off_stroke for chart in charts]))
    return summary


def fidelity(
    rows: Sequence[Mapping[str, Any]], fonts: Sequence[Font], engines: Iterable[Rasterizer]
) -> dict[str, Any]:
    """Compare annotations and rasterizers with what a fresh page shows of the shipped SVGs.

    Args:
        rows: Rows of a simulated config.
        fonts: Fonts of the configuration.
        engines: Rasterizers to compare with the browser's screenshot.

    Returns:
        `annotations`: the summary of all deviations; `rasterizers`: for each engine the mean share
        of pixels that visibly differ from the screenshot, 0 to 1.
    """
    found = []
    differing: dict[str, list[float]] = {engine: [] for engine in engines}
    with FreshPage() as page:
        for row in rows:
            found.append(deviations(row, page.measure(row["svg"]), fonts))
            size = (row["width"], row["height"])
            shown = page.screenshot(row["svg"], *size)
            for engine, shares in differing.items():
                drawn = rasterize(row["svg"], size, cast(Rasterizer, engine), fonts)
                shares.append(differing_pixels(drawn, shown))
    return {
        "annotations": summarize(found),
        "rasterizers": {engine: float(np.mean(shares)) for engine, shares in differing.items()},
    }
