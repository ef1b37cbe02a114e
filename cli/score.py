"""`flowlearn score`: scores of a model's replies."""

import json
from pathlib import Path
from typing import Annotated

import typer

from cli.llm_options import (
    DEFAULT_LLM_CACHE,
    JudgeBaseUrl,
    JudgeModel,
    LlmBaseUrl,
    LlmCache,
    LlmModel,
    endpoint,
    fallback,
)
from cli.score_reference_free import score_reference_free

scores = typer.Typer(no_args_is_help=True, help="Score a model's replies.")
scores.command("reference-free")(score_reference_free)

_REPLIES = 'JSON Lines of {"id", "reply"}, or a published `…-answers.json`.'


@scores.command("logicvista")
def score_logicvista(
    replies: Annotated[Path, typer.Argument(help=_REPLIES)],
    data: Annotated[Path, typer.Option(help="The imported dataset folder.")] = Path("logicvista"),
    against: Annotated[
        Path | None, typer.Option(help="A second model's replies, for a paired comparison.")
    ] = None,
    reasoning: Annotated[
        bool, typer.Option("--reasoning", help="Compare the replies with the human reasoning too.")
    ] = False,
    llm_base_url: LlmBaseUrl = None,
    llm_model: LlmModel = None,
    judge_base_url: JudgeBaseUrl = None,
    judge_model: JudgeModel = None,
    llm_cache: LlmCache = DEFAULT_LLM_CACHE,
    as_json: Annotated[bool, typer.Option("--json", help="Print all as JSON.")] = False,
) -> None:
    """Accuracy on LogicVista: overall, by skill and capability, beside chance and majority.

    Without a model the rules alone read the replies; with one, it reads those that they leave open,
    and the signature says so. A judge, which may be the same model, grades how well replies explain
    their answers, beside the human reasoning. Every question is asked once and the reply kept.
    """
    from dataclasses import asdict

    from builders.published.logicvista import load_rows
    from common.errors import UserError
    from scoring import logicvista, logicvista_report
    from scoring.judge import judge_reasoning
    from scoring.logicvista_reasoning import score_reasoning
    from scoring.replies import read_replies

    reader = fallback(llm_base_url, llm_model, llm_cache)
    judge = endpoint("judge", judge_base_url, judge_model, llm_cache)
    extractor, name = (reader, reader.name) if reader else (logicvista.by_rules, "rules")
    rows, gold = load_rows(data, logicvista.COLUMNS)
    items = [logicvista.item_of_row(row) for row in rows]
    files = {file: read_replies(file) for file in (replies, against) if file}
    try:
        made = [
            logicvista.score(items, given, extractor=extractor, extractor_name=name, gold=gold)
            for given in files.values()
        ]
    except ValueError as error:
        raise UserError(str(error), f"name replies to the items of {data}") from error
    differences = logicvista.compare(items, *made) if len(made) == 2 else {}
    explained = [score_reasoning(items, given) for given in files.values()] if reasoning else []
    judged = [judge_reasoning(judge, items, given) for given in files.values()] if judge else []
    if as_json:
        report = [logicvista_report.to_json(one) for one in made]
        compared = {name: asdict(value) for name, value in differences.items()}
        similar = [asdict(one) for one in explained]
        graded = [asdict(one) for one in judged]
        values = {
            "scores": report,
            "differences": compared,
            "reasoning": similar,
            "judge": graded,
        }
        typer.echo(json.dumps(values, indent=2))
        return
    for index, file in enumerate(files):
        typer.echo(f"{file}\n{logicvista_report.to_text(made[index])}\n")
        if reasoning:
            typer.echo(f"{logicvista_report.reasoning_to_text(explained[index])}\n")
        if judge:
            typer.echo(f"{logicvista_report.judge_to_text(judged[index])}\n")
    if differences:
        typer.echo(f"{replies} minus {against}, paired, in points")
        typer.echo(logicvista_report.differences_to_text(differences))
