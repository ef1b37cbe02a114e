"""LogicVista's Tables 3 and 4 again, from the published replies.

Two ways: with the letters that GPT-4 extracted (the published result files), and with our own
extraction from the same replies. Both keep the paper's ways otherwise: the gold as published and
all 448 items in the denominators.
"""

import ast
import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builders.errors import UserError
from logicvista.errata import errata
from logicvista.options import allowed_labels, parse_options
from logicvista.paper import paper
from logicvista.taxonomy import RELEASED_CAPABILITIES, SKILLS
from metrics.core.mcq import extract

_RESULTS = "-accuracy-results.csv"
_ANSWERS = "-answers.json"


@dataclass(frozen=True)
class Question:
    """What the paper's scorer knows of an item.

    Attributes:
        choices: Labels that may answer, with their texts.
        gold: The gold as published, lower case.
        skill: Its reasoning skill.
        capabilities: Its capabilities, as the result files label them.
    """

    choices: Mapping[str, str]
    gold: frozenset[str]
    skill: str
    capabilities: tuple[str, ...]


@dataclass(frozen=True)
class PublishedModel:
    """A model's published replies.

    Attributes:
        name: The model's name in the paper's tables.
        replies: Item to reply.
        letters: Item to the letters that GPT-4 extracted, lower case; None if not published.
    """

    name: str
    replies: Mapping[str, str]
    letters: Mapping[str, frozenset[str]] | None


@dataclass(frozen=True)
class Cell:
    """One cell of Table 3 or 4, in percent.

    Attributes:
        table: `Table 3` or `Table 4`.
        model: The row.
        column: The skill or capability.
        printed: What the paper prints; None for models that are not in its tables.
        gpt4: What GPT-4's extracted letters give; None if they are not published.
        own: What our extraction gives.
        known: What the files are known to give where they differ from the print, else None.
    """

    table: str
    model: str
    column: str
    printed: float | None
    gpt4: float | None
    own: float
    known: float | None

    @property
    def as_expected(self) -> bool:
        """Whether GPT-4's letters give the printed number, or the known other one."""
        expected = self.printed if self.known is None else self.known
        return self.gpt4 is None or expected is None or _equal(self.gpt4, expected)


@dataclass(frozen=True)
class Agreement:
    """Our extraction against GPT-4's on one model's replies; shares of the items, 0 to 1.

    Attributes:
        model: The model.
        n: Number of replies.
        same_hit: Share with the same hit or miss.
        same_letters: Share with the same letters; GPT-4's replies without any count as none.
    """

    model: str
    n: int
    same_hit: float
    same_letters: float


@dataclass(frozen=True)
class Reproduction:
    """All cells, and how the two extractions agree."""

    cells: tuple[Cell, ...]
    agreement: tuple[Agreement, ...]

    @property
    def as_expected(self) -> bool:
        """Whether every cell came out as printed or as known."""
        return all(cell.as_expected for cell in self.cells)


def _equal(one: float, other: float) -> bool:
    """Tell whether two percentages are the same with two decimals."""
    return abs(one - other) < 0.005 + 1e-9


def reproduce(folder: Path) -> Reproduction:
    """Compute both tables from a folder with the published records, replies and results.

    Args:
        folder: Somewhere in it lie `dataset.json`, `*-accuracy-results.csv` and, optionally,
            `*-answers.json`.

    Raises:
        UserError: A file is missing or not of the published form.
    """
    results = _files(folder, f"*{_RESULTS}")
    if not results:
        raise UserError(
            f"{folder} holds no file *{_RESULTS}.", "Name a checkout of the published repository."
        )
    read = [_results(file) for file in results]
    questions = _questions(folder, read[0][1])
    models = [_model(name, rows) for name, rows in read]
    known = {model.name for model in models}
    answers = [_answers(file) for file in _files(folder, f"*{_ANSWERS}")]
    models += [model for model in answers if model.name not in known]
    for model in models:
        if model.replies.keys() != questions.keys():
            raise UserError(f"The replies of {model.name} are not to the items of dataset.json.")
    own = {model.name: _own_letters(model, questions) for model in models}
    return Reproduction(
        cells=tuple(cell for m in models for cell in _cells(m, own[m.name], questions)),
        agreement=tuple(
            _agreement(m.name, m.letters, own[m.name], questions) for m in models if m.letters
        ),
    )


def _files(folder: Path, pattern: str) -> list[Path]:
    return sorted(file for file in folder.rglob(pattern) if file.is_file())


