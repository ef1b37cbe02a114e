"""The `evaluate` module mcq_extract; the reading is in mcq.py, the scoring in mcq_score.py."""

# evaluate copies only the siblings that this script names itself, hence the unused imports.
# ruff: noqa: F401

from typing import ClassVar

import evaluate

from .accuracy import Item
from .bootstrap import Resampling
from .citations import LOGICVISTA
from .items import require_items
from .letters import fold
from .mcq import extract
from .mcq_before import read_before
from .mcq_behind import CLAUSE_END
from .mcq_claims import read_claims
from .mcq_listing import merge_texts
from .mcq_mentions import label_mentions
from .mcq_named import only_mention
from .mcq_places import boxed
from .mcq_reply import Reply
from .mcq_rules import RULES
from .mcq_score import score_mcq
from .mcq_slots import read_slot
from .mcq_texts import option_texts
from .mcq_words import WORDS
from .module import CheckedInputs, decode, plain
from .reply import hide_thoughts
from .signature import signature

_DESCRIPTION = """
Accuracy of a model's free-form replies to multiple-choice questions: which options does the reply
choose, read by rules and never guessed, as LogicVista needs it (which asks GPT-4 to extract).
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions (list of str): The model's replies. `None` and NaN count as wrong, reason `empty`.
    references (list of str or list): The right labels of each item: `"B"`, `"B, D"` or `["B",
        "D"]`. An item with none (`""`, `[]`) is skipped: no reply can be right there.
    choices (list of list or dict): For each item the allowed labels, letters or numbers, or
        `{label: text of the option}`. With the texts, a reply that gives the text counts.
    multi (bool, default True): Whether a reply may name several labels. If not, a reply that does
        has no answer, reason `several`.
    clusters (list, default None): One key an item, e.g. its image; the bootstrap draws whole
        clusters.
    bootstrap (int, default 0): Number of bootstrap resamples; 0 for no intervals.
    seed (int, default 0): Seed of the bootstrap.
Returns:
    accuracy (float or None; 0 to 1, higher is better): Share of the scored items whose reply names
        exactly the right labels, in any order; `None` if no item can be scored.
    n (int): How many items were scored.
    skipped (list of int): Indices of the items without a right label.
    reasons (dict): How often each reason decided.
    items (list of dict): For each reply `letters`, `reason`, `span` (offsets in the reply of what
        decided) and `correct` (`None` where skipped).
    intervals (dict): Percentile bootstrap interval (95 %) of the accuracy, if asked for.
    signature (str): How the scores were made; scores compare only under the same signature.
Examples:
    >>> import evaluate
    >>> mcq_extract = evaluate.load("metrics/mcq_extract")
    >>> result = mcq_extract.compute(
    ...     predictions=["A is too long, so the answer is (B).", "Either A or C.", "35 lb"],
    ...     references=["B", "A", "C"],
    ...     choices=[list("ABCD"), list("ABCD"), {"A": "25 lb", "B": "30 lb", "C": "35 lb"}],
    ... )
    >>> [item["letters"] for item in result["items"]], result["reasons"]["hedged"]
    ([['B'], [], ['C']], 1)
    >>> result["signature"]
    'mcq_extract|choices:varied|multi:yes|think:strip|version:1.0'
"""


class McqExtract(CheckedInputs, evaluate.Metric):
    """Accuracy of free-form replies to multiple-choice questions."""

    accepts: ClassVar = {"predictions": (str,), "references": (str, list), "choices": (list, dict)}

    def _info(self):
        return self.module_info(_DESCRIPTION, _KWARGS_DESCRIPTION, LOGICVISTA)

    def _compute(
        self, predictions, references, choices, multi=True, clusters=None, bootstrap=0, seed=0
    ):
        return plain(
            score_mcq(
                decode(predictions),
                decode(references),
                decode(choices),
                multi=multi,
                resampling=Resampling(bootstrap, seed, clusters),
            )
        )
