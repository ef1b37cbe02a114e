"""How fast pictures are read, by one process and by two, and what the fast mode loses.

Draws charts of the `rich` preset once, into `out/bench/ocr`; give a folder of pictures to read
those instead (their F1 is then not known).

Run: `python benchmarks/bench_ocr.py [--count 40] [--pictures FOLDER]`
"""

import argparse
import subprocess
import sys
import tempfile
from itertools import islice
from pathlib import Path
from time import perf_counter

from cli.validate import _charts
from scoring.validate_ocr import quality_of
from vision.picture import Picture
from vision.timed_reading import read_timed

DRAWN = Path("out/bench/ocr")
FLOWLEARN = str(Path(sys.executable).with_name("flowlearn"))
TARGETS = {"rapidocr": 0.5, "rapidocr:fast": 1.0}
"""Pictures a second on two cores."""


def drawn_charts(count: int, folder: Path) -> list[tuple[Path, str]]:
    """Draw charts, or take those that are drawn; write their pictures into a folder."""
    parquet = next(iter(DRAWN.glob("data/*/train-*.parquet")), None)
    if parquet is None:
        build = ["build", "simulated", "--preset", "rich", "--seed", "1", "--test", "0"]
        arguments = [*build, "--train", str(count), "--out", str(DRAWN)]
        subprocess.run([FLOWLEARN, *arguments], check=True)
        (parquet,) = DRAWN.glob("data/*/train-*.parquet")
    return list(islice(_charts(parquet, folder), count))


def wall_seconds(engine: str, pictures: list[Path], jobs: int) -> float:
    """Return how long `flowlearn ocr` takes for pictures, its start included."""
    begun = perf_counter()
    command = [FLOWLEARN, "ocr", *map(str, pictures)]
    options = ["--engine", engine, "--jobs", str(jobs), "--out", "/dev/null"]
    subprocess.run([*command, *options], check=True, stderr=subprocess.DEVNULL)
    return perf_counter() - begun


def main() -> None:
    """Print time, memory and micro F1 of each mode."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--pictures", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as aside:
        if options.pictures:
            files = sorted(path for path in options.pictures.iterdir() if path.is_file())
            charts = [(path, "") for path in files[: options.count]]
        else:
            charts = drawn_charts(options.count, Path(aside))
        pictures = [path for path, _ in charts]
        for engine, target in TARGETS.items():
            reading = read_timed(engine, pictures)
            pairs = [(Picture.open(path), code) for path, code in charts]
            row = quality_of("charts", pairs, reading)
            two = len(pictures) / wall_seconds(engine, pictures, jobs=2)
            f1 = "" if options.pictures else f"micro F1 {row.similar.f1:.4f} (≥ 0.9), "
            print(
                f"{engine:14} {f1}{row.processor_ms:.0f} ms of processor a picture, "
                f"{2000 / row.processor_ms:.2f} pictures/s of two free cores; two jobs now, start "
                f"included: {two:.2f} pictures/s (target {target}); {row.peak_mb:.0f} MiB a process"
            )


if __name__ == "__main__":
    main()
