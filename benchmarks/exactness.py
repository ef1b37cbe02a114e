"""How exact the annotations are, on many charts: fresh page, shipped pixels, OCR of labels.

python benchmarks/exactness.py [--preset rich] [--charts 500] [--read 40]
"""

import argparse
import io
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from PIL import Image
from rich.progress import track

from builders.simulated.config import load_config
from builders.simulated.rows import Row, RowMaker
from builders.simulated.verify import FreshPage, deviations, summarize

MARGIN = 6


def read_labels(rows: list[Row]) -> dict[str, int | float]:
    """Read each label inside its own box and count those that come out right."""
    from rapidfuzz.distance import Levenshtein

    from vision.engines import load_engine
    from vision.picture import Picture

    engine = load_engine()
    right = total = 0
    similarity = 0.0
    for row in track(rows, "reading", transient=True):
        picture = Image.open(io.BytesIO(row["image"]["bytes"]))
        for node in row["nodes"]:
            x0, y0, x1, y1 = node["text_box"]
            box = (int(x0) - MARGIN, int(y0) - MARGIN, int(x1) + MARGIN, int(y1) + MARGIN)
            lines = engine.read(Picture.of(picture.crop(box)))
            read = "".join(line.text for line in lines).replace(" ", "")
            gold = node["label"].replace(" ", "")
            right += read == gold
            similarity += Levenshtein.normalized_similarity(read, gold)
            total += 1
    return {"labels": total, "read exactly": right, "mean similarity": similarity / max(total, 1)}


def main() -> None:
    """Draw, compare, print the summary as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--preset", default="rich")
    parser.add_argument("--charts", type=int, default=500)
    parser.add_argument("--read", type=int, default=40, help="charts whose labels are read")
    options = parser.parse_args()
    with RowMaker(load_config(preset=options.preset)) as maker:
        drawing = track(maker.rows(range(options.charts)), "drawing", options.charts)
        rows = list(drawing)
    with FreshPage() as page:
        found = [
            deviations(row, page.measure(row["svg"]), maker.fonts)
            for row in track(rows, "comparing", transient=True)
        ]
    summary = summarize(found)
    if options.read:
        summary["OCR"] = read_labels(rows[: options.read])
    print(json.dumps(summary, indent=2))


if __name__ == "__main__":
    main()
