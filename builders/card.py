"""Dataset cards: made from the manifests of what was built; numbers are never typed by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict

from builders.card_facts import card_facts
from builders.card_templates import TEMPLATES, environment
from builders.croissant import croissant
from builders.manifest import Manifest, load_manifest, write_atomically
from common.errors import UserError

DATASETS = ("flowlearn", "logicvista")
"""Names of the datasets, and of their folders in the project."""

_SIZES = ((10**3, "n<1K"), (10**4, "1K<n<10K"), (10**5, "10K<n<100K"), (10**6, "100K<n<1M"))


class Benchmark(BaseModel):
    """What `eval.yaml` says of a dataset, for the Hub's leaderboards: one task a split."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    description: str
    config: str
    field_spec: dict[str, Any]
    solvers: list[dict[str, Any]]
    scorers: dict[str, list[dict[str, Any]]]


class Change(BaseModel):
    """An entry of a dataset's changelog."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    date: date
    what: str


class Texts(BaseModel):
    """What is said of a dataset and does not come from its data: `dataset_cards/<name>.yaml`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    card: dict[str, Any]
    summary: str
    url: str
    citation: str
    canary: str
    changelog: dict[str, Change]
    benchmark: Benchmark | None


def load_texts(dataset: str) -> Texts:
    """Return the texts of a dataset by its name.

    Raises:
        UserError: There is no such dataset.
    """
    path = TEMPLATES / f"{dataset}.yaml"
    if not path.is_file():
        raise UserError(f"{path} is missing: what is the dataset {dataset!r}?")
    return Texts.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))


def write_card(folder: Path) -> Path:
    """Write the card of a dataset's folder, with `croissant.json` and `eval.yaml`.

    Args:
        folder: The dataset's folder, with `data/<config>/manifest.json`.

    Returns:
        The card.

    Raises:
        UserError: Nothing was built yet, or the version has no entry in the changelog.
    """
    manifests = built_configs(folder)
    if not manifests:
        raise UserError(f"{folder / 'data'} holds no built config", "run `make build` first")
    texts = load_texts(manifests[0].dataset)
    if missing := {manifest.version for manifest in manifests} - texts.changelog.keys():
        raise UserError(
            f"the changelog of {manifests[0].dataset} has no version {', '.join(sorted(missing))}",
            f"say what changed in {TEMPLATES.name}/{manifests[0].dataset}.yaml",
        )
    facts = card_facts(folder, manifests)
    path = folder / "README.md"
    write_atomically(path, render_card(manifests, texts, facts).encode())
    described = croissant(manifests, texts.card["pretty_name"], texts.summary, texts.url)
    described |= {
        "@context": _croissant_context(),
        "citeAs": texts.citation,
        "datePublished": texts.changelog[manifests[0].version].date.isoformat(),
    }
    text = json.dumps(described, indent=2, ensure_ascii=False) + "\n"
    write_atomically(folder / "croissant.json", text.encode())
    _write_benchmark(folder / "eval.yaml", texts.benchmark, manifests)
    return path


def built_configs(folder: Path) -> tuple[Manifest, ...]:
    """Return the manifests of a dataset's folder, by config name."""
    found = [load_manifest(path.parent) for path in sorted(folder.glob("data/[!.]*/manifest.json"))]
    return tuple(manifest for manifest in found if manifest)


def render_card(manifests: Sequence[Manifest], texts: Texts, facts: Mapping[str, Any]) -> str:
    """Render a card: YAML for the Hub and `datasets`, then the text for people."""
    rows = sum(count for manifest in manifests for count, _ in manifest.splits().values())
    head = {
        **texts.card,
        "size_categories": [next((name for top, name in _SIZES if rows < top), "n>1M")],
        "configs": [_config(manifest, i == 0) for i, manifest in enumerate(manifests)],
        "dataset_info": [_info(manifest) for manifest in manifests],
    }
    text = (
        environment()
        .get_template(f"{manifests[0].dataset}.md.j2")
        .render(manifests=manifests, version=manifests[0].version, texts=texts, **facts)
    )
    return f"---\n{yaml.safe_dump(head, sort_keys=False, allow_unicode=True)}---\n\n{text}"


def _config(manifest: Manifest, default: bool) -> dict[str, Any]:
    files = [
        {"split": split, "path": f"data/{manifest.config}/{split}-*.parquet"}
        for split in manifest.splits()
    ]
    # `datasets` takes the version from here, and not from `dataset_info`.
    version = f"{manifest.version}.0"
    entry = {"config_name": manifest.config, "version": version, "data_files": files}
    return {**entry, "default": True} if default else entry


def _info(manifest: Manifest) -> dict[str, Any]:
    splits = [
        {"name": split, "num_bytes": num_bytes, "num_examples": rows}
        for split, (rows, num_bytes) in manifest.splits().items()
    ]
    return {
        "config_name": manifest.config,
        "version": f"{manifest.version}.0",
        "features": [for_old_versions(column) for column in manifest.features],
        "splits": splits,
        "download_size": sum(entry.size for entry in manifest.files.values()),
        "dataset_size": sum(entry.num_bytes for entry in manifest.files.values()),
    }


def for_old_versions(column: dict[str, Any]) -> dict[str, Any]:
    """Write a column's lists as versions of `datasets` before 4.0 read them too.

    `list: X` becomes `sequence: X` for plain values, with `length` beside it where it is fixed;
    lists of structs stay `list`, which old and new versions read alike.
    """
    rewritten: dict[str, Any] = {}
    for key, value in column.items():
        inner: Any = value
        if isinstance(value, dict):
            inner = for_old_versions(value)
        elif isinstance(value, list):
            inner = [for_old_versions(v) if isinstance(v, dict) else v for v in value]
        # The kind of a feature is the first key of its mapping: the order must stay.
        rewritten["sequence" if key == "list" and not isinstance(value, list) else key] = inner
    return rewritten


def _croissant_context() -> Any:
    return json.loads((TEMPLATES / "croissant_context.json").read_text(encoding="utf-8"))


def _write_benchmark(
    path: Path, benchmark: Benchmark | None, manifests: Sequence[Manifest]
) -> None:
    """Write `eval.yaml` if the config of the benchmark is there."""
    there = {m.config: m.splits() for m in manifests}
    if benchmark is None or benchmark.config not in there:
        path.unlink(missing_ok=True)
        return
    tasks = [
        {
            "id": split,
            "config": benchmark.config,
            "split": split,
            "field_spec": benchmark.field_spec,
            "solvers": benchmark.solvers,
            "scorers": scorers,
        }
        for split, scorers in benchmark.scorers.items()
        if split in there[benchmark.config]
    ]
    head = {"name": benchmark.name, "description": benchmark.description}
    described = {**head, "evaluation_framework": "inspect-ai", "tasks": tasks}
    # Safe dumping writes anchors for repeated values; a copy through JSON has none.
    plain = json.loads(json.dumps(described))
    write_atomically(path, yaml.safe_dump(plain, sort_keys=False, allow_unicode=True).encode())
