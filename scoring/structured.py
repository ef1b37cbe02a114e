"""Getting an answer of a given form from a language model: ask, validate, tell what was wrong."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from scoring.endpoint import Endpoint, Message

Form = TypeVar("Form", bound=BaseModel)


@dataclass(frozen=True)
class Structured(Generic[Form]):
    """What a model answered.

    Attributes:
        value: The validated answer; None if it never came in the form asked for.
        attempts: How often it was asked.
        error: What was wrong with the last answer; empty if nothing was.
    """

    value: Form | None
    attempts: int
    error: str = ""


def ask_for(
    form: type[Form],
    endpoint: Endpoint,
    messages: Sequence[Message],
    *,
    attempts: int = 3,
    context: dict[str, Any] | None = None,
) -> Structured[Form]:
    """Ask until the answer validates; each time it does not, tell the model why.

    Args:
        form: The form of the answer, a pydantic model.
        endpoint: The model to ask.
        messages: The conversation; the form's JSON Schema is added to it.
        attempts: How often to ask at most.
        context: Values that the form's validators need.

    Raises:
        ValueError: `attempts` is less than 1.
        UserError: The endpoint cannot be asked.
    """
    if attempts < 1:
        raise ValueError(f"attempts: expected at least 1, got {attempts}")
    schema = json.dumps(form.model_json_schema(), ensure_ascii=False)
    asked: list[Message] = [
        *messages,
        {"role": "user", "content": f"Reply with one JSON object of this schema only:\n{schema}"},
    ]
    error = ""
    for attempt in range(1, attempts + 1):
        reply = endpoint.complete(asked)
        try:
            return Structured(
                form.model_validate_json(_json_object(reply), context=context), attempt
            )
        except ValidationError as invalid:
            error = _told(invalid)
        asked += [
            {"role": "assistant", "content": reply},
            {
                "role": "user",
                "content": f"That did not validate: {error}\nReply again, the JSON object only.",
            },
        ]
    return Structured(None, attempts, error)


def _json_object(reply: str) -> str:
    """Return the text from the first brace to the last: models like to wrap JSON."""
    start, end = reply.find("{"), reply.rfind("}")
    return reply[start : end + 1] if 0 <= start < end else reply


def _told(error: ValidationError) -> str:
    """Return a validation error in one line, without the library's links."""
    return "; ".join(
        f"{'.'.join(map(str, one['loc'])) or 'reply'}: {one['msg']}" for one in error.errors()
    )
