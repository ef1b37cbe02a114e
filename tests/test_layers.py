"""Imports never run upward between the folders, and never in a circle between modules."""

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

MAY_IMPORT: dict[str, set[str]] = {
    "common": set(),
    "flowlearn": set(),
    "logicvista": set(),
    "metrics": set(),
    "vision": {"common", "metrics"},
    "builders": {"common", "flowlearn", "logicvista", "metrics", "vision"},
    "scoring": {"common", "flowlearn", "logicvista", "metrics", "vision"},
    "integrations": {"metrics", "scoring"},
    "cli": {"common", "flowlearn", "logicvista", "metrics", "vision", "builders", "scoring"},
}
"""The folders that each folder may import beside itself."""


def modules() -> dict[str, Path]:
    """Return our modules by their dotted names; links in the metrics' folders stand for core."""
    found = {}
    for folder in MAY_IMPORT:
        for path in (ROOT / folder).rglob("*.py"):
            if not path.is_symlink():
                parts = path.relative_to(ROOT).with_suffix("").parts
                found[".".join(part for part in parts if part != "__init__")] = path
    return found


MODULES = modules()


def imported(name: str, path: Path) -> Iterator[str]:
    """Yield the modules of ours that a module imports, inside functions as well."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from filter(None, (ours(alias.name) for alias in node.names))
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = ".".join([*above, node.module or ""]) if node.level else str(node.module)
            names = [f"{base}.{alias.name}" for alias in node.names]
            yield from filter(None, {ours(full) for full in names})


def ours(name: str) -> str:
    """Return the module of ours that a dotted name lies in; empty for others' modules."""
    name = name.strip(".")
    parts = name.split(".")
    # A metric's script imports its siblings, which are links into core.
    if (
        len(parts) > 2
        and parts[0] == "metrics"
        and (ROOT / "metrics/core" / f"{parts[2]}.py").exists()
    ):
        name, parts = ".".join(["metrics", "core", *parts[2:]]), ["metrics", "core", *parts[2:]]
    for length in range(len(parts), 0, -1):
        candidate = ".".join(parts[:length])
        if candidate in MODULES:
            return candidate
    return ""


GRAPH = {name: set(imported(name, path)) - {name} for name, path in MODULES.items()}


def test_the_graph_is_seen() -> None:
    assert "common.errors" in GRAPH["builders.card"]
    assert "scoring.ve_batch" in GRAPH["cli.ve"]  # imported in a function
    assert "metrics.core.matching" in GRAPH["metrics.core.elements"]  # relative
    assert "metrics.core.signature" in GRAPH["metrics.tf_accuracy.tf_accuracy"]  # through a link
    assert {name.split(".")[0] for name in GRAPH} == set(MAY_IMPORT)


@pytest.mark.parametrize("folder", MAY_IMPORT)
def test_folders_import_only_what_lies_below(folder: str) -> None:
    allowed = MAY_IMPORT[folder] | {folder}
    upward = {
        f"{name} imports {other}"
        for name, others in GRAPH.items()
        for other in others
        if name.split(".")[0] == folder and other.split(".")[0] not in allowed
    }
    assert upward == set()


def test_above_the_metrics_only_their_core_is_imported() -> None:
    modules = {
        f"{name} imports {other}"
        for name, others in GRAPH.items()
        for other in others
        if not name.startswith("metrics")
        and other.startswith("metrics.")
        and not other.startswith("metrics.core")
    }
    assert modules == set()


def test_core_imports_only_its_own_modules() -> None:
    for name in GRAPH:
        if name.startswith("metrics.core."):
            assert all(other.startswith("metrics.core") for other in GRAPH[name]), name


def test_no_module_imports_itself_through_others() -> None:
    # Raises a CycleError that names the circle.
    tuple(TopologicalSorter(GRAPH).static_order())
