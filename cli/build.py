"""`flowlearn build`: makes datasets."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from builders.simulated.config import SimulatedConfig, load_config
from cli.config_options import with_config_options
from cli.progress import progress_bar

builds = typer.Typer(no_args_is_help=True, help="Make datasets.")


@builds.command("simulated")
@with_config_options(SimulatedConfig)
def simulated(
    config: Annotated[
        str | None, typer.Option("--config", help="YAML file of keys; flags override it.")
    ] = None,
    out: Annotated[Path, typer.Option(help="Dataset folder to write into.")] = Path("flowlearn"),
    jobs: Annotated[
        int, typer.Option(min=1, help="Worker processes; one a core by default.")
    ] = os.cpu_count() or 1,
    *,
    changes: dict[str, Any],
) -> None:
    """Draw flowcharts with exact annotations and questions.

    Presets: `flowlearn-word` (the published distributions, but legible), `flowlearn-char`
    (single letters), `rich` (all shapes, labels, subgraphs), `upstream-word` (as published,
    illegible backgrounds included).

    Values are YAML: `--link-styles "{'-->': 2, '==>': 1}"`. An interrupted build goes on where it
    was; a complete one is left alone.

    Example: `flowlearn build simulated --preset rich --train 400 --test 100`
    """
    from builders.simulated.produce import produce

    made = produce(load_config(config, **changes), out, jobs, progress_bar)
    for built in filter(None, (made.charts, made.questions, made.benchmark)):
        done = (
            f"{built.made} of {built.made + built.kept} shards made"
            if built.made
            else ("complete already, nothing to do")
        )
        for split, (rows, _) in built.manifest.splits().items():
            typer.echo(f"{built.manifest.config}/{split}: {rows:,} rows")
        typer.echo(f"{built.folder}: {done} ({built.seconds:.0f} s)")
    typer.echo(f"report: {made.report}")
    typer.echo(f'load_dataset("{out}", "{made.charts.manifest.config}")')
