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

from common.errors import UserError
from logicvista.errata import errata
from logicvista.options import allowed_labels, parse_options
from logicvista.paper import paper
from logicvista.taxonomy import RELEASED_CAPABILITIES, SKILLS
from metrics.core.mcq import extract

_RESULTS = "-accuracy-results.csv"
_ANSWERS = "-answers.json"
_LABELS = ("true answer", "reasoning skill", "capability")


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
        questions: The items, labelled as in the model's result file.
        replies: Item to reply; items without one have the empty reply.
        letters: Item to the letters that GPT-4 extracted, lower case; None if not published.
        problems: What could not be read and counts as no answer.
    """

    name: str
    questions: Mapping[str, Question]
    replies: Mapping[str, str]
    letters: Mapping[str, frozenset[str]] | None
    problems: tuple[str, ...] = ()


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
        scorable: Number of the items that have a gold answer.
        gpt4_accuracy: Share of those that are right by GPT-4's letters.
        own_accuracy: Share of those that are right by ours.
    """

    model: str
    n: int
    same_hit: float
    same_letters: float
    scorable: int
    gpt4_accuracy: float
    own_accuracy: float


@dataclass(frozen=True)
class Reproduction:
    """All cells, how the two extractions agree, and what could not be read."""

    cells: tuple[Cell, ...]
    agreement: tuple[Agreement, ...]
    problems: tuple[str, ...]

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
            f"{folder} holds no file *{_RESULTS}", "name a checkout of the published repository"
        )
    choices = _read_choices(folder)
    models = [_results(file, choices) for file in results]
    known = {model.name for model in models}
    answers = [_answers(file, models[0].questions) for file in _files(folder, f"*{_ANSWERS}")]
    models += [model for model in answers if model.name not in known]
    own = {model.name: _own_letters(model) for model in models}
    return Reproduction(
        cells=tuple(cell for model in models for cell in _cells(model, own[model.name])),
        agreement=tuple(
            _agreement(model, model.letters, own[model.name]) for model in models if model.letters
        ),
        problems=tuple(f"{model.name}: {text}" for model in models for text in model.problems),
    )


def _files(folder: Path, pattern: str) -> list[Path]:
    return sorted(file for file in folder.rglob(pattern) if file.is_file())


def _read_choices(folder: Path) -> dict[str, dict[str, str]]:
    """Read each item's options from the published records."""
    found = _files(folder, "dataset.json")
    if not found:
        raise UserError(f"{folder} has no dataset.json", "add it: the options stand in it")
    try:
        records = json.loads(found[0].read_text(encoding="utf-8"))
        return {item: _choices(record["question"]) for item, record in records.items()}
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise UserError(f"{found[0]} does not hold the published records: {error!r}") from error


def _results(file: Path, choices: Mapping[str, dict[str, str]]) -> PublishedModel:
    try:
        with file.open(encoding="utf-8", newline="") as stream:
            rows = list(csv.DictReader(stream))
    except (OSError, ValueError, csv.Error) as error:
        raise UserError(f"cannot read {file}: {error}") from error
    columns = list(rows[0]) if rows else []
    extracted = next((name for name in columns if name.endswith(" answer extracted")), "")
    raw = next((name for name in columns if name.endswith(" answer raw")), "")
    if not (extracted and raw and {"id", *_LABELS} <= set(columns)):
        raise UserError(f"{file} lacks a column of the published result files")
    if {row["id"] for row in rows} != choices.keys() or len(rows) != len(choices):
        raise UserError(f"{file} is not on the items of dataset.json, each once")
    holds = {row.id: str(row.ours) for row in errata() if row.scope == "evaluation"}
    name = file.name.removesuffix(_RESULTS)
    lists = {row["id"]: {key: _list(row[key]) for key in (*_LABELS, extracted)} for row in rows}
    unreadable = [item for item, read in lists.items() if None in read.values()]
    return PublishedModel(
        name=holds.get(name, name),
        questions={item: _question(choices[item], read) for item, read in lists.items()},
        replies={row["id"]: row[raw] or "" for row in rows},
        letters={item: frozenset(read[extracted] or ()) for item, read in lists.items()},
        problems=(f"unreadable lists in {', '.join(unreadable)}",) if unreadable else (),
    )


