"""The reproduction of LogicVista's numbers as Markdown and as JSON."""

from dataclasses import asdict
from typing import Any

from logicvista.paper import paper
from scoring.model_size import Fit, average_by_size, fit_line
from scoring.reproduce_logicvista import Agreement, Cell, Reproduction

_NOTE = (
    "*GPT-4*: the letters that GPT-4 extracted, from the published result files. *own*: our "
    "extraction from the same replies. Differences are to the printed number. All with the gold as "
    "published and n = 448, as in the paper. The other seven columns of Table 4 were never "
    "released per item."
)


def figure5() -> dict[str, Fit]:
    """Fit the lines of Figure 5 through the printed tables."""
    return {
        "reasoning skills": fit_line(average_by_size(paper().table3, paper().sizes)),
        "capabilities": fit_line(average_by_size(paper().table4, paper().sizes)),
    }


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _difference(value: float | None, printed: float | None) -> str:
    # Adding zero turns a rounded -0.0 into 0.0.
    return "–" if value is None or printed is None else f"{round(value - printed, 2) + 0:+.2f}"


def _remark(cell: Cell) -> str:
    if not cell.as_expected:
        return "**unexpected**"
    return "known: the files differ from the print" if cell.known is not None else ""


def _compared(made: Reproduction) -> list[Cell]:
    return [cell for cell in made.cells if cell.gpt4 is not None and cell.printed is not None]


def _agreement_overall(made: Reproduction) -> Agreement:
    def mean(values: list[float], weights: list[int]) -> float:
        weighted = sum(value * weight for value, weight in zip(values, weights, strict=True))
        return weighted / sum(weights) if any(weights) else 0.0

    replies = [row.n for row in made.agreement]
    scorable = [row.scorable for row in made.agreement]
    return Agreement(
        model="all",
        n=sum(replies),
        same_hit=mean([row.same_hit for row in made.agreement], replies),
        same_letters=mean([row.same_letters for row in made.agreement], replies),
        scorable=sum(scorable),
        gpt4_accuracy=mean([row.gpt4_accuracy for row in made.agreement], scorable),
        own_accuracy=mean([row.own_accuracy for row in made.agreement], scorable),
    )


def summary(made: Reproduction) -> str:
    """Say in a few lines what came out, with every cell that differs from the print."""
    compared = _compared(made)
    differing = [cell for cell in compared if cell.known is not None or not cell.as_expected]
    overall = _agreement_overall(made)
    lines = [f"{len(compared)} printed cells compared, {len(differing)} differ"]
    lines += [
        f"  {cell.table}, {cell.model}, {cell.column}: printed {_number(cell.printed)}, files "
        f"{_number(cell.gpt4)} ({'known' if cell.as_expected else 'unexpected'})"
        for cell in differing
    ]
    lines += [
        f"our extraction against GPT-4's on {overall.n} replies: same hit or miss "
        f"{overall.same_hit:.1%}, same letters {overall.same_letters:.1%}"
    ]
    lines += [f"not read: {problem}" for problem in made.problems]
    return "\n".join(lines)


def to_markdown(made: Reproduction) -> str:
    """Render every cell, the agreement of the two extractions and the lines of Figure 5."""
    lines = ["# LogicVista, Tables 3 and 4", "", _NOTE, ""]
    lines += ["| table | model | column | printed | GPT-4 | diff | own | diff | |"]
    lines += ["|---|---|---|---:|---:|---:|---:|---:|---|"]
    lines += [
        f"| {c.table} | {c.model} | {c.column} | {_number(c.printed)} | {_number(c.gpt4)} | "
        f"{_difference(c.gpt4, c.printed)} | {_number(c.own)} | "
        f"{_difference(c.own, c.printed)} | {_remark(c)} |"
        for c in made.cells
    ]
    compared = _compared(made)
    unexpected = sum(not cell.as_expected for cell in compared)
    lines += ["", f"{len(compared)} printed cells compared, {unexpected} unexpected."]
    lines += ["", "## Our extraction against GPT-4's", ""]
    lines += ["| model | n | same hit or miss | same letters | accuracy by GPT-4 | by ours |"]
    lines += ["|---|---:|---:|---:|---:|---:|"]
    lines += [
        f"| {row.model} | {row.n} | {row.same_hit:.1%} | {row.same_letters:.1%} | "
        f"{row.gpt4_accuracy:.2%} | {row.own_accuracy:.2%} |"
        for row in (*made.agreement, _agreement_overall(made))
    ]
    lines += ["", "## Figure 5: average accuracy (%) over model size (billions)", ""]
    lines += ["| average of | slope | intercept | R² | printed |", "|---|---:|---:|---:|---|"]
    lines += [
        f"| {name} | {fit.slope:.2f} | {fit.intercept:.2f} | {fit.r_squared:.3f} | "
        f"{line.slope:.2f}, {line.intercept:.2f}, {line.r_squared:.2f} |"
        for (name, fit), line in zip(figure5().items(), paper().figure5.values(), strict=True)
    ]
    return "\n".join(lines) + "\n"


def to_json(made: Reproduction) -> dict[str, Any]:
    """Return the same as plain values."""
    return {
        "as_expected": made.as_expected,
        "cells": [{**asdict(cell), "as_expected": cell.as_expected} for cell in made.cells],
        "problems": list(made.problems),
        "agreement": [asdict(row) for row in made.agreement],
        "figure5": {name: asdict(fit) for name, fit in figure5().items()},
    }
