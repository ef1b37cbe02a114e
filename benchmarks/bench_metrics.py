"""How fast replies are scored: 10,000 flowcharts by `mermaid_f1`, descriptions, long replies.

Run: `python benchmarks/bench_metrics.py`
"""

import random
import time
from collections.abc import Callable

from metrics.core.mermaid_score import Options, score_flowcharts
from metrics.core.similarity import score_similarity

REPLIES = 10_000
TARGET_SECONDS = 10
WORDS = ["mix", "bake", "serve", "cool", "pour", "boil", "knead", "dough", "salt", "flour"]
ARROWS = ("-->", "==>", "-..->")


def chart(rng: random.Random) -> list[str]:
    """Return the lines of a chart as FlowLearn's golds are: 3 to 10 nodes, then their links."""
    count = rng.randrange(3, 11)
    nodes = [f"entity{i}({' '.join(rng.choices(WORDS, k=2))})" for i in range(count)]
    pairs = sorted({tuple(sorted(rng.sample(range(count), 2))) for _ in range(count)})
    links = [f"entity{a} {rng.choice(ARROWS)} entity{b}" for a, b in pairs]
    return ["flowchart TB", *nodes, *links]


def reply(gold: list[str], rng: random.Random) -> str:
    """Return a reply as models give it: wrong letters, lines left out, now and then bad syntax."""
    lines = [line for line in gold if rng.random() > 0.1]
    lines = [line.replace("a", "e") if rng.random() < 0.2 else line for line in lines]
    if rng.random() < 0.2:
        lines = [line.replace("-->", "->").replace(")", "") for line in lines]
    closing = "\n```" if rng.random() < 0.95 else ""
    return "```mermaid\n" + "\n".join(lines) + closing


def seconds(work: Callable[[], object]) -> float:
    """Return the CPU time of a piece of work."""
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    """Print seconds for 10,000 flowcharts in each mode, for descriptions and for long replies."""
    rng = random.Random(0)
    charts = [chart(rng) for _ in range(REPLIES)]
    golds = ["\n".join(lines) for lines in charts]
    replies = [reply(lines, rng) for lines in charts]
    score_flowcharts(replies[:10], golds[:10], options=Options(threshold=0.9))  # imports
    for name, options in {
        "paper": Options(),
        "paper, similarity 0.9": Options(threshold=0.9),
        "lenient": Options(mode="lenient"),
        "lenient, similarity 0.9": Options(mode="lenient", threshold=0.9),
    }.items():
        took = seconds(lambda o=options: score_flowcharts(replies, golds, options=o))  # type: ignore[misc]
        print(f"{REPLIES} flowcharts, {name:24}{took:6.1f} s (target {TARGET_SECONDS} s)")

    for measure in ("bleu", "rouge_l", "sbert"):
        texts = [" ".join(rng.choices(WORDS, k=40)) for _ in range(200)]
        took = seconds(lambda m=measure, t=texts: score_similarity(t, t[::-1], measures=[m]))  # type: ignore[misc]
        print(f"200 descriptions of 40 words, {measure:22}{took:6.1f} s")

    gold = golds[:1]
    for size in (100_000, 1_000_000):
        lines = "".join(f"entity{i}(mix {i}) --> entity{i + 1}\n" for i in range(size // 35))
        for name, options in {
            "paper": Options(threshold=0.9),
            "lenient": Options(mode="lenient", threshold=0.9),
        }.items():
            long = [f"```\nflowchart LR\n{lines}```"]
            took = seconds(lambda r=long, o=options: score_flowcharts(r, gold, options=o))  # type: ignore[misc]
            print(f"one reply of {size / 1e6:.1f} MB, {name:8}{took:6.1f} s")


if __name__ == "__main__":
    main()
