"""`flowlearn score`: scores of a model's replies."""

import json
from pathlib import Path
from typing import Annotated

import typer

scores = typer.Typer(no_args_is_help=True, help="Score a model's replies.")

_REPLIES = 'JSON Lines of {"id", "reply"}, or a published `…-answers.json`.'


@scores.command("logicvista")
def score_logicvista(
    replies: Annotated[Path, typer.Argument(help=_REPLIES)],
    data: Annotated[Path, typer.Option(help="The imported dataset folder.")] = Path("logicvista"),
    against: Annotated[
        Path | None, typer.Option(help="A second model's replies, for a paired comparison.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print all as JSON.")] = False,
) -> None:
    """Accuracy on LogicVista: overall, by skill and capability, beside chance and majority."""
    from dataclasses import asdict

    from builders.errors import UserError
    from scoring import logicvista, logicvista_report
    from scoring.replies import read_replies

    items, gold = logicvista.load_items(data)
    try:
        made = [
            logicvista.score(items, read_replies(file), gold=gold)
            for file in (replies, against)
            if file
        ]
    except ValueError as error:
        raise UserError(str(error), f"Name replies to the items of {data}.") from error
    differences = logicvista.compare(items, *made) if against else {}
    if as_json:
        report = [logicvista_report.to_json(one) for one in made]
        compared = {name: asdict(value) for name, value in differences.items()}
        typer.echo(json.dumps({"scores": report, "differences": compared}, indent=2))
        return
    for file, one in zip((replies, against), made, strict=False):
        typer.echo(f"{file}\n{logicvista_report.to_text(one)}\n")
    if differences:
        typer.echo(f"{replies} minus {against}, paired, in points")
        typer.echo(logicvista_report.differences_to_text(differences))
