"""The lmms-eval tasks: files that load, functions that score rows of the dataset.

By `make compat` the package itself loads and scores them, without the three that it brings along
for models (torch is 2.5 GB): reading tasks does not use them.
"""

import importlib.util
import json
import os
import subprocess
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml
from datasets import load_dataset
from environments import ROOT, python_with
from small_dataset import question, write_small_dataset

FOLDER = ROOT / "integrations" / "lmms_eval"
REQUIREMENTS = (
    *("datasets", "evaluate", "pillow", "numpy", "scipy", "rapidfuzz", "rouge-score", "sacrebleu"),
    *("pyyaml", "jinja2", "loguru", "tenacity", "tqdm", "tiktoken", "pytablewriter"),
)
RUN = """
import json, sys
from importlib.machinery import ModuleSpec
from unittest.mock import MagicMock
import datasets, evaluate  # before the stand-ins: they look for torch

class StandIns:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("torch", "transformers", "accelerate"):
            return ModuleSpec(name, self, is_package=True)
    def create_module(self, spec):
        return MagicMock(name=spec.name)
    def exec_module(self, module):
        pass

sys.meta_path.append(finder := StandIns())
from lmms_eval.api.task import TaskConfig
from lmms_eval.tasks import TaskManager, get_task_dict
from lmms_eval.utils import load_yaml_config
sys.meta_path.remove(finder)
for name in [name for name, module in sys.modules.items() if isinstance(module, MagicMock)]:
    del sys.modules[name]

folder = sys.argv[1]
manager = TaskManager(include_path=folder, include_defaults=False)
task = get_task_dict(["flowlearn"], manager)["flowlearn"]
rows = task.test_docs()
results = [task.process_results(row, [reply]) for row, reply in zip(rows, ["2", "two", "3", ""])]
values = [result["count_accuracy"] for result in results]
print(json.dumps({
    "tasks": sorted(manager.all_tasks),
    "texts": [task.doc_to_text(row) for row in rows],
    "modes": [task.doc_to_visual(row)[0].mode for row in rows],
    "targets": [task.doc_to_target(row) for row in rows],
    "score": task.aggregation()["count_accuracy"](values),
    "logicvista": TaskConfig(**load_yaml_config(folder + "/logicvista.yaml")).dataset_name,
}))
"""


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


@pytest.mark.skipif("COMPAT" not in os.environ, reason="run by `make compat`")
def test_the_package_itself_loads_and_scores_the_tasks(tmp_path: Path) -> None:
    write_small_dataset(tmp_path / "flowlearn")
    offline = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_EVALUATE_OFFLINE": "1"}
    environment = {"PYTHONPATH": str(ROOT), "HF_HOME": str(tmp_path / "home"), **offline}
    python = python_with("lmms_eval", REQUIREMENTS, bare=("lmms-eval==0.7.3",))
    done = subprocess.run(
        [python, "-c", RUN, str(FOLDER)],
        cwd=tmp_path,
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["tasks"] == ["flowlearn", "logicvista"]
    assert told["texts"] == ["Count.\n?"] * 4
    assert told["modes"] == ["RGB"] * 4
    assert told["targets"] == ["2"] * 4
    assert told["score"] == 0.5
    assert told["logicvista"] == "published"
