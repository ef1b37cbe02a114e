"""Mutates the tables of Mermaid code: recovering must never raise, and never take long.

python tests/fuzz/fuzz_mermaid.py --count 20000 --seed 0
"""

import argparse
import gzip
import json
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from metrics.core.diagram import Diagram, DiagramSyntaxError
from metrics.core.mermaid import parse_flowchart, recover_flowchart

DATA = Path(__file__).parents[1] / "data" / "mermaid"
TABLES = ["categories.jsonl", "random.jsonl.gz", "rejected.jsonl", "broken.jsonl", "kinds.jsonl"]
PIECES = [
    *"[](){}<>|\"'`#;:&,.-=~@%/\\ \t\n\r_A0é→［“\ufeff\u2028\x00\ud800",
    *(
        "-->",
        "--",
        "---",
        "-.->",
        "==>",
        "~~~",
        "->",
        "<--",
        "--o",
        "x--x",
        "-- text -->",
        "|text|",
    ),
    *(
        "[[",
        "((",
        "{{",
        "[/",
        '["',
        '"]',
        "@{",
        "@{ shape: rect }",
        "e1@",
        ":::",
        "%%",
        "%%{",
        "}%%",
    ),
    *("flowchart TD\n", "graph LR;", "subgraph s\n", "end\n", "direction TB", "style A fill:#fff"),
    *("```", "```mermaid\n", "<think>", "</think>", "<pre>", "&gt;", "#35;", "\\n", "---\n"),
]
SECONDS_PER_MEGABYTE = 1.0
SMALLEST = 1_000_000
"""Texts below this length get the time of one of this length: short ones are all overhead."""


def read_codes() -> list[str]:
    """Return the codes of all tables."""
    codes = []
    for name in TABLES:
        path = DATA / name
        text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        codes += [json.loads(line)["code"] for line in text.decode().splitlines()]
    return codes


def mutate(code: str, rng: random.Random) -> str:
    """Drop, insert, repeat, swap or cut pieces of a code."""
    for _ in range(rng.choice([1, 1, 2, 3, 8])):
        start = rng.randrange(len(code) + 1)
        end = min(len(code), start + rng.choice([1, 1, 3, 10, 100]))
        piece = code[start:end]
        before, after = code[:start], code[end:]
        changed = [
            before + after,
            before + rng.choice(PIECES) + code[start:],
            before + rng.choice(PIECES) + after,
            before + piece * rng.choice([2, 3, 50]) + after,
            before + piece[::-1] + after,
        ]
        code = before if rng.random() < 0.05 else rng.choice(changed)
    return code


def check(code: str) -> tuple[str, float]:
    """Parse a code both ways; return what went wrong, if anything, and the seconds it took."""
    started = time.process_time()
    try:
        diagram = recover_flowchart(code)
    except Exception as error:
        return f"recovering raised {error!r}", 0.0
    seconds = time.process_time() - started
    if not isinstance(diagram, Diagram):
        return "recovering gave no diagram", seconds
    try:
        strict = parse_flowchart(code)
    except DiagramSyntaxError:
        strict = None
    except Exception as error:
        return f"strict parsing raised {error!r}", seconds
    if seconds > SECONDS_PER_MEGABYTE * max(len(code), SMALLEST) / 1_000_000:
        return f"recovering {len(code)} characters took {seconds:.2f} s", seconds
    if strict is not None and strict.nodes and not diagram.nodes:
        return "recovering lost a valid chart", seconds
    return "", seconds


def main() -> int:
    """Run the fuzzer; return the number of findings."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    codes = read_codes()
    findings, slowest, total = 0, 0.0, 0.0
    for _ in range(options.count):
        code = mutate(rng.choice(codes), rng)
        fault, seconds = check(code)
        slowest, total = max(slowest, seconds), total + seconds
        if fault:
            findings += 1
            print(f"{fault}: {code[:400]!r}")
    print(f"{options.count} mutations, {findings} findings", end=", ")
    print(f"{total:.1f} s in all, slowest {slowest:.2f} s")
    return min(findings, 1)


if __name__ == "__main__":
    sys.exit(main())
