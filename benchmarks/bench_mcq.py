"""How fast `mcq_extract` reads: short replies a second, and one reply of a megabyte.

Run: `python benchmarks/bench_mcq.py`
"""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

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

    short = [case for case in cases if len(case["response"]) <= 60]
    for name, table in (("short replies", short), ("all replies of the test table", cases)):

        def read_all(table: list[dict[str, Any]] = table) -> None:
            for case in table:
                extract(case["response"], case["choices"])

        read_all()  # compiles the patterns
        took = min(seconds(read_all) for _ in range(10))
        print(f"{len(table) / took:,.0f} a second on one core: {name}")
    for size in (100_000, 1_000_000, 10_000_000):
        long = "Option A is close, but B fits better. " * (size // 38) + "The answer is C."
        took = seconds(lambda reply=long: extract(reply, list("ABCD")))  # type: ignore[misc]
        print(f"{len(long) / 1e6:5.1f} MB: {took:.2f} s")


if __name__ == "__main__":
    main()
