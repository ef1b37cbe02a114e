"""What the metric cards say of the papers' published replies, measured.

The values stand in `metrics/published_replies.json`; cards are rendered from it.
"""

from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from flowlearn.paper import paper
from metrics.core.elements import Mode
from metrics.core.mermaid_score import Options, score_flowcharts
from scoring import reproduce_flowlearn, reproduce_logicvista
from scoring.reproduce_flowlearn import Cell

METRICS = {
    "ocr": "ocr_accuracy",
    "statements": "tf_accuracy",
    "between": "tf_accuracy",
    "a_to_b": "tf_accuracy",
    "num_nodes": "count_accuracy",
    "num_arrows": "count_accuracy",
    "description": "description_similarity",
    "mermaid": "mermaid_f1",
}
"""The metric that scores a task of FlowLearn's tables."""

_MODES: tuple[Mode, ...] = ("paper", "lenient")


def card_values(flowlearn: Path, logicvista: Path, quick: bool = False) -> dict[str, Any]:
    """Measure all values of the cards.

    Args:
        flowlearn: Folder with FlowLearn's published result files.
        logicvista: Folder with LogicVista's published records, replies and results.
        quick: Leave sentence similarity and BERTScore out, which take minutes.

    Raises:
        UserError: As for the two reproductions.
    """
    made = reproduce_flowlearn.reproduce(flowlearn, quick=quick)
    agreement = reproduce_logicvista.reproduce(logicvista).agreement
    return {
        "flowlearn": flowlearn_values(made.cells),
        "mermaid_modes": _mermaid_modes(flowlearn),
        "logicvista": [_rounded(asdict(row)) for row in agreement],
    }


def flowlearn_values(cells: Iterable[Cell]) -> dict[str, dict[str, Any]]:
    """Say of each metric how many printed cells come out, and how far the others are off."""
    by_metric: dict[str, list[Cell]] = {}
    for cell in cells:
        by_metric.setdefault(METRICS[cell.paper.task], []).append(cell)
    return {metric: _compared(by_metric[metric]) for metric in sorted(by_metric)}


def _compared(cells: list[Cell]) -> dict[str, Any]:
    differences = [abs(cell.difference) for cell in cells if cell.difference is not None]
    names = paper().models
    return {
        "models": list(dict.fromkeys(names[cell.paper.model] for cell in cells)),
        "cells": len(differences),
        "as_printed": sum(difference == 0 for difference in differences),
        "largest_difference": max(differences, default=0.0),
        "not_computed": sorted({cell.paper.measure for cell in cells if cell.ours is None}),
    }


def _mermaid_modes(folder: Path) -> dict[str, dict[str, Any]]:
    """Score the generated Mermaid code in both modes."""
    files, _ = reproduce_flowlearn.find_replies(folder)
    values: dict[str, dict[str, Any]] = {}
    for (_, model, task), path in files.items():
        if task != "Flowchart-to-Mermaid":
            continue
        replies, gold = zip(*reproduce_flowlearn.read_replies(path), strict=True)
        for mode in _MODES:
            made = score_flowcharts(replies, gold, options=Options(mode))
            scores = {"node_f1": made.node_f1, "link_f1": made.link_f1}
            values.setdefault(paper().models[model], {})[mode] = _rounded(scores)
    return values


def _rounded(values: dict[str, Any]) -> dict[str, Any]:
    return {
        name: round(value, 4) if isinstance(value, float) else value
        for name, value in values.items()
    }
