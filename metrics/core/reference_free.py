"""F1_OCR-VE, and the recall and precision of edges against arrows found in the picture.

Eq. 3 of the reference-free paper: the harmonic mean of Recall_OCR and Precision_VE. The edge
scores are not in the paper, which leaves edge recall open; they have a signature of their own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .elements import Elements
from .items import require_items, share
from .matching import Element, match_links, normalize_text
from .precision_ve import PrecisionItem, PrecisionOptions, precision_item
from .recall_ocr import RecallItem, RecallOptions, generated_elements, recall_item
from .signature import signature

VERSION = "1.0"
EDGE_VERSION = "1.0"


Arrow = Sequence[Any]
"""`source text, target text`, and optionally `label, directed`."""


@dataclass(frozen=True, slots=True)
class EdgeItem:
    """Generated edges of one picture against the arrows that were found in it.

    Attributes:
        recall: Matched / arrows; `None` where no arrow was found.
        precision: Matched / edges; `None` where no edge was generated.
        matched: Pairs of an arrow and an edge.
        arrows: Number of arrows found.
        edges: Number of edges generated.
        missed: Arrows that no edge holds, `(source text, target text)`.
        unseen: Edges that no arrow supports.
    """

    recall: float | None
    precision: float | None
    matched: int
    arrows: int
    edges: int
    missed: tuple[Element, ...]
    unseen: tuple[Element, ...]


@dataclass(frozen=True, slots=True)
class ReferenceFreeItem:
    """One picture.

    Attributes:
        f1: Harmonic mean of recall and precision; `None` where one of them is undefined.
        reason: `ok`, or why it is undefined.
        recall: Recall_OCR and its lists.
        precision: Precision_VE and its lists.
        edges: The edges against the arrows, if arrows are given.
    """

    f1: float | None
    reason: str
    recall: RecallItem
    precision: PrecisionItem
    edges: EdgeItem | None


@dataclass(frozen=True, slots=True)
class ReferenceFreeScore:
    """Reference-free scores of many pictures: means over those where they are defined.

    Attributes:
        f1: Mean F1_OCR-VE.
        recall: Mean Recall_OCR.
        precision: Mean Precision_VE.
        edge_recall: Mean recall of edges, where arrows are given.
        edge_precision: Mean precision of edges, where arrows are given.
        undefined: Pictures without an F1.
        items: Every picture, in the order given.
        signature: How recall, precision and F1 were made.
        edge_signature: How the edge scores were made; empty without arrows.
    """

    f1: float | None
    recall: float | None
    precision: float | None
    edge_recall: float | None
    edge_precision: float | None
    undefined: int
    items: tuple[ReferenceFreeItem, ...]
    signature: str
    edge_signature: str


def harmonic_mean(first: float | None, second: float | None) -> float | None:
    """Return 2ab / (a + b): 0 where both are 0, `None` where one is undefined."""
    if first is None or second is None:
        return None
    return 2 * first * second / (first + second) if first + second else 0.0


def edge_item(edges: Sequence[Element], arrows: Sequence[Arrow], threshold: float) -> EdgeItem:
    """Compare generated edges with the arrows of the picture, both as multisets.

    Args:
        edges: `(source text, target text, …)` of each generated edge; labels are left out.
        arrows: `(source text, target text)` of each arrow that was found; or four values, the
            third its label, the fourth whether it points at its target. One that does not has
            two heads or none, looks the same from both ends, and supports one edge of either
            direction.
        threshold: Least similarity of both ends, inclusive.
    """
    generated = [tuple(map(normalize_text, edge[:2])) for edge in edges]
    found = [tuple(normalize_text(str(text)) for text in arrow[:2]) for arrow in arrows]
    undirected = [index for index, arrow in enumerate(arrows) if len(arrow) > 3 and not arrow[3]]
    matching = match_links(found, generated, undirected, threshold=threshold)
    return EdgeItem(
        recall=share(len(matching.pairs), len(found)),
        precision=share(len(matching.pairs), len(generated)),
        matched=len(matching.pairs),
        arrows=len(found),
        edges=len(generated),
        missed=tuple(found[index] for index in matching.missed),
        unseen=tuple(generated[index] for index in matching.extra),
    )


def score_reference_free(
    predictions: Sequence[object],
    texts: Sequence[Sequence[object]],
    verdicts: Sequence[Sequence[object]],
    arrows: Sequence[Sequence[Arrow]] | None = None,
    recall_options: RecallOptions | None = None,
    precision_options: PrecisionOptions | None = None,
    finder: str = "given",
) -> ReferenceFreeScore:
    """Score generated code by its picture alone.

    Args:
        predictions: One reply (or elements) a picture.
        texts: The texts that an OCR engine read in each picture.
        verdicts: What a verifier says of the generated elements.
        arrows: The arrows found in each picture, see `edge_item`.
        recall_options: See `recall_ocr.score_recall`.
        precision_options: See `precision_ve.score_precision`.
        finder: What found the arrows, for the signature.

    Raises:
        ValueError: Nothing to score, different lengths, or an entry that cannot be read.
    """
    for column in (texts, verdicts, arrows):
        if column is not None:
            require_items(predictions, column)
    recall_options = recall_options or RecallOptions()
    precision_options = precision_options or PrecisionOptions()
    items = [
        reference_free_item(
            generated_elements(prediction, recall_options.language),
            texts[index],
            verdicts[index],
            None if arrows is None else arrows[index],
            recall_options,
            precision_options,
        )
        for index, prediction in enumerate(predictions)
    ]
    return score_of_items(items, recall_options, precision_options, finder)


def score_of_items(
    items: Sequence[ReferenceFreeItem],
    recall_options: RecallOptions,
    precision_options: PrecisionOptions,
    finder: str = "given",
) -> ReferenceFreeScore:
    """Summarize scored pictures, see `score_reference_free`."""
    options = {"recall": recall_options.signature(), "precision": precision_options.signature()}
    edges = [item.edges for item in items if item.edges]
    edge_options: dict[str, float | bool | str] = {
        "threshold": recall_options.threshold,
        "labels": False,
        "finder": finder,
    }
    return ReferenceFreeScore(
        f1=_mean([item.f1 for item in items]),
        recall=_mean([item.recall.recall for item in items]),
        precision=_mean([item.precision.precision for item in items]),
        edge_recall=_mean([item.recall for item in edges]),
        edge_precision=_mean([item.precision for item in edges]),
        undefined=sum(item.f1 is None for item in items),
        items=tuple(items),
        signature=signature("f1_ocr_ve", VERSION, {k: f"({v})" for k, v in options.items()}),
        edge_signature=signature("edge_recall", EDGE_VERSION, edge_options) if edges else "",
    )


def reference_free_item(
    generated: Elements,
    texts: Sequence[object],
    verdicts: Sequence[object],
    arrows: Sequence[Arrow] | None,
    recall_options: RecallOptions,
    precision_options: PrecisionOptions,
) -> ReferenceFreeItem:
    """Score one picture, see `score_reference_free`."""
    recall = recall_item(generated, texts, recall_options)
    precision = precision_item(generated, verdicts, None, precision_options)
    reasons = [
        part.reason
        for part, value in ((recall, recall.recall), (precision, precision.precision))
        if value is None
    ]
    threshold = recall_options.threshold
    return ReferenceFreeItem(
        f1=harmonic_mean(recall.recall, precision.precision),
        reason=", ".join(reasons) or "ok",
        recall=recall,
        precision=precision,
        edges=None if arrows is None else edge_item(generated.links, arrows, threshold),
    )


def _mean(values: Sequence[float | None]) -> float | None:
    defined = [value for value in values if value is not None]
    return float(np.mean(defined)) if defined else None
