"""Publishing on a local Hub with the real clients: done once, done whole, and only what may be."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import datasets
import evaluate
import pytest
from hub_server.clients import clients_at
from hub_server.faults import Fault, Faults
from hub_server.server import TOKEN, HubServer
from small_dataset import SPLITS, write_small_dataset
from tiny_metric import write_tiny_metric

from builders import hub
from builders.hub_packages import stage_all
from builders.manifest import load_manifest
from builders.metric_folders import metric_names
from common.errors import UserError
from flowlearn.features import SIMULATED

ROOT = Path(__file__).resolve().parents[2]
SENDING = {"create", "commit", "lfs-put", "tag", "branch"}


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    write_small_dataset(tmp_path / "flowlearn")
    return tmp_path / "flowlearn"


@pytest.fixture
def metric(tmp_path: Path) -> Path:
    return write_tiny_metric(tmp_path / "metrics")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[HubServer]:
    with HubServer(tmp_path / "xet") as server, clients_at(server, tmp_path / "cache"):
        yield server


class Publisher:
    """Stages and publishes, each time into a new folder."""

    def __init__(self, scratch: Path) -> None:
        self.scratch = scratch
        self.runs = 0

    def __call__(
        self, *folders: Path, namespace: str = "lab", token: str | None = TOKEN, dry: bool = False
    ) -> list[hub.Action]:
        self.runs += 1
        staged = self.scratch / str(self.runs)
        metrics = [folder for folder in folders if (folder / f"{folder.name}.py").exists()]
        data = [folder for folder in folders if folder not in metrics]
        packages = stage_all(data, metrics, staged, lambda what: None)
        api = hub.connect(token, timeout=20)
        steps = hub.plan(api, namespace, packages)
        if not dry:
            hub.publish(api, steps, lambda what: None)
        return [step.action for step in steps]


@pytest.fixture
def publish(tmp_path: Path) -> Publisher:
    return Publisher(tmp_path / "staged")


@pytest.mark.parametrize("way", ["xet", "lfs", "regular"])
def test_published_once_and_loaded_back(
    way: str,
    tmp_path: Path,
    dataset: Path,
    metric: Path,
    publish: Publisher,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_DISABLE_XET", way != "xet")
    regular = way == "regular"
    with (
        HubServer(tmp_path / "xet", regular_only=regular) as server,
        clients_at(server, tmp_path / "cache"),
    ):
        assert publish(dataset, metric) == ["publish", "publish"]
        rows = datasets.load_dataset("lab/flowlearn", "simulated", revision="v1.0")
        assert {split: len(rows[split]) for split in rows} == SPLITS
        assert rows["train"].features == SIMULATED
        assert str(rows["train"].info.version) == "1.0.0"
        streamed = datasets.load_dataset("lab/flowlearn", "simulated_vqa", streaming=True)
        assert len(list(streamed["test"])) == 4
        assert evaluate.load("lab/tiny").compute(predictions=["a"])["count"] == 1

        state, before = server.hub.store.state(), len(server.seen)
        assert publish(dataset, metric) == ["nothing", "nothing"]
        assert server.hub.store.state() == state
        assert not SENDING & {seen.route for seen in server.seen[before:]}
        assert not any("main" in path for path in state["spaces/lab/tiny"]["tags/v1.0"])


def test_dry_run_sends_nothing(server: HubServer, dataset: Path, publish: Publisher) -> None:
    assert publish(dataset, dry=True) == ["publish"]
    assert publish(dataset, dry=True, token=None) == ["publish"]
    assert not SENDING & {seen.route for seen in server.seen}


def test_a_new_version_replaces_the_files_and_keeps_the_old_tag(
    server: HubServer,
    tmp_path: Path,
    dataset: Path,
    publish: Publisher,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    publish(dataset)
    from builders import card

    texts = card.load_texts("flowlearn")
    change = card.Change.model_validate({"date": "2026-12-01", "what": "More."})
    newer = texts.model_copy(update={"changelog": {**texts.changelog, "1.1": change}})
    monkeypatch.setattr(card, "load_texts", lambda name: newer)
    other = tmp_path / "other" / "flowlearn"
    write_small_dataset(other, version="1.1", seed=1, shard=2)
    assert publish(other) == ["publish"]
    state = server.hub.store.state()["datasets/lab/flowlearn"]
    assert "data/simulated/train-00000-of-00002.parquet" in state["tags/v1.0"]
    assert "data/simulated/train-00000-of-00002.parquet" not in state["tags/v1.1"]
    assert state["branches/main"] == state["tags/v1.1"]
    old = datasets.load_dataset("lab/flowlearn", "simulated", split="train", revision="v1.0")
    new = datasets.load_dataset("lab/flowlearn", "simulated", split="train", revision="v1.1")
    assert (old[0]["seed"], new[0]["seed"]) == (0, 1)
    # The older one is still there, and publishing it again does not touch the newer.
    assert publish(dataset) == ["nothing"]
    assert server.hub.store.state()["datasets/lab/flowlearn"] == state


def test_texts_may_change_under_a_version(
    server: HubServer, dataset: Path, metric: Path, publish: Publisher
) -> None:
    publish(metric)
    card = metric / "README.md"
    card.write_text(card.read_text() + "\nA word more.\n")
    assert publish(metric) == ["refresh"]
    assert publish(metric) == ["nothing"]
    state = server.hub.store.state()["spaces/lab/tiny"]
    assert state["branches/main"]["README.md"] != state["tags/v1.0"]["README.md"]
    published = server.hub.store.contents[state["branches/main"]["README.md"]].decode()
    assert "# tiny\n\nVersion 1.0: " in published
    assert len(state) == 3  # settings, main, one tag


@pytest.mark.parametrize("what", ["dataset", "metric"])
def test_other_contents_under_a_used_version_are_refused(
    what: str, server: HubServer, tmp_path: Path, publish: Publisher
) -> None:
    if what == "dataset":
        write_small_dataset(tmp_path / "a" / "flowlearn")
        write_small_dataset(tmp_path / "b" / "flowlearn", seed=1)
        first, second = tmp_path / "a" / "flowlearn", tmp_path / "b" / "flowlearn"
    else:
        first = write_tiny_metric(tmp_path / "a")
        second = write_tiny_metric(tmp_path / "b", doubled=True)
    publish(first)
    state, before = server.hub.store.state(), len(server.seen)
    with pytest.raises(UserError, match=r"v1\.0 was published with other contents.*\n.*raise the"):
        publish(second)
    assert server.hub.store.state() == state
    assert not SENDING & {seen.route for seen in server.seen[before:]}


def test_a_foreign_repository_is_left_alone(
    server: HubServer, dataset: Path, publish: Publisher
) -> None:
    repo = server.hub.store.create("dataset", "lab/flowlearn", {})
    repo.add_commit("main", "My own data", {"mine.txt": server.hub.store.keep(b"mine")})
    with pytest.raises(UserError, match="was not made by `flowlearn publish`"):
        publish(dataset)


@pytest.mark.parametrize(
    ("namespace", "token", "problem"),
    [
        ("others", TOKEN, r"may not write into the namespace 'others'\n.*tester, lab"),
        ("lab", "hf_wrong", "asking the Hub who you are failed: .*Invalid user token"),
    ],
)
def test_wrong_rights_are_told_before_anything_is_sent(
    namespace: str,
    token: str,
    problem: str,
    server: HubServer,
    dataset: Path,
    publish: Publisher,
) -> None:
    with pytest.raises(UserError, match=problem) as raised:
        publish(dataset, namespace=namespace, token=token)
    assert token not in str(raised.value)
    assert not SENDING & {seen.route for seen in server.seen}


@pytest.mark.parametrize("damage", ["changed", "cut", "missing", "extra", "manifest"])
def test_tampered_data_are_refused(
    damage: str, server: HubServer, dataset: Path, publish: Publisher
) -> None:
    file = dataset / "data" / "simulated" / "train-00000-of-00002.parquet"
    content = file.read_bytes()
    if damage == "changed":
        file.write_bytes(content[:50] + bytes([content[50] ^ 1]) + content[51:])
    elif damage == "cut":
        file.write_bytes(content[:-1])
    elif damage == "missing":
        file.unlink()
    elif damage == "extra":
        file.with_name("train-00002-of-00003.parquet").write_bytes(content)
    else:
        (file.parent / "manifest.json").write_text("{}")
    with pytest.raises(UserError, match=r"build the config again"):
        publish(dataset)
    assert not server.seen


def test_row_groups_too_large_for_the_viewer_are_refused(
    server: HubServer, dataset: Path, publish: Publisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builders.hub_packages.MAX_ROW_GROUP_BYTES", 1000)
    with pytest.raises(UserError, match=r"row group of 0 MiB, the Hub's viewer takes 100 MB"):
        publish(dataset)
    assert not server.seen


def test_configs_that_must_not_travel_are_left_out(
    server: HubServer, dataset: Path, publish: Publisher
) -> None:
    folder = dataset / "data" / "simulated_vqa"
    manifest = load_manifest(folder)
    assert manifest
    replace(manifest, not_publishable="unlicensed figures").save(folder)
    publish(dataset)
    files = server.hub.store.state()["datasets/lab/flowlearn"]["tags/v1.0"]
    assert not any("simulated_vqa" in path for path in files)
    loaded = datasets.get_dataset_config_names("lab/flowlearn", revision="v1.0")
    assert loaded == ["simulated"]


@pytest.mark.parametrize("reason", ["research use only", ""])
def test_the_published_logicvista_is_refused(
    reason: str, server: HubServer, dataset: Path, publish: Publisher
) -> None:
    """Whatever its manifest says: an edited one does not make it free."""
    folder = dataset / "data" / "simulated"
    manifest = load_manifest(folder)
    assert manifest
    folder.rename(dataset / "data" / "published")
    replace(manifest, dataset="logicvista", config="published", not_publishable=reason).save(
        dataset / "data" / "published"
    )
    shutil.rmtree(dataset / "data" / "simulated_vqa")
    with pytest.raises(UserError, match="nothing of logicvista may be published"):
        publish(dataset)
    assert not server.seen


@pytest.mark.parametrize(
    ("card", "problem"),
    [
        ("# tiny\n", "has no settings of a Gradio Space"),
        ("---\nsdk: static\n---\n# tiny\n", "has no settings of a Gradio Space"),
        ("---\nsdk: [\n---\n# tiny\n", "cannot be read"),
        ("---\nsdk: gradio\napp_file: other.py\n---\n# tiny\n", "`app_file` that is not there"),
        ("---\nsdk: gradio\napp_file: app.py\n---\n# tiny\n", "does not say version 1.0"),
    ],
)
def test_a_metric_whose_space_would_not_start_is_refused(
    card: str, problem: str, server: HubServer, metric: Path, publish: Publisher
) -> None:
    (metric / "README.md").write_text(card)
    with pytest.raises(UserError, match=problem):
        publish(metric)
    assert not server.seen


def test_a_metric_that_fails_is_refused(
    server: HubServer, metric: Path, publish: Publisher
) -> None:
    (metric.parent / "core" / "counting.py").write_text("def count(items):\n    return 1 / 0\n")
    with pytest.raises(UserError, match=r"fails on its own example: .*zero"):
        publish(metric)
    assert not server.seen


def start_cli(
    server: HubServer, home: Path, *arguments: str, token: str = TOKEN
) -> subprocess.Popen[str]:
    """Start `flowlearn` in a process of its own."""
    environment = os.environ | {"HF_ENDPOINT": server.url, "HF_HOME": str(home), "HF_TOKEN": token}
    command = [sys.executable, "-c", "from cli.main import main; main()", *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=pipe, stderr=pipe, text=True)


def run_cli(server: HubServer, home: Path, *arguments: str, token: str = TOKEN) -> str:
    """Run `flowlearn` to its end; return code, output and errors as one text."""
    process = start_cli(server, home, *arguments, token=token)
    output, errors = process.communicate(timeout=300)
    assert TOKEN not in output + errors
    assert not [path for path in home.rglob("*") if path.is_file() and TOKEN in read(path)]
    return f"exit {process.returncode}\n{output}\n{errors}"


def read(path: Path) -> str:
    return path.read_bytes().decode("latin-1")


def test_the_command_publishes_every_metric(
    tmp_path: Path, dataset: Path, server: HubServer
) -> None:
    """With the metrics of the project, loaded back from the Hub by their published names."""
    arguments = ["publish", "--namespace", "lab", "--dataset", str(dataset)]
    told = run_cli(server, tmp_path / "home", *arguments)
    assert told.startswith("exit 0\n"), told
    assert f"{server.url}/datasets/lab/flowlearn/tree/v1.0" in told
    for name in metric_names():
        state = server.hub.store.state()[f"spaces/lab/{name}"]
        assert state["settings"] == {"sdk": "gradio"}
        assert f"{name}.py" in next(files for ref, files in state.items() if "tags/" in ref)
        assert evaluate.load(f"lab/{name}").name == name


def test_the_command_fails_clearly(tmp_path: Path, dataset: Path, server: HubServer) -> None:
    arguments = ["publish", "--namespace", "lab", "--dataset", str(dataset), "--no-metrics"]
    told = run_cli(server, tmp_path / "home", *arguments, token="")
    assert told.startswith("exit 1\n")
    assert "no token for the Hub was found" in told
    assert "Traceback" not in told
    empty = tmp_path / "empty"
    empty.mkdir()
    told = run_cli(server, tmp_path / "home", *arguments[:-2], str(empty), "--no-metrics")
    assert told.startswith("exit 1\n")
    assert "run `make build` first" in " ".join(told.split())
    assert not SENDING & {seen.route for seen in server.seen}


@pytest.mark.parametrize("route", ["commit", "tag"])
def test_a_killed_publish_is_completed_by_the_next(
    route: str, tmp_path: Path, dataset: Path, server: HubServer, publish: Publisher
) -> None:
    server.faults = Faults(Fault("hang", 1, route))
    arguments = ["publish", "--namespace", "lab", "--dataset", str(dataset), "--no-metrics"]
    process = start_cli(server, tmp_path / "home", *arguments)
    deadline = time.monotonic() + 120
    while server.faults.met == 0 and time.monotonic() < deadline:
        time.sleep(0.05)
    process.kill()
    process.communicate()
    assert not server.hub.store.repo("dataset", "lab/flowlearn").tags
    assert publish(dataset) == ["publish"]
    state = server.hub.store.state()["datasets/lab/flowlearn"]
    assert state["tags/v1.0"] == state["branches/main"]


def test_state_is_plain_json(server: HubServer, metric: Path, publish: Publisher) -> None:
    publish(metric)
    assert json.loads(json.dumps(server.hub.store.state())) == server.hub.store.state()
