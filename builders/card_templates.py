"""The templates of all cards."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from builders.paper_tables import flowlearn_table, mean_table

TEMPLATES = Path(__file__).resolve().parent.parent / "dataset_cards"


def environment() -> Environment:
    """Return the environment that renders cards; what a template lacks is an error."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    made.filters["cell"] = _cell
    made.globals |= {"flowlearn_table": flowlearn_table, "mean_table": mean_table}
    return made


def _cell(text: str) -> str:
    """Return a text as it may stand in a cell of a Markdown table."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")
