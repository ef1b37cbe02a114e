"""`flowlearn cards`: cards of datasets and metrics, rendered again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.selection import DatasetFolders, MetricNames


def cards(
    dataset: DatasetFolders = None,
    metric: MetricNames = None,
    datasets: Annotated[bool, typer.Option(help="Write cards of datasets.")] = True,
    metrics: Annotated[bool, typer.Option(help="Write cards of metrics.")] = True,
) -> None:
    """Render the cards (`README.md`) of datasets and metrics from `dataset_cards/`.

    What a card says of data is read from the data; what it says of a metric, from the module: its
    arguments and results, its version, what its examples print. `flowlearn build` writes the
    card of what it builds by itself; metrics' cards stand in git, written by this command.

    Example: `flowlearn cards --metric mermaid_f1 --no-datasets`
    """
    from builders.card import DATASETS, built_configs, write_card
    from builders.metric_card import write_metric_card
    from builders.metric_folders import metric_folder, metric_names

    if datasets:
        for folder in dataset or [f for f in map(Path, DATASETS) if built_configs(f)]:
            typer.echo(write_card(folder))
    if metrics:
        for name in metric or metric_names():
            typer.echo(write_metric_card(metric_folder(name)))
