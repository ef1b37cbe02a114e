"""Metric cards: rendered from templates and from what each module says, prints and requires."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from builders.card_templates import TEMPLATES, environment
from builders.doctests import as_doctest
from builders.manifest import write_atomically
from builders.metric_folders import METRICS, loaded_metric, metric_example, signed_version
from builders.module_docs import Entry, check_arguments, check_results, read_sections
from common.errors import UserError

PROJECT = METRICS.parent
RESULTS = PROJECT / "scoring" / "results"
"""Measured figures that the cards show where they are there."""

SDK_VERSION = "6.31.0"
"""Version of Gradio that the Spaces run."""


def write_metric_card(folder: Path) -> Path:
    """Write a metric's card.

    Args:
        folder: The metric's folder in the project.

    Returns:
        The card.

    Raises:
        UserError: As for `render_metric_card`.
    """
    path = folder / "README.md"
    write_atomically(path, render_metric_card(folder).encode())
    return path


def render_metric_card(folder: Path) -> str:
    """Render a metric's card; its examples are run for what they print.

    Args:
        folder: The metric's folder in the project.

    Raises:
        UserError: There is no template for it, it does not load or run, or its description of
            arguments and results is not true.
    """
    name = f"metrics/{folder.name}.md.j2"
    if not (TEMPLATES / name).is_file():
        raise UserError(f"{TEMPLATES / name} is missing", "see metrics/README.md")
    jinja = environment()
    jinja.filters |= {"doctest": _doctest, "runs": _runs, "entry": _entry_line, "yaml": _yaml}
    return jinja.get_template(name).render(
        metric=metric_facts(folder),
        sdk_version=SDK_VERSION,
        published=_json(METRICS / "published_replies.json"),
        reference_free=_json(METRICS / "reference_free_paper.json")["tables"],
        validation={path.stem: _json(path) for path in sorted(RESULTS.glob("validation/*.json"))},
        ocr=_json(RESULTS / "ocr.json") if (RESULTS / "ocr.json").is_file() else None,
    )


def metric_facts(folder: Path) -> dict[str, Any]:
    """Return what a module says of itself, checked against what it does.

    Raises:
        UserError: It does not load or run, or its description is not true.
    """
    metric = loaded_metric(folder)
    example = metric_example(folder)
    version = signed_version(metric, example)
    try:
        sections = read_sections(metric.inputs_description)
        arguments, results = sections["Args"], sections["Returns"]
        check_arguments(arguments, metric._compute, metric.accepts)
        result = metric.compute(**example.columns, **example.options)
        check_results(results, result)
    except (KeyError, ValueError) as error:
        raise UserError(f"{folder.name}.py does not describe itself: {error}") from error
    except UserError as error:
        raise UserError(f"{folder.name}.py: {error.problem}", "mend its description") from error
    requirements = (folder / "requirements.txt").read_text(encoding="utf-8").split()
    return {
        "name": folder.name,
        "version": version,
        "description": " ".join(metric.description.split()),
        "arguments": arguments,
        "results": results,
        "signature": result["signature"],
        "requirements": requirements,
        "citation": metric.citation.strip(),
    }


def _entry_line(entry: Entry) -> str:
    """Return an argument or a result as an item of a Markdown list."""
    names = ", ".join(f"**{name}**" for name in entry.names)
    type, _, note = entry.type.partition("; ")
    stated = [f"`{type}`", note, f"default `{entry.default}`" if entry.default else ""]
    text = f"- {names} ({', '.join(filter(None, stated))}): {entry.text}"
    return textwrap.fill(
        text, 100, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )


def _doctest(code: str, raises: str = "") -> str:
    return as_doctest(code, PROJECT, raises)


def _runs(code: str) -> str:
    """Run code and return it as it is: what a card shows without output works, too."""
    as_doctest(code, PROJECT)
    return code


def _yaml(text: str) -> str:
    """Return a text as a value of YAML, on one line."""
    return yaml.safe_dump(text, allow_unicode=True, width=float("inf")).split("\n")[0]


def _json(path: Path) -> Mapping[str, Any]:
    value: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return value
