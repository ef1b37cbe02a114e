"""Do the reference-free metrics follow the truth? The paper's Tables 1 to 5, on FlowLearn.

Each chart's picture is read once; generators of known quality, made by `corruption` or given as a
model's replies, are scored both without gold and with it.
"""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from metrics.core.elements import Elements, read_elements
from metrics.core.precision_ve import Confusion, PrecisionOptions, elements_present, precision_item
from metrics.core.recall_ocr import RecallOptions, recall_item
from metrics.core.reference_free import edge_item, harmonic_mean
from scoring.corruption import SEVERITIES, Severity, corrupt
from scoring.validate_ocr import Counts, compare, visible_texts
from vision.labels import labels_of
from vision.ocr import OcrEngine
from vision.picture import Picture
from vision.verifier import Scene, scene_of, verify

MEASURES = ("recall", "precision", "f1", "edge_recall")
OPTIONS = PrecisionOptions(edge_labels=False, verifier="embedded")
RECALL_OPTIONS = RecallOptions()


@dataclass(frozen=True, slots=True)
class ReadChart:
    """A chart whose picture was read.

    Attributes:
        name: File name of the picture.
        gold: Its right elements.
        texts: The texts in the picture.
        scene: Shapes and arrows in the picture.
    """

    name: str
    gold: Elements
    texts: tuple[str, ...]
    scene: Scene


@dataclass(frozen=True, slots=True)
class Scored:
    """One chart of one generator: each measure without gold and with it, `None` if undefined."""

    estimated: Mapping[str, float | None]
    actual: Mapping[str, float | None]
    confusion: Confusion


@dataclass(frozen=True, slots=True)
class Agreement:
    """How an estimate follows the truth over charts.

    Attributes:
        n: Charts where both are defined.
        pearson: Pearson's r; `None` where one side does not vary.
        kendall: Kendall's tau-b; `None` likewise.
        rmse: Root mean square error, percentage points.
        mae: Mean absolute error, percentage points.
    """

    n: int
    pearson: float | None
    kendall: float | None
    rmse: float | None
    mae: float | None


@dataclass(frozen=True, slots=True)
class Study:
    """The study's results.

    Attributes:
        reader: Signature of the OCR engine.
        charts: Number of charts.
        ocr_f1: Micro F1 of the texts read, at a similarity of 0.9 (Table 1).
        ocr_f1_exact: The same, of equal texts.
        ve: Confusion of the embedded verifier by generator (Table 2).
        agreements: By measure and generator (Tables 3 to 5, and edge recall); `all` is all of the
            generators together.
        scored: By generator, every chart.
    """

    reader: str
    charts: int
    ocr_f1: float
    ocr_f1_exact: float
    ve: Mapping[str, Confusion]
    agreements: Mapping[str, Mapping[str, Agreement]]
    scored: Mapping[str, tuple[Scored, ...]]


def read_chart(engine: OcrEngine, chart: tuple[Path, str]) -> ReadChart:
    """Read a picture for the study.

    Args:
        engine: Reads the texts.
        chart: The picture's file, and the gold code.

    Raises:
        PictureError: The file is no readable picture.
    """
    path, code = chart
    picture = Picture.open(path)
    lines = engine.read(picture)
    texts = tuple(label.text for label in labels_of(lines, picture))
    return ReadChart(
        picture.name, read_elements(code, "lenient", "auto"), texts, scene_of(picture, lines)
    )


