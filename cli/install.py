"""`flowlearn install`: bare names that load from any folder of this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.selection import DatasetFolders, MetricNames


def install(
    dataset: DatasetFolders = None,
    metric: MetricNames = None,
    datasets: Annotated[bool, typer.Option(help="Install datasets.")] = True,
    metrics: Annotated[bool, typer.Option(help="Install metrics.")] = True,
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
    from builders.metric_folders import metric_folder, metric_names
    from common.errors import UserError

    def tell(what: str) -> None:
        typer.echo(f"{what} …", err=True)

    if status and remove:
        raise typer.BadParameter("--status and --remove do not go together")
    if status:
        found = installing.installed()
        for item, place in found:
            typer.echo(f"{item.title} {item.version} from {item.source}\n  {place}")
        if not found:
            typer.echo("nothing is installed: run `flowlearn install`")
        return
    if remove:
        gone = installing.remove()
        for item in gone:
            typer.echo(f"removed {item.title} {item.version}")
        if not gone:
            typer.echo("nothing is installed")
        return
    folders = (dataset or [f for f in map(Path, DATASETS) if built_configs(f)]) if datasets else []
    modules = [metric_folder(name) for name in metric or metric_names()] if metrics else []
    if datasets and not folders:
        raise UserError(
            f"no dataset is built in {Path.cwd()}",
            "run `make build` (or `make demo`) in the project's folder and install from there, "
            "or pass --dataset FOLDER or --no-datasets",
        )
    for folder in folders:
        for item in installing.install_dataset(folder, tell):
            typer.echo(f'load_dataset("{item.name}", "{item.config}")')
    for module in modules:
        installing.install_metric(module, tell)
        typer.echo(f'evaluate.load("{module.name}")')
