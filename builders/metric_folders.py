"""The metric folders as they travel: links resolved, tried out, with their version."""

from __future__ import annotations

import ast
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from common.errors import UserError

METRICS = Path(__file__).resolve().parent.parent / "metrics"


@dataclass(frozen=True, slots=True)
class Example:
    """What a metric's web app begins with.

    Attributes:
        columns: Inputs by name, one value an item.
        options: Options of the metric.
    """

    columns: dict[str, list[Any]]
    options: dict[str, Any]


def metric_names(root: Path = METRICS) -> tuple[str, ...]:
    """Return the names of all metrics: folders with a script of their own name."""
    return tuple(
        folder.name for folder in sorted(root.iterdir()) if (folder / f"{folder.name}.py").is_file()
    )


def metric_folder(name: str, root: Path = METRICS) -> Path:
    """Return the folder of a metric.

    Raises:
        UserError: There is none of that name.
    """
    if name not in metric_names(root):
        raise UserError(f"there is no metric {name!r}", f"one of {', '.join(metric_names(root))}")
    return root / name


def copy_metric(folder: Path, target: Path) -> None:
    """Copy a metric's folder, links resolved, so that the copy stands alone."""
    shutil.copytree(folder, target, ignore=shutil.ignore_patterns("__pycache__", ".*"))


def metric_example(folder: Path) -> Example:
    """Read the example of a metric's web app, without running it.

    Raises:
        UserError: The app gives none.
    """
    app = folder / "app.py"
    try:
        tree = ast.parse(app.read_text(encoding="utf-8"))
        call = next(
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "make_app"
        )
        given = {word.arg: ast.literal_eval(word.value) for word in call.keywords}
        items = given["example"]
        columns = {name: [item[name] for item in items] for name in items[0]}
        return Example(columns, given["options"])
    except (OSError, SyntaxError, StopIteration, KeyError, IndexError, ValueError) as error:
        raise UserError(f"{app} gives no example: {error}", "see metrics/README.md") from error


def signed_version(metric: Any, example: Example) -> str:
    """Run a loaded metric on an example and return the version that the result is signed with.

    Raises:
        UserError: The metric fails, or signs no version `N.x`.
    """
    try:
        result = metric.compute(**example.columns, **example.options)
        signature = str(result["signature"])
    except Exception as error:  # whatever a module raises, it must not travel
        raise UserError(f"the metric {metric.name} fails on its own example: {error}") from error
    version = re.search(r"\|version:(\d+\.\d+)$", signature)
    if not version:
        raise UserError(f"the metric {metric.name} signs no version N.x: {signature}")
    return version[1]


def loaded_metric(folder: Path) -> Any:
    """Load a metric from its folder.

    Raises:
        UserError: It does not load.
    """
    import evaluate

    try:
        return evaluate.load(str(folder / f"{folder.name}.py"))
    except Exception as error:  # whatever a module raises, it must not travel
        raise UserError(f"the metric in {folder} does not load: {error}") from error


def metric_version(folder: Path) -> str:
    """Load a metric from its folder, run it on its example and return its version.

    Raises:
        UserError: It does not load or run.
    """
    return signed_version(loaded_metric(folder), metric_example(folder))
