"""Installed names load from any folder, with and without a Hub, and leave without a trace."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import datasets
import huggingface_hub
import pytest
from hub_server.server import HubServer
from small_dataset import SPLITS, write_small_dataset
from tiny_metric import write_tiny_metric

from builders import install as installing
from common.errors import UserError

OFFLINE = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_EVALUATE_OFFLINE": "1"}
SECONDS = 3.0

LOAD = """
import json, time
waited = []
time.sleep = waited.append  # between the clients' attempts
from datasets import load_dataset
import evaluate
rows = load_dataset("flowlearn", "simulated")
metric = evaluate.load("tiny")
told = {
    "counts": {split: len(rows[split]) for split in rows},
    "seed": rows["train"][0]["seed"],
    "size": rows["test"][0]["image"].size,
    "version": str(rows["train"].info.version),
    "metric": metric.compute(predictions=["a", "b"]),
    "seconds": time.process_time() + sum(waited),
}
print(json.dumps(told))
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of caches, for this process and for the ones that it starts."""
    home = tmp_path / "home"
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", home / "datasets")
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(home / "hub"))
    # evaluate's modules stay where they are: they were imported from there already.
    monkeypatch.setattr(installing, "_modules_cache", lambda: home / "modules")
    return home


def load_elsewhere(home: Path, tmp_path: Path, environment: Mapping[str, str]) -> dict[str, Any]:
    """Load both bare names in a new process, in an empty folder."""
    empty = tmp_path / "empty"
    empty.mkdir(exist_ok=True)
    done = subprocess.run(
        [sys.executable, "-c", LOAD],
        cwd=empty,
        env=os.environ | {"HF_HOME": str(home)} | dict(environment),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


def install_both(tmp_path: Path, version: str = "1.0", seed: int = 0) -> None:
    """Install a small dataset and the tiny metric in a version."""
    folder = tmp_path / f"built-{seed}" / "flowlearn"
    write_small_dataset(folder, seed=seed)
    installing.install_dataset(folder, lambda what: None)
    metric = write_tiny_metric(tmp_path / f"metrics-{version}", version, doubled=version != "1.0")
    installing.install_metric(metric, lambda what: None)


def tree(home: Path) -> set[str]:
    """Return the files below a folder but those that Python and locks leave behind."""
    return {
        path.relative_to(home).as_posix()
        for path in home.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".lock"
    }


def test_both_names_load_offline_within_seconds(home: Path, tmp_path: Path) -> None:
    install_both(tmp_path)
    told = load_elsewhere(home, tmp_path, OFFLINE)
    assert told["counts"] == SPLITS
    assert told["size"] == [32, 24]
    assert told["version"] == "1.0.0"
    assert told["metric"] == {"count": 2, "signature": "tiny|version:1.0"}
    # CPU seconds of the whole process, imports included (the machine may be busy), and all waits.
    assert told["seconds"] < SECONDS


@pytest.mark.parametrize("hub", ["unreachable", "without the names"])
def test_both_names_load_whatever_the_hub_says(hub: str, home: Path, tmp_path: Path) -> None:
    install_both(tmp_path)
    if hub == "unreachable":
        told = load_elsewhere(home, tmp_path, {"HF_ENDPOINT": "http://127.0.0.1:9"})
        assert told["seconds"] < SECONDS + 2  # evaluate asks three times, half a second apart
    else:
        with HubServer(tmp_path / "xet") as server:
            told = load_elsewhere(home, tmp_path, {"HF_ENDPOINT": server.url})
            assert server.seen
    assert told["counts"] == SPLITS
    assert told["metric"]["count"] == 2


def test_installing_another_version_switches_there_and_back(home: Path, tmp_path: Path) -> None:
    for version, seed in (("1.0", 0), ("1.1", 1), ("1.0", 0)):
        install_both(tmp_path, version, seed)
        told = load_elsewhere(home, tmp_path, OFFLINE)
        assert told["seed"] == seed
        assert told["metric"]["signature"] == f"tiny|version:{version}"
        assert len(installing.installed()) == 3


def test_installing_again_changes_nothing(home: Path, tmp_path: Path) -> None:
    install_both(tmp_path)
    before, files = installing.installed(), tree(home)
    install_both(tmp_path)
    assert (installing.installed(), tree(home)) == (before, files)


def test_status_tells_what_is_installed(home: Path, tmp_path: Path) -> None:
    assert installing.installed() == ()
    install_both(tmp_path)
    titles = [(item.title, item.version) for item, _ in installing.installed()]
    assert titles == [
        ("flowlearn, simulated", "1.0"),
        ("flowlearn, simulated_vqa", "1.0"),
        ("tiny", "1.0"),
    ]


def test_removing_restores_what_was_there(home: Path, tmp_path: Path) -> None:
    """Entries that a user's own loading made stay, and count again."""
    own = tmp_path / "own" / "flowlearn"
    write_small_dataset(own, seed=7)
    datasets.load_dataset(str(own), "simulated")
    before = tree(home)
    install_both(tmp_path)
    assert datasets.load_dataset(str(own), "simulated", split="train")[0]["seed"] == 7
    assert load_elsewhere(home, tmp_path, OFFLINE)["seed"] == 0
    removed = installing.remove()
    assert [item.title for item in removed] == [
        "flowlearn, simulated",
        "flowlearn, simulated_vqa",
        "tiny",
    ]
    assert {path for path in tree(home) if "/metrics/" not in path} - before <= {
        "modules/__init__.py",
        "modules/evaluate_modules/__init__.py",
    }
    assert not list((home / "modules").rglob("tiny.py"))
    assert installing.remove() == ()


def test_a_real_copy_of_the_name_in_the_hubs_cache_is_left_alone(
    home: Path, tmp_path: Path
) -> None:
    real = home / "hub" / "datasets--flowlearn" / "refs" / "main"
    real.parent.mkdir(parents=True)
    real.write_text("0" * 40)
    install_both(tmp_path)
    installing.remove()
    assert real.read_text() == "0" * 40
    assert [path.name for path in (home / "hub" / "datasets--flowlearn").iterdir()] == ["refs"]


def test_a_config_that_is_gone_is_not_left_installed(home: Path, tmp_path: Path) -> None:
    install_both(tmp_path)
    folder = tmp_path / "built-0" / "flowlearn"
    for path in (folder / "data" / "simulated_vqa").iterdir():
        path.unlink()
    installing.install_dataset(folder, lambda what: None)
    assert [item.config for item, _ in installing.installed()] == ["simulated", ""]


def test_damaged_data_are_not_installed(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "flowlearn"
    write_small_dataset(folder)
    file = folder / "data" / "simulated" / "train-00000-of-00002.parquet"
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(UserError, match=r"is not what manifest\.json says"):
        installing.install_dataset(folder, lambda what: None)
    assert installing.installed() == ()


def test_nothing_built_says_what_to_run(home: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="run `make build` first"):
        installing.install_dataset(tmp_path, lambda what: None)


def test_a_metric_that_does_not_load_is_not_installed(home: Path, tmp_path: Path) -> None:
    metric = write_tiny_metric(tmp_path / "metrics")
    (metric / "tiny.py").write_text("1 / 0\n")
    with pytest.raises(UserError, match="does not load"):
        installing.install_metric(metric, lambda what: None)
    assert installing.installed() == ()
