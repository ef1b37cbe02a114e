"""Pictures read by an engine in a process of its own, and what that costs.

A process for each engine keeps their memory apart, and lets an engine run under the interpreter
of another environment; there this module needs NumPy and Pillow, and what the engine needs.
"""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from metrics.core.text_lines import TextLine
from vision.engines import load_engine
from vision.ocr import OcrError
from vision.picture import Picture

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class TimedReading:
    """What an engine read, and what that took.

    Attributes:
        signature: The engine's.
        pages: The lines of each picture, in the order given.
        processor_seconds: Processor time of the reading, programs that the engine starts
            included, its own start left out.
        wall_seconds: Time that passed.
        peak_bytes: Most memory that the process held at a time, and a program it started.
    """

    signature: str
    pages: tuple[tuple[TextLine, ...], ...]
    processor_seconds: float
    wall_seconds: float
    peak_bytes: int


def read_timed(
    spec: str,
    pictures: Sequence[Path],
    python: str = sys.executable,
    advance: Callable[[int], None] = lambda _count: None,
) -> TimedReading:
    """Read pictures in a process of its own, one after the other.

    Args:
        spec: The engine, see `load_engine`.
        pictures: Picture files.
        python: Interpreter of the process.
        advance: Called with 1 after each picture.

    Raises:
        OcrError: The engine does not work there.
    """
    command = [python, "-m", "vision.timed_reading", spec]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdin
        assert process.stdout
        json.dump([str(path.resolve()) for path in pictures], process.stdin)
        process.stdin.close()
        pages: list[tuple[TextLine, ...]] = []
        told: dict[str, Any] = {}
        for row in map(json.loads, process.stdout):
            if "lines" in row:
                pages.append(
                    tuple(TextLine(t, tuple(map(tuple, p)), c) for t, p, c in row["lines"])
                )
                advance(1)
            else:
                told |= row
    if "problem" in told:
        raise OcrError(told["problem"], told["mend"])
    if process.returncode or len(pages) != len(pictures):
        raise OcrError(f"engine {spec} ended after {len(pages)} pictures", f"try it: {python}")
    return TimedReading(
        told["signature"],
        tuple(pages),
        told["processor_seconds"],
        told["wall_seconds"],
        told["peak_bytes"],
    )


def main() -> None:
    """Read the pictures named on standard input; write a JSON object a line."""
    # What engines print must not get between the lines.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def answer(**values: object) -> None:
        answers.write(json.dumps(values) + "\n")
        answers.flush()

    paths = json.load(sys.stdin)
    try:
        engine = load_engine(sys.argv[1])
        answer(signature=engine.signature)
        begun, wall = _processor_seconds(), perf_counter()
        for path in paths:
            lines = engine.read(Picture.open(path))
            answer(lines=[(line.text, line.polygon, line.confidence) for line in lines])
    except OcrError as error:
        answer(problem=error.problem, mend=error.mend)
        return
    answer(
        processor_seconds=_processor_seconds() - begun,
        wall_seconds=perf_counter() - wall,
        peak_bytes=_peak_bytes(),
    )


def _processor_seconds() -> float:
    return sum(os.times()[:4])


def _peak_bytes() -> int:
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    most = sum(resource.getrusage(kind).ru_maxrss for kind in kinds)
    return most if sys.platform == "darwin" else 1024 * most


if __name__ == "__main__":
    main()
