"""The `evaluate` module tf_accuracy; the scoring itself is in truefalse_score.py."""

# evaluate copies only the siblings that this script names itself, hence the unused imports.
# ruff: noqa: F401

from typing import ClassVar

import evaluate

from .accuracy import Item
from .bootstrap import Resampling
from .citations import FLOWLEARN
from .items import require_items
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
    predictions (list of str): The model's replies. `None` and NaN count as wrong, reason `missing`.
    references (list of str or bool): The right answers: `"true"` or `"false"` in any case, or
        `True` or `False`.
    mode (str, default "paper"): `"paper"`: a reply is right if exactly one of the tokens true and
        false occurs in it, and it is the right one. `"meaning"`: what a careful reader takes from
        it.
    strip_think (bool, default False): In paper mode, leave `<think>` parts out.
    clusters (list, default None): One key an item, e.g. its image; the bootstrap draws whole
        clusters.
    bootstrap (int, default 0): Number of bootstrap resamples; 0 for no intervals.
    seed (int, default 0): Seed of the bootstrap.
Returns:
    true_accuracy, false_accuracy (float or None; 0 to 1, higher is better): Accuracy on the
        statements of each kind; `None` if there are none.
    average (float or None): The mean of the two; `None` unless both are there.
    true_statements, false_statements (int): How many there are of each kind.
    both (int): Replies that say both and settle on neither.
    none (int): Other replies without a verdict.
    reasons (dict): How often each reason occurs.
    items (list of dict): For each reply `value` (`True`, `False`, `None`), `reason`, `correct`, and
        `span`, the offsets in the reply of what decided.
    intervals (dict): Percentile bootstrap intervals (95 %) of the three scores, if asked for.
    signature (str): How the scores were made; scores compare only under the same signature.
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
