"""How fast replies with Mermaid code are read: the median chart, and time against size.

python benchmarks/bench_parser.py [--charts 1000]
"""

import argparse
import random
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from metrics.core.mermaid import recover_flowchart

WORDS = ["mix", "bake", "serve", "cool", "pour", "boil", "knead", "dough", "salt", "flour"]
ARROWS = [" --> ", " ==> ", " -..-> "]
FLOWLEARN_TARGET_MS = 0.4
FLOWVQA_TARGET_MS = 1.5


def text(rng: random.Random, words: int) -> str:
    """Return a label of some words."""
    return " ".join(rng.choices(WORDS, k=words))


def flowlearn_like(rng: random.Random) -> str:
    """Return a reply as FlowLearn's golds are: fenced, nodes first, 3 to 10 of them."""
    count = rng.randrange(3, 11)
    lines = [f"entity{i}({text(rng, rng.randrange(1, 3))})" for i in range(count)]
    links = {tuple(sorted(rng.sample(range(count), 2))) for _ in range(count)}
    lines += [f"entity{a}{rng.choice(ARROWS)}entity{b}" for a, b in sorted(links)]
    return "```mermaid\nflowchart TB\n" + "\n".join(lines) + "\n```"


def flowvqa_like(rng: random.Random) -> str:
    """Return code as FlowVQA's golds are: some 20 quoted nodes, declared where first linked."""
    shapes = ['["{}"]', '{{"{}"}}', '[/"{}"/]', '(["{}"])']
    lines = []
    for i in range(rng.randrange(14, 26)):
        label = rng.choice(shapes).format(text(rng, rng.randrange(4, 10)))
        link = rng.choice([" --> ", ' -->|"Yes"| ', " -->|No| "])
        lines.append(f"    N{i}{link}N{i + 1}{label}")
    return "flowchart TD\n" + "\n".join(lines)


def seconds(code: str) -> float:
    """Return the processor seconds that one reading takes."""
    started = time.process_time()
    recover_flowchart(code)
    return time.process_time() - started


def median_ms(codes: list[str]) -> float:
    """Return the median time of a reading in ms, the first ones left out as warm-up."""
    return 1000 * statistics.median([seconds(code) for code in codes][len(codes) // 10 :])


LONG = {
    "one looping line": lambda size: repeated("entity0(same words) --> entity1\n", size),
    "ever new nodes": lambda size: numbered("entity{0}(same words)\n", size),
    "ever new links": lambda size: numbered("entity{0} --> other{0}\n", size),
    "misspelt arrows": lambda size: numbered("entity{0}[words] -> other{0}\n", size),
    "prose": lambda size: repeated("This is a sentence of a long reply.\n", size),
    "open brackets": lambda size: "flowchart TD\nA" + "[" * size,
    "blank lines": lambda size: "flowchart TD\n" + " \n" * (size // 2) + "A -> B",
}


def repeated(line: str, size: int) -> str:
    """Return a chart of one line over and over."""
    return "flowchart TD\n" + line * (size // len(line))


def numbered(line: str, size: int) -> str:
    """Return a chart of lines that differ in a number."""
    return "flowchart TD\n" + "".join(line.format(i) for i in range(size // len(line)))


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--charts", type=int, default=1000)
    options = parser.parse_args()
    rng = random.Random(0)
    for name, make, target in (
        ("FlowLearn-like", flowlearn_like, FLOWLEARN_TARGET_MS),
        ("FlowVQA-like", flowvqa_like, FLOWVQA_TARGET_MS),
    ):
        median = median_ms([make(rng) for _ in range(options.charts)])
        print(f"{name} chart: median {median:.3f} ms (target {target} ms)")
    print(f"\n{'seconds per MB at':24}{'0.1 MB':>8}{'0.3 MB':>8}{'1 MB':>8}")
    for name, make_long in LONG.items():
        rates = [seconds(make_long(size)) * 1e6 / size for size in (100_000, 300_000, 1_000_000)]
        print(f"{name:24}" + "".join(f"{rate:8.2f}" for rate in rates))


if __name__ == "__main__":
    main()