def _results(file: Path) -> tuple[str, list[dict[str, str]]]:
    name = file.name.removesuffix(_RESULTS)
    with file.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    columns = {"id", "capability", "true answer", f"{name} answer extracted", f"{name} answer raw"}
    if not rows or not columns <= rows[0].keys():
        raise UserError(f"{file} lacks a column of {', '.join(sorted(columns))}.")
    return name, rows


def _model(file_name: str, rows: list[dict[str, str]]) -> PublishedModel:
    holds = {row.id: str(row.ours) for row in errata() if row.scope == "evaluation"}
    return PublishedModel(
        name=holds.get(file_name, file_name),
        replies={row["id"]: row[f"{file_name} answer raw"] for row in rows},
        letters={row["id"]: frozenset(_list(row[f"{file_name} answer extracted"])) for row in rows},
    )


def _answers(file: Path) -> PublishedModel:
    try:
        answers = json.loads(file.read_text(encoding="utf-8"))
        replies = {item: str(reply["answer"]) for item, reply in answers.items()}
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise UserError(f"{file} is no object of {{id: {{answer: reply}}}}: {error}.") from error
    return PublishedModel(file.name.removesuffix(_ANSWERS), replies, None)


def _list(written: str) -> list[str]:
    """Read a list as Python writes it, the form of the result files."""
    try:
        value = ast.literal_eval(written)
    except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
        raise UserError(f"Not a list in a result file: {written[:80]!r}.") from error
    if not isinstance(value, list):
        raise UserError(f"Not a list in a result file: {written[:80]!r}.")
    return [str(entry) for entry in value]


def _questions(folder: Path, rows: list[dict[str, str]]) -> dict[str, Question]:
    found = _files(folder, "dataset.json")
    if not found:
        raise UserError(f"{folder} has no dataset.json.", "Add it: the options stand in it.")
    try:
        records = json.loads(found[0].read_text(encoding="utf-8"))
        return {
            row["id"]: Question(
                choices=_choices(records[row["id"]]["question"]),
                gold=frozenset(_list(row["true answer"])),
                skill=records[row["id"]]["skill"][0],
                capabilities=tuple(_list(row["capability"])),
            )
            for row in rows
        }
    except (ValueError, TypeError, KeyError, IndexError) as error:
        raise UserError(f"{found[0]} does not fit the result files: {error!r}.") from error


def _choices(question: str) -> dict[str, str]:
    texts = parse_options(question)
    return {label: texts.get(label, "") for label in allowed_labels(question)}


def _own_letters(
    model: PublishedModel, questions: Mapping[str, Question]
) -> dict[str, frozenset[str]]:
    return {
        item: frozenset(label.lower() for label in extract(reply, questions[item].choices).letters)
        for item, reply in model.replies.items()
    }


def _percent(
    letters: Mapping[str, frozenset[str]], questions: Mapping[str, Question], items: Iterable[str]
) -> float:
    hits = [letters[item] == questions[item].gold for item in items]
    return 100 * sum(hits) / len(hits)


def _cells(
    model: PublishedModel, own: Mapping[str, frozenset[str]], questions: Mapping[str, Question]
) -> Iterator[Cell]:
    known = {row.field: row.ours for row in errata() if row.id == "Table 3"}
    for number, table, columns in (
        ("Table 3", paper().table3, tuple(SKILLS)),
        ("Table 4", paper().table4, RELEASED_CAPABILITIES),
    ):
        printed = dict(zip(table.columns, table.rows.get(model.name, ()), strict=False))
        for column in columns:
            items = [
                item
                for item, question in questions.items()
                if column == question.skill or column in question.capabilities
            ]
            exception: Any = known.get(f"{model.name}, {column}")
            yield Cell(
                table=number,
                model=model.name,
                column=column,
                printed=printed.get(column),
                gpt4=_percent(model.letters, questions, items) if model.letters else None,
                own=_percent(own, questions, items),
                known=exception if number == "Table 3" else None,
            )


def _agreement(
    model: str,
    letters: Mapping[str, frozenset[str]],
    own: Mapping[str, frozenset[str]],
    questions: Mapping[str, Question],
) -> Agreement:
    gold = {item: question.gold for item, question in questions.items()}
    hits = [(own[item] == gold[item]) == (letters[item] == gold[item]) for item in gold]
    same = [
        own[item] == {letter for letter in letters[item] if letter.upper() in q.choices}
        for item, q in questions.items()
    ]
    return Agreement(model, len(gold), sum(hits) / len(hits), sum(same) / len(same))
