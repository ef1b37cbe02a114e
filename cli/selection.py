"""The options that choose datasets and metrics of the project."""

from pathlib import Path
from typing import Annotated

import typer

DatasetFolders = Annotated[
    list[Path] | None,
    typer.Option("--dataset", help="Folder of a dataset; without, every built one."),
]
MetricNames = Annotated[
    list[str] | None, typer.Option("--metric", help="Name of a metric; without, every one.")
]