def study(
    charts: Sequence[ReadChart],
    reader: str,
    replies: Mapping[str, Mapping[str, str]] | None = None,
    severities: Iterable[Severity] = SEVERITIES,
    seed: int = 0,
) -> Study:
    """Compare the metrics with and without gold.

    Args:
        charts: The charts, read.
        reader: Signature of the OCR engine.
        replies: Models' replies by model and picture name; charts without a reply are left out.
        severities: Generators to make.
        seed: Seed of the corruption.

    Raises:
        ValueError: There are no charts.
    """
    if not charts:
        raise ValueError("no charts to validate on")
    made = {
        severity.name: [(chart, _generate(chart, severity, seed)) for chart in charts]
        for severity in severities
    }
    for model, answers in (replies or {}).items():
        made[model] = [
            (chart, read_elements(answers[chart.name], "lenient", "auto"))
            for chart in charts
            if chart.name in answers
        ]
    scored = {
        name: tuple(score_chart(chart, generated) for chart, generated in pairs)
        for name, pairs in made.items()
    }
    groups = {**scored, "all": tuple(item for items in scored.values() for item in items)}
    return Study(
        reader=reader,
        charts=len(charts),
        ocr_f1=_ocr_f1(charts, 0.9),
        ocr_f1_exact=_ocr_f1(charts, 1.0),
        ve={
            name: sum((item.confusion for item in items), Confusion())
            for name, items in groups.items()
        },
        agreements={
            measure: {name: agreement_of(items, measure) for name, items in groups.items()}
            for measure in MEASURES
        },
        scored=scored,
    )


def score_chart(chart: ReadChart, generated: Elements) -> Scored:
    """Score one generated diagram without gold, and with it."""
    verdicts = verify(chart.scene, generated, OPTIONS.edge_labels, OPTIONS.threshold)
    recall = recall_item(generated, chart.texts, RECALL_OPTIONS)
    precision = precision_item(generated, verdicts, chart.gold, OPTIONS)
    arrows = chart.scene.proposed_arrows()
    truth = elements_present(generated, chart.gold, OPTIONS)
    actual_recall = recall_item(generated, visible_texts(chart.gold), RECALL_OPTIONS).recall
    actual_precision = sum(truth) / len(truth) if truth else None
    edges = edge_item(generated.links, arrows, RECALL_OPTIONS.threshold)
    gold_arrows = [
        (*link, index not in chart.gold.undirected) for index, link in enumerate(chart.gold.links)
    ]
    gold_edges = edge_item(generated.links, gold_arrows, RECALL_OPTIONS.threshold)
    return Scored(
        estimated={
            "recall": recall.recall,
            "precision": precision.precision,
            "f1": harmonic_mean(recall.recall, precision.precision),
            "edge_recall": edges.recall,
        },
        actual={
            "recall": actual_recall,
            "precision": actual_precision,
            "f1": harmonic_mean(actual_recall, actual_precision),
            "edge_recall": gold_edges.recall,
        },
        confusion=precision.confusion or Confusion(),
    )


def agreement_of(items: Sequence[Scored], measure: str) -> Agreement:
    """Return how a measure's estimate follows the truth over charts."""
    pairs = [(item.estimated[measure], item.actual[measure]) for item in items]
    defined = [(e, a) for e, a in pairs if e is not None and a is not None]
    if not defined:
        return Agreement(0, None, None, None, None)
    from scipy.stats import kendalltau, pearsonr

    estimated, actual = np.array(defined, dtype=np.float64).T
    errors = 100 * (estimated - actual)
    varies = len(defined) > 1 and np.ptp(estimated) > 0 and np.ptp(actual) > 0

    def coefficient(test: Callable[..., Any]) -> float | None:
        return float(test(estimated, actual).statistic) if varies else None

    return Agreement(
        n=len(defined),
        pearson=coefficient(pearsonr),
        kendall=coefficient(kendalltau),
        rmse=float(np.sqrt(np.mean(errors**2))),
        mae=float(np.mean(np.abs(errors))),
    )


def _generate(chart: ReadChart, severity: Severity, seed: int) -> Elements:
    key = f"{seed}/{severity.name}/{chart.name}"
    rate = random.Random(f"rate/{key}").uniform(0, 2 * severity.rate)
    return corrupt(chart.gold, rate, key)


def _ocr_f1(charts: Sequence[ReadChart], threshold: float) -> float:
    counts = (compare(visible_texts(c.gold), c.texts, threshold) for c in charts)
    return sum(counts, Counts()).f1
