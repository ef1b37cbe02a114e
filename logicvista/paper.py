"""The numbers printed in the LogicVista paper (`logicvista/paper.json`)."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True)
class Table:
    """A printed table.

    Attributes:
        columns: Names of the skills or capabilities.
        rows: Model to its percentages, one a column.
    """

    columns: tuple[str, ...]
    rows: dict[str, tuple[float, ...]]


@dataclass(frozen=True)
class Line:
    """A regression line printed in Figure 5: percent over billions of parameters."""

    slope: float
    intercept: float
    r_squared: float


@dataclass(frozen=True)
class Paper:
    """Tables 3 and 4, and Figure 5.

    Attributes:
        table3: Accuracy by reasoning skill.
        table4: Accuracy by capability.
        sizes: Model to billions of parameters, as the figure takes them; None if not disclosed.
        figure5: The figure's lines for the means of a model's row in `table3` and `table4`.
    """

    table3: Table
    table4: Table
    sizes: dict[str, float | None]
    figure5: dict[str, Line]


@cache
def paper() -> Paper:
    """Return the printed numbers."""
    data = json.loads(Path(__file__).with_name("paper.json").read_text(encoding="utf-8"))
    tables = {
        name: Table(
            columns=tuple(data[name]["columns"]),
            rows={model: tuple(row) for model, row in data[name]["rows"].items()},
        )
        for name in ("table3", "table4")
    }
    return Paper(
        **tables,
        sizes=data["sizes"],
        figure5={name: Line(**line) for name, line in data["figure5"].items()},
    )
