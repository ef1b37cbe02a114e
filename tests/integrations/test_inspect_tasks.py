"""The inspect_ai tasks, run by inspect_ai itself on a mock model (`make compat`)."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from environments import python_with
from small_dataset import write_small_dataset

from builders.benchmark import build_benchmark
from builders.card import write_card

ROOT = Path(__file__).resolve().parents[2]
# inspect_ai asks for older versions of packages than the project has.
REQUIREMENTS = (
    *("inspect-ai", "datasets", "pillow", "numpy", "scipy", "rapidfuzz", "rouge-score"),
    *("sacrebleu", "pyyaml"),
)
RUN = """
import json, sys
from inspect_ai import eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from integrations.inspect_tasks import flowlearn

folder, logs = sys.argv[1:]
outputs = []
for reply in ("2", "There are two nodes.", "I cannot tell.", "3"):
    output = ModelOutput.from_content("mockllm/model", reply)
    output.usage = ModelUsage(total_tokens=1)
    outputs.append(output)
model = get_model("mockllm/model", custom_outputs=outputs)
log = eval(flowlearn(folder), model=model, log_dir=logs, max_samples=1, display="none")[0]
sample = log.samples[0]
print(json.dumps({
    "status": log.status,
    "values": [next(iter(s.scores.values())).value for s in log.samples],
    "reasons": [next(iter(s.scores.values())).explanation for s in log.samples],
    "metrics": {n: m.value for s in log.results.scores for n, m in s.metrics.items()},
    "input": [part.type for part in sample.input[0].content],
}))
"""
RUN_FROM_HUB = """
import json, sys
import huggingface_hub
from inspect_ai import eval
from inspect_ai._eval.task.hf import task_create_from_hf
from inspect_ai.model import ModelOutput, ModelUsage, get_model

# The file would come from the Hub; the rows come from the folder of the repository's name.
huggingface_hub.hf_hub_download = lambda repo_id, filename, **where: f"{repo_id}/{filename}"
outputs = []
for reply in ("2", "There are 2 nodes.", "I cannot tell.", "3"):
    output = ModelOutput.from_content("mockllm/model", reply)
    output.usage = ModelUsage(total_tokens=1)
    outputs.append(output)
model = get_model("mockllm/model", custom_outputs=outputs)
(task,) = task_create_from_hf("hf/lab/flowlearn/counts")
log = eval(task, model=model, log_dir=sys.argv[1], max_samples=1, display="none")[0]
sample = log.samples[0]
print(json.dumps({
    "status": log.status,
    "values": [next(iter(s.scores.values())).value for s in log.samples],
    "input": [part.type for part in sample.input[0].content],
    "text": sample.input[0].text,
}))
"""

pytestmark = pytest.mark.skipif("COMPAT" not in os.environ, reason="run by `make compat`")


def run(script: str, tmp_path: Path, *arguments: str) -> dict[str, Any]:
    """Run a script in the environment of inspect_ai; return what it prints last."""
    environment = os.environ | {
        "PYTHONPATH": str(ROOT),
        "HF_HOME": str(tmp_path / "home"),
        "HF_HUB_OFFLINE": "1",
    }
    done = subprocess.run(
        [python_with("inspect", REQUIREMENTS), "-c", script, *arguments],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


def test_flowlearn_runs_and_scores(tmp_path: Path) -> None:
    write_small_dataset(tmp_path / "flowlearn")
    told = run(RUN, tmp_path, str(tmp_path / "flowlearn"), str(tmp_path / "logs"))
    assert told["status"] == "success"
    assert told["values"] == [1.0, 1.0, 0.0, 0.0]
    assert told["metrics"]["num_nodes"] == 0.5
    assert told["metrics"]["stderr"] > 0
    assert told["input"] == ["text", "image"]


def test_eval_yaml_runs_as_it_stands(tmp_path: Path) -> None:
    """With inspect_ai's own reading of repositories, and its own scorers."""
    folder = tmp_path / "lab" / "flowlearn"
    *_, questions = write_small_dataset(folder)
    build_benchmark(folder, questions, lambda items: None)
    write_card(folder)
    told = run(RUN_FROM_HUB, tmp_path, str(tmp_path / "logs"))
    assert told["status"] == "success"
    assert told["values"] == ["C", "C", "I", "I"]
    assert told["input"] == ["text", "image"]
    assert told["text"] == "Count.\n?"
