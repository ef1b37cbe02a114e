"""Scores of generated code by its picture alone: read by OCR, looked at by the embedded verifier.

Looking takes about a second a picture, scoring next to nothing: what was seen is a plain value that
can be kept, and that the metric `f1_ocr_ve` takes as its input.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from metrics.core.elements import Elements
from metrics.core.precision_ve import PrecisionOptions
from metrics.core.recall_ocr import RecallOptions
from metrics.core.reference_free import (
    ReferenceFreeItem,
    ReferenceFreeScore,
    reference_free_item,
    score_of_items,
)
from scoring.generated_charts import Chart
from vision.annotations import annotation_of
from vision.labels import labels_of
from vision.ocr import OcrEngine
from vision.picture import Picture, PictureError
from vision.verifier import VERSION, scene_of, verify

EMBEDDED = f"embedded-{VERSION}"


@dataclass(frozen=True, slots=True)
class Sight:
    """What is seen in a picture of which code was generated.

    Attributes:
        problem: Why the picture cannot be read; empty where it can.
        texts: Its texts, as `flowlearn ocr` writes them.
        verdicts: For each generated element, nodes first, whether it is there; `None` where the
            texts have no places, so that no shape can be found round them.
        arrows: `[source text, target text, label, directed]` of each arrow; `None` likewise.
    """

    problem: str = ""
    texts: Sequence[Mapping[str, Any]] = ()
    verdicts: Sequence[bool] | None = None
    arrows: Sequence[Sequence[Any]] | None = None


@dataclass(frozen=True, slots=True)
class Options:
    """How charts are scored, see `RecallOptions` and `PrecisionOptions`."""

    recall: RecallOptions = field(default_factory=RecallOptions)
    precision: PrecisionOptions = field(default_factory=lambda: PrecisionOptions(verifier=EMBEDDED))


@dataclass(frozen=True, slots=True)
class ScoredCharts:
    """Charts scored by their pictures.

    Attributes:
        score: The scores of those whose pictures can be read.
        items: Every chart's, in the order given; `None` of an unreadable picture.
        unreadable: Why, by chart.
    """

    score: ReferenceFreeScore
    items: tuple[ReferenceFreeItem | None, ...]
    unreadable: Mapping[str, str]


def look(
    engine: OcrEngine, asked: tuple[Path, Elements], options: PrecisionOptions
) -> dict[str, Any]:
    """Look for generated elements in a picture.

    Args:
        engine: Reads the texts.
        asked: The picture's file, and the elements of the code that was generated from it.
        options: How elements are compared.

    Returns:
        A `Sight`, as a JSON object.
    """
    path, generated = asked
    try:
        picture = Picture.open(path)
    except PictureError as error:
        return asdict(Sight(problem=str(error)))
    lines = engine.read(picture)
    labels = labels_of(lines, picture)
    texts = [annotation_of(label) for label in labels]
    if labels and not any(label.box for label in labels):
        return asdict(Sight(texts=texts))
    scene = scene_of(picture, lines)
    verdicts = verify(scene, generated, options.edge_labels, options.threshold)
    return asdict(Sight("", texts, verdicts, scene.proposed_arrows()))


def score_sights(
    charts: Sequence[Chart],
    sights: Sequence[Sight],
    options: Options,
    replies: Sequence[Sequence[object]] | None = None,
) -> ScoredCharts:
    """Score charts by what is seen in their pictures.

    Args:
        charts: The charts.
        sights: What is seen in the picture of each.
        options: How they are scored.
        replies: What another verifier says of each chart's elements, see `read_verdicts`; the
            embedded one's verdicts are then not used.

    Raises:
        ValueError: There are no verdicts on a chart, since its texts have no places.
    """
    items: list[ReferenceFreeItem | None] = []
    for index, (chart, sight) in enumerate(zip(charts, sights, strict=True)):
        if sight.problem:
            items.append(None)
            continue
        verdicts = sight.verdicts if replies is None else replies[index]
        if verdicts is None:
            raise ValueError(
                f"{chart.id}: its texts have no places, without which no shape is found"
            )
        items.append(
            reference_free_item(
                chart.generated,
                sight.texts,
                verdicts,
                sight.arrows,
                options.recall,
                options.precision,
            )
        )
    scored = [item for item in items if item is not None]
    return ScoredCharts(
        score_of_items(scored, options.recall, options.precision, finder=EMBEDDED),
        tuple(items),
        {
            chart.id: sight.problem
            for chart, sight in zip(charts, sights, strict=True)
            if sight.problem
        },
    )
