"""Every known slip of the published LogicVista data, with what we take instead."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

Value = str | float | bool | list[str] | None


@dataclass(frozen=True)
class Erratum:
    """One slip.

    Attributes:
        scope: What it is about: one item, the whole dataset, the published result files, or a
            number printed in the paper.
        id: The item, file or place in the paper; `*` for all items.
        field: The field or cell.
        published: The released value; None where the release has none.
        ours: The value taken instead; equal to `published` (or None) where nothing is changed.
        why: The reason, one sentence.
    """

    scope: Literal["item", "dataset", "evaluation", "paper"]
    id: str
    field: str
    published: Value
    ours: Value
    why: str


@cache
def errata() -> tuple[Erratum, ...]:
    """Return the errata table (`logicvista/errata.json`), in file order."""
    path = Path(__file__).with_name("errata.json")
    return tuple(Erratum(**row) for row in json.loads(path.read_text(encoding="utf-8")))


@cache
def _by_item() -> dict[tuple[str, str], Erratum]:
    return {(row.id, row.field): row for row in errata() if row.scope == "item"}


def corrected(item: str, field: str, released: Value) -> Value:
    """Return what we take instead of a released value.

    Args:
        item: The item's id.
        field: The field's name in the errata.
        released: Its released value; a correction holds for the slip it names and no other.

    Returns:
        The corrected value, or the released one if the errata do not name it.

    >>> corrected("v1_190", "answer", "B"), corrected("v1_0", "answer", "C")
    (['2'], 'C')
    """
    row = _by_item().get((item, field))
    return row.ours if row and row.published == released else released
