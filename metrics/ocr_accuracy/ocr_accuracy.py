"""The `evaluate` module ocr_accuracy; the scoring itself is in ocr_score.py."""

# evaluate copies only the siblings that this script names itself, hence the unused imports.
# ruff: noqa: F401

from typing import ClassVar

import evaluate

from .accuracy import Item
from .bootstrap import Resampling
from .citations import FLOWLEARN
from .items import require_items
from .module import CheckedInputs, decode, plain
from .ocr_score import score_ocr
from .ocr_text import read_text
from .reply import hide_thoughts
from .signature import signature

_DESCRIPTION = """
Accuracy of a model's reading of a text in a picture ("what is written in the red box?"), as in
FlowLearn (Tables 4 and 10): the right text occurs in the reply. Beside it: exact and normalized
accuracy of the text that the reply claims to read, and the character error rate.
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions (list of str): The model's replies. `None` and NaN count as wrong, reason `missing`.
    references (list of str): The right texts, none of them empty.
    mode (str, default "paper"): `"paper"`: a reply is right if the right text occurs in it,
        case-sensitive. `"meaning"`: it is right if the text that it claims to read is the right
        one, but for case, white space, Unicode form and punctuation at the ends.
    clusters (list, default None): One key an item, e.g. its image; the bootstrap draws whole
        clusters.
    bootstrap (int, default 0): Number of bootstrap resamples; 0 for no intervals.
    seed (int, default 0): Seed of the bootstrap.
Returns:
    accuracy (float; 0 to 1, higher is better): Share of the replies that are right by the mode's
        rule.
    contained, exact, normalized (float; 0 to 1, higher is better): Share of the replies that
        contain the right text, and of the claimed texts that are the right one, exactly or
        normalized.
    character_error_rate (float; 0 and up, lower is better): Insertions, deletions and replacements
        between the claimed and the right texts, by the characters of the right texts, all items
        together; above 1 where replies are much longer. A reply that claims no text costs all
        characters.
    unanswered (int): Replies that claim no text.
    reasons (dict): How often each reason occurs.
    items (list of dict): For each reply `value` (the claimed text), `reason`, `correct`, `span` (in
        paper mode, where the right text occurs; else, where the claimed text stands), `contained`,
        `exact`, `normalized`, `character_error_rate`.
    intervals (dict): Percentile bootstrap intervals (95 %) of the five scores, if asked for.
    signature (str): How the scores were made; scores compare only under the same signature.
Examples:
    >>> import evaluate
    >>> ocr_accuracy = evaluate.load("metrics/ocr_accuracy")
    >>> result = ocr_accuracy.compute(
    ...     predictions=['The text in the red box is "lansing".', "monotrochal red", "Lansing"],
    ...     references=["lansing", "monotrochal", "lansing"],
    ... )
    >>> result["contained"], result["exact"], result["normalized"]
    (0.6666666666666666, 0.3333333333333333, 0.6666666666666666)
    >>> result["character_error_rate"]
    0.2
    >>> result["signature"]
    'ocr_accuracy|mode:paper|version:1.0'
"""


class OcrAccuracy(CheckedInputs, evaluate.Metric):
    """Accuracy of reading a text in a picture."""

    accepts: ClassVar = {"predictions": (str,), "references": (str,)}

    def _info(self):
        return self.module_info(_DESCRIPTION, _KWARGS_DESCRIPTION, FLOWLEARN)

    def _compute(self, predictions, references, mode="paper", clusters=None, bootstrap=0, seed=0):
        return plain(
            score_ocr(
                decode(predictions),
                decode(references),
                mode=mode,
                resampling=Resampling(bootstrap, seed, clusters),
            )
        )
