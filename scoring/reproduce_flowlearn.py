"""FlowLearn's Tables 4, 5, 7, 10, 11 and 12 again, from the published replies."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from common.errors import UserError
from flowlearn.paper import SUBSET, PrintedCell, paper
from metrics.core.count_score import score_counts
from metrics.core.mermaid_score import score_flowcharts
from metrics.core.ocr_score import score_ocr
from metrics.core.similarity import MEASURES, score_similarity
from metrics.core.truefalse_score import score_truefalse

Pairs = list[tuple[str, str]]
"""Replies and gold answers, in file order."""

TOLERANCES = {
    "mermaid": 0.015,
    "median_words": 0.5,
}
"""How far a rounded cell may be from print, by task or measure; 0.01 where nothing is said."""

_FILE = re.compile(r"(?P<model>[^_]+)_(?P<task>\w[\w-]*)_2-shot(?P<cot>-cot)?\.json")
# What the folders are called: in the authors' repository, and in short.
_FOLDERS = {
    "SciFlowchart": "scientific",
    "scientific": "scientific",
    "SimFlowchart-word": "simulated",
    "word": "simulated",
}
# The files that hold a task's replies; of statements first the true ones, then the false ones.
_FILES: dict[tuple[str, str], tuple[str, ...]] = {
    ("scientific", "ocr"): ("ocr",),
    ("scientific", "statements"): ("Flowchart-isTrue", "Flowchart-isFalse"),
    ("scientific", "description"): ("Flowchart-to-Caption",),
    ("simulated", "ocr"): ("ocr",),
    ("simulated", "num_nodes"): ("Num_Nodes",),
    ("simulated", "num_arrows"): ("Num_Arrows",),
    ("simulated", "between"): ("Flowchart-isTrue-betweenAB", "Flowchart-isFalse-betweenAB"),
    ("simulated", "a_to_b"): ("Flowchart-isTrue-AtoB", "Flowchart-isFalse-AtoB"),
    ("simulated", "description"): ("Flowchart-to-Description",),
    ("simulated", "mermaid"): ("Flowchart-to-Mermaid",),
}


@dataclass(frozen=True)
class Scores:
    """A model's scores in a task.

    Attributes:
        values: Measures to scores; `None` where one could not be computed.
        signature: How they were made.
        n: Number of replies.
        reasons: Why, by measure, one could not be computed.
        absent: Why none could be computed.
    """

    values: Mapping[str, float | None]
    signature: str = ""
    n: int = 0
    reasons: Mapping[str, str] = field(default_factory=dict)
    absent: str = ""


@dataclass(frozen=True)
class Cell:
    """A printed number beside ours.

    Attributes:
        paper: The printed cell.
        ours: What the replies give; `None` where it could not be computed.
        n: Number of replies behind it.
        signature: How ours was made.
        reason: Why it could not be computed.
    """

    paper: PrintedCell
    ours: float | None
    n: int = 0
    signature: str = ""
    reason: str = ""

    @property
    def rounded(self) -> float | None:
        """Ours, rounded as the paper prints."""
        digits = 0 if self.paper.measure == "median_words" else 2
        return None if self.ours is None else round(self.ours, digits)

    @property
    def difference(self) -> float | None:
        """Ours, rounded, minus the number that the replies should give."""
        return None if self.rounded is None else round(self.rounded - self.paper.expected, 2) + 0.0

    @property
    def is_within(self) -> bool:
        """Whether ours is within the tolerance, or could not be computed."""
        tolerance = TOLERANCES.get(self.paper.task, TOLERANCES.get(self.paper.measure, 0.01))
        return self.difference is None or abs(self.difference) <= tolerance + 1e-9


@dataclass(frozen=True)
class Reproduction:
    """All cells of the models whose replies were found.

    Attributes:
        cells: The printed cells beside ours, in the order of the paper.
        missing: Models of the tables without any published reply here.
        ignored: Files of models or settings that are not in the tables.
    """

    cells: tuple[Cell, ...]
    missing: tuple[str, ...]
    ignored: tuple[str, ...]

    @property
    def as_expected(self) -> bool:
        """Whether every computed cell is within its tolerance."""
        return all(cell.is_within for cell in self.cells)


def reproduce(
    folder: Path, *, quick: bool = False, progress: Callable[[str], None] = lambda _: None
) -> Reproduction:
    """Score the published replies and set them beside the printed tables.

    Args:
        folder: Somewhere in it lie the published result files, `<model>_<task>_2-shot.json` in
            folders of the authors' names or `scientific` and `word`.
        quick: Leave the model-based measures out (BERTScore and sentence similarity).
        progress: Called with what is scored next.

    Raises:
        UserError: There are no such files, one is not of the published form, or two are for the
            same model and task.
    """
    files, ignored = find_replies(folder)
    if not files:
        raise UserError(
            f"{folder} holds none of the published replies of the paper's models",
            "name a checkout of the published repository, or its folder results",
        )
    replies = {key: read_replies(path) for key, path in files.items()}
    present = {model for _, model, _ in replies}
    scores: dict[tuple[str, str, str, int | None], Scores] = {}
    cells = []
    for cell in paper().cells:
        if cell.model not in present:
            continue
        mine = [replies.get((cell.part, cell.model, name), []) for name in _files(cell)]
        # Models with 100 replies have the same scores in both kinds of tables.
        limit = SUBSET if cell.is_subset and any(len(pairs) > SUBSET for pairs in mine) else None
        key = (cell.part, cell.model, cell.task, limit)
        if key not in scores:
            progress(f"table {cell.table}, {paper().models[cell.model]}, {cell.part} {cell.task}")
            scores[key] = _score(cell, [pairs[:limit] for pairs in mine], quick)
        made = scores[key]
        reason = made.reasons.get(cell.measure, made.absent)
        cells.append(Cell(cell, made.values.get(cell.measure), made.n, made.signature, reason))
    return Reproduction(
        cells=tuple(cells),
        missing=tuple(name for model, name in paper().models.items() if model not in present),
        ignored=tuple(ignored),
    )


def find_replies(folder: Path) -> tuple[dict[tuple[str, str, str], Path], list[str]]:
    """Find the published result files.

    Returns:
        Files by part, model and the task in the file's name; and the paths, from the folder, of
        those that are not in the paper's tables.

    Raises:
        UserError: Two files are for the same model and task.
    """
    found: dict[tuple[str, str, str], Path] = {}
    ignored = []
    for path in sorted(folder.rglob("*_*-shot*.json")):
        part = _FOLDERS.get(path.parent.name)
        name = _FILE.fullmatch(path.name)
        model = name["model"] + (name["cot"] or "") if name else ""
        if part is None or name is None or model not in paper().models:
            ignored.append(str(path.relative_to(folder)))
            continue
        key = (part, model, name["task"])
        if key in found:
            raise UserError(f"{found[key]} and {path} are for the same replies", "remove one")
        found[key] = path
    return found, ignored


def read_replies(path: Path) -> Pairs:
    """Read a published result file.

    Raises:
        UserError: It is not of the published form.
    """
    try:
        items = json.loads(path.read_text(encoding="utf-8")).values()
        pairs = [(item["prediction"], item["reference"]) for item in items]
    except (OSError, ValueError, AttributeError, TypeError, KeyError) as error:
        raise UserError(
            f"{path} is not a published result file: {error!r}",
            'it holds {"<image>": {"prediction": …, "reference": …}, …}',
        ) from error
    if not pairs or not all(isinstance(text, str) for pair in pairs for text in pair):
        raise UserError(f"{path} holds no replies, or some that are no text")
    return pairs


def _files(cell: PrintedCell) -> tuple[str, ...]:
    return _FILES[cell.part, cell.task]


def _score(cell: PrintedCell, replies: list[Pairs], quick: bool) -> Scores:
    """Score the replies that the cell is about, one list a file."""
    absent = [name for name, pairs in zip(_files(cell), replies, strict=True) if not pairs]
    if absent:
        return Scores({}, absent=f"no published replies: {cell.part} {', '.join(absent)}")
    pairs = [pair for one in replies for pair in one]
    predictions = [reply for reply, _ in pairs]
    references = [gold for _, gold in pairs]
    if cell.task == "ocr":
        texts = score_ocr(predictions, references)
        return Scores({"accuracy": texts.accuracy}, texts.signature, len(pairs))
    if cell.task in ("num_nodes", "num_arrows"):
        counts = score_counts(predictions, references)
        return Scores({"accuracy": counts.accuracy}, counts.signature, len(pairs))
    if cell.task == "mermaid":
        code = score_flowcharts(predictions, references)
        measures = {
            f"{level}_{measure}": getattr(code, f"{level}_{measure}")
            for level in ("node", "link")
            for measure in ("precision", "recall", "f1")
        }
        return Scores(measures, code.signature, len(pairs))
    if cell.task == "description":
        return _description(predictions, references, quick)
    truth = score_truefalse(predictions, references)
    return Scores(
        {
            "true": truth.true_accuracy,
            "false": truth.false_accuracy,
            "average": truth.average,
        },
        truth.signature,
        len(pairs),
    )


def _description(predictions: list[str], references: list[str], quick: bool) -> Scores:
    measures = ("bleu", "rouge_l") if quick else MEASURES
    made = score_similarity(predictions, references, measures=measures)
    return Scores(
        {
            **{measure: getattr(made, measure) for measure in MEASURES},
            "median_words": made.median_words_paper,
        },
        made.signature,
        len(predictions),
        made.not_computed,
    )
