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
from scoring.generated_charts import Chart
from scoring.ve_batch import Reply, calls_of


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
        UserError: See `texts_by_chart`.
    """
    texts = texts_by_chart(charts, replies, options, allow_missing)
    verified = []
    for chart, said in zip(charts, texts, strict=True):
        why = {call: _why(replies.get(call)) for call in calls_of(chart, options)}
        verified.append(
            VerifiedChart(
                chart.id,
                chart.image,
                _verdicts(chart, said, options),
                precision_item(chart.generated, said, chart.gold, options),
                tuple((call, reason) for call, reason in why.items() if reason),
            )
        )
    return VerifiedCharts(
        charts=tuple(verified),
        score=score_of_items([chart.score for chart in verified], options),
        calls=sum(map(len, texts)),
        surplus=sum(chart.score.surplus for chart in verified),
        failed=sum(len(chart.failed) for chart in verified),
    )


def texts_by_chart(
    charts: Sequence[Chart],
    replies: Mapping[str, Reply],
    options: PrecisionOptions,
    allow_missing: bool = False,
) -> list[list[str | None]]:
    """Return what was replied to the calls of each chart, `None` where nothing was.

    Args:
        charts: The charts.
        replies: Replies by `custom_id`.
        options: What was verified.
        allow_missing: Let calls have no reply.

    Raises:
        UserError: There is a reply to a call that these charts do not make, or, unless allowed, a
            call without a reply.
    """
    calls = [calls_of(chart, options) for chart in charts]
    asked = [call for of_chart in calls for call in of_chart]
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
    return [[_text(replies.get(call)) for call in of_chart] for of_chart in calls]


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
