"""The `evaluate` module count_accuracy; the scoring itself is in count_score.py."""

# evaluate copies only the siblings that this script names itself, hence the unused imports.
# ruff: noqa: F401

from typing import ClassVar

import evaluate

from .accuracy import Item
from .bootstrap import Resampling
from .citations import FLOWLEARN
from .count import read_count
from .count_meaning import read_count_by_meaning
from .count_parts import JOINT
from .count_score import score_counts
from .count_words import NUMBER
from .items import require_items
from .letters import fold
from .module import CheckedInputs, decode, plain
from .number_words import numbers_in_words
from .reply import hide_thoughts
from .signature import signature

_DESCRIPTION = """
Accuracy of a model's answers to "how many nodes (arrows) does the flowchart have?", as in FlowLearn
(Tables 4 and 10), and their mean absolute error.
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions (list of str): The model's replies. `None` and NaN count as wrong, reason `missing`.
    references (list of int or str): The right counts.
    mode (str, default "paper"): `"paper"`: the first number in digits counts, words only where
        there are no digits. `"meaning"`: the count that a careful reader takes from the reply.
    strip_think (bool, default True): In paper mode, leave `<think>` parts out.
    counted (str, default None): `"nodes"` or `"arrows"`, if all questions ask for the same: in
        meaning mode, counts of the other are passed over. `None`: the last count stated.
    clusters (list, default None): One key an item, e.g. its image; the bootstrap draws whole
        clusters.
    bootstrap (int, default 0): Number of bootstrap resamples; 0 for no intervals.
    seed (int, default 0): Seed of the bootstrap.
Returns:
    accuracy (float; 0 to 1, higher is better): Share of the replies with the right count.
    mean_absolute_error (float or None; 0 and up, lower is better): Mean distance, over the replies
        that give a count; `None` if none does.
    unanswered (int): Replies that give no count; they are wrong.
    reasons (dict): How often each reason occurs.
    items (list of dict): For each reply `value`, `reason`, `correct`, and `span`, the offsets in
        the reply of what decided.
    intervals (dict): Percentile bootstrap intervals (95 %) of the two scores, if asked for.
    signature (str): How the scores were made; scores compare only under the same signature.
Examples:
    >>> import evaluate
    >>> count_accuracy = evaluate.load("metrics/count_accuracy")
    >>> replies = ["There are 4 arrows.", "five", "4 nodes and 5 arrows", "several"]
    >>> result = count_accuracy.compute(predictions=replies, references=[4, 5, 5, 6])
    >>> result["accuracy"], result["unanswered"]
    (0.5, 1)
    >>> result["signature"]
    'count_accuracy|mode:paper|think:strip|counted:any|version:1.0'
    >>> count_accuracy.compute(
    ...     predictions=replies, references=[4, 5, 5, 6], mode="meaning", counted="arrows"
    ... )["accuracy"]
    0.75
"""


class CountAccuracy(CheckedInputs, evaluate.Metric):
    """Accuracy of counts of nodes and arrows."""

    accepts: ClassVar = {"predictions": (str,), "references": (int, str)}

    def _info(self):
        return self.module_info(_DESCRIPTION, _KWARGS_DESCRIPTION, FLOWLEARN)

    def _compute(
        self,
        predictions,
        references,
        mode="paper",
        strip_think=True,
        counted=None,
        clusters=None,
        bootstrap=0,
        seed=0,
    ):
        return plain(
            score_counts(
                decode(predictions),
                decode(references),
                mode=mode,
                strip_think=strip_think,
                counted=counted,
                resampling=Resampling(bootstrap, seed, clusters),
            )
        )
