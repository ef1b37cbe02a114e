"""The `evaluate` module tf_accuracy; the scoring itself is in truefalse_score.py."""

# evaluate copies only the siblings that this script names itself, hence the unused imports.
# ruff: noqa: F401

from typing import ClassVar

import evaluate

from .accuracy import Resampling
from .bootstrap import interval
from .citations import FLOWLEARN
from .letters import fold
from .module import CheckedInputs, decode, plain
from .reply import hide_thoughts
from .signature import signature
from .truefalse import read_truefalse
from .truefalse_meaning import read_by_meaning
from .truefalse_score import score_truefalse
from .truefalse_words import CUE

_DESCRIPTION = """
Accuracy of a model's answers to true/false statements about flowcharts, as in FlowLearn (Tables 4
and 10): on the true statements, on the false ones, and the mean of both.
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions (list of str): The model's replies. A reply that is missing (None, NaN) is wrong.
    references (list of str or bool): The right answers: "true"/"false" or True/False.
    mode (str): "paper" (default): a reply is right if exactly one of the tokens true and false
        occurs in it, and it is the right one. "meaning": what a careful reader takes from it.
    strip_think (bool): In paper mode, ignore <think> parts (default False).
    clusters (list): One key an item, e.g. its image: the bootstrap draws whole clusters.
    bootstrap (int): Number of bootstrap resamples; 0 (default) for no intervals.
    seed (int): Seed of the bootstrap (default 0).
Returns:
    true_accuracy, false_accuracy (float or None): Accuracy on the statements of each kind; None
        where there are none.
    average (float or None): The mean of the two.
    true_statements, false_statements (int): How many there are of each kind.
    both, none (int): Replies that say both, and replies without a verdict.
    reasons (dict): How often each reason occurs.
    items (list of dict): For each reply: value, reason, correct, span.
    intervals (dict): 95 % bootstrap intervals, if asked for.
    signature (str): How the score was made.
Examples:
    >>> import evaluate
    >>> tf_accuracy = evaluate.load("metrics/tf_accuracy")
    >>> result = tf_accuracy.compute(
    ...     predictions=["true", "False.", "It is not true."],
    ...     references=["true", "true", "false"],
    ... )
    >>> result["true_accuracy"], result["false_accuracy"], result["average"]
    (0.5, 0.0, 0.25)
    >>> result["signature"]
    'tf_accuracy|mode:paper|think:keep|version:1.0'
    >>> tf_accuracy.compute(
    ...     predictions=["It is not true."], references=["false"], mode="meaning"
    ... )["false_accuracy"]
    1.0
"""


class TfAccuracy(CheckedInputs, evaluate.Metric):
    """Accuracy of answers to true/false statements."""

    accepts: ClassVar = {"predictions": (str,), "references": (str, bool)}

    def _info(self):
        return self.module_info(_DESCRIPTION, _KWARGS_DESCRIPTION, FLOWLEARN)

    def _compute(
        self,
        predictions,
        references,
        mode="paper",
        strip_think=False,
        clusters=None,
        bootstrap=0,
        seed=0,
    ):
        return plain(
            score_truefalse(
                decode(predictions),
                decode(references),
                mode=mode,
                strip_think=strip_think,
                resampling=Resampling(bootstrap, seed, clusters),
            )
        )
