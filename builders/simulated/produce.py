"""The whole production of a simulated config: charts, questions, report, card."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builders.benchmark import SPLITS, benchmark_config, build_benchmark
from builders.build import Built, Progress, build
from builders.card import load_texts, write_card
from builders.shards import plan_shards
from builders.simulated import recipe as charts_recipe
from builders.simulated import vqa
from builders.simulated.config import SimulatedConfig
from builders.simulated.report import write_report
from common.errors import UserError

OpenProgress = Callable[[str, int], AbstractContextManager[Progress]]
"""Opens a progress bar: what is made, and how many items of it."""


@dataclass(frozen=True, slots=True)
class Produced:
    """What was produced.

    Attributes:
        charts: The charts.
        questions: The questions on the test split; `None` without one.
        benchmark: What `eval.yaml` names; `None` where it names another config.
        report: The build report, as Markdown.
        card: The dataset's card.
    """

    charts: Built
    questions: Built | None
    benchmark: Built | None
    report: Path
    card: Path


def produce(config: SimulatedConfig, out: Path, jobs: int, open_progress: OpenProgress) -> Produced:
    """Build a config of charts, its questions, the report and the card.

    Args:
        config: What to draw.
        out: The dataset's folder.
        jobs: Number of worker processes.
        open_progress: Shows progress.

    Raises:
        UserError: Something that the user can mend.
    """
    splits = {k: n for k, n in (("train", config.train), ("test", config.test)) if n}
    if not splits:
        raise UserError("nothing to make: train and test are both 0", "raise one of them")
    manifest = charts_recipe.empty_manifest(config)
    shards = plan_shards(splits, charts_recipe.SHARD_CHARTS)
    with open_progress(manifest.config, config.train + config.test) as progress:
        recipe = charts_recipe.SimulatedRecipe(config)
        charts = build(recipe, shards, manifest, out, jobs, progress)
    questions = _ask(config, charts, out, jobs, open_progress) if config.test else None
    benchmark = _benchmark(questions, out, open_progress) if questions else None
    report = write_report(charts, config, out / "reports")
    return Produced(charts, questions, benchmark, report, write_card(out))


def _ask(
    config: SimulatedConfig, charts: Built, out: Path, jobs: int, open_progress: OpenProgress
) -> Built:
    manifest = vqa.vqa_manifest(charts.manifest)
    shards = tuple(
        shard
        for shard in plan_shards({"train": config.train, "test": config.test}, vqa.SHARD_CHARTS)
        if shard.split == "test"
    )
    recipe = vqa.VqaRecipe(charts.folder, config.train, config.seed, config.jpeg_quality)
    rows = sum(not question["reason"] for chart in _test_questions(charts) for question in chart)
    with open_progress(manifest.config, rows) as progress:
        return build(recipe, shards, manifest, out, jobs, progress)


def _benchmark(questions: Built, out: Path, open_progress: OpenProgress) -> Built | None:
    wanted = load_texts("flowlearn").benchmark
    if not wanted or benchmark_config(questions.manifest.config) != wanted.config:
        return None
    with open_progress(wanted.config, len(SPLITS)) as progress:
        return build_benchmark(out, questions.manifest, progress)


def _test_questions(charts: Built) -> list[list[dict[str, Any]]]:
    import pyarrow.parquet as pq

    files = [name for name, entry in charts.manifest.files.items() if entry.split == "test"]
    tables = [pq.read_table(charts.folder / name, columns=["questions"]) for name in files]
    return [row["questions"] for table in tables for row in table.to_pylist()]
