"""The config behind `eval.yaml`: the questions in the form that general harnesses read."""

import base64
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from datasets import load_dataset
from small_dataset import picture, write_small_dataset

from builders import benchmark
from builders.benchmark import SPLITS, BenchmarkRecipe, build_benchmark
from builders.card import load_texts, write_card
from builders.shards import Shard, write_parquet
from flowlearn.features import SIMULATED_VQA
from flowlearn.tasks import TASKS


def ignore(items: int) -> None:
    """Take progress."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("benchmark") / "flowlearn"
    *_, questions = write_small_dataset(folder)
    assert build_benchmark(folder, questions, ignore).made == 1
    assert build_benchmark(folder, questions, ignore).made == 0
    write_card(folder)
    return folder


def test_rows_hold_the_whole_prompt_and_the_picture_as_text(folder: Path, tmp_path: Path) -> None:
    rows = load_dataset(str(folder), "simulated_benchmark", cache_dir=str(tmp_path))
    # Splits that no question is for are left out: an empty one would not load.
    assert {split: len(rows[split]) for split in rows} == {"counts": 4}
    row = rows["counts"][0]
    assert (row["prompt"], row["answer"], row["task"]) == ("Count.\n?", "2", "num_nodes")
    kind, _, data = row["image"].partition(",")
    assert kind == "data:image/jpeg;base64"
    assert base64.b64decode(data) == picture(0)


def test_eval_yaml_names_a_task_for_every_split_that_is_there(folder: Path) -> None:
    described = yaml.safe_load((folder / "eval.yaml").read_text())
    assert described["evaluation_framework"] == "inspect-ai"
    assert [task["split"] for task in described["tasks"]] == ["counts"]
    assert {task["config"] for task in described["tasks"]} == {"simulated_benchmark"}


def question(chart: int, task: str) -> dict[str, Any]:
    image = {"bytes": b"x", "path": None}
    texts = dict.fromkeys(("prompt", "question", "answer"), task)
    row = {"id": f"{chart}-{task}", "chart_id": str(chart), "task": task, "image": image}
    return {**row, **texts, "box": [], "support": []}


def test_every_scored_task_of_the_first_charts_is_in_one_split(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(benchmark, "CHARTS", 3)
    for number, charts in enumerate([range(2), range(2, 6)]):
        rows = [question(chart, task) for chart in charts for task in TASKS]
        path = tmp_path / f"test-{number}.parquet"
        write_parquet(path, "test", rows, SIMULATED_VQA.arrow_schema)
    recipe = BenchmarkRecipe(tmp_path)
    made = [row for split in SPLITS for row in recipe.rows(Shard(split, 0, 1, 0, 1))]
    assert recipe.splits() == tuple(SPLITS)
    scored = set(TASKS) - {"mermaid", "description"}
    assert sorted(row["id"] for row in made) == sorted(f"{n}-{t}" for n in range(3) for t in scored)


@pytest.mark.parametrize(
    ("reply", "read"),
    [
        ("True.", "True"),
        ("The statement is false: it is FALSE", "false"),
        ("true or\nfalse", None),
        ("false, not\ntrue", None),
        ("untrue", None),
        ("", None),
    ],
)
def test_statements_are_read_by_the_papers_rule(reply: str, read: str | None) -> None:
    """Right if exactly one of the tokens occurs, and it is the gold one."""
    wanted = load_texts("flowlearn").benchmark
    assert wanted
    (scorer,) = wanted.scorers["statements"]
    found = re.search(scorer["args"]["pattern"], reply, re.IGNORECASE)
    assert (found[1] if found else None) == read
