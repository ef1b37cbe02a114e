"""The reproduction of FlowLearn's tables for the terminal, as Markdown and as JSON."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from flowlearn.paper import PrintedCell, paper
from scoring.reproduce_flowlearn import Cell, Reproduction

_NOTE = (
    "Each cell: printed, ours, difference (ours rounded as printed). `*`: print is corrected "
    "first, see the notes. `–`: not computed, see the notes. `!`: beyond the tolerance."
)


def to_json(made: Reproduction) -> dict[str, Any]:
    """Return every cell in plain values."""
    return {
        "as_expected": made.as_expected,
        "missing": list(made.missing),
        "ignored": list(made.ignored),
        "cells": [
            {
                "table": cell.paper.table,
                "part": cell.paper.part,
                "task": cell.paper.task,
                "measure": cell.paper.measure,
                "model": cell.paper.model,
                "n": cell.n,
                "printed": cell.paper.printed,
                "expected": cell.paper.expected,
                "ours": cell.ours,
                "difference": cell.difference,
                "within_tolerance": cell.is_within,
                "note": cell.paper.note or cell.reason,
                "signature": cell.signature,
            }
            for cell in made.cells
        ],
    }


def to_markdown(made: Reproduction) -> str:
    """Return all tables and the summary."""
    lines = ["# FlowLearn's tables from the published replies", "", _NOTE]
    for title, header, rows in _tables(made):
        lines += ["", f"## {title}", "", f"| {' | '.join(header)} |"]
        lines += ["|---" + "|---:" * (len(header) - 1) + "|"]
        lines += [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([*lines, "", *(f"- {line}" for line in summary(made)), ""])


def print_tables(made: Reproduction, console: Console) -> None:
    """Print all tables and the summary."""
    for title, header, rows in _tables(made):
        table = Table(title=title, title_justify="left")
        table.add_column(header[0], no_wrap=True)
        for name in header[1:]:
            table.add_column(name, justify="right", no_wrap=True)
        for row in rows:
            table.add_row(*(Text(text, style="red" if "!" in text else "") for text in row))
        console.print(table)
    console.print(_NOTE, markup=False, highlight=False)
    for line in summary(made):
        console.print(f"- {line}", markup=False, highlight=False, soft_wrap=True)


def summary(made: Reproduction) -> list[str]:
    """Say in a few lines what came out and why cells are corrected, off or not computed."""
    computed = [cell for cell in made.cells if cell.ours is not None]
    off = [cell for cell in computed if not cell.is_within]
    exact = sum(cell.difference == 0 for cell in computed)
    lines = [
        f"{len(computed)} cells compared: {exact} as printed, "
        f"{len(computed) - exact - len(off)} within the tolerance, {len(off)} beyond it"
    ]
    lines += [f"beyond: {_place(cell.paper)}: {_cell(cell)}" for cell in off]
    notes = Counter((cell.paper.table, cell.paper.note) for cell in computed if cell.paper.note)
    lines += [f"* table {table}, {count} cells: {why}" for (table, why), count in notes.items()]
    reasons = Counter(cell.reason for cell in made.cells if cell.reason)
    lines += [f"– {count} cells: {why}" for why, count in reasons.items()]
    if made.missing:
        lines.append(f"no replies here of {', '.join(made.missing)}")
    if made.ignored:
        lines.append(f"{len(made.ignored)} files that are not in the tables were passed over")
    return lines


def _place(cell: PrintedCell) -> str:
    names = cell.part, cell.task, cell.measure
    return f"table {cell.table}, {paper().models[cell.model]}, {' '.join(names)}"


def _cell(cell: Cell) -> str:
    digits = 0 if cell.paper.measure == "median_words" else 2
    printed = f"{cell.paper.printed:.{digits}f}{'*' if cell.paper.note else ''}"
    if cell.rounded is None or cell.difference is None:
        return f"{printed} –"
    mark = "" if cell.is_within else " !"
    return f"{printed} {cell.rounded:.{digits}f} {cell.difference:+.{digits}f}{mark}"


def _tables(made: Reproduction) -> Iterator[tuple[str, list[str], list[list[str]]]]:
    """Yield title, header and rows of each table, a column a model."""
    for number, title in paper().titles.items():
        cells = [cell for cell in made.cells if cell.paper.table == number]
        models = list(dict.fromkeys(cell.paper.model for cell in cells))
        rows: dict[tuple[str, str, str], dict[str, str]] = {}
        for cell in cells:
            place = cell.paper.part, cell.paper.task, cell.paper.measure
            rows.setdefault(place, {})[cell.paper.model] = _cell(cell)
        if models:
            yield (
                f"Table {number}: {title}",
                ["", *(paper().models[model] for model in models)],
                [
                    [" ".join(place), *(row[model] for model in models)]
                    for place, row in rows.items()
                ],
            )
