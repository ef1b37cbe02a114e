"""Each metric's web app starts and answers a request, as its Space runs it (`make compat`)."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from environments import python_with

from builders.metric_folders import copy_metric, metric_example, metric_folder, metric_names

RUN = """
import json, sys
import app as module
from gradio_client import Client

_, url, _ = module.app.launch(prevent_thread_lock=True, quiet=True)
client = Client(url, verbose=False)
lines, options = json.loads(sys.argv[1])
result = client.predict(lines, options, api_name="/score")
try:
    client.predict("not JSON", options, api_name="/score")
    refusal = ""
except Exception as error:
    refusal = str(error)
print(json.dumps({"result": result, "refusal": refusal}))
"""

pytestmark = pytest.mark.skipif("COMPAT" not in os.environ, reason="run by `make compat`")


def requirements() -> tuple[str, ...]:
    """Return what the Spaces of all metrics install, and gradio, which they have anyway."""
    files = [metric_folder(name) / "requirements.txt" for name in metric_names()]
    lines = {line.strip() for file in files for line in file.read_text().splitlines()}
    return ("gradio>=6", *sorted(line for line in lines if line and not line.startswith("#")))


@pytest.mark.parametrize("name", metric_names())
def test_the_app_answers(name: str, tmp_path: Path) -> None:
    space = tmp_path / name
    copy_metric(metric_folder(name), space)
    example = metric_example(space)
    items = [
        dict(zip(example.columns, values, strict=True))
        for values in zip(*example.columns.values(), strict=True)
    ]
    given = json.dumps(["\n".join(map(json.dumps, items)), json.dumps(example.options)])
    environment = os.environ | {
        "HF_HOME": str(tmp_path / "home"),
        "HF_HUB_OFFLINE": "1",
        "HF_EVALUATE_OFFLINE": "1",
        "GRADIO_ANALYTICS_ENABLED": "False",
    }
    done = subprocess.run(
        [python_with("spaces", requirements()), "-c", RUN, given],
        cwd=space,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    assert told["result"]["signature"].startswith(f"{name}|")
    assert "line 1: not JSON" in told["refusal"]
