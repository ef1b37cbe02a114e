"""`flowlearn publish`: datasets and metrics to the Hub."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.selection import DatasetFolders, MetricNames


def publish(
    namespace: Annotated[
        str, typer.Option(help="User or organisation of the Hub to publish under.")
    ],
    dataset: DatasetFolders = None,
    metric: MetricNames = None,
    datasets: Annotated[bool, typer.Option(help="Publish datasets.")] = True,
    metrics: Annotated[bool, typer.Option(help="Publish metrics.")] = True,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only show what would happen.")
    ] = False,
) -> None:
    """Publish built datasets and metrics on the Hugging Face Hub, tagged with their versions.

    Everything is checked before anything is sent; the tag is set last. Safe to repeat: what is
    there already is not sent again, and an interrupted run is completed. The token is that of
    `hf auth login` or of the variable `HF_TOKEN`.

    Example: `flowlearn publish --namespace my-name --dry-run`
    """
    import tempfile

    from huggingface_hub import get_token
    from rich.console import Console
    from rich.table import Table

    from builders import hub
    from builders.card import DATASETS
    from builders.hub_packages import publishable, stage_all
    from builders.metric_folders import metric_folder, metric_names
    from common.errors import UserError

    def tell(what: str) -> None:
        typer.echo(f"{what} …", err=True)

    token = get_token()
    if not token and not dry_run:
        raise UserError(
            "no token for the Hub was found",
            "run `hf auth login`, or set HF_TOKEN to a token with write access",
        )
    folders = (dataset or [f for f in map(Path, DATASETS) if publishable(f)]) if datasets else []
    names = (metric or metric_names()) if metrics else []
    if datasets and not folders:
        raise UserError(
            f"no dataset that may be published is built in {Path.cwd()}",
            "run `make build` in the project's folder and publish from there, "
            "or pass --dataset FOLDER or --no-datasets",
        )
    if not folders and not names:
        raise UserError("nothing is left to publish", "drop --no-datasets or --no-metrics")
    hub.check_name(namespace)
    with tempfile.TemporaryDirectory(prefix="flowlearn-publish-") as staged:
        packages = stage_all(folders, [metric_folder(name) for name in names], Path(staged), tell)
        api = hub.connect(token)
        steps = hub.plan(api, namespace, packages)
        table = Table("repository", "version", "files", "MB", "what happens")
        for step in steps:
            package = step.package
            size = sum(path.stat().st_size for path in package.folder.rglob("*") if path.is_file())
            counts = (package.tag, str(len(package.digests)), f"{size / 1e6:.1f}")
            table.add_row(step.repo, *counts, hub.WHAT_HAPPENS[step.action])
        Console().print(table)
        for package in packages:
            for config, reason in package.left_out.items():
                typer.echo(f"{package.name}, {config} is left out: {reason}")
        if dry_run:
            return
        hub.publish(api, steps, tell)
    for step in steps:
        typer.echo(step.link)
