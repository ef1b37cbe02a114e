"""Tables of the papers as cards show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from statistics import mean
from typing import Any

from flowlearn.paper import SUBSET, PrintedCell, paper


def flowlearn_table(number: int, rows: Mapping[str, str]) -> str:
    """Return some rows of a table of the FlowLearn paper as Markdown.

    Args:
        number: The table.
        rows: Labels of the rows, to `part/task/measure`.

    Raises:
        ValueError: The paper has no such row.
    """
    cells = [cell for cell in paper().cells if cell.table == number]
    models = list(dict.fromkeys(cell.model for cell in cells))
    titles = [f"{paper().models[model]}{_dagger(model)}" for model in models]
    lines = [f"| | {' | '.join(titles)} |", "|---|" + "---:|" * len(models)]
    notes: dict[str, None] = {}
    for label, key in rows.items():
        of_row = {c.model: c for c in cells if f"{c.part}/{c.task}/{c.measure}" == key}
        if not of_row:
            raise ValueError(f"table {number} of FlowLearn has no row {key}")
        notes |= dict.fromkeys(c.note for c in of_row.values() if c.note)
        shown = [_shown(of_row[model], list(notes)) for model in models]
        lines.append(f"| {label} | {' | '.join(shown)} |")
    lines += ["", f"- †: on the first {SUBSET} charts."]
    lines += [f"- {_mark(index)}: {note}" for index, note in enumerate(notes)]
    return "\n".join(lines)


def _dagger(model: str) -> str:
    return "†" if model in paper().on_subset else ""


def _mark(index: int) -> str:
    return "\\*" * (index + 1)


def _shown(cell: PrintedCell, notes: Sequence[str]) -> str:
    digits = 0 if cell.measure == "median_words" else 2
    mark = _mark(notes.index(cell.note)) if cell.note else ""
    return f"{cell.expected:.{digits}f}{mark}"


def mean_table(
    tables: Sequence[Sequence[Mapping[str, Any]]], by: str, columns: Mapping[str, str]
) -> str:
    """Return means of printed rows as Markdown.

    Args:
        tables: Rows of one table or of several that share `by`.
        by: The column that names a row of the result, e.g. `verifier`.
        columns: Titles, to the columns that are averaged over all rows of the same name.
    """
    names = list(dict.fromkeys(row[by] for rows in tables for row in rows))
    lines = [f"| {by} | {' | '.join(columns)} |", "|---|" + "---:|" * len(columns)]
    for name in names:
        of_name = [row for rows in tables for row in rows if row[by] == name]
        means = [_mean([row[key] for row in of_name if key in row]) for key in columns.values()]
        lines.append(f"| {name} | {' | '.join(means)} |")
    return "\n".join(lines)


def _mean(values: Sequence[float]) -> str:
    """Return the mean with three digits; in decimals, as floats would round some cells wrong."""
    exact = mean(Decimal(str(value)) for value in values)
    return str(exact.quantize(Decimal("0.001")))
