"""How well OCR engines read the labels of charts whose code is known, and what that costs."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from metrics.core.elements import Elements, read_elements
from metrics.core.matching import Element, match_texts, normalize_text
from vision.labels import labels_of
from vision.picture import Picture
from vision.timed_reading import TimedReading

SIMILAR = 0.9

KINDS = ("exact", "similar", "raw_similar")
"""The attributes of a row that are counts."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Texts of many pictures: read and drawn ones, and how many are the same.

    Attributes:
        matched: Pairs, one-to-one.
        drawn: Texts in the gold codes.
        read: Texts in the readings.
    """

    matched: int = 0
    drawn: int = 0
    read: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(
            self.matched + other.matched, self.drawn + other.drawn, self.read + other.read
        )

    @property
    def f1(self) -> float:
        """Micro F1; 1 where nothing was drawn and nothing read."""
        total = self.drawn + self.read
        return 2 * self.matched / total if total else 1.0


@dataclass(frozen=True, slots=True)
class EngineQuality:
    """One engine on one set of charts.

    Attributes:
        charts: Name of the set.
        pictures: Number of its pictures.
        engine: Signature of the engine.
        exact: Labels, compared for equality.
        similar: Labels, compared at a similarity of 0.9.
        raw_similar: Lines as they were read, not joined to labels, at a similarity of 0.9.
        processor_ms: Processor time of a picture in milliseconds.
        wall_ms: Time that passed, of a picture.
        peak_mb: Most memory that the engine's process held, in MiB.
    """

    charts: str
    pictures: int
    engine: str
    exact: Counts
    similar: Counts
    raw_similar: Counts
    processor_ms: float
    wall_ms: float
    peak_mb: float


def visible_texts(elements: Elements) -> list[str]:
    """Return the texts that a picture of a diagram shows: of nodes, groups and links."""
    single: Iterable[Element] = (*elements.nodes, *elements.groups)
    return [text for (text,) in single] + [label for *_, label in elements.links if label]


def compare(drawn: Sequence[str], read: Sequence[str], threshold: float = SIMILAR) -> Counts:
    """Match the texts of one picture one-to-one.

    >>> compare(["mix", "bake"], ["bake"], 1.0).f1
    0.6666666666666666
    """
    pairs = match_texts(drawn, list(map(normalize_text, read)), threshold=threshold).pairs
    return Counts(len(pairs), len(drawn), len(read))


def quality_of(
    name: str, charts: Sequence[tuple[Picture, str]], reading: TimedReading
) -> EngineQuality:
    """Compare what an engine read with what was drawn.

    Args:
        name: Name of the set.
        charts: Pictures with their gold code.
        reading: The engine's reading of these pictures, in the same order.

    Raises:
        ValueError: There are no charts.
    """
    if not charts:
        raise ValueError(f"{name}: no charts to read")
    exact = similar = raw = Counts()
    for (picture, code), lines in zip(charts, reading.pages, strict=True):
        drawn = visible_texts(read_elements(code, "lenient", "auto"))
        read = [label.text for label in labels_of(lines, picture)]
        exact += compare(drawn, read, 1.0)
        similar += compare(drawn, read)
        raw += compare(drawn, [label.text for label in labels_of(lines, mode="raw")])
    return EngineQuality(
        charts=name,
        pictures=len(charts),
        engine=reading.signature,
        exact=exact,
        similar=similar,
        raw_similar=raw,
        processor_ms=1000 * reading.processor_seconds / len(charts),
        wall_ms=1000 * reading.wall_seconds / len(charts),
        peak_mb=reading.peak_bytes / 2**20,
    )


def to_markdown(rows: Sequence[EngineQuality]) -> str:
    """Return the table of engines, and what its columns mean."""
    quality = ("F1, equal", "F1, ≥ 0.9", "F1 of lines, ≥ 0.9")
    head = ("charts", "engine", *quality, "processor ms", "ms", "MiB")
    body = [
        (
            f"{row.charts} ({row.pictures})",
            row.engine,
            *(f"{counts.f1:.3f}" for counts in (row.exact, row.similar, row.raw_similar)),
            f"{row.processor_ms:.0f}",
            f"{row.wall_ms:.0f}",
            f"{row.peak_mb:.0f}",
        )
        for row in rows
    ]
    table = [head, ("---",) * len(head), *body]
    return (
        "# OCR engines on charts with known texts\n\n"
        + "\n".join(f"| {' | '.join(line)} |" for line in table)
        + "\n\nMicro F1 of the labels of nodes, groups and links against the texts read, lines "
        "joined to labels; compared for equality, or at a normalized Levenshtein similarity of "
        "0.9. The fifth column leaves the lines as they were read. Times are means of a picture "
        "in one process; the embedded reader uses one thread, PaddleOCR may use more. Memory is "
        "the most that the process held.\n"
    )


def merged(earlier: Sequence[EngineQuality], later: Sequence[EngineQuality]) -> list[EngineQuality]:
    """Return the rows of two runs, one an engine and set; those measured later count.

    Sets stay in the order in which they were measured first, and engines within a set.
    """
    rows = {(row.charts, row.engine): row for row in (*earlier, *later)}
    sets = list(dict.fromkeys(charts for charts, _ in rows))
    return sorted(rows.values(), key=lambda row: sets.index(row.charts))


def from_json(rows: Iterable[dict[str, Any]]) -> list[EngineQuality]:
    """Return the rows that `to_json` wrote.

    Raises:
        ValueError: They are none.
    """
    try:
        return [
            EngineQuality(
                **{field.name: row[field.name] for field in fields(EngineQuality)}
                | {kind: Counts(**row[kind]) for kind in KINDS}
            )
            for row in rows
        ]
    except (KeyError, TypeError) as error:
        raise ValueError(f"no rows of engines: {error!r}") from error


def to_json(rows: Sequence[EngineQuality]) -> list[dict[str, Any]]:
    """Return the rows as plain values, F1 among them."""
    return [asdict(row) | {f"{kind}_f1": getattr(row, kind).f1 for kind in KINDS} for row in rows]
