"""The question configs: one row a question of the test split, with its own picture."""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from PIL import Image, ImageDraw

from builders.manifest import Manifest
from builders.shards import Shard
from builders.simulated.raster import encode_jpeg
from common.errors import UserError
from flowlearn.tasks import PROMPTS, TASKS

SHARD_CHARTS = 500
SHOTS = 2
_DRAWS = 20
_MARGIN = 3
_COLUMNS = ["id", "image", "questions"]
_OPPOSITES = {
    "true_a_to_b": "false_a_to_b",
    "false_a_to_b": "true_a_to_b",
    "true_between": "false_between",
    "false_between": "true_between",
}


@dataclass(frozen=True, slots=True)
class VqaRecipe:
    """How to make the questions of a built config of charts.

    Attributes:
        charts: Data folder of the charts.
        first: Index of the first chart of the test split.
        seed: Seed of the choice of examples.
        jpeg_quality: Quality of the pictures with a red box.
    """

    charts: Path
    first: int
    seed: int
    jpeg_quality: int

    @contextmanager
    def open(self) -> Iterator[VqaMaker]:
        """Read the questions of the train split, which the examples come from."""
        yield VqaMaker(self, _train_questions(self.charts))

    def features(self) -> Any:
        """Return the features of a question's row."""
        from flowlearn.features import SIMULATED_VQA

        return SIMULATED_VQA


class VqaMaker:
    """Makes shards of questions.

    Args:
        recipe: What to make.
        pool: Questions of the train split by task, each with its `chart_id`.
    """

    def __init__(self, recipe: VqaRecipe, pool: Mapping[str, Sequence[dict[str, Any]]]) -> None:
        self._recipe = recipe
        self._pool = pool

    def rows(self, shard: Shard) -> Iterator[Mapping[str, Any]]:
        """Yield one row for each question that the shard's charts can have."""
        start = shard.start - self._recipe.first
        for chart in _charts(self._recipe.charts, "test", start, shard.count):
            rng = np.random.default_rng([self._recipe.seed, int(chart["id"])])
            for question in chart["questions"]:
                if not question["reason"]:
                    yield self._row(chart, question, rng)

    def notes(self) -> dict[str, int]:
        """Return nothing: no question is rejected."""
        return {}

    def _row(
        self, chart: Mapping[str, Any], question: Mapping[str, Any], rng: np.random.Generator
    ) -> dict[str, Any]:
        task = question["task"]
        image = chart["image"]["bytes"]
        if task == "ocr":
            image = red_box(image, question["box"], self._recipe.jpeg_quality)
        return {
            "id": f"{chart['id']}-{task}",
            "chart_id": chart["id"],
            "image": {"bytes": image, "path": None},
            "task": task,
            "prompt": PROMPTS[task],
            "question": question["question"],
            "answer": question["answer"],
            "box": question["box"],
            "support": choose_support(self._pool, task, rng),
        }


def choose_support(
    pool: Mapping[str, Sequence[dict[str, Any]]], task: str, rng: np.random.Generator
) -> list[dict[str, Any]]:
    """Choose two solved examples, whatever the query's own label is.

    Statements get one true and one false example in random order; upstream's last example always
    had the query's label.

    Args:
        pool: Questions by task.
        task: The query's task.
        rng: Source of all choices.

    Returns:
        Two examples from different charts, fewer where the pool has none.
    """
    # Sorted, so that the draw does not depend on which of the two tasks asks.
    tasks = sorted((task, _OPPOSITES[task])) if task in _OPPOSITES else [task] * SHOTS
    chosen: dict[str, dict[str, Any]] = {}
    for one in (tasks[int(i)] for i in rng.permutation(len(tasks))):
        others = [q for q in _sample(pool.get(one, ()), rng) if q["chart_id"] not in chosen]
        if others:
            chosen[others[0]["chart_id"]] = others[0]
    return list(chosen.values())


def _sample(questions: Sequence[dict[str, Any]], rng: np.random.Generator) -> list[dict[str, Any]]:
    if not questions:
        return []
    return [questions[int(i)] for i in rng.integers(len(questions), size=_DRAWS)]


def red_box(jpeg: bytes, box: Sequence[float], quality: int) -> bytes:
    """Draw a red box round a text.

    Args:
        jpeg: The picture.
        box: `x0, y0, x1, y1` of the text in pixels.
        quality: JPEG quality of the result.
    """
    with Image.open(io.BytesIO(jpeg)) as picture:
        drawn = picture.convert("RGB")
    x0, y0, x1, y1 = box
    frame = (x0 - _MARGIN, y0 - _MARGIN, x1 + _MARGIN, y1 + _MARGIN)
    ImageDraw.Draw(drawn).rectangle(frame, outline=(255, 0, 0), width=2)
    return encode_jpeg(drawn, quality)


def _train_questions(charts: Path) -> dict[str, list[dict[str, Any]]]:
    pool: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for file in sorted(charts.glob("train-*.parquet")):
        for row in pq.read_table(file, columns=["id", "questions"]).to_pylist():
            for question in row["questions"]:
                if not question["reason"]:
                    example = {key: question[key] for key in ("question", "answer", "box")}
                    pool[question["task"]].append({"chart_id": row["id"], **example})
    return {task: pool[task] for task in TASKS}


def _charts(folder: Path, split: str, start: int, count: int) -> Iterator[dict[str, Any]]:
    """Yield the charts `start` to `start + count` of a split, a row group in memory at a time."""
    at = 0
    for path in sorted(folder.glob(f"{split}-*.parquet")):
        file = pq.ParquetFile(path)
        for group in range(file.num_row_groups):
            rows = file.metadata.row_group(group).num_rows
            if at + rows > start and at < start + count:
                table = file.read_row_group(group, columns=_COLUMNS)
                yield from table.slice(
                    max(0, start - at), start + count - max(at, start)
                ).to_pylist()
            at += rows


def vqa_manifest(charts: Manifest) -> Manifest:
    """Return the manifest of the questions of a built config of charts.

    Raises:
        UserError: The charts have no test split.
    """
    from flowlearn.features import SIMULATED_VQA

    if "test" not in charts.splits():
        raise UserError(f"{charts.config} has no test split to ask about", "set `test` above 0")
    digests = {name: entry.sha256 for name, entry in charts.files.items()}
    return replace(
        charts,
        config=f"{charts.config}_vqa",
        made_by={"charts": charts.config, "files": digests},
        features=SIMULATED_VQA._to_yaml_list(),
        files={},
    )