def _question(choices: Mapping[str, str], read: Mapping[str, list[str] | None]) -> Question:
    gold, skill, capabilities = (read[key] or [] for key in _LABELS)
    return Question(choices, frozenset(gold), "".join(skill[:1]), tuple(capabilities))


def _list(written: str | None) -> list[str] | None:
    """Read a list as Python writes it, the form of the result files; None if it is none."""
    try:
        value = ast.literal_eval(written or "")
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return [str(entry) for entry in value] if isinstance(value, list) else None


def _answers(file: Path, questions: Mapping[str, Question]) -> PublishedModel:
    try:
        answers = json.loads(file.read_text(encoding="utf-8"))
        replies = {item: str(reply["answer"]) for item, reply in answers.items()}
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise UserError(f"{file} is no object of {{id: {{answer: reply}}}}: {error!r}") from error
    missing = [item for item in questions if item not in replies]
    return PublishedModel(
        name=file.name.removesuffix(_ANSWERS),
        questions=questions,
        replies={item: replies.get(item, "") for item in questions},
        letters=None,
        problems=(f"no reply to {', '.join(missing)}",) if missing else (),
    )


def _choices(question: str) -> dict[str, str]:
    texts = parse_options(question)
    return {label: texts.get(label, "") for label in allowed_labels(question)}


def _own_letters(model: PublishedModel) -> dict[str, frozenset[str]]:
    read = {
        item: extract(reply, model.questions[item].choices).letters
        for item, reply in model.replies.items()
    }
    return {item: frozenset(label.lower() for label in labels) for item, labels in read.items()}


def _percent(
    letters: Mapping[str, frozenset[str]], questions: Mapping[str, Question], items: Iterable[str]
) -> float:
    hits = [letters[item] == questions[item].gold for item in items]
    return 100 * sum(hits) / len(hits) if hits else 0.0


def _cells(model: PublishedModel, own: Mapping[str, frozenset[str]]) -> Iterator[Cell]:
    known = {(row.id, row.field): row.ours for row in errata() if row.scope == "paper"}
    for number, table, columns in (
        ("Table 3", paper().table3, tuple(SKILLS)),
        ("Table 4", paper().table4, RELEASED_CAPABILITIES),
    ):
        printed = dict(zip(table.columns, table.rows.get(model.name, ()), strict=False))
        for column in columns:
            items = [
                item
                for item, question in model.questions.items()
                if column == question.skill or column in question.capabilities
            ]
            if not items:
                continue
            exception = known.get((number, f"{model.name}, {column}"))
            yield Cell(
                table=number,
                model=model.name,
                column=column,
                printed=printed.get(column),
                gpt4=_percent(model.letters, model.questions, items) if model.letters else None,
                own=_percent(own, model.questions, items),
                known=exception if isinstance(exception, float) else None,
            )


def _agreement(
    model: PublishedModel,
    letters: Mapping[str, frozenset[str]],
    own: Mapping[str, frozenset[str]],
) -> Agreement:
    hits, same = [], []
    for item, question in model.questions.items():
        hits.append((own[item] == question.gold) == (letters[item] == question.gold))
        allowed = {label.lower() for label in question.choices}
        same.append(own[item] == letters[item] & allowed)
    scorable = [item for item, question in model.questions.items() if any(question.gold)]
    return Agreement(
        model=model.name,
        n=len(hits),
        same_hit=sum(hits) / len(hits),
        same_letters=sum(same) / len(same),
        scorable=len(scorable),
        gpt4_accuracy=_percent(letters, model.questions, scorable) / 100,
        own_accuracy=_percent(own, model.questions, scorable) / 100,
    )
