"""`flowlearn import`: published datasets from a user's own copy."""

from pathlib import Path
from typing import Annotated

import typer

imports = typer.Typer(no_args_is_help=True, help="Import published data from your own copy of it.")


@imports.command("logicvista")
def import_logicvista(
    path: Annotated[
        Path, typer.Argument(help="Checkout or download of the release: a folder or a zip.")
    ],
    out: Annotated[Path, typer.Option(help="Dataset folder to write into.")] = Path("logicvista"),
    allow_missing: Annotated[
        bool, typer.Option("--allow-missing", help="Take items whose image is not there.")
    ] = False,
    as_published: Annotated[
        bool, typer.Option("--as-published", help="Keep gold and capabilities as released.")
    ] = False,
) -> None:
    """Make the config `published` of LogicVista; its images stay on this machine."""
    from builders.published.logicvista import CONFIG, NOT_PUBLISHABLE, import_logicvista
    from common.errors import first_of

    made = import_logicvista(path, out, allow_missing=allow_missing, as_published=as_published)
    typer.echo(
        f"{made.file}: {made.rows} rows, {made.scorable} scorable, {made.groups} different images"
    )
    if made.missing:
        typer.echo(f"without image: {len(made.missing)} ({first_of(made.missing)})")
    typer.echo(f'load_dataset("{made.folder}", "{CONFIG}", split="test")')
    typer.echo(f"Not for publishing. {NOT_PUBLISHABLE}")
