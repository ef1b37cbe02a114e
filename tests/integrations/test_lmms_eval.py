"""The lmms-eval tasks: files that load, functions that score rows of the dataset."""

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml
from datasets import load_dataset
from small_dataset import question, write_small_dataset

FOLDER = Path(__file__).resolve().parents[2] / "integrations" / "lmms_eval"


def load_utils() -> ModuleType:
    """Load the functions by path, as lmms-eval does."""
    spec = importlib.util.spec_from_file_location("lmms_utils", FOLDER / "utils.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


UTILS = load_utils()


class Loader(yaml.SafeLoader):
    """Resolves `!function utils.name`."""


Loader.add_constructor(
    "!function",
    lambda loader, node: getattr(UTILS, loader.construct_scalar(node).removeprefix("utils.")),
)


def load_task(name: str) -> dict[str, Any]:
    task: dict[str, Any] = yaml.load((FOLDER / f"{name}.yaml").read_text(), Loader)
    return task


LOGIC = {
    "id": "v1_7",
    "question": "Which comes next? (A) (B) (C)",
    "scorable": True,
    "reasoning": "",
    "options": [{"label": label, "text": ""} for label in "ABC"],
    "labels": list("ABC"),
    "answer": ["B"],
    "skill": "inductive",
    "capabilities": ["diagram"],
    "image_group": "v1_7",
}


def test_flowlearn_scores_rows_end_to_end(tmp_path: Path) -> None:
    write_small_dataset(tmp_path / "flowlearn")
    task = load_task("flowlearn")
    rows = load_dataset(str(tmp_path / "flowlearn"), task["dataset_name"], split=task["test_split"])
    results: dict[str, list[Any]] = {}
    for number, row in enumerate(rows):
        assert task["doc_to_visual"](row)[0].mode == "RGB"
        assert task["doc_to_text"](row, {"post_prompt": "!"}) == "Count.\n?!"
        for metric, value in task["process_results"](row, ["2" if number else "3"]).items():
            results.setdefault(metric, []).append(value)
    aggregations = {entry["metric"]: entry["aggregation"] for entry in task["metric_list"]}
    assert {metric: aggregations[metric](values) for metric, values in results.items()} == {
        "count_accuracy": 0.75
    }


@pytest.mark.parametrize(
    ("task", "answer", "reply", "scored"),
    [
        ("true_a_to_b", "true", "It is true.", ("tf_accuracy", 1.0)),
        ("false_between", "false", "true or false", ("tf_accuracy", 0.0)),
        ("num_arrows", "3", "There are three.", ("count_accuracy", 1.0)),
        ("ocr", "left subtree", "It reads: left subtree", ("ocr_accuracy", 1.0)),
        ("ocr", "left subtree", "Left Subtree", ("ocr_accuracy", 0.0)),
        (
            "mermaid",
            "```mermaid\nflowchart TD\na(x)\nb(y)\na --> b\n```",
            "```mermaid\nflowchart LR\nq(x) ==> r(y)\n```",
            ("link_f1", 1.0),
        ),
        ("description", "x points to y.", "x points to y.", ("rouge_l", 1.0)),
        ("description", "x points to y.", "", ("rouge_l", 0.0)),
    ],
)
def test_every_task_has_its_rule(
    task: str, answer: str, reply: str, scored: tuple[str, float]
) -> None:
    row = {**question(0), "task": task, "answer": answer}
    ((metric, value),) = UTILS.flowlearn_results(row, [reply]).items()
    assert (metric, pytest.approx(value["value"])) == scored
    assert metric in {entry["metric"] for entry in load_task("flowlearn")["metric_list"]}


def test_statements_average_over_their_kinds() -> None:
    """Three true statements do not outweigh one false one."""
    told = [{"task": "true_a_to_b", "value": 1.0}] * 3 + [{"task": "false_a_to_b", "value": 0.0}]
    assert UTILS.mean(told) == 0.5
    assert UTILS.plain_mean(told) == 0.75


def test_logicvista_scores_labels() -> None:
    task = load_task("logicvista")
    assert task["doc_to_text"](LOGIC) == LOGIC["question"]
    ((metric, value),) = task["process_results"](LOGIC, ["The answer is B."]).items()
    assert (metric, value["value"]) == ("mcq_accuracy", 1.0)
    assert task["process_results"](LOGIC, ["A"])["mcq_accuracy"]["value"] == 0.0
