"""Precision_VE of generated code from the replies of a batch."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from common.errors import UserError, first_of
from metrics.core.precision_ve import (
    PrecisionItem,
    PrecisionOptions,
    PrecisionScore,
    precision_item,
    read_verdicts,
    score_of_items,
)
from scoring.ve_batch import Chart, Reply, calls_of


@dataclass(frozen=True, slots=True)
class VerifiedChart:
    """One chart's score.

    Attributes:
        id: The chart.
        image: Its picture.
        elements: Each generated element in the wording of the prompt, and whether it was seen.
        score: Precision, hallucinated elements and counts.
        failed: Calls without a reply, with the reason.
    """

    id: str
    image: str
    elements: tuple[tuple[str, bool], ...]
    score: PrecisionItem
    failed: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class VerifiedCharts:
    """All charts' scores.

    Attributes:
        charts: Every chart, in the order given.
        score: The scores of all together.
        calls: Number of calls.
        surplus: Verdicts about nothing that was asked.
        failed: Number of calls without a reply: their elements count as no.
    """

    charts: tuple[VerifiedChart, ...]
    score: PrecisionScore
    calls: int
    surplus: int
    failed: int


def score_charts(
    charts: Sequence[Chart],
    replies: Mapping[str, Reply],
    options: PrecisionOptions,
    allow_missing: bool = False,
) -> VerifiedCharts:
    """Score charts by the replies to their calls.

    Args:
        charts: The charts.
        replies: Replies by `custom_id`.
        options: What was verified, and by what.
        allow_missing: Count the elements of calls without a reply as no.

    Raises:
        UserError: There is a reply to a call that these charts do not make, or, unless allowed, a
            call without a reply.
    """
    calls = {chart.id: calls_of(chart, options) for chart in charts}
    asked = [call for of_chart in calls.values() for call in of_chart]
    if unasked := sorted(replies.keys() - set(asked)):
        raise UserError(
            f"{len(unasked)} replies are to calls that these charts do not make: "
            f"{first_of(unasked)}",
            "give the charts, and the options, that the requests were made from",
        )
    failed = {call: _why(replies.get(call)) for call in asked if _why(replies.get(call))}
    if failed and not allow_missing:
        told = [f"{call} ({why})" for call, why in failed.items()]
        raise UserError(
            f"{len(failed)} of {len(asked)} calls have no reply: {first_of(told)}",
            "ask them again (`flowlearn ve requests --answered FILE` writes only those), "
            "or count their elements as no with --allow-missing",
        )
    texts = [[_text(replies.get(call)) for call in calls[chart.id]] for chart in charts]
    items = [
        precision_item(chart.generated, said, chart.gold, options)
        for chart, said in zip(charts, texts, strict=True)
    ]
    verified = tuple(
        VerifiedChart(
            chart.id,
            chart.image,
            _verdicts(chart, said, options),
            item,
            tuple((call, failed[call]) for call in calls[chart.id] if call in failed),
        )
        for chart, said, item in zip(charts, texts, items, strict=True)
    )
    return VerifiedCharts(
        charts=verified,
        score=score_of_items(items, options),
        calls=len(asked),
        surplus=sum(item.surplus for item in items),
        failed=len(failed),
    )


def _why(reply: Reply | None) -> str:
    """Return why a call has no text; empty where it has one."""
    return "not in the output" if reply is None else reply.problem


def _text(reply: Reply | None) -> str | None:
    return reply.text if reply else None


def _verdicts(
    chart: Chart, said: Sequence[str | None], options: PrecisionOptions
) -> tuple[tuple[str, bool], ...]:
    texts = chart.elements(options)
    entailed = read_verdicts(said, len(texts)).entailed
    return tuple(zip(texts, entailed, strict=True))


def to_text(made: VerifiedCharts) -> str:
    """Say in a few lines what came out."""
    score = made.score
    lines = [
        f"precision {_number(score.precision)}  micro {_number(score.micro_precision)}  "
        f"({len(made.charts)} charts, {score.undefined} without elements)",
        f"verdicts: {score.missing} missing, {score.odd} odd, {made.surplus} surplus; "
        f"{made.failed} of {made.calls} calls without a reply",
    ]
    if score.ve_f1 is not None:
        lines.append(
            f"verifier against gold: F1 {_number(score.ve_f1)}  FPR {_number(score.ve_fpr)}  "
            f"FNR {_number(score.ve_fnr)}"
        )
    suspects = [
        f"  {chart.id}: {text}" for chart in made.charts for text in chart.score.hallucinated
    ]
    if suspects:
        lines += [f"possibly hallucinated, {len(suspects)} elements:", *suspects]
    return "\n".join([*lines, score.signature])


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"
