"""The build report: what came out, beside what the published charts are like."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from scipy.stats import chi2_contingency

from builders.build import Built
from builders.manifest import write_atomically
from builders.simulated.config import SimulatedConfig
from builders.simulated.labels import LabelPool
from builders.simulated.raster import Rasterizer, load_engine
from builders.simulated.rows import config_fonts
from builders.simulated.verify import fidelity
from common.errors import UserError

_COLUMNS = [
    "direction",
    "questions",
    "parameters",
    *(f"nodes.list.element.{key}" for key in ("id", "label")),
    *(f"links.list.element.{key}" for key in ("source", "target", "style")),
]
_MIN_EXPECTED = 5
_LOOKED_AT = 10

PUBLISHED: dict[str, dict[str, int]] = json.loads(
    (Path(__file__).parent / "published_word.json").read_text(encoding="utf-8")
)
"""Counts over the 2,000 published word test charts, property by property."""


def properties(rows: Iterable[Mapping[str, Any]]) -> dict[str, Counter[str]]:
    """Count what the charts are like.

    Args:
        rows: Rows of a simulated config.

    Returns:
        For each property, how often each value occurs.
    """
    counts: dict[str, Counter[str]] = {name: Counter() for name in PUBLISHED}
    for row in rows:
        pairs = {(link["source"], link["target"]) for link in row["links"]}
        order = {node["id"]: i for i, node in enumerate(row["nodes"])}
        backward = sum(order.get(a, 0) > order.get(b, 0) for a, b in pairs)
        counts["nodes"][str(len(row["nodes"]))] += 1
        counts["links minus nodes"][str(len(row["links"]) - len(row["nodes"]))] += 1
        counts["backward links"][str(backward)] += 1
        counts["antiparallel pairs"][_yes(any((b, a) in pairs for a, b in pairs if a != b))] += 1
        counts["connected"][_yes(_is_connected(list(order), pairs))] += 1
        counts["direction"][row["direction"]] += 1
        for link in row["links"]:
            counts["link style"][link["style"]] += 1
        for node in row["nodes"]:
            counts["label characters"][str(len(node["label"]))] += 1
            counts["label words"][str(len(node["label"].split()))] += 1
    return counts


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _is_connected(nodes: list[str], pairs: set[tuple[str, str]]) -> bool:
    reached, frontier = {nodes[0]}, [nodes[0]]
    while frontier:
        here = frontier.pop()
        for a, b in pairs:
            for near, far in ((a, b), (b, a)):
                if near == here and far not in reached:
                    reached.add(far)
                    frontier.append(far)
    return reached >= set(nodes)


def chi_square(ours: Mapping[str, int], theirs: Mapping[str, int]) -> float | None:
    """Return the p-value that two samples come from one distribution; rare values are pooled.

    Args:
        ours: Counts by value.
        theirs: Counts by value.

    Returns:
        Probability of a difference as large by chance; `None` where there is one value only.
    """
    keys = sorted(set(ours) | set(theirs), key=lambda key: -(ours.get(key, 0) + theirs.get(key, 0)))
    table = np.array([[side.get(key, 0) for key in keys] for side in (ours, theirs)], dtype=float)
    share = table.sum(axis=1, keepdims=True) / table.sum()
    common = (share * table.sum(axis=0)).min(axis=0) >= _MIN_EXPECTED
    pooled = np.column_stack([table[:, common], table[:, ~common].sum(axis=1)])
    pooled = pooled[:, pooled.sum(axis=0) > 0]
    return float(chi2_contingency(pooled).pvalue) if pooled.shape[1] > 1 else None


def write_report(built: Built, config: SimulatedConfig, folder: Path) -> Path:
    """Write the report of a built config as JSON and Markdown; keep the one of an earlier build.

    Args:
        built: The charts.
        config: What they were drawn from.
        folder: Where the reports stand.

    Returns:
        The Markdown file.
    """
    path = folder / f"{built.manifest.config}.json"
    if not built.made and path.exists():
        return path.with_suffix(".md")
    folder.mkdir(parents=True, exist_ok=True)
    report = {**_report(built), "fidelity": _fidelity(built, config)}
    write_atomically(path, (json.dumps(report, indent=2) + "\n").encode())
    write_atomically(path.with_suffix(".md"), _markdown(report).encode())
    return path.with_suffix(".md")


def _rows(built: Built) -> Iterator[Mapping[str, Any]]:
    """Yield what the report counts of each chart, a few charts in memory at a time."""
    for name in built.manifest.files:
        file = pq.ParquetFile(built.folder / name)
        for batch in file.iter_batches(batch_size=100, columns=_COLUMNS):
            yield from batch.to_pylist()


def _report(built: Built) -> dict[str, Any]:
    parameters: list[dict[str, Any]] = []
    unasked: Counter[str] = Counter()

    def noted() -> Iterator[Mapping[str, Any]]:
        for row in _rows(built):
            parameters.append(json.loads(row["parameters"]))
            unasked.update(f"{q['task']}: {q['reason']}" for q in row["questions"] if q["reason"])
            yield row

    counts = properties(noted())
    rejected: Counter[str] = Counter()
    for entry in built.manifest.files.values():
        rejected.update(entry.notes)
    return {
        "config": built.manifest.config,
        "charts": len(parameters),
        "made_by": built.manifest.made_by,
        "distributions": {
            name: {
                "p": chi_square(values, PUBLISHED[name]),
                "ours": dict(sorted(values.items())),
                "published": PUBLISHED[name],
            }
            for name, values in counts.items()
        },
        "legibility": {
            key: _quantiles([p[key] for p in parameters])
            for key in ("link_contrast", "text_contrast")
        },
        "rejected": dict(rejected),
        "not_asked": dict(unasked),
        "timing": {
            "seconds": round(built.seconds, 1),
            "shards_made": built.made,
            "shards_kept": built.kept,
        },
    }


def _fidelity(built: Built, config: SimulatedConfig) -> dict[str, Any]:
    """Look at the last charts as a stranger would: the shipped SVG in a fresh page."""
    last = list(built.manifest.files)[-1]
    rows = pq.read_table(built.folder / last).slice(0, _LOOKED_AT).to_pylist()
    fonts = config_fonts(config, LabelPool(config))
    engines: list[Rasterizer] = ["lunasvg", "resvg"]
    lacking = {}
    if not config.fallback_fonts:
        try:
            load_engine("cairosvg")
            engines.append("cairosvg")
        except UserError as error:
            lacking["cairosvg"] = error.problem
    return {**fidelity(rows, fonts, engines), "not_measured": lacking}


def _quantiles(values: list[float]) -> dict[str, float]:
    marks = {"min": 0.0, "5 %": 0.05, "median": 0.5, "max": 1.0}
    return {name: float(np.quantile(values, q)) for name, q in marks.items()}


def _markdown(report: Mapping[str, Any]) -> str:
    lines = [
        f"# Build report of `{report['config']}`",
        "",
        f"{report['charts']:,} charts; {report['timing']['shards_made']} shards made and "
        f"{report['timing']['shards_kept']} kept in {report['timing']['seconds']} s.",
        "",
        "## Distributions, beside the 2,000 published word charts",
        "",
        "p is the chance of a difference as large if both came from one distribution (chi-square).",
        "",
        "| property | p | ours | published |",
        "|---|---:|---|---|",
    ]
    for name, sides in report["distributions"].items():
        p = "–" if sides["p"] is None else f"{sides['p']:.3f}"
        lines.append(f"| {name} | {p} | {_shares(sides['ours'])} | {_shares(sides['published'])} |")
    lines += ["", "## Legibility (WCAG contrast)", "", "| | min | 5 % | median | max |",
              "|---|---:|---:|---:|---:|"]  # fmt: skip
    for name, marks in report["legibility"].items():
        lines.append(f"| {name} | " + " | ".join(f"{v:.2f}" for v in marks.values()) + " |")
    lines += _fidelity_lines(report["fidelity"])
    for title, key in (("Rejected drafts", "rejected"), ("Questions not asked", "not_asked")):
        lines += ["", f"## {title}", ""]
        lines += [f"- {count:,} × {reason}" for reason, count in report[key].items()] or ["None."]
    return "\n".join(lines) + "\n"


def _fidelity_lines(found: Mapping[str, Any]) -> list[str]:
    seen = found["annotations"]
    lines = [
        "",
        f"## Fidelity, on {seen['charts']} charts",
        "",
        "The shipped SVG in a fresh page, and the shipped pixels, against the annotations (px).",
        "",
        "| | n | median | max |",
        "|---|---:|---:|---:|",
    ]
    for name in ("boxes", "texts", "tips"):
        values = [seen[name][key] for key in ("median", "max")]
        marks = " | ".join("–" if value is None else f"{value:.3f}" for value in values)
        lines.append(f"| {name} | {seen[name]['n']} | {marks} |")
    lines += [
        "",
        f"Heads that other ink hides, not measured: {seen['overlapped heads']}. Points of links "
        f"without ink: {100 * seen['points without ink']:.2f} %.",
        "",
        "| rasterizer | pixels unlike the browser's screenshot |",
        "|---|---:|",
    ]
    lines += [f"| {name} | {100 * x:.2f} % |" for name, x in found["rasterizers"].items()]
    return lines + [f"| {name} | {problem} |" for name, problem in found["not_measured"].items()]


def _shares(counts: Mapping[str, int]) -> str:
    total = sum(counts.values())
    common = sorted(counts.items(), key=lambda item: -item[1])[:8]
    return ", ".join(f"{key or '—'} {100 * count / total:.1f} %" for key, count in common)
