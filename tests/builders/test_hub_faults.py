"""Publishing through faults: a clear error, never a tag on a part, and a rerun heals everything.

The default run takes a sample; `make faults` (FAULTS=all) cuts every request once, and lets every
kind of route meet every kind of fault.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hub_server.clients import clients_at
from hub_server.faults import FAULT_KINDS, Fault, FaultKind, Faults
from hub_server.server import TOKEN, HubServer
from small_dataset import write_small_dataset
from tiny_metric import write_tiny_metric

from builders import hub
from builders.hub_packages import Package, stage_all
from common.errors import UserError

ALL = os.environ.get("FAULTS") == "all"
WAYS = ("xet", "lfs") if ALL else ("lfs",)
REQUESTS = 75
"""As many as a publish takes, or some more."""
ROUTES = (
    *("whoami", "info", "refs", "commits", "tree", "validate-yaml", "create", "preupload"),
    *("lfs-batch", "lfs-put", "lfs-verify", "xet-token", "commit", "tag", "resolve", "content"),
)
LASTING = 1000
PATIENCE = 60.0
HURRY = 1.0
"""Seconds that the client waits: a busy machine must not look like a Hub that hangs."""


@dataclass(frozen=True)
class Outcome:
    """What a publish came to: the error, or none, and what the Hub then held."""

    error: str
    state: dict[str, Any]


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> tuple[Package, ...]:
    folder = tmp_path_factory.mktemp("packages")
    write_small_dataset(folder / "flowlearn")
    metric = write_tiny_metric(folder / "metrics")
    return stage_all([folder / "flowlearn"], [metric], folder / "staged", lambda what: None)


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    monkeypatch.setenv("HF_XET_CLIENT_RETRY_BASE_DELAY", "10ms")
    monkeypatch.setenv("HF_XET_CLIENT_RETRY_MAX_ATTEMPTS", "2")
    with (
        HubServer(tmp_path / "xet", hang_seconds=HURRY + 0.5) as server,
        clients_at(server, tmp_path / "cache"),
    ):
        yield server


def attempt(server: HubServer, packages: tuple[Package, ...], *faults: Fault) -> Outcome:
    """Publish while faults happen."""
    server.faults = Faults(*faults)
    hanging = any(fault.kind == "hang" for fault in faults)
    error = ""
    try:
        api = hub.connect(TOKEN, timeout=HURRY if hanging else PATIENCE)
        hub.publish(api, hub.plan(api, "lab", packages), lambda what: None)
    except UserError as told:
        error = str(told)
    return Outcome(error, server.hub.store.state())


def undisturbed(packages: tuple[Package, ...]) -> dict[str, Any]:
    """Return what the Hub holds after a publish without faults: the packages, tagged."""
    held: dict[str, Any] = {}
    for package in packages:
        large = {".parquet", ".jpg"}
        files = {
            path: sha256 if Path(path).suffix in large else git
            for path, (git, sha256) in package.digests.items()
        }
        settings = {"sdk": "gradio"} if package.kind == "space" else {}
        held[f"{package.kind}s/lab/{package.name}"] = {
            "settings": settings,
            "branches/main": files,
            f"tags/{package.tag}": files,
        }
    return held


def visible(state: dict[str, Any]) -> dict[str, Any]:
    """Leave out what the Hub itself adds to every repository."""
    return {
        repo: {
            ref: {path: oid for path, oid in files.items() if path != ".gitattributes"}
            for ref, files in refs.items()
        }
        for repo, refs in state.items()
    }


def check(server: HubServer, packages: tuple[Package, ...], first: Outcome) -> None:
    """Check what holds after any fault, and that a rerun heals."""
    wanted = undisturbed(packages)
    for repo, refs in visible(first.state).items():
        for ref, files in refs.items():
            if ref.startswith("tags/"):
                assert files == wanted[repo][ref], "a tag on a part"
    if first.error:
        assert " failed: " in first.error
        assert "→ run the command again" in first.error
        assert TOKEN not in first.error
    second = attempt(server, packages)
    assert second.error == ""
    assert visible(second.state) == wanted


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_DISABLE_XET", request.param != "xet")
    return str(request.param)


@pytest.mark.parametrize("at", range(1, REQUESTS + 1, 1 if ALL else 13))
def test_one_request_is_cut(
    at: int, way: str, server: HubServer, packages: tuple[Package, ...]
) -> None:
    first = attempt(server, packages, Fault("cut", at))
    check(server, packages, first)


def test_the_matrix_reaches_the_last_request(
    way: str, server: HubServer, packages: tuple[Package, ...]
) -> None:
    assert attempt(server, packages).error == ""
    assert 0.7 * REQUESTS < len(server.seen) <= REQUESTS


@pytest.mark.parametrize("kind", FAULT_KINDS)
@pytest.mark.parametrize("route", ROUTES if ALL else ("create", "commit", "tag"))
def test_one_request_of_a_route_meets_a_fault(
    kind: FaultKind, route: str, way: str, server: HubServer, packages: tuple[Package, ...]
) -> None:
    first = attempt(server, packages, Fault(kind, 1, route))
    check(server, packages, first)


@pytest.mark.parametrize("kind", FAULT_KINDS if ALL else ("refuse", "error"))
@pytest.mark.parametrize("route", ROUTES if ALL else ("whoami", "lfs-put", "commit", "content"))
def test_a_route_stays_broken(
    kind: FaultKind, route: str, way: str, server: HubServer, packages: tuple[Package, ...]
) -> None:
    first = attempt(server, packages, Fault(kind, 1, route, LASTING))
    if server.faults.met:
        assert first.error, "a publish that could not be done says that it was"
    check(server, packages, first)
