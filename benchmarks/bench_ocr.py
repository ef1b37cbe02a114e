"""How fast the embedded path sees pictures (OCR, shapes and arrows), and what its fast mode loses.

Processor time of one process, and pictures a second of two processes, their start included. Draws
charts of the `rich` preset once, into `out/bench/ocr`; or give charts of your own, a Parquet file
of a simulated config or JSONL with `image` (path) and `mermaid`.

Run: `python benchmarks/bench_ocr.py [--count 40] [--charts FILE]`
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from time import perf_counter, process_time

from cli.validate import _charts
from metrics.core.elements import read_elements
from scoring.validate_ocr import Counts, compare, visible_texts
from scoring.validate_reference_free import read_chart
from vision.engines import load_engine
from vision.labels import labels_of
from vision.picture import Picture
from vision.verifier import scene_of
from vision.workers import EngineWorkers

DRAWN = Path("out/bench/ocr")
FLOWLEARN = str(Path(sys.executable).with_name("flowlearn"))
TARGETS = {"rapidocr": 0.5, "rapidocr:fast": 1.0}
"""Pictures a second on two cores."""

Chart = tuple[Path, str]


@dataclass
class Cost:
    """Processor seconds of all pictures, and how well they were read."""

    reading: float = 0.0
    seeing: float = 0.0
    equal: Counts = field(default_factory=Counts)
    similar: Counts = field(default_factory=Counts)


def drawn_charts(count: int) -> Path:
    """Draw charts, unless as many are drawn already; return their file."""
    folder = DRAWN / str(count)
    if not (found := list(folder.glob("data/*/train-*.parquet"))):
        build = ["build", "simulated", "--preset", "rich", "--seed", "1", "--test", "0"]
        arguments = [*build, "--train", str(count), "--out", str(folder)]
        subprocess.run([FLOWLEARN, *arguments], check=True)
        found = list(folder.glob("data/*/train-*.parquet"))
    return found[0]


def cost_of(spec: str, charts: Sequence[Chart]) -> Cost:
    """Read pictures one after the other."""
    engine, cost = load_engine(spec), Cost()
    for path, code in charts:
        begun = process_time()
        picture = Picture.open(path)
        lines = engine.read(picture)
        read = process_time()
        scene_of(picture, lines)
        cost.seeing += process_time() - read
        cost.reading += read - begun
        drawn = visible_texts(read_elements(code, "lenient", "auto"))
        texts = [label.text for label in labels_of(lines, picture)]
        cost.equal += compare(drawn, texts, 1.0)
        cost.similar += compare(drawn, texts)
    return cost


def pictures_a_second(spec: str, charts: Sequence[Chart], jobs: int) -> float:
    """Read pictures by several processes, as the commands with `--jobs` do."""
    workers = EngineWorkers(spec, jobs)
    begun = perf_counter()
    seen = list(workers.work_through(read_chart, charts))
    return len(seen) / (perf_counter() - begun)


def main() -> None:
    """Print processor time, speed and micro F1 of each mode."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--charts", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as aside:
        file = options.charts or drawn_charts(options.count)
        charts = list(islice(_charts(file, Path(aside)), options.count))
        print(f"{len(charts)} charts of {file}; processor ms a picture, micro F1 of the labels")
        for spec, target in TARGETS.items():
            cost = cost_of(spec, charts)
            speed = pictures_a_second(spec, charts, jobs=2)
            reading, seeing = (1000 * part / len(charts) for part in (cost.reading, cost.seeing))
            print(
                f"{spec:14} OCR {reading:5.0f} ms, shapes and arrows {seeing:4.0f} ms; "
                f"two processes {speed:.2f} pictures/s (target {target}); "
                f"F1 {cost.similar.f1:.4f} (≥ 0.9), {cost.equal.f1:.4f} (equal)"
            )


if __name__ == "__main__":
    main()
