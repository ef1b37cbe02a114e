"""The validation study as Markdown, JSON and a figure."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from scoring.validate_reference_free import MEASURES, Study

_TITLES = {
    "recall": "Recall_OCR against the recall of texts (paper: Table 3)",
    "precision": "Precision_VE against the precision of nodes and edges (paper: Table 4)",
    "f1": "F1_OCR-VE against F1 (paper: Table 5)",
    "edge_recall": "Edge recall against the recall of edges (not in the paper)",
}


def to_markdown(made: Study) -> str:
    """Return the study's tables."""
    parts = [
        f"# Reference-free metrics on {made.charts} charts\n\n"
        f"Reader: {made.reader}; verifier: embedded.",
        "## Quality of the reader (paper: Table 1)\n\n"
        + _table(
            ("OCR micro F1, similarity ≥ 0.9", "OCR micro F1, equal"),
            [(_number(made.ocr_f1), _number(made.ocr_f1_exact))],
        ),
        "## Quality of the verifier (paper: Table 2)\n\n"
        + _table(
            ("generator", "VE F1", "FPR", "FNR"),
            [
                (
                    name,
                    _number(counts.f1),
                    _number(counts.false_positive_rate),
                    _number(counts.false_negative_rate),
                )
                for name, counts in made.ve.items()
            ],
        ),
    ]
    for measure in MEASURES:
        rows = [
            (name, str(a.n), *map(_number, (a.pearson, a.kendall, a.rmse, a.mae)))
            for name, a in made.agreements[measure].items()
        ]
        head = ("generator", "charts", "Pearson r", "Kendall τ", "RMSE", "MAE")
        parts.append(f"## {_TITLES[measure]}\n\n{_table(head, rows)}")
    return "\n\n".join(parts) + "\n"


def to_json(made: Study) -> dict[str, Any]:
    """Return the study as plain values, every chart's scores among them."""
    value = asdict(made)
    for name, counts in made.ve.items():
        value["ve"][name] |= {
            "f1": counts.f1,
            "fpr": counts.false_positive_rate,
            "fnr": counts.false_negative_rate,
        }
    return value


def to_summary(made: Study) -> dict[str, Any]:
    """Return the study without its charts, as the metric cards read it."""
    value = to_json(made)
    del value["scored"]
    return value


def plot(made: Study, path: Path) -> None:
    """Draw estimate against truth for each measure and generator, as the paper's Figure 1."""
    from matplotlib.figure import Figure

    names = list(made.scored)
    figure = Figure(figsize=(3 * len(names), 3 * len(MEASURES)), layout="constrained")
    axes = figure.subplots(len(MEASURES), len(names), squeeze=False, sharex=True, sharey=True)
    for row, measure in zip(axes, MEASURES, strict=True):
        for cell, name in zip(row, names, strict=True):
            items = made.scored[name]
            shades = [item.actual["f1"] or 0.0 for item in items]
            xs = [item.actual[measure] for item in items]
            ys = [item.estimated[measure] for item in items]
            known = [i for i, (x, y) in enumerate(zip(xs, ys, strict=True)) if None not in (x, y)]
            cell.plot([0, 1], [0, 1], color="0.8", linewidth=1, zorder=0)
            cell.scatter(
                [xs[i] for i in known],
                [ys[i] for i in known],
                c=[shades[i] for i in known],
                cmap="Blues",
                vmin=-0.5,
                vmax=1,
                s=14,
                edgecolors="0.4",
                linewidths=0.4,
            )
            r = made.agreements[measure][name].pearson
            cell.set_title(f"{name}: r = {_number(r)}", fontsize=9)
        row[0].set_ylabel(f"{measure}, without gold")
    for cell in axes[-1]:
        cell.set_xlabel("with gold")
    figure.savefig(path, dpi=120)


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
