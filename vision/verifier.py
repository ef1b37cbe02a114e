"""The embedded verifier: visual entailment from OCR and classic vision, without a model.

Its verdicts are a baseline for vision-language models, and its list of arrows makes the recall of
edges measurable, which the reference-free paper leaves open.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

import numpy as np

from metrics.core.elements import Elements
from metrics.core.matching import match, match_links
from metrics.core.text_lines import Label, TextLine
from vision.arrows import Arrow, find_arrows
from vision.labels import labels_of
from vision.ocr import OcrEngine
from vision.picture import Picture
from vision.shapes import Shape, find_shapes

VERSION = "1.0"

TEXT_HEIGHT = 44.0
"""Height of a line of text, in pixels, to which pictures are scaled: arrow heads of charts are
about a third as large, and must be told from thick strokes."""

MAX_PIXELS = 12_000_000
"""Larger pictures are scaled less, to bound memory."""

# Glyphs that engines confuse, on both sides, so that a slip of the reader is no hallucination.
_GLYPHS = str.maketrans({"I": "l", "1": "l", "|": "l", "0": "o", "O": "o"})


@dataclass(frozen=True, slots=True)
class Scene:
    """What the verifier sees in a picture.

    Attributes:
        shapes: Shapes with texts: the nodes.
        groups: Frames round shapes, with their titles.
        arrows: Links between shapes or frames; indices run over shapes, then groups.
        free: Texts outside of shapes.
    """

    shapes: tuple[Shape, ...] = ()
    groups: tuple[Shape, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    free: tuple[str, ...] = ()

    def proposed_arrows(self) -> list[tuple[str, str, str, bool]]:
        """Return `(source text, target text, label, directed)` of each arrow, for `f1_ocr_ve`."""
        ends = [shape.text for shape in (*self.shapes, *self.groups)]
        return [
            (ends[arrow.source], ends[arrow.target], arrow.label, arrow.directed)
            for arrow in self.arrows
        ]


def see(picture: Picture, engine: OcrEngine) -> Scene:
    """Read a picture and find its shapes and arrows."""
    return scene_of(picture, engine.read(picture))


def scene_of(picture: Picture, lines: Sequence[TextLine]) -> Scene:
    """Find shapes and arrows in a picture whose texts were read.

    Args:
        picture: The picture.
        lines: What an OCR engine read, with places; lines without places are left out.
    """
    import cv2

    labels = [label for label in labels_of(lines, picture) if label.box]
    if not labels:
        return Scene()
    width, height = picture.size
    scale = TEXT_HEIGHT / max(1.0, median(line.height for label in labels for line in label.lines))
    scale = min(scale, (MAX_PIXELS / (width * height)) ** 0.5, 4.0)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    kind = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    pixels = np.asarray(cv2.resize(picture.pixels, size, interpolation=kind), dtype=np.uint8)
    shapes = find_shapes(pixels, [_scaled(label, scale) for label in labels])
    free = tuple(label.text for label in shapes.free)
    return Scene(shapes.nodes, shapes.groups, find_arrows(pixels, shapes), free)


def _scaled(label: Label, scale: float) -> Label:
    def line(item: TextLine) -> TextLine:
        return replace(item, polygon=tuple((x * scale, y * scale) for x, y in item.polygon))

    return Label(label.text, tuple(map(line, label.lines)))


def fold_glyphs(text: str) -> str:
    """Return what of a text must be equal for it to count as seen.

    Spaces, quotes and punctuation are left out and look-alikes are one: all else counts, since at
    a similarity of 0.9 two labels of three with a wrong letter would pass.

    >>> fold_glyphs("Set `i` to 0") == fold_glyphs("Set i to O")
    True
    """
    glyphs = unicodedata.normalize("NFKC", text).translate(_GLYPHS)
    kept = "".join(c for c in glyphs if unicodedata.category(c)[0] in "LNMS" and c != "`")
    return kept or text.strip()


def verify(
    scene: Scene, elements: Elements, edge_labels: bool = True, threshold: float = 1.0
) -> list[bool]:
    """Tell of each generated element, nodes first, whether the picture shows it.

    Elements are a multiset: a node that was generated twice must be drawn twice. There is an
    arrow from A to B where a link joins them that has a head at B alone, or whose ends look
    alike (two heads, or none): such a link is an arrow of either direction, but only one.

    Args:
        scene: What is in the picture.
        elements: What was generated.
        edge_labels: Whether an edge must have its label, or none where it has none.
        threshold: Least similarity of the texts. The default answers "is this very text there",
            where a misspelt one is not; give the metric's threshold where misspelt ones count.
    """
    ends = 3 if edge_labels else 2
    shapes = [_folded((shape.text,)) for shape in scene.shapes]
    arrows = [_folded(arrow[:3][:ends]) for arrow in scene.proposed_arrows()]
    undirected = [index for index, arrow in enumerate(scene.arrows) if not arrow.directed]
    nodes = match(shapes, [_folded(node) for node in elements.nodes], threshold=threshold)
    links = [_folded(link[:ends]) for link in elements.links]
    edges = match_links(arrows, links, undirected, threshold=threshold)
    unseen_nodes, unseen_edges = set(nodes.extra), set(edges.extra)
    return [
        *(index not in unseen_nodes for index in range(len(elements.nodes))),
        *(index not in unseen_edges for index in range(len(elements.links))),
    ]


def _folded(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(map(fold_glyphs, texts))
