"""The card of the imported config: what `load_dataset` and the Hub's viewer read, and the text."""

import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import yaml
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from builders.errors import UserError
from logicvista.errata import errata
from logicvista.features import features
from logicvista.schema import row_schema
from logicvista.taxonomy import SKILLS

_TEMPLATES = Path(__file__).parents[2] / "dataset_cards"
_FRONT = re.compile(r"\A---\n(.*?\n)---\n", re.DOTALL)
_BEGIN, _END = "<!-- config published: begin -->\n", "<!-- config published: end -->\n"
_METADATA = {
    "pretty_name": "LogicVista",
    "language": ["en"],
    "license": "other",
    "license_name": "research-use-only",
    "size_categories": ["n<1K"],
    "task_categories": ["visual-question-answering", "multiple-choice"],
}


def card_text(
    earlier: str, config: str, *, split: str, rows: int, size: int, stored: int, **text: Any
) -> str:
    """Return the dataset's card with this config in it, beside the configs already there.

    Args:
        earlier: The card as it is, empty if there is none.
        config: The config; its data are `data/<config>/<split>-*.parquet`.
        split: The split.
        rows: Number of rows, which old versions of `datasets` check on loading.
        size: Bytes of the rows in memory.
        stored: Bytes of the Parquet files.
        text: Further values of the template `logicvista_published.md.j2`.

    Raises:
        UserError: The earlier card's metadata are not what a dataset card has.
    """
    front = _FRONT.match(earlier)
    metadata = {**_METADATA, **(_metadata(front[1]) if front else {})}
    path = f"data/{config}/{split}-*.parquet"
    entry = {"config_name": config, "data_files": [{"split": split, "path": path}]}
    info = {
        "config_name": config,
        "features": [_for_old_versions(column) for column in features()._to_yaml_list()],
        "splits": [{"name": split, "num_bytes": size, "num_examples": rows}],
        "download_size": stored,
        "dataset_size": size,
    }
    for key, value in (("configs", entry), ("dataset_info", info)):
        others = [other for other in metadata.get(key, []) if other["config_name"] != config]
        metadata[key] = [*others, value]
    body = _body(earlier[front.end() :] if front else earlier, _render(rows=rows, **text))
    head = yaml.safe_dump(metadata, sort_keys=False, allow_unicode=True)
    return f"---\n{head}---\n{body}"


def _metadata(front: str) -> dict[str, Any]:
    """Parse a card's YAML block; its configs must be lists of mappings with a name."""
    try:
        metadata: dict[str, Any] = dict(yaml.safe_load(front) or {})
        for key in ("configs", "dataset_info"):
            for entry in metadata.get(key, []):
                str(entry["config_name"])
    except (yaml.YAMLError, TypeError, ValueError, KeyError) as error:
        raise UserError(
            f"README.md has metadata that are no dataset card's ({error}).",
            "Mend or remove the card of the dataset folder.",
        ) from error
    return metadata


def _for_old_versions(column: dict[str, Any]) -> dict[str, Any]:
    """Write a list of plain values as versions before 4.0 of `datasets` read it too."""
    if isinstance(column.get("list"), str):
        return {"name": column["name"], "sequence": column["list"]}
    return column


def _body(earlier: str, section: str) -> str:
    """Replace the config's section of a card's text, or append it."""
    section = f"{_BEGIN}{section}{_END}"
    before, begin, rest = earlier.partition(_BEGIN)
    if not begin:
        return f"{earlier}\n{section}"
    return before + section + rest.partition(_END)[2]


def _render(**text: Any) -> str:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    columns = {name: value["description"] for name, value in row_schema()["properties"].items()}
    return environment.get_template("logicvista_published.md.j2").render(
        columns=columns, skills=SKILLS, errata=_errata_lines(), **text
    )


def _errata_lines() -> list[str]:
    """Return a line for each reason, with the items it concerns."""
    by_reason: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in errata():
        change = "" if row.ours in (None, row.published) else f" {row.published!r} → {row.ours!r}"
        if row.field == "capabilities":
            change = ""
        by_reason[row.field, row.why].append(f"{row.id}{change}")
    return [
        f"{', '.join(items) if len(items) <= 5 else f'{len(items)} items'} ({field}): {why}"
        for (field, why), items in by_reason.items()
    ]
