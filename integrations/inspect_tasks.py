"""Tasks for `inspect_ai`: `inspect eval integrations/inspect_tasks.py@flowlearn --model …`.

Runs in an environment with this project and `inspect-ai`.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageUser, ContentImage, ContentText
from inspect_ai.scorer import Score, Scorer, Target, accuracy, grouped, scorer, stderr
from inspect_ai.solver import TaskState, generate

from integrations.items import (
    Scored,
    flowlearn_prompt,
    logicvista_prompt,
    score_flowlearn,
    score_logicvista,
)

Row = Mapping[str, Any]
_METADATA = ("task", "skill", "chart_id", "image_group", "labels", "options", "answer")


@task
def flowlearn(
    dataset: str = "flowlearn",
    config: str = "simulated_vqa",
    revision: str | None = None,
    tasks: str = "",
) -> Task:
    """Questions on flowcharts.

    Args:
        dataset: `<owner>/flowlearn` on the Hub, a folder, or the installed name.
        config: A config of questions.
        revision: The version to pin on the Hub, e.g. `v1.0`.
        tasks: Tasks to ask, separated by commas; empty for all.
    """
    wanted = set(filter(None, tasks.split(",")))
    rows = [row for row in _rows(dataset, config, revision) if row["task"] in wanted or not wanted]
    samples = [_sample(row, flowlearn_prompt(row), row["answer"]) for row in rows]
    return Task(
        MemoryDataset(samples, name="flowlearn"),
        solver=generate(),
        scorer=flowlearn_scorer(),
    )


@task
def logicvista(
    dataset: str = "logicvista", config: str = "published", revision: str | None = None
) -> Task:
    """Multiple-choice questions of visual logic; items that cannot be scored are left out.

    Args:
        dataset: The dataset's name, or the folder that `flowlearn import logicvista` made.
        config: One of its configs.
        revision: The version to pin on the Hub.
    """
    rows = [row for row in _rows(dataset, config, revision) if row["scorable"] and row["image"]]
    samples = [_sample(row, logicvista_prompt(row), ", ".join(row["answer"])) for row in rows]
    return Task(
        MemoryDataset(samples, name="logicvista"),
        solver=generate(),
        scorer=logicvista_scorer(),
    )


@scorer(metrics=[grouped(accuracy(), "task"), stderr(cluster="chart_id")])
def flowlearn_scorer() -> Scorer:
    """The paper's rule of each task; means by task, errors clustered by chart."""
    return _scorer(score_flowlearn)


@scorer(metrics=[grouped(accuracy(), "skill"), stderr(cluster="image_group")])
def logicvista_scorer() -> Scorer:
    """Exactly the right labels; means by skill, errors clustered by picture."""
    return _scorer(score_logicvista)


def _scorer(rule: Callable[[Row, str], Scored]) -> Scorer:
    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001  # inspect_ai asks
        scored = rule(state.metadata["row"], state.output.completion)
        told = {"family": scored.family, "signature": scored.signature}
        return Score(value=scored.value, explanation=scored.reason, metadata=told)

    return score


def _rows(dataset: str, config: str, revision: str | None) -> list[dict[str, Any]]:
    from datasets import Image, load_dataset

    rows = load_dataset(dataset, config, split="test", revision=revision)
    listed: list[dict[str, Any]] = rows.cast_column("image", Image(decode=False)).to_list()
    return listed


def _sample(row: dict[str, Any], prompt: str, target: str) -> Sample:
    picture = row["image"]["bytes"]
    kind = "png" if picture.startswith(b"\x89PNG") else "jpeg"
    uri = f"data:image/{kind};base64,{base64.b64encode(picture).decode()}"
    kept = {name: value for name, value in row.items() if name != "image"}
    groups = {name: row[name] for name in _METADATA if isinstance(row.get(name), str)}
    return Sample(
        id=row["id"],
        input=[ChatMessageUser(content=[ContentText(text=prompt), ContentImage(image=uri)])],
        target=target,
        metadata={**groups, "row": kept},
    )
