"""`flowlearn extract`: answers read from model replies, one JSON object a line."""

from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from typing import Annotated, Any

import typer

from cli.jsonl import read_jsonl, write_jsonl
from cli.llm_options import DEFAULT_LLM_CACHE, LlmBaseUrl, LlmCache, LlmModel, fallback
from common.errors import UserError

extractions = typer.Typer(no_args_is_help=True, help="Read answers from model replies.")


class Mode(str, Enum):
    """How replies are read."""

    PAPER = "paper"
    MEANING = "meaning"


class Counted(str, Enum):
    """What a counting question asks for."""

    NODES = "nodes"
    ARROWS = "arrows"


Replies = Annotated[
    str, typer.Option("--jsonl", metavar="FILE", help='Objects `{"reply": …}`; `-` is stdin.')
]
ReadingMode = Annotated[
    Mode, typer.Option(help="The paper's rule, or what a careful reader takes from the reply.")
]


def _write(file: str, read: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    write_jsonl(read(item) for item in read_jsonl(file, require=("reply",)))


@extractions.command("tf")
def extract_tf(jsonl: Replies, mode: ReadingMode = Mode.PAPER) -> None:
    """Read the verdicts in replies to true/false questions.

    Writes `{"value", "reason", "span"}` for each object, in the same order; the value is "true",
    "false", or null where the reply gives no verdict (or is no text), the reason says why.

    Example:
    ```
    $ echo '{"reply": "It is not true."}' | flowlearn extract tf --mode meaning --jsonl -
    {"value": "false", "reason": "verdict", "span": [10, 14]}
    ```
    """
    from metrics.core.truefalse import read_truefalse

    def read(item: dict[str, Any]) -> dict[str, Any]:
        answer = read_truefalse(item["reply"], mode=mode.value)
        # The words of the task's prompt and of the gold answers, not JSON's literals.
        value = None if answer.value is None else str(answer.value).lower()
        return {"value": value, "reason": answer.reason, "span": answer.span}

    _write(jsonl, read)


@extractions.command("number")
def extract_number(
    jsonl: Replies,
    mode: ReadingMode = Mode.PAPER,
    counted: Annotated[
        Counted | None, typer.Option(help="What was asked for; the other is passed over.")
    ] = None,
) -> None:
    """Read the counts in replies to "how many nodes (arrows) are there?".

    Writes `{"value", "reason", "span"}` for each object, in the same order; the value is an
    integer, or null where the reply gives no count (or is no text), the reason says why.

    Example:
    ```
    $ echo '{"reply": "4 nodes, 5 arrows"}' | flowlearn extract number --mode meaning --jsonl -
    {"value": 5, "reason": "count", "span": [9, 10]}
    ```
    """
    from metrics.core.count import read_count

    def read(item: dict[str, Any]) -> dict[str, Any]:
        answer = read_count(
            item["reply"], mode=mode.value, counted=counted.value if counted else None
        )
        return {"value": answer.value, "reason": answer.reason, "span": answer.span}

    _write(jsonl, read)


@extractions.command("ocr")
def extract_ocr(jsonl: Replies, mode: ReadingMode = Mode.PAPER) -> None:
    """Read the texts that replies to "what is written in the red box?" claim to see.

    Writes `{"value", "reason", "span"}` for each object, in the same order; in the paper's mode the
    value is the whole reply. Where the object has the right text as `reference`, `contained` tells
    whether it occurs in the reply, which is the paper's rule.

    Example:
    ```
    $ echo '{"reply": "It says: foo", "reference": "foo"}' | flowlearn extract ocr --jsonl -
    {"value": "It says: foo", "reason": "whole", "span": [0, 12], "contained": true}
    ```
    """
    from metrics.core.ocr_text import find_reference, read_text

    def read(item: dict[str, Any]) -> dict[str, Any]:
        answer = read_text(item["reply"], mode=mode.value)
        found: dict[str, Any] = {
            "value": answer.value,
            "reason": answer.reason,
            "span": answer.span,
        }
        if isinstance(reference := item.get("reference"), str):
            found["contained"] = find_reference(item["reply"], reference) is not None
        return found

    _write(jsonl, read)


@extractions.command("mermaid")
def extract_mermaid(jsonl: Replies, mode: ReadingMode = Mode.PAPER) -> None:
    """Read the diagram code in replies.

    Writes `{"value", "reason", "span"}` for each object, in the same order. The paper's mode takes
    the first closed ``` fence; the other reads as a careful person (the first fence that is a
    diagram, an unclosed one, no fence at all). The value is null where there is no code.

    Example:
    ```
    $ echo '{"reply": "flowchart LR; A-->B"}' | flowlearn extract mermaid --mode meaning --jsonl -
    {"value": "flowchart LR; A-->B", "reason": "no_fence", "span": [0, 19]}
    ```
    """
    from metrics.core.reply import find_code

    def read(item: dict[str, Any]) -> dict[str, Any]:
        code = find_code(item["reply"], mode.value)
        value = code.text or None
        return {"value": value, "reason": code.reading, "span": code.span if value else None}

    _write(jsonl, read)


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
    llm_base_url: LlmBaseUrl = None,
    llm_model: LlmModel = None,
    llm_cache: LlmCache = DEFAULT_LLM_CACHE,
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

    reader = fallback(llm_base_url, llm_model, llm_cache)
    items = read_jsonl(jsonl, require=("reply", "choices"))
    if reader is None:
        write_jsonl(_mcq(items, lambda item: extract(item["reply"], item["choices"])))
        return
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
            raise UserError(f"object {number}: {error}") from error
        yield {"letters": list(found.letters), "reason": found.reason, "span": found.span}
