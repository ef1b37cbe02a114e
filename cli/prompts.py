"""`flowlearn prompts`: the papers' prompts, exactly."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from flowlearn.tasks import TASKS, Prompt, Style, task_prompt


def prompts(
    name: Annotated[
        str | None, typer.Argument(help="The prompt to print; without, all names are listed.")
    ] = None,
    style: Annotated[
        Style,
        typer.Option(
            help="Of a FlowLearn task: as printed, as API models were asked, or with a chain of "
            "thought."
        ),
    ] = "plain",
    as_released: Annotated[
        bool, typer.Option("--as-released", help="FlowLearn's released wording where it differs.")
    ] = False,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json",
            help="Print an object: `instruction`, `question_end` (what follows the question) and "
            "`answer` (how answers of solved examples are written).",
        ),
    ] = False,
) -> None:
    """Print the papers' prompts: FlowLearn's tasks, and those of the reference-free metrics.

    `generation` asks for the Mermaid code of a picture, `ocr-texts` for its texts, `verification`
    whether elements are in it (`{elements}` are the numbered lines of one call, `{count}` how many
    there are; `flowlearn ve requests` fills them in).

    Example: `flowlearn prompts generation` or `flowlearn prompts mermaid --style chain-of-thought`
    """
    from metrics.core.ve_protocol import GENERATION_PROMPT, OCR_PROMPT, VE_PROMPT

    known: dict[str, Prompt] = {
        **{str(task): task_prompt(task, style, as_released) for task in TASKS},
        "generation": Prompt(GENERATION_PROMPT),
        "ocr-texts": Prompt(OCR_PROMPT),
        "verification": Prompt(VE_PROMPT),
    }
    if name is None:
        typer.echo("\n".join(known))
        return
    if name not in known:
        raise typer.BadParameter(f"no prompt {name!r}: one of {', '.join(known)}")
    asked = known[name]
    if as_json:
        fields = {
            "instruction": asked.instruction,
            "question_end": asked.question_end,
            "answer": asked.answer,
        }
        typer.echo(json.dumps(fields, indent=1, ensure_ascii=False))
    else:
        typer.echo(asked.instruction)
