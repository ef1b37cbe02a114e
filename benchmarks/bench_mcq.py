"""How fast `mcq_extract` reads: short replies a second, and one reply of a megabyte.

Run: `python benchmarks/bench_mcq.py`
"""

import json
import time
from collections.abc import Callable
from pathlib import Path

from metrics.core.mcq import extract

REPLIES = Path(__file__).resolve().parents[1] / "tests" / "data" / "mcq_replies.jsonl"


def seconds(work: Callable[[], object]) -> float:
    """Return the CPU time of a piece of work."""
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    """Print replies a second, and seconds for long replies of several sizes."""
    cases = [json.loads(line) for line in REPLIES.read_text(encoding="utf-8").splitlines()]

    def all_cases() -> None:
        for case in cases:
            extract(case["response"], case["choices"])

    all_cases()  # compiles the patterns
    took = min(seconds(all_cases) for _ in range(10))
    print(f"{len(cases) / took:,.0f} replies/s on one core (mixed replies of the test table)")
    for size in (100_000, 1_000_000, 10_000_000):
        long = "Option A is close, but B fits better. " * (size // 38) + "The answer is C."
        took = seconds(lambda reply=long: extract(reply, list("ABCD")))  # type: ignore[misc]
        print(f"{len(long) / 1e6:5.1f} MB: {took:.2f} s")


if __name__ == "__main__":
    main()
