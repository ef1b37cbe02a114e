"""`flowlearn score reference-free`: watch a pipeline, where no gold code is known."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.journal import engine_state, file_state, go_on
from cli.ve import (
    AllowMissing,
    Charts,
    EdgeLabels,
    Images,
    Language,
    image_folder,
    precision_options,
    read_charts,
    read_reply_files,
)
from common.errors import UserError, first_of

if TYPE_CHECKING:
    from scoring.generated_charts import Chart
    from scoring.reference_free import Options, Sight
    from vision.workers import EngineWorkers


def score_reference_free(
    charts: Charts,
    images: Images = None,
    engine: Annotated[str, typer.Option(help="OCR engine, see `flowlearn ocr`.")] = "rapidocr",
    jobs: Annotated[int, typer.Option(min=1, help="Processes that look at pictures.")] = 1,
    replies: Annotated[
        list[Path] | None,
        typer.Option(
            help="Output of a batch of `flowlearn ve requests`: a model's verdicts instead of the "
            "embedded verifier's. May be repeated."
        ),
    ] = None,
    allow_missing: AllowMissing = False,
    edge_labels: EdgeLabels = True,
    language: Language = "auto",
    worst: Annotated[int, typer.Option(min=0, help="Charts to list, the lowest first.")] = 5,
    fail_under: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="Exit with 1 where the mean F1 is below, or undefined."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="JSONL file for the charts: scores, texts, verdicts, arrows. An interrupted run "
            "goes on when it is started again."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print all as JSON.")] = False,
) -> None:
    """Generated code against its picture alone: Recall_OCR, Precision_VE, F1, and edges.

    The texts of each picture are read by OCR, shapes and arrows are found by the embedded verifier,
    without a GPU and without any download; no gold code is looked at.

    Example:
    ```
    $ flowlearn score reference-free charts.jsonl --jobs 2 --out scored.jsonl
    $ flowlearn score reference-free charts.jsonl --fail-under 0.9
    $ flowlearn score reference-free charts.jsonl --replies vlm-replies.jsonl
    ```
    """
    from metrics.core.recall_ocr import RecallOptions
    from scoring.generated_charts import URL_SCHEMES
    from scoring.reference_free import EMBEDDED, Options, score_sights
    from scoring.reference_free_report import to_text
    from scoring.ve_batch import answering_model, check_verifier
    from scoring.ve_score import texts_by_chart
    from vision.workers import EngineWorkers

    said = read_reply_files(replies or [])
    name = (answering_model(said.values()) or "given") if replies else EMBEDDED
    precision = precision_options(language, edge_labels, name)
    read = read_charts(charts, precision)
    check_verifier(read, name)
    texts = texts_by_chart(read, said, precision, allow_missing) if replies else None
    try:
        workers = EngineWorkers(engine, jobs)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--engine") from error
    options = Options(RecallOptions(language=language, reader=workers.signature), precision)
    if urls := [chart.id for chart in read if chart.image.startswith(URL_SCHEMES)]:
        raise UserError(f"the pictures of {first_of(urls)} are URLs", "save them as files")
    files = [image_folder(images, charts) / chart.image for chart in read]
    try:
        sights = _look(read, files, workers, options, out)
        made = score_sights(read, sights, options, texts)
    except ValueError as error:
        raise UserError(
            str(error), "let an engine that gives places read them, or give --replies"
        ) from error
    if not made.score.items:
        raise UserError(f"no picture can be read: {next(iter(made.unreadable.values()))}")
    rows = [
        {"id": chart.id, "image": chart.image, **asdict(sight), "score": item and asdict(item)}
        for chart, sight, item in zip(read, sights, made.items, strict=True)
    ]
    if out:
        out.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    if as_json:
        total = asdict(made.score) | {"unreadable": made.unreadable, "charts": rows}
        del total["items"]  # each stands in its chart
        typer.echo(json.dumps(total, indent=2))
    else:
        typer.echo(to_text(read, made, worst))
    if fail_under is not None and made.score.f1 is None:
        raise UserError("the mean F1 is undefined: no chart has one")
    if fail_under is not None and made.score.f1 is not None and made.score.f1 < fail_under:
        raise UserError(f"the mean F1, {made.score.f1}, is below {fail_under}")


def _look(
    charts: list[Chart],
    files: list[Path],
    workers: EngineWorkers,
    options: Options,
    out: Path | None,
) -> list[Sight]:
    """Look at every picture that no earlier run has looked at."""
    from cli.progress import progress_bar
    from scoring.reference_free import EMBEDDED, Sight, look

    keys = [_key(chart, file) for chart, file in zip(charts, files, strict=True)]
    job = "|".join([EMBEDDED, engine_state(workers), options.precision.signature()])

    def work(indices: list[int]) -> Iterator[dict[str, Any]]:
        asked = [(files[index], charts[index].generated) for index in indices]
        return workers.work_through(partial(look, options=options.precision), asked)

    sights = []
    with progress_bar("pictures", len(charts)) as advance:
        for seen in go_on(out, job, keys, work):
            sights.append(Sight(**seen))
            advance(1)
    return sights


def _key(chart: Chart, file: Path) -> str:
    """Name what decides what is seen: the code's elements, and the picture as it is now."""
    elements = chart.generated.nodes, chart.generated.links
    content = repr((chart.id, elements, file_state(file)))
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()
