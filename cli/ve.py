"""`flowlearn ve`: visual entailment of generated code, asked and scored through batch files."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from cli.jsonl import read_jsonl

if TYPE_CHECKING:
    from metrics.core.precision_ve import PrecisionOptions
    from scoring.generated_charts import Chart
    from scoring.ve_batch import Reply

entailment = typer.Typer(
    no_args_is_help=True,
    help="Have a model look whether generated code is in the picture (Precision_VE).",
)


Charts = Annotated[
    str,
    typer.Argument(
        metavar="CHARTS",
        help='JSON Lines of {"image": path or URL, "code": the generating model\'s reply}, '
        "optionally with `id` (else the image is the id), `gold` (the right code) and `generator` "
        "(the model, which must not verify itself); `-` is stdin. As code, "
        "{nodes: [...], links: [[from, to, label], ...]} will do, too.",
    ),
]
Images = Annotated[Path | None, typer.Option(help="Folder of the images; without, that of CHARTS.")]
AllowMissing = Annotated[
    bool, typer.Option("--allow-missing", help="Count elements of calls without reply as no.")
]
Language = Annotated[
    str, typer.Option(help="Language of the code: auto, mermaid, dot or plantuml.")
]
EdgeLabels = Annotated[
    bool, typer.Option(help="Ask about edges with their labels; the same for both commands.")
]


def precision_options(
    language: str, edge_labels: bool, verifier: str = "given"
) -> PrecisionOptions:
    """Check the options of a command."""
    from metrics.core.languages import resolve
    from metrics.core.precision_ve import PrecisionOptions

    try:
        resolve(language)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--language") from error
    return PrecisionOptions(edge_labels=edge_labels, language=language, verifier=verifier)


def read_charts(charts: str, options: PrecisionOptions) -> list[Chart]:
    """Read the charts of a command."""
    from scoring.generated_charts import charts_of

    return charts_of(read_jsonl(charts, require=("image", "code")), options.language)


def image_folder(images: Path | None, charts: str) -> Path:
    """Return where relative paths of images start."""
    return images or (Path() if charts == "-" else Path(charts).parent)


def read_reply_files(files: list[Path]) -> dict[str, Reply]:
    """Read the outputs of batches, by `custom_id`."""
    from scoring.ve_batch import read_replies

    def lines() -> Iterator[tuple[str, dict[str, Any]]]:
        for file in files:
            for number, row in enumerate(read_jsonl(str(file)), 1):
                yield f"{file}, reply {number}", row

    return read_replies(lines())


@entailment.command("requests")
def write_requests(
    charts: Charts,
    model: Annotated[
        str, typer.Option(help="The model to ask; not the one that generated the code.")
    ],
    images: Images = None,
    pictures: Annotated[
        Literal["data", "file"],
        typer.Option(help="The picture inside the request, or a file:// URL for a local server."),
    ] = "data",
    detail: Annotated[
        str, typer.Option(help="Resolution at which the server looks: low, high or auto.")
    ] = "high",
    answered: Annotated[
        list[Path] | None,
        typer.Option(help="Output of an earlier batch: only what it leaves open is asked."),
    ] = None,
    edge_labels: EdgeLabels = True,
    language: Language = "auto",
    out: Annotated[Path | None, typer.Option(help="JSONL file; standard output without.")] = None,
) -> None:
    """Write the questions about generated code as a batch file for any OpenAI-style server.

    The nodes and edges of each code are listed in the prompt of the reference-free paper, twelve a
    call for simple charts down to three for complex ones. Send the file to a batch endpoint, or
    each line's `body` to `/v1/chat/completions`, and give the output to `flowlearn ve score`.

    Example:
    ```
    $ flowlearn ve requests charts.jsonl --model my-vlm --out requests.jsonl
    $ flowlearn ve score charts.jsonl replies.jsonl
    $ flowlearn ve requests charts.jsonl --model my-vlm --answered replies.jsonl --out open.jsonl
    $ flowlearn ve score charts.jsonl replies.jsonl more-replies.jsonl
    ```
    """
    from functools import partial

    from scoring.ve_batch import check_verifier, picture_url, requests

    options = precision_options(language, edge_labels)
    read = read_charts(charts, options)
    check_verifier(read, model)
    url_of = partial(picture_url, folder=image_folder(images, charts), form=pictures)
    done = {
        call for call, reply in read_reply_files(answered or []).items() if reply.text is not None
    }
    count = 0
    stream = out.open("w", encoding="utf-8") if out else sys.stdout
    try:
        for request in requests(read, model, url_of, options, detail, done):
            stream.write(json.dumps(request) + "\n")
            count += 1
    finally:
        if out:
            stream.close()
    without = Counter(c.generated.reading for c in read if not c.elements(options))
    told = ", ".join(f"{number} {reason}" for reason, number in without.items())
    typer.echo(
        f"{count} requests for {len(read)} charts"
        + (f"; without elements: {told}" if told else "")
        + (f"; answered already: {len(done)}" if answered else ""),
        err=True,
    )


@entailment.command("score")
def score(
    charts: Charts,
    replies: Annotated[
        list[Path], typer.Argument(help="Output of the batch: one file or several, any order.")
    ],
    allow_missing: AllowMissing = False,
    verifier: Annotated[
        str | None,
        typer.Option(help="Name of the verifier, for the signature; without, the replies' model."),
    ] = None,
    edge_labels: EdgeLabels = True,
    language: Language = "auto",
    out: Annotated[
        Path | None, typer.Option(help="JSONL file for the charts: verdicts, hallucinations.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print all as JSON.")] = False,
) -> None:
    """Score generated code by what a model says it sees: the precision of nodes and edges.

    Prints the mean precision, the elements that may be hallucinated, how many verdicts are missing
    (no line), odd (neither yes nor no, or both) and surplus, and, where charts have `gold`, the
    verifier's own F1, false positive and false negative rate.
    """
    from scoring.ve_batch import answering_model, check_verifier
    from scoring.ve_score import score_charts, to_text

    said = read_reply_files(replies)
    name = verifier or answering_model(said.values()) or "given"
    options = precision_options(language, edge_labels, name)
    read = read_charts(charts, options)
    check_verifier(read, name)
    made = score_charts(read, said, options, allow_missing)
    rows = [asdict(chart) for chart in made.charts]
    if out:
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        out.write_text(lines, encoding="utf-8")
    if as_json:
        total = asdict(made.score) | {"surplus": made.surplus, "failed": made.failed}
        del total["items"]  # each stands in its chart
        typer.echo(json.dumps({**total, "calls": made.calls, "charts": rows}, indent=2))
    else:
        typer.echo(to_text(made))
