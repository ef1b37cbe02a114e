"""`flowlearn install`: bare names that load from any folder of this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def install(
    dataset: Annotated[
        list[Path] | None, typer.Option(help="Folder of a dataset; without, every built one.")
    ] = None,
    metric: Annotated[
        list[str] | None, typer.Option(help="Name of a metric; without, every one.")
    ] = None,
    status: Annotated[bool, typer.Option("--status", help="Only tell what is installed.")] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Remove what was installed.")] = False,
) -> None:
    """Make `load_dataset("flowlearn", …)` and `evaluate.load("…")` work from any folder.

    Built datasets and all metrics go into the caches of `datasets` and `evaluate`; both names then
    load without the Hub, too. Installing again, after another build or another version, replaces
    what was installed. A folder of the same name in the working directory still comes first.
    """
    from builders import install as installing
    from builders.card import DATASETS, built_configs
    from builders.errors import UserError
    from builders.metric_folders import metric_folder, metric_names

    def tell(what: str) -> None:
        typer.echo(f"{what} …", err=True)

    if status:
        found = installing.installed()
        for item, place in found:
            typer.echo(f"{item.title} {item.version} from {item.source}\n  {place}")
        if not found:
            typer.echo("nothing is installed: run `flowlearn install`")
        return
    if remove:
        for item in installing.remove():
            typer.echo(f"removed {item.title} {item.version}")
        return
    folders = dataset or [f for f in map(Path, DATASETS) if built_configs(f)]
    if not folders:
        raise UserError("no dataset is built", "run `make build` (or `make demo`) first")
    for folder in folders:
        for item in installing.install_dataset(folder, tell):
            typer.echo(f'load_dataset("{item.name}", "{item.config}")')
    for name in metric or metric_names():
        installing.install_metric(metric_folder(name), tell)
        typer.echo(f'evaluate.load("{name}")')
