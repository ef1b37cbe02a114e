"""Functions of the `lmms-eval` tasks beside this file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from integrations.items import (
    flowlearn_prompt,
    logicvista_prompt,
    score_flowlearn,
    score_logicvista,
)

Doc = Mapping[str, Any]


def doc_to_visual(doc: Doc) -> list[Any]:
    """Return the pictures of a row."""
    return [doc["image"].convert("RGB")]


def flowlearn_text(doc: Doc, lmms_eval_specific_kwargs: Doc | None = None) -> str:
    """Return the prompt of a FlowLearn row."""
    return _wrapped(flowlearn_prompt(doc), lmms_eval_specific_kwargs)


def logicvista_text(doc: Doc, lmms_eval_specific_kwargs: Doc | None = None) -> str:
    """Return the prompt of a LogicVista row."""
    return _wrapped(logicvista_prompt(doc), lmms_eval_specific_kwargs)


def flowlearn_results(doc: Doc, results: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Score the reply to a FlowLearn row; the key is the family of its score."""
    scored = score_flowlearn(doc, results[0])
    return {scored.family: {"id": doc["id"], "task": doc["task"], "value": scored.value}}


def logicvista_results(doc: Doc, results: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Score the reply to a LogicVista row."""
    scored = score_logicvista(doc, results[0])
    return {scored.family: {"id": doc["id"], "task": doc["skill"], "value": scored.value}}


def scorable(dataset: Any) -> Any:
    """Leave out the rows that no reply can be judged on."""
    return dataset.filter(lambda scorable: scorable, input_columns="scorable")


def mean(results: Sequence[Doc]) -> float:
    """Average the scores of a family: first within its tasks, then over them.

    For statements that is the mean of the accuracies on true and on false ones, as in the paper.
    """
    by_task: dict[str, list[float]] = {}
    for result in results:
        by_task.setdefault(result["task"], []).append(result["value"])
    means = [sum(values) / len(values) for values in by_task.values()]
    return sum(means) / len(means)


def plain_mean(results: Sequence[Doc]) -> float:
    """Average the scores over all rows."""
    return float(sum(result["value"] for result in results) / len(results))


def _wrapped(prompt: str, options: Doc | None) -> str:
    options = options or {}
    return f"{options.get('pre_prompt', '')}{prompt}{options.get('post_prompt', '')}"
