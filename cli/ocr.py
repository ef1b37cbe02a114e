"""`flowlearn ocr`: read the texts of pictures and write them as annotations."""

import json
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from cli.journal import engine_state, file_state, go_on
from common.errors import UserError

if TYPE_CHECKING:
    from vision.annotations import Schema
    from vision.labels import Lines as LineMode
    from vision.ocr import OcrEngine

PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif", ".tif", ".tiff")


def ocr(
    images: Annotated[list[Path], typer.Argument(help="Pictures, or folders of pictures.")],
    engine: Annotated[
        str,
        typer.Option(
            help="`rapidocr`, `rapidocr:fast`, `tesseract[:LANG]`, `paddle[:FOLDER]`, or "
            "`file:PATH` (JSON or JSONL of a cloud OCR or a model: an object a picture with "
            "`image` and `texts`)."
        ),
    ] = "rapidocr",
    schema: Annotated[
        Literal["ours", "upstream"], typer.Option("--format", help="Schema of the output.")
    ] = "ours",
    lines: Annotated[
        Literal["merged", "raw"],
        typer.Option(help="Join wrapped lines to labels, or write every line."),
    ] = "merged",
    jobs: Annotated[int, typer.Option(min=1, help="Processes that read at the same time.")] = 1,
    out: Annotated[
        Path | None,
        typer.Option(
            help="JSONL file; standard output without. An interrupted run goes on when it is "
            "started again."
        ),
    ] = None,
) -> None:
    """Read the texts of pictures; write one JSON object a picture, in the order given."""
    from cli.progress import progress_bar
    from vision.workers import EngineWorkers

    paths = list(_pictures(images))
    if not paths:
        raise UserError("no pictures found", f"name files ending in {', '.join(PICTURES)}")
    try:
        workers = EngineWorkers(engine, jobs)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--engine") from error
    job = f"{engine_state(workers)}|{schema}|{lines}"

    def work(indices: list[int]) -> Iterator[dict[str, Any]]:
        reading = partial(_read, schema=schema, lines=lines)
        return workers.work_through(reading, [paths[index] for index in indices])

    try:
        stream = out.open("w", encoding="utf-8") if out else sys.stdout
        with progress_bar("pictures", len(paths)) as advance:
            for row in go_on(out, job, [file_state(path) for path in paths], work):
                stream.write(json.dumps(row, ensure_ascii=False) + "\n")
                advance(1)
        if out:
            stream.close()
    except ValueError as error:
        raise UserError(str(error)) from error


def _pictures(paths: list[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from sorted(p for p in path.rglob("*") if p.suffix.lower() in PICTURES)
        else:
            yield path


def _read(engine: "OcrEngine", path: Path, schema: "Schema", lines: "LineMode") -> dict[str, Any]:
    from vision.annotations import annotate

    return annotate(path, engine, schema, lines)
