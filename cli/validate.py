"""`flowlearn validate`: do the metrics measure what they say?"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from common.errors import UserError

if TYPE_CHECKING:
    from vision.picture import Picture

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
    limit: Annotated[int, typer.Option(min=1, help="Use the first charts only.")] = 200,
    replies: Annotated[
        list[str] | None,
        typer.Option(help="NAME=FILE: a model's replies, JSON from image name to reply."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the made generators.")] = 0,
) -> None:
    """Recall_OCR, Precision_VE, F1 and edge recall against the truth: the paper's Tables 1 to 5."""
    from itertools import islice

    from cli.progress import progress_bar
    from scoring.validate_reference_free import read_chart, study
    from scoring.validate_report import plot, to_json, to_markdown
    from vision.engines import load_engine
    from vision.ocr import OcrError
    from vision.picture import PictureError

    models = dict(_replies(option) for option in replies or ())
    out.mkdir(parents=True, exist_ok=True)
    try:
        reader = load_engine(engine)
        pairs = list(islice(_charts(charts), limit))
        read = []
        with progress_bar("charts", len(pairs)) as advance:
            for picture, code in pairs:
                read.append(read_chart(picture, code, reader))
                advance(1)
        made = study(read, reader.signature, models, seed=seed)
    except OcrError as error:
        raise UserError(error.problem, error.mend) from error
    except (PictureError, ValueError) as error:
        raise UserError(str(error)) from error
    (out / "reference_free.md").write_text(to_markdown(made), encoding="utf-8")
    (out / "reference_free.json").write_text(json.dumps(to_json(made), indent=1), encoding="utf-8")
    plot(made, out / "reference_free.png")
    typer.echo(to_markdown(made), nl=False)


def _charts(path: Path) -> Iterator[tuple["Picture", str]]:
    from io import BytesIO

    from PIL import Image

    from cli.jsonl import read_jsonl
    from vision.picture import Picture

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
                with Image.open(BytesIO(row["image"]["bytes"])) as image:
                    yield Picture.of(image, f"{row['id']}.jpg"), row["mermaid"]
    else:
        for row in read_jsonl(str(path), require=("image", "mermaid")):
            if not (isinstance(row["image"], str) and isinstance(row["mermaid"], str)):
                raise UserError(f"{path}: image and mermaid must be strings, found {row}")
            yield Picture.open(path.parent / row["image"]), row["mermaid"]


def _replies(option: str) -> tuple[str, dict[str, str]]:
    name, mark, file = option.partition("=")
    if not mark:
        raise UserError(f"--replies {option}: expected NAME=FILE")
    try:
        value = json.loads(Path(file).read_text(encoding="utf-8"))
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
