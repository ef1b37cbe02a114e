"""The card of the LogicVista dataset folder."""

from collections import defaultdict
from pathlib import Path

from builders.card import write_card
from logicvista.errata import errata
from logicvista.schema import row_schema
from logicvista.taxonomy import SKILLS

_METADATA = {
    "pretty_name": "LogicVista",
    "language": ["en"],
    "license": "other",
    "license_name": "research-use-only",
    "task_categories": ["visual-question-answering", "multiple-choice"],
}


def write_logicvista_card(folder: Path) -> Path:
    """Write the card of a LogicVista dataset folder from the manifests of its configs.

    Raises:
        UserError: The folder holds no config.
    """
    columns = row_schema()["properties"]
    return write_card(
        folder,
        "logicvista.md.j2",
        dict(_METADATA),
        columns={name: column["description"] for name, column in columns.items()},
        skills=SKILLS,
        errata=_errata_lines(),
    )


def _errata_lines() -> list[str]:
    """Return a line for each reason, with the items it concerns."""
    by_reason: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in errata():
        changed = row.ours not in (None, row.published) and row.field != "capabilities"
        change = f" {row.published!r} → {row.ours!r}" if changed else ""
        about = "all items" if row.id == "*" else row.id
        by_reason[row.field, row.why].append(f"{about}{change}")
    return [
        f"{', '.join(items) if len(items) <= 5 else f'{len(items)} items'} ({field}): {why}"
        for (field, why), items in by_reason.items()
    ]
