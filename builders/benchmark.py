"""The config behind `eval.yaml`, which `inspect_ai` and the Hub run as it stands.

They take pictures as data URIs in a column of text, and score replies with general scorers; so the
questions of the first charts are written once more in that form, one split for each way of scoring.
What code or descriptions are worth only our own metrics can tell: those tasks are left out.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from builders.build import Built, Progress, build
from builders.manifest import Manifest
from builders.shards import Shard

CHARTS = 100
"""As many as the paper compares all models on (Tables 10 to 12)."""

SPLITS: dict[str, frozenset[str]] = {
    "ocr": frozenset({"ocr"}),
    "statements": frozenset({"true_a_to_b", "false_a_to_b", "true_between", "false_between"}),
    "counts": frozenset({"num_nodes", "num_arrows"}),
}
"""The tasks of each split."""

_COLUMNS = ["id", "chart_id", "task", "prompt", "question", "answer", "image"]


@dataclass(frozen=True, slots=True)
class BenchmarkRecipe:
    """How to make the rows.

    Attributes:
        questions: Data folder of the questions.
    """

    questions: Path

    @contextmanager
    def open(self) -> Iterator[BenchmarkRecipe]:
        """Open nothing: the recipe makes the rows itself."""
        yield self

    def features(self) -> Any:
        """Return the features of a row."""
        from flowlearn.features import BENCHMARK

        return BENCHMARK

    def rows(self, shard: Shard) -> Iterator[Mapping[str, Any]]:
        """Yield the questions of a split."""
        for row in self._questions(_COLUMNS):
            if row["task"] in SPLITS[shard.split]:
                picture = base64.b64encode(row["image"]["bytes"]).decode()
                yield {
                    "id": row["id"],
                    "chart_id": row["chart_id"],
                    "task": row["task"],
                    "prompt": f"{row['prompt']}\n{row['question']}".rstrip(),
                    "image": f"data:image/jpeg;base64,{picture}",
                    "answer": row["answer"],
                }

    def splits(self) -> tuple[str, ...]:
        """Return the splits that the charts have questions for: none may be empty."""
        asked = {row["task"] for row in self._questions(["chart_id", "task"])}
        return tuple(split for split, tasks in SPLITS.items() if tasks & asked)

    def notes(self) -> dict[str, int]:
        """Return nothing: no question is rejected."""
        return {}

    def _questions(self, columns: list[str]) -> Iterator[dict[str, Any]]:
        import pyarrow.parquet as pq

        charts: set[str] = set()
        for path in sorted(self.questions.glob("*.parquet")):
            for batch in pq.ParquetFile(path).iter_batches(64, columns=columns):
                for row in batch.to_pylist():
                    charts.add(row["chart_id"])
                    if len(charts) > CHARTS:
                        return
                    yield row


def build_benchmark(folder: Path, questions: Manifest, progress: Progress) -> Built:
    """Build the config from built questions, in the same dataset.

    Args:
        folder: The dataset's folder.
        questions: Manifest of the questions, e.g. of `simulated_vqa`.
        progress: Told of finished splits.

    Raises:
        UserError: As for `build`.
    """
    from flowlearn.features import BENCHMARK

    digests = {name: entry.sha256 for name, entry in questions.files.items()}
    manifest = replace(
        questions,
        config=benchmark_config(questions.config),
        made_by={"questions": questions.config, "files": digests, "charts": CHARTS},
        features=BENCHMARK._to_yaml_list(),
        files={},
    )
    recipe = BenchmarkRecipe(folder / "data" / questions.config)
    shards = tuple(Shard(split, 0, 1, 0, 1) for split in recipe.splits())
    return build(recipe, shards, manifest, folder, 1, progress)


def benchmark_config(questions: str) -> str:
    """Return the name of the config that is made from questions."""
    return f"{questions.removesuffix('_vqa')}_benchmark"
