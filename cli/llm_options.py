"""The flags that let language models read what the rules of `mcq` leave open, and judge."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from scoring.endpoint import Endpoint
    from scoring.mcq_fallback import FallbackExtractor

LlmBaseUrl = Annotated[
    str | None,
    typer.Option(help="OpenAI-compatible endpoint that reads what the rules leave open."),
]
LlmModel = Annotated[str | None, typer.Option(help="The model's name there.")]
LlmCache = Annotated[Path, typer.Option(help="Folder of the models' kept replies.")]
JudgeBaseUrl = Annotated[
    str | None,
    typer.Option(help="OpenAI-compatible endpoint that grades replies' reasoning, 0 to 4."),
]
JudgeModel = Annotated[str | None, typer.Option(help="The judge's name there.")]
DEFAULT_LLM_CACHE = Path(".cache/llm")


def fallback(base_url: str | None, model: str | None, cache: Path) -> FallbackExtractor | None:
    """Return the extractor that the flags ask for; None if they name no model.

    Raises:
        BadParameter: Only one of URL and model is given.
    """
    made = endpoint("llm", base_url, model, cache)
    if made is None:
        return None
    from scoring.mcq_fallback import FallbackExtractor

    return FallbackExtractor(made)


def endpoint(flags: str, base_url: str | None, model: str | None, cache: Path) -> Endpoint | None:
    """Return the model that two flags name; None if they name none.

    Args:
        flags: How both flags begin.
        base_url: Where it answers.
        model: Its name there.
        cache: Folder of the kept replies.

    Raises:
        BadParameter: Only one of URL and model is given.
    """
    if (base_url is None) != (model is None):
        raise typer.BadParameter(f"--{flags}-base-url and --{flags}-model go together")
    if base_url is None or model is None:
        return None
    from scoring.endpoint import Endpoint

    return Endpoint(base_url, model, cache=cache)
