"""The inspect_ai tasks, run by inspect_ai itself on a mock model (`make compat`)."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from environments import python_with
from small_dataset import write_small_dataset

ROOT = Path(__file__).resolve().parents[2]
# inspect_ai asks for older versions of packages than the project has.
REQUIREMENTS = (
    *("inspect-ai", "datasets", "pillow", "numpy", "scipy", "rapidfuzz", "rouge-score"),
    *("sacrebleu", "pyyaml"),
)
RUN = """
import json, sys
import yaml
from inspect_ai import eval
from inspect_ai._eval.task.hf import HFTask
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
    "hub_tasks": [
        HFTask.model_validate(task).id
        for task in yaml.safe_load(open(folder + "/eval.yaml"))["tasks"]
    ],
}))
"""

pytestmark = pytest.mark.skipif("COMPAT" not in os.environ, reason="run by `make compat`")


def test_flowlearn_runs_and_scores(tmp_path: Path) -> None:
    write_small_dataset(tmp_path / "flowlearn")
    environment = os.environ | {
        "PYTHONPATH": str(ROOT),
        "HF_HOME": str(tmp_path / "home"),
        "HF_HUB_OFFLINE": "1",
    }
    python = python_with("inspect", REQUIREMENTS)
    arguments = [str(tmp_path / "flowlearn"), str(tmp_path / "logs")]
    done = subprocess.run(
        [python, "-c", RUN, *arguments],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    assert told["status"] == "success"
    assert told["values"] == [1.0, 1.0, 0.0, 0.0]
    assert told["metrics"]["num_nodes"] == 0.5
    assert told["metrics"]["stderr"] > 0
    assert told["input"] == ["text", "image"]
    assert told["hub_tasks"] == ["simulated_vqa"]
