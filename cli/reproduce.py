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


@reproductions.command("flowlearn")
def reproduce_flowlearn(
    data: Annotated[
        Path, typer.Option(help="Folder with the published result files: the authors' repository.")
    ],
    quick: Annotated[
        bool, typer.Option("--quick", help="Leave BERTScore and sentence similarity out.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print every cell as JSON.")] = False,
    as_markdown: Annotated[
        bool, typer.Option("--markdown", help="Print the tables as Markdown.")
    ] = False,
) -> None:
    """FlowLearn's Tables 4, 5, 7, 10, 11 and 12; exits with 1 if a cell is off too far."""
    from rich.console import Console

    from scoring import reproduce_flowlearn_report as report
    from scoring.reproduce_flowlearn import reproduce

    errors = Console(stderr=True)
    with errors.status("reading the replies") as status:
        made = reproduce(data, quick=quick, progress=status.update)
    if as_json:
        typer.echo(json.dumps(report.to_json(made), indent=2))
    elif as_markdown:
        typer.echo(report.to_markdown(made), nl=False)
    else:
        # Wide tables are left to the terminal to wrap rather than cut off.
        report.print_tables(made, Console(width=max(Console().width, 320)))
    if not made.as_expected:
        raise typer.Exit(1)


@reproductions.command("cards")
def reproduce_cards(
    flowlearn: Annotated[Path, typer.Option(help="Folder with FlowLearn's published results.")],
    logicvista: Annotated[Path, typer.Option(help="Folder with LogicVista's published results.")],
    out: Annotated[Path, typer.Option(help="JSON file that the cards are rendered from.")] = Path(
        "metrics/published_replies.json"
    ),
    quick: Annotated[
        bool,
        typer.Option(
            "--quick", help="Keep what the file says of descriptions, which take minutes."
        ),
    ] = False,
) -> None:
    """Measure what the metric cards say of the published replies; then run `flowlearn cards`."""
    from scoring.card_values import card_values

    values = card_values(flowlearn, logicvista, quick=quick)
    if quick and out.is_file():
        kept = json.loads(out.read_text(encoding="utf-8"))["flowlearn"]
        values["flowlearn"]["description_similarity"] = kept["description_similarity"]
    out.write_text(json.dumps(values, indent=1) + "\n", encoding="utf-8")
    typer.echo(out)
