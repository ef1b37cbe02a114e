"""Visual entailment through batch files: requests for any OpenAI-style server, and its replies.

Each call is known by its `custom_id`, `<chart>#<number>-<hash of its elements>`, so that replies
may come in any order and in several files, a second run asks only what is still open, and replies
about other elements (of other code, or asked with other options) are never taken for these.
"""

import base64
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from common.errors import UserError, first_of
from metrics.core.precision_ve import PrecisionOptions
from metrics.core.ve_protocol import batches, ve_prompt
from scoring.generated_charts import URL_SCHEMES, Chart

ImageForm = Literal["data", "file"]


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back of one call.

    Attributes:
        text: The model's reply; `None` where there is none.
        model: The model that answered; empty where the server does not say.
        problem: Why there is no text; empty where there is one.
    """

    text: str | None
    model: str = ""
    problem: str = ""


def check_verifier(charts: Iterable[Chart], model: str) -> None:
    """Refuse a model as the verifier of its own code: it would see what it made up.

    Raises:
        UserError: It generated the code of a chart.
    """
    if own := [chart.id for chart in charts if model and chart.generator == model]:
        raise UserError(
            f"{model} generated the code of {first_of(own)}", "let another model verify it"
        )


def requests(
    charts: Iterable[Chart],
    model: str,
    url_of: Callable[[str], str],
    options: PrecisionOptions,
    detail: str = "high",
    answered: Set[str] = frozenset(),
) -> Iterator[dict[str, Any]]:
    """Yield the calls for some charts as lines of a batch file.

    Args:
        charts: The charts.
        model: The model to ask; not the one that generated the code.
        url_of: Returns a picture's URL.
        options: Whether edges are asked about with their labels.
        detail: Resolution at which the server looks at pictures.
        answered: Calls that have their reply already.
    """
    for chart in charts:
        calls = zip(calls_of(chart, options), batches(chart.elements(options)), strict=True)
        wanted = {call: elements for call, elements in calls if call not in answered}
        url = url_of(chart.image) if wanted else ""
        for call, elements in wanted.items():
            content = [
                {"type": "text", "text": ve_prompt(elements)},
                {"type": "image_url", "image_url": {"url": url, "detail": detail}},
            ]
            yield {
                "custom_id": call,
                "method": "POST",
                "url": "/v1/chat/completions",
                "body": {
                    "model": model,
                    "temperature": 0,
                    "messages": [{"role": "user", "content": content}],
                },
            }


def picture_url(image: str, folder: Path, form: ImageForm) -> str:
    """Return a picture as the URL of a request.

    Args:
        image: Its path, from `folder`, or a URL, which stays as it is.
        folder: Where paths begin.
        form: `data`: the picture inside the URL; `file`: a `file://` URL, for a server on the same
            machine.

    Raises:
        UserError: The file is missing or no picture.
    """
    if image.startswith(URL_SCHEMES):
        return image
    from PIL import Image, UnidentifiedImageError

    path = (folder / image).resolve()
    try:
        with Image.open(path) as picture:
            kind = picture.get_format_mimetype() or "application/octet-stream"
        if form == "file":
            return path.as_uri()
        return f"data:{kind};base64,{base64.b64encode(path.read_bytes()).decode()}"
    except UnidentifiedImageError as error:
        raise UserError(f"{path} is no picture") from error
    except OSError as error:
        raise UserError(
            f"cannot read the picture {path}: {error.strerror or error}",
            "paths are taken from the folder of the file of charts, or from --images",
        ) from error


def read_replies(lines: Iterable[tuple[str, Mapping[str, Any]]]) -> dict[str, Reply]:
    """Read the lines of batch output files.

    Args:
        lines: Objects as a batch gives them, each with its place for errors. A reply is taken where
            a call has failed as well: it was asked again.

    Returns:
        Replies by `custom_id`.

    Raises:
        UserError: A line is no reply, or two different replies are for one call.
    """
    found: dict[str, Reply] = {}
    places: dict[str, str] = {}
    for place, row in lines:
        call = row.get("custom_id")
        if not isinstance(call, str) or not {"response", "error"} & row.keys():
            raise UserError(
                f"{place}: not a line of a batch's output",
                'expected {"custom_id": …, "response": {"body": …}}, as OpenAI-style batches write',
            )
        reply, before = _reply(row), found.get(call)
        if before is not None and before.text is not None:
            if reply.text not in (None, before.text):
                raise UserError(
                    f"{places[call]} and {place} hold different replies to {call!r}",
                    "score one run at a time",
                )
            continue
        found[call], places[call] = reply, place
    return found


def _reply(row: Mapping[str, Any]) -> Reply:
    response, error = row.get("response"), row.get("error")
    if error or not isinstance(response, Mapping):
        return Reply(None, problem=f"error: {_told(error)}")
    body = response.get("body")
    status = response.get("status_code", 200)
    if status != 200 or not isinstance(body, Mapping) or "choices" not in body:
        failure = body.get("error") if isinstance(body, Mapping) else body
        return Reply(None, problem=f"status {status}: {_told(failure)}")
    model = str(body.get("model") or "")
    try:
        message = body["choices"][0]["message"]
        content = message["content"]
    except (LookupError, TypeError):
        return Reply(None, model, "no message in the response")
    if isinstance(content, list):
        texts = [part.get("text") for part in content if isinstance(part, Mapping)]
        content = "".join(text for text in texts if isinstance(text, str))
    if not isinstance(content, str):
        refusal = message.get("refusal") if isinstance(message, Mapping) else None
        return Reply(None, model, f"no text in the response{f': {refusal}' if refusal else ''}")
    return Reply(content, model)


def _told(error: object) -> str:
    """Return what a server says of a failure, on one line."""
    if isinstance(error, Mapping):
        error = error.get("message") or error.get("code") or json.dumps(error)
    return " ".join(str(error or "no response").split())[:200]


def calls_of(chart: Chart, options: PrecisionOptions) -> list[str]:
    """Return the `custom_id`s of a chart's calls."""
    return [
        f"{chart.id}#{number}-{hashlib.sha256(json.dumps(elements).encode()).hexdigest()[:8]}"
        for number, elements in enumerate(batches(chart.elements(options)))
    ]


def answering_model(replies: Iterable[Reply]) -> str:
    """Return the one model that answered; empty where no server says which.

    Raises:
        UserError: There are several.
    """
    models: Sequence[str] = sorted({reply.model for reply in replies if reply.model})
    if len(models) > 1:
        raise UserError(
            f"several models answered: {', '.join(models)}", "score the replies of one at a time"
        )
    return models[0] if models else ""
