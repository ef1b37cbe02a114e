"""LogicVista scores as text for a terminal and as plain values."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from common.errors import first_of
from metrics.core.bootstrap import Difference
from metrics.core.similarity import MEASURES
from scoring.judge import JudgeScores
from scoring.logicvista import Group, Scores
from scoring.logicvista_reasoning import ReasoningScores


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.2f}"


def _line(name: str, group: Group) -> str:
    ends = f"[{_percent(group.low)}, {_percent(group.high)}]"
    return (
        f"{name:<12}{group.n:>5}{group.right:>7}{_percent(group.accuracy):>10}  {ends:<16}"
        f"{_percent(group.chance):>8}{_percent(group.majority):>10}"
    )


def to_text(scores: Scores) -> str:
    """Render the scores in percent, with chance and majority levels and what was skipped."""
    head = f"{'':<12}{'n':>5}{'right':>7}{'accuracy':>10}  {'95 % interval':<16}"
    groups = {"overall": scores.overall, **scores.skills, **scores.capabilities}
    lines = [head + f"{'chance':>8}{'majority':>10}"]
    lines += [_line(name, group) for name, group in groups.items()]
    lines += [
        f"skipped as not scorable: {', '.join(scores.skipped) or 'none'}",
        "read by: " + ", ".join(f"{reason} {n}" for reason, n in scores.reasons.items()),
        scores.signature,
    ]
    return "\n".join(lines)


def differences_to_text(differences: Mapping[str, Difference]) -> str:
    """Render paired differences, in percentage points."""
    lines = [f"{'':<12}{'difference':>11}  {'95 % interval':<18}{'p':>7}"]
    for name, made in differences.items():
        ends = f"[{100 * made.low:+.2f}, {100 * made.high:+.2f}]"
        lines.append(f"{name:<12}{100 * made.estimate:>+11.2f}  {ends:<18}{made.p_value:>7.3f}")
    return "\n".join(lines)


def reasoning_to_text(made: ReasoningScores) -> str:
    """Render the similarity to the human reasoning, with what was not computed and why."""
    similarity = made.similarity
    lines = [f"reasoning, {made.n} items; {len(made.skipped)} have no human reasoning"]
    for measure in MEASURES:
        value, ends = getattr(similarity, measure), similarity.intervals.get(measure)
        if value is None:
            lines.append(f"{measure:<12}not computed: {similarity.not_computed[measure]}")
        else:
            ends_text = f"[{ends.low:.4f}, {ends.high:.4f}]" if ends else ""
            lines.append(f"{measure:<12}{value:.4f}  {ends_text}")
    lines += [f"empty replies: {similarity.empty}", similarity.signature]
    return "\n".join(lines)


def judge_to_text(made: JudgeScores) -> str:
    """Render the grades of the reasoning, in percent of the best grade."""
    lines = [f"judged reasoning, {made.n} items; {len(made.skipped)} have no human reasoning"]
    if made.score:
        ends = f"[{_percent(made.score.low)}, {_percent(made.score.high)}]"
        lines.append(f"{'grade':<12}{_percent(made.score.estimate)}  {ends}")
    if made.invalid:
        lines.append(f"never a valid grade: {first_of(made.invalid)}")
    return "\n".join([*lines, made.signature])


def to_json(scores: Scores) -> dict[str, Any]:
    """Return the scores as plain values, accuracies as shares of 1."""
    return asdict(scores)
