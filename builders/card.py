"""Dataset cards: made from the manifests of what was built, nothing typed by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from builders.errors import UserError
from builders.manifest import Manifest, load_manifest, write_atomically

TEMPLATES = Path(__file__).resolve().parent.parent / "dataset_cards"
_SIZES = ((10**3, "n<1K"), (10**4, "1K<n<10K"), (10**5, "10K<n<100K"), (10**6, "100K<n<1M"))


def write_card(folder: Path, template: str, metadata: dict[str, Any], **facts: Any) -> Path:
    """Write the card of a dataset's folder.

    Args:
        folder: The dataset's folder, with `data/<config>/manifest.json`.
        template: Name of the template in `dataset_cards`.
        metadata: Facts of the YAML block that do not come from the data.
        facts: Further values for the template.

    Returns:
        The card.

    Raises:
        UserError: Nothing was built yet.
    """
    manifests = built_configs(folder)
    if not manifests:
        raise UserError(f"{folder / 'data'} holds no built config", "run `make build` first")
    path = folder / "README.md"
    write_atomically(path, render_card(manifests, template, metadata, **facts).encode())
    return path


def built_configs(folder: Path) -> tuple[Manifest, ...]:
    """Return the manifests of a dataset's folder, by config name."""
    found = [load_manifest(path.parent) for path in sorted(folder.glob("data/[!.]*/manifest.json"))]
    return tuple(manifest for manifest in found if manifest)


def render_card(
    manifests: Sequence[Manifest], template: str, metadata: dict[str, Any], **facts: Any
) -> str:
    """Render a card: YAML for the Hub and `datasets`, then the text for people."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    rows = sum(count for manifest in manifests for count, _ in manifest.splits().values())
    head = {
        **metadata,
        "size_categories": [next((name for top, name in _SIZES if rows < top), "n>1M")],
        "configs": [_config(manifest, i == 0) for i, manifest in enumerate(manifests)],
        "dataset_info": [_info(manifest) for manifest in manifests],
    }
    text = environment.get_template(template).render(
        manifests=manifests, version=manifests[0].version, **facts
    )
    return f"---\n{yaml.safe_dump(head, sort_keys=False, allow_unicode=True)}---\n\n{text}"


def _config(manifest: Manifest, default: bool) -> dict[str, Any]:
    files = [
        {"split": split, "path": f"data/{manifest.config}/{split}-*.parquet"}
        for split in manifest.splits()
    ]
    entry: dict[str, Any] = {"config_name": manifest.config, "data_files": files}
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
