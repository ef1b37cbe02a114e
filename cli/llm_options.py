"""The flags that let a language model read the replies that the rules of `mcq` leave open."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from scoring.mcq_fallback import FallbackExtractor

LlmBaseUrl = Annotated[
    str | None,
    typer.Option(help="OpenAI-compatible endpoint that reads what the rules leave open."),
]
LlmModel = Annotated[str | None, typer.Option(help="The model's name there.")]
LlmCache = Annotated[Path, typer.Option(help="Folder of the model's kept replies.")]
DEFAULT_LLM_CACHE = Path(".cache/llm")


def fallback(base_url: str | None, model: str | None, cache: Path) -> FallbackExtractor | None:
    """Return the extractor that the flags ask for; None if they name no model.

    Raises:
        BadParameter: Only one of URL and model is given.
    """
    if (base_url is None) != (model is None):
        raise typer.BadParameter("--llm-base-url and --llm-model go together")
    if base_url is None or model is None:
        return None
    from scoring.endpoint import Endpoint
    from scoring.mcq_fallback import FallbackExtractor

    return FallbackExtractor(Endpoint(base_url, model, cache=cache))
