"""What other frameworks need of a row: the prompt, the picture, and the score of one reply.

They score replies one by one and average; scores that are no means of single replies (corpus BLEU,
bootstrap intervals) are those of the `evaluate` modules alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from metrics.core.count_score import score_counts
from metrics.core.mcq_score import score_mcq
from metrics.core.mermaid_score import score_flowcharts
from metrics.core.ocr_score import score_ocr
from metrics.core.similarity import score_similarity
from metrics.core.truefalse_score import score_truefalse
from scoring.logicvista import item_of_row


@dataclass(frozen=True, slots=True)
class Scored:
    """The score of one reply.

    Attributes:
        value: 0 to 1.
        family: What the value is a score of, e.g. `tf_accuracy`: values of one family average.
        reason: How the reply was read, or why it scores nothing.
        signature: How the score was made.
    """

    value: float
    family: str
    reason: str
    signature: str


def flowlearn_prompt(row: Mapping[str, Any]) -> str:
    """Return the whole text of a `_vqa` row: the task's prompt, then the question."""
    return f"{row['prompt']}\n{row['question']}".rstrip()


def score_flowlearn(row: Mapping[str, Any], reply: str) -> Scored:
    """Score a reply to a `_vqa` row, by the paper's rule for its task."""
    task, gold = row["task"], row["answer"]
    if task == "mermaid":
        charts = score_flowcharts([reply], [gold])
        return Scored(charts.link_f1, "link_f1", charts.items[0].reading, charts.signature)
    if task == "description":
        texts = score_similarity([reply], [gold], measures=("rouge_l",))
        reason = "empty" if texts.empty else "text"
        return Scored(texts.rouge_l or 0.0, "rouge_l", reason, texts.signature)
    if task == "ocr":
        read = score_ocr([reply], [gold])
        return Scored(read.accuracy, "ocr_accuracy", read.items[0].reason, read.signature)
    if task.startswith("num_"):
        counts = score_counts([reply], [gold])
        return Scored(counts.accuracy, "count_accuracy", counts.items[0].reason, counts.signature)
    truths = score_truefalse([reply], [gold])
    item = truths.items[0]
    return Scored(float(item.correct), "tf_accuracy", item.reason, truths.signature)


def logicvista_prompt(row: Mapping[str, Any]) -> str:
    """Return the text of a LogicVista row: the question with its options, as released."""
    return str(row["question"])


def score_logicvista(row: Mapping[str, Any], reply: str) -> Scored:
    """Score a reply to a scorable LogicVista row: right if it names exactly the right labels."""
    item = item_of_row(row)
    score = score_mcq([reply], [sorted(item.answer)], [item.choices])
    value = score.accuracy or 0.0
    return Scored(value, "mcq_accuracy", score.items[0].reason, score.signature)
