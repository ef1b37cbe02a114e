"""Facts of the cards that are a dataset's own: examples from its rows, prompts, errata."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from builders.manifest import Manifest, write_atomically

_PICTURE = "assets/example.jpg"


def card_facts(folder: Path, manifests: Sequence[Manifest]) -> dict[str, Any]:
    """Return what a dataset's template needs beside its manifests.

    Args:
        folder: The dataset's folder; an example picture is written into its `assets`.
        manifests: Its configs.
    """
    if manifests[0].dataset == "flowlearn":
        return _flowlearn(folder, manifests)
    return _logicvista()


def describe_type(column: Mapping[str, Any]) -> str:
    """Return the type of a column, as `datasets` writes it into cards, in words.

    >>> describe_type({"name": "box", "list": "float32", "length": 4})
    '4 × float32'
    >>> describe_type({"name": "nodes", "list": [{"name": "id", "dtype": "string"}]})
    'list of {id: string}'
    """
    value = column.get("dtype", column.get("list"))
    if "list" not in column:
        return str(value)
    if isinstance(value, list):
        parts = ", ".join(f"{part['name']}: {describe_type(part)}" for part in value)
        return f"list of {{{parts}}}"
    inner = describe_type(value) if isinstance(value, dict) else str(value)
    return f"{column['length']} × {inner}" if "length" in column else f"list of {inner}"


def _flowlearn(folder: Path, manifests: Sequence[Manifest]) -> dict[str, Any]:
    from flowlearn.tasks import PROMPTS

    columns = {
        manifest.config: {column["name"]: describe_type(column) for column in manifest.features}
        for manifest in manifests
    }
    return {"prompts": PROMPTS, "columns": columns, "example": _example(folder, manifests)}


def _example(folder: Path, manifests: Sequence[Manifest]) -> dict[str, Any] | None:
    """Return the first chart of the last split of the first config that has charts."""
    import pyarrow.parquet as pq

    for manifest in manifests:
        if {"image", "mermaid", "questions"} <= {column["name"] for column in manifest.features}:
            file = pq.ParquetFile(folder / "data" / manifest.config / list(manifest.files)[-1])
            batch = next(file.iter_batches(1, columns=["image", "mermaid", "questions"]))
            row = batch.to_pylist()[0]
            (folder / _PICTURE).parent.mkdir(exist_ok=True)
            write_atomically(folder / _PICTURE, row["image"]["bytes"])
            asked = [
                question
                for question in row["questions"]
                if not question["reason"] and question["task"] != "mermaid"
            ]
            return {"picture": _PICTURE, "mermaid": row["mermaid"], "questions": asked}
    return None


def _logicvista() -> dict[str, Any]:
    from logicvista.paper import paper
    from logicvista.schema import row_schema
    from logicvista.taxonomy import SKILLS

    columns = row_schema()["properties"]
    return {
        "columns": {name: column["description"] for name, column in columns.items()},
        "skills": SKILLS,
        "errata": _errata_lines(),
        "paper": paper().table3,
    }


def _errata_lines() -> list[str]:
    """Return a line for each reason, with the items it concerns."""
    from logicvista.errata import errata

    by_reason: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in errata():
        changed = row.ours not in (None, row.published) and row.field != "capabilities"
        change = f" {row.published!r} → {row.ours!r}" if changed else ""
        by_reason[row.field, row.why].append(f"{row.id}{change}")
    return [
        f"{', '.join(items) if len(items) <= 5 else f'{len(items)} items'} ({field}): {why}"
        for (field, why), items in by_reason.items()
    ]
