"""`flowlearn reproduce`: the published numbers again, from the published replies."""

import json
from pathlib import Path
from typing import Annotated

import typer

reproductions = typer.Typer(
    no_args_is_help=True, help="Compute published numbers again from the published replies."
)


@reproductions.command("logicvista")
def reproduce_logicvista(
    data: Annotated[
        Path, typer.Option(help="Folder with the published dataset.json, results and answers.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print every cell as JSON.")] = False,
    as_markdown: Annotated[
        bool, typer.Option("--markdown", help="Print every cell as Markdown.")
    ] = False,
    plot: Annotated[
        Path | None, typer.Option(help="Draw Figure 5 into this file (.png, .svg, .pdf).")
    ] = None,
) -> None:
    """LogicVista's Tables 3 and 4 and Figure 5; exits with 1 if a cell differs unexpectedly."""
    from scoring import model_size
    from scoring import reproduce_logicvista_report as report
    from scoring.reproduce_logicvista import reproduce

    made = reproduce(data)
    if as_json:
        typer.echo(json.dumps(report.to_json(made), indent=2))
    elif as_markdown:
        typer.echo(report.to_markdown(made), nl=False)
    else:
        typer.echo(report.summary(made))
    if plot:
        model_size.plot(report.figure5(), plot)
    if not made.as_expected:
        raise typer.Exit(1)
