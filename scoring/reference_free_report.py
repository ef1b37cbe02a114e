"""Reference-free scores as text: the means, and the charts that a person should look at."""

from collections import Counter
from collections.abc import Sequence

from metrics.core.reference_free import ReferenceFreeItem
from scoring.generated_charts import Chart
from scoring.reference_free import ScoredCharts

SHOWN = 5
"""Elements of a kind that are listed of one chart."""


def to_text(charts: Sequence[Chart], made: ScoredCharts, worst: int) -> str:
    """Say in a few lines what came out.

    Args:
        charts: The charts.
        made: Their scores.
        worst: How many charts are listed, with what is wrong: first those of which one of recall,
            precision and edge recall is the lowest.
    """
    score = made.score
    without = Counter(item.reason for item in score.items if item.f1 is None)
    reasons = "".join(f", {count} without F1 ({why})" for why, count in without.items())
    lines = [
        f"F1 {_number(score.f1)}  recall {_number(score.recall)}  "
        f"precision {_number(score.precision)}  ({len(charts)} charts{reasons})"
    ]
    if score.edge_signature:
        lines.append(
            f"edges: recall {_number(score.edge_recall)}  precision {_number(score.edge_precision)}"
        )
    if made.unreadable:
        lines += [f"unreadable, {len(made.unreadable)} pictures, not scored:"]
        lines += [f"  {chart}: {why}" for chart, why in made.unreadable.items()]
    pairs = zip(charts, made.items, strict=True)
    ranked = sorted(
        ((_least(item), chart.id, item) for chart, item in pairs if item and _least(item) < 1),
        key=lambda entry: entry[:2],
    )
    if ranked[:worst]:
        lines.append("to look at first:")
    for _, name, item in ranked[:worst]:
        lines += [f"  {name}: {_told(item)}", *_wrong(item)]
    return "\n".join([*lines, score.signature, score.edge_signature]).rstrip()


def _least(item: ReferenceFreeItem) -> float:
    edges = item.edges.recall if item.edges else None
    shares = item.recall.recall, item.precision.precision, edges
    return min((share for share in shares if share is not None), default=1.0)


def _told(item: ReferenceFreeItem) -> str:
    f1 = f"F1 {_number(item.f1)}" + ("" if item.f1 is not None else f" ({item.reason})")
    return f1 + (f", edge recall {_number(item.edges.recall)}" if item.edges else "")


def _wrong(item: ReferenceFreeItem) -> list[str]:
    missed = [f'"{text.text}"' for text in item.recall.missed]
    arrows = item.edges.missed if item.edges else ()
    kinds = {
        "in the picture, not in the code": missed,
        "in the code, perhaps not in the picture": list(item.precision.hallucinated),
        "arrows not in the code": [f'"{source}" --> "{target}"' for source, target in arrows],
    }
    return [f"    {kind}: {_first(found)}" for kind, found in kinds.items() if found]


def _first(found: Sequence[str]) -> str:
    more = f", {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    return ", ".join(found[:SHOWN]) + more


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"
