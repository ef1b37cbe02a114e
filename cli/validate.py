"""`flowlearn validate`: do the metrics measure what they say?"""

import json
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from common.errors import UserError

if TYPE_CHECKING:
    from scoring.validate_ocr import EngineQuality

validations = typer.Typer(no_args_is_help=True, help="Validate metrics on data with known truth.")


@validations.callback()
def root() -> None:
    """Validate metrics on data with known truth."""


@validations.command("reference-free")
def validate_reference_free(
    charts: Annotated[
        Path,
        typer.Argument(
            help="Parquet file of a simulated config, or JSONL with `image` (path) and `mermaid`."
        ),
    ],
    out: Annotated[Path, typer.Option(help="Folder for the report, the JSON and the figure.")],
    engine: Annotated[str, typer.Option(help="OCR engine, see `flowlearn ocr`.")] = "rapidocr",
    jobs: Annotated[int, typer.Option(min=1, help="Processes that read at the same time.")] = 1,
    limit: Annotated[int, typer.Option(min=1, help="Use the first charts only.")] = 200,
    replies: Annotated[
        list[str] | None,
        typer.Option(help="NAME=FILE: a model's replies, JSON from image name to reply."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the made generators.")] = 0,
    summary: Annotated[
        Path | None,
        typer.Option(
            help="Also write the figures without the charts, as `flowlearn cards` reads them: "
            "scoring/results/validation/NAME.json."
        ),
    ] = None,
) -> None:
    """Recall_OCR, Precision_VE, F1 and edge recall against the truth: the paper's Tables 1 to 5."""
    from cli.progress import progress_bar
    from scoring.validate_reference_free import read_chart, study
    from scoring.validate_report import plot, to_json, to_markdown, to_summary
    from vision.picture import PictureError
    from vision.workers import EngineWorkers

    models = dict(_replies(option) for option in replies or ())
    out.mkdir(parents=True, exist_ok=True)
    try:
        workers = EngineWorkers(engine, jobs)
        read = []
        with TemporaryDirectory() as aside:
            files = list(islice(_charts(charts, Path(aside)), limit))
            with progress_bar("charts", len(files)) as advance:
                for chart in workers.work_through(read_chart, files):
                    read.append(chart)
                    advance(1)
        made = study(read, workers.signature, models, seed=seed)
    except (PictureError, ValueError) as error:
        raise UserError(str(error)) from error
    (out / "reference_free.md").write_text(to_markdown(made), encoding="utf-8")
    (out / "reference_free.json").write_text(json.dumps(to_json(made), indent=1), encoding="utf-8")
    plot(made, out / "reference_free.png")
    if summary:
        summary.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(to_summary(made), indent=1, ensure_ascii=False)
        summary.write_text(f"{text}\n", encoding="utf-8")
    typer.echo(to_markdown(made), nl=False)


@validations.command("ocr")
def validate_ocr(
    charts: Annotated[
        list[str],
        typer.Argument(
            help="NAME=FILE: Parquet file of a simulated config, or JSONL with `image` (path) and "
            "`mermaid`."
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(
            help="Folder for the table and the JSON. Rows that are there already stay, but for "
            "those measured again: engines may be measured in several runs."
        ),
    ],
    engine: Annotated[
        list[str] | None,
        typer.Option(
            help="OCR engine, see `flowlearn ocr`; may be repeated.  [default: rapidocr, "
            "rapidocr:fast, tesseract, unless --paddle-python is given]"
        ),
    ] = None,
    paddle_python: Annotated[
        list[str] | None,
        typer.Option(help="Interpreter of an environment that has PaddleOCR; may be repeated."),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="Use the first charts of each file.")] = 200,
) -> None:
    """OCR engines on charts with known texts: micro F1 (paper: Table 1), time and memory."""
    from cli.progress import progress_bar
    from scoring.validate_ocr import merged, quality_of, to_markdown
    from vision.picture import Picture, PictureError
    from vision.timed_reading import read_timed

    if not (engine or paddle_python):
        engine = ["rapidocr", "rapidocr:fast", "tesseract"]
    readers = [(spec, sys.executable) for spec in engine or ()]
    readers += [("paddle", python) for python in paddle_python or ()]
    out.mkdir(parents=True, exist_ok=True)
    rows = _measured(out / "ocr.json")
    try:
        for name, path in map(_named, charts):
            with TemporaryDirectory() as aside:
                files = list(islice(_charts(Path(path), Path(aside)), limit))
                pairs = [(Picture.open(file), code) for file, code in files]
                for spec, python in readers:
                    with progress_bar(f"{name}, {spec}", len(files)) as advance:
                        reading = read_timed(spec, [file for file, _ in files], python, advance)
                    rows = merged(rows, [quality_of(name, pairs, reading)])
                    _keep(rows, out)
    except (PictureError, ValueError) as error:
        raise UserError(str(error)) from error
    typer.echo(to_markdown(rows), nl=False)


def _measured(file: Path) -> list["EngineQuality"]:
    from scoring.validate_ocr import from_json

    if not file.is_file():
        return []
    try:
        return from_json(json.loads(file.read_text(encoding="utf-8")))
    except ValueError as error:
        raise UserError(f"cannot read the rows in {file}: {error}", "take it away") from error


def _keep(rows: list["EngineQuality"], out: Path) -> None:
    from scoring.validate_ocr import to_json, to_markdown

    text = json.dumps(to_json(rows), indent=1, ensure_ascii=False)
    (out / "ocr.json").write_text(f"{text}\n", encoding="utf-8")
    (out / "ocr.md").write_text(to_markdown(rows), encoding="utf-8")


def _charts(path: Path, aside: Path) -> Iterator[tuple[Path, str]]:
    """Yield picture file and code of each chart; pictures inside of Parquet are written aside."""
    from cli.jsonl import read_jsonl

    if path.suffix == ".parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        if not path.is_file():
            raise UserError(f"{path} is missing", "make it: flowlearn build simulated")
        try:
            parquet = pq.ParquetFile(path)
        except pa.ArrowInvalid as error:
            raise UserError(f"{path} is no Parquet file: {error}") from error
        columns = ["id", "image", "mermaid"]
        if missing := [name for name in columns if name not in parquet.schema_arrow.names]:
            raise UserError(
                f"{path} has no column {', '.join(missing)}",
                "name a file of charts, e.g. flowlearn/data/simulated/test-00000-of-00001.parquet",
            )
        for batch in parquet.iter_batches(16, columns=columns):
            for row in batch.to_pylist():
                file = aside / f"{row['id']}.jpg"
                file.write_bytes(row["image"]["bytes"])
                yield file, row["mermaid"]
    else:
        for row in read_jsonl(str(path), require=("image", "mermaid")):
            if not (isinstance(row["image"], str) and isinstance(row["mermaid"], str)):
                raise UserError(f"{path}: image and mermaid must be strings, found {row}")
            yield path.parent / row["image"], row["mermaid"]


def _named(option: str) -> tuple[str, str]:
    name, mark, file = option.partition("=")
    if not mark:
        raise typer.BadParameter(f"{option}: expected NAME=FILE")
    return name, file


def _replies(option: str) -> tuple[str, dict[str, str]]:
    name, file = _named(option)
    try:
        value = json.loads(Path(file).read_text(encoding="utf-8-sig"))
        texts = {
            image: reply["prediction"] if isinstance(reply, dict) else reply
            for image, reply in value.items()
        }
    except (OSError, ValueError, KeyError, AttributeError) as error:
        raise UserError(
            f"cannot read the replies in {file}: {error!r}",
            "write a JSON object from image name to reply, or to an object with `prediction`",
        ) from error
    return name, texts
