"""`flowlearn extract`: answers read from model replies, one JSON object a line."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.jsonl import read_jsonl, write_jsonl

extractions = typer.Typer(no_args_is_help=True, help="Read answers from model replies.")


@extractions.command("mcq")
def extract_mcq(
    jsonl: Annotated[
        str,
        typer.Option(
            "--jsonl",
            metavar="FILE",
            help='Objects `{"reply", "choices"}`, choices a list of labels or `{label: text}`; '
            "`-` is stdin.",
        ),
    ],
    llm_base_url: Annotated[
        str | None,
        typer.Option(help="OpenAI-compatible endpoint that reads what the rules leave open."),
    ] = None,
    llm_model: Annotated[str | None, typer.Option(help="The model's name there.")] = None,
    llm_cache: Annotated[Path, typer.Option(help="Folder of the model's kept replies.")] = Path(
        ".cache/llm"
    ),
) -> None:
    """Read the options that replies to multiple-choice questions choose.

    Writes `{"letters": […], "reason", "span"}` for each object, in the same order. Without a model
    the rules alone decide; with one, a reply that they leave open goes to it, together with the
    object's `question` where there is one, and what it decided has the reason `llm`.

    Example:
    ```
    $ echo '{"reply": "Not A but C.", "choices": ["A", "B", "C"]}' | flowlearn extract mcq --jsonl -
    {"letters": ["C"], "reason": "answer_phrase", "span": [10, 11]}
    ```
    """
    from metrics.core.mcq import extract

    if (llm_base_url is None) != (llm_model is None):
        raise typer.BadParameter("--llm-base-url and --llm-model go together")
    items = read_jsonl(jsonl, require=("reply", "choices"))
    if llm_base_url is None or llm_model is None:
        write_jsonl(_mcq(items, lambda item: extract(item["reply"], item["choices"])))
        return
    from scoring.endpoint import Endpoint
    from scoring.mcq_fallback import FallbackExtractor

    reader = FallbackExtractor(Endpoint(llm_base_url, llm_model, cache=llm_cache))
    write_jsonl(
        _mcq(
            items,
            lambda item: reader(item["reply"], item["choices"], str(item.get("question") or "")),
        )
    )


def _mcq(items: Iterable[dict[str, Any]], read: Any) -> Iterator[dict[str, Any]]:
    for number, item in enumerate(items, 1):
        try:
            found = read(item)
        except (ValueError, TypeError) as error:
            raise typer.BadParameter(f"object {number}: {error}") from error
        yield {"letters": list(found.letters), "reason": found.reason, "span": found.span}
