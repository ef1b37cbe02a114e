"""Command-line flags made from the keys of a configuration."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer
import yaml
from pydantic import BaseModel

PARAMETER = inspect.Parameter


def with_config_options(model: type[BaseModel], skip: tuple[str, ...] = ()) -> Callable[..., Any]:
    """Give a command one flag per key of a configuration model.

    The command receives the keys that were given, parsed as YAML, in its `changes` parameter.

    Args:
        model: The configuration.
        skip: Keys that the command declares itself.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        fields = {name: f for name, f in model.model_fields.items() if name not in skip}

        def wrapper(**arguments: Any) -> Any:
            given = {name: arguments.pop(name) for name in fields}
            changes = {name: _parse(name, text) for name, text in given.items() if text is not None}
            return command(**arguments, changes=changes)

        own = [p for p in inspect.signature(command, eval_str=True).parameters.values()
               if p.name != "changes"]  # fmt: skip
        flags = [
            PARAMETER(
                name,
                PARAMETER.KEYWORD_ONLY,
                default=None,
                annotation=Annotated[
                    str | None,
                    typer.Option(
                        f"--{name.replace('_', '-')}",
                        help=f"{field.description} Default: {_render(field.default)}",
                        metavar="VALUE",
                        show_default=False,
                        rich_help_panel="Keys of the configuration",
                    ),
                ],
            )
            for name, field in fields.items()
        ]
        keyword = [p.replace(kind=PARAMETER.KEYWORD_ONLY) for p in own]
        wrapper.__signature__ = inspect.Signature(keyword + flags)  # type: ignore[attr-defined]
        wrapper.__annotations__ = {p.name: p.annotation for p in keyword + flags}
        wrapper.__doc__ = command.__doc__
        wrapper.__name__ = command.__name__
        return wrapper

    return decorate


def _parse(name: str, text: str) -> Any:
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise typer.BadParameter(
            f"--{name.replace('_', '-')} {text!r} is not YAML", param_hint=name
        ) from error


def _render(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k}: {v:g}" for k, v in value.items()) + "}"
    return str(value)
