"""The `flowlearn` command: registers the subcommands and reports errors."""

import io
import sys
from typing import NoReturn

import typer
from rich.console import Console

from cli.build import builds
from cli.cards import cards
from cli.doctor import doctor
from cli.export import exports
from cli.extract import extractions
from cli.import_ import imports
from cli.install import install
from cli.ocr import ocr
from cli.parse import parse
from cli.prompts import prompts
from cli.publish import publish
from cli.reproduce import reproductions
from cli.score import scores
from cli.validate import validations
from cli.ve import entailment
from common.errors import UserError

app = typer.Typer(
    name="flowlearn",
    help="Build, import, score and publish FlowLearn and LogicVista.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)


@app.callback()
def root() -> None:
    """Build, import, score and publish FlowLearn and LogicVista."""


app.add_typer(builds, name="build")
app.add_typer(exports, name="export")
app.add_typer(extractions, name="extract")
app.add_typer(imports, name="import")
app.add_typer(reproductions, name="reproduce")
app.add_typer(validations, name="validate")
app.add_typer(scores, name="score")
app.add_typer(entailment, name="ve")
app.command()(cards)
app.command()(doctor)
app.command()(ocr)
app.command()(parse)
app.command()(prompts)
app.command()(install)
app.command()(publish)


def main() -> None:
    """Run the command line; errors that a user can mend are printed without a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Texts of models may hold what no encoding has, as lone surrogates.
            stream.reconfigure(errors="backslashreplace")
    try:
        app()
    except UserError as error:
        _fail(str(error))
    except OSError as error:
        # Files named by the user: no permission, a file where a folder should be, a full disk.
        if not error.filename:
            raise
        _fail(f"{error.filename}: {error.strerror}")
    except KeyboardInterrupt:
        sys.exit(130)


def _fail(told: str) -> NoReturn:
    Console(stderr=True).print(
        f"error: {told}", style="red", markup=False, highlight=False, soft_wrap=True
    )
    sys.exit(1)
