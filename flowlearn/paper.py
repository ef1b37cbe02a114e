"""The result tables printed in the FlowLearn paper (`flowlearn/paper.json`)."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

SUBSET = 100
"""Samples, the first in file order, on which Tables 10, 11 and 12 compare all models."""


@dataclass(frozen=True)
class PrintedCell:
    """A number printed in the paper.

    Attributes:
        table: Number of the table.
        part: `scientific` or `simulated`.
        task: `ocr`, `statements`, `between`, `a_to_b`, `num_nodes`, `num_arrows`, `description` or
            `mermaid`.
        measure: What was measured, e.g. `accuracy` or `link_f1`.
        model: The model, as the published files name it.
        printed: The number as it is printed.
        expected: The number that the published replies should give: the printed one, unless a
            correction or a known slip says otherwise.
        note: Why the two differ; empty where they do not.
    """

    table: int
    part: str
    task: str
    measure: str
    model: str
    printed: float
    expected: float
    note: str = ""

    @property
    def is_subset(self) -> bool:
        """Whether the table is about the first `SUBSET` samples only."""
        return self.table >= 10


@dataclass(frozen=True)
class Paper:
    """The printed result tables.

    Attributes:
        models: Models' names in the published files, to their names in print.
        on_subset: Models that were asked only the first `SUBSET` samples in all tables.
        titles: Titles of the tables by number, in the order of the paper.
        cells: All cells, in the order of the tables, rows and columns.
    """

    models: dict[str, str]
    on_subset: frozenset[str]
    titles: dict[int, str]
    cells: tuple[PrintedCell, ...]


@cache
def paper() -> Paper:
    """Return the printed result tables."""
    data = json.loads(Path(__file__).with_name("paper.json").read_text(encoding="utf-8"))
    return Paper(
        models=data["models"],
        on_subset=frozenset(data["on_subset"]),
        titles={int(number): table["title"] for number, table in data["tables"].items()},
        cells=tuple(
            _cell(data, number, row, column)
            for number, table in data["tables"].items()
            for row in table["rows"]
            for column in range(len(table["models"]))
        ),
    )


def _cell(data: dict[str, Any], number: str, row: dict[str, Any], column: int) -> PrintedCell:
    table = data["tables"][number]
    place = {"table": number, **{key: row[key] for key in ("part", "task", "measure")}}
    place["model"] = table["models"][column]
    expected, note = row["printed"][column], ""
    for swap in data["swapped_rows"]:
        if swap["table"] == number and swap["measure"] == row["measure"]:
            other = next(
                one
                for one in table["rows"]
                if one["measure"] == row["measure"] and one["part"] != row["part"]
            )
            expected, note = other["printed"][column], swap["why"]
    for slip in data["known_slips"]:
        if all(slip[key] == place[key] for key in place):
            expected, note = slip["files"], slip["why"]
    return PrintedCell(
        **(place | {"table": int(number)}),
        printed=row["printed"][column],
        expected=expected,
        note=note,
    )
