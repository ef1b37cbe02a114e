"""`flowlearn export`: built data in other formats."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

exports = typer.Typer(no_args_is_help=True, help="Write built data in other formats.")


@exports.callback()
def root() -> None:
    """Write built data in other formats."""


@exports.command("upstream")
def upstream(
    folder: Annotated[Path, typer.Argument(help="Dataset folder.")] = Path("flowlearn"),
    config: Annotated[str, typer.Argument(help="Config of charts in it.")] = "simulated",
    out: Annotated[Path, typer.Option(help="Folder to write into.")] = Path("out/upstream"),
) -> None:
    """Write charts in the record format of the published FlowLearn.

    Example: `flowlearn export upstream flowlearn simulated --out out/upstream`
    """
    from builders.simulated.upstream import export_upstream

    count = export_upstream(folder, config, out)
    typer.echo(f"{out}: {count:,} charts")
