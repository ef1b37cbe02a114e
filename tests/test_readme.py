"""The README's examples, run as they stand."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
FLOWLEARN = str(Path(sys.executable).with_name("flowlearn"))


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)\n```\n", README, flags=re.DOTALL)


def console_lines():
    return [line for block in blocks("console") for line in block.splitlines()]


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def test_the_metric_example_runs():
    (code,) = [block for block in blocks("python") if "evaluate.load" in block]
    done = run([sys.executable, "-c", code], cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("mermaid_f1|")


@pytest.mark.browser
@pytest.mark.xdist_group("browser")
def test_the_dataset_example_runs(tmp_path):
    (code,) = [block for block in blocks("python") if "load_dataset" in block]
    arguments = ["build", "simulated", "--train", "6", "--test", "2", "--out", "flowlearn"]
    built = run([FLOWLEARN, *arguments], cwd=tmp_path)
    assert built.returncode == 0, built.stderr
    done = run([sys.executable, "-c", code], cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("flowchart ")


@pytest.mark.parametrize("line", [line for line in console_lines() if line.startswith("echo")])
def test_the_piped_examples_answer(line):
    here = line.replace(".venv/bin/flowlearn", shlex.quote(FLOWLEARN))
    done = run(["bash", "-c", here], cwd=ROOT)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer.get("ok") or answer.get("value") == "false" or answer.get("letters") == ["C"]


@pytest.mark.parametrize(
    "line", [line for line in console_lines() if line.startswith(".venv/bin/flowlearn")]
)
def test_the_other_commands_and_flags_exist(line):
    words = shlex.split(line, comments=True)[1:]
    flags = [word for word in words if word.startswith("--")]
    command = [word for word in words[:2] if re.fullmatch("[a-z-]+", word) and word not in flags]
    done = run([FLOWLEARN, *command, "--help"])
    assert done.returncode == 0, done.stderr
    assert all(flag in done.stdout for flag in flags)


@pytest.mark.parametrize("line", [line for line in console_lines() if line.startswith("make ")])
def test_the_make_targets_exist(line):
    target = line.split()[1]
    assert run(["make", "-n", target], cwd=ROOT).returncode == 0
    assert f"make {target} " in run(["make", "help"], cwd=ROOT).stdout
