"""The `evaluate` module description_similarity; the scoring itself is in similarity.py."""

# evaluate copies only the siblings that this script names itself, hence the unused imports.
# ruff: noqa: F401

from typing import ClassVar

import evaluate

from .bootstrap import Resampling
from .citations import FLOWLEARN
from .items import require_items
from .minilm import embed
from .module import CheckedInputs, decode, plain
from .reply import Answer
from .signature import signature
from .similarity import MEASURES, score_similarity

_DESCRIPTION = """
Similarity of flowchart descriptions to reference descriptions, as in FlowLearn (Tables 5 and 11):
BLEU, ROUGE-L, BERTScore, sentence vectors, and the length of the descriptions.
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions (list of str): The model's descriptions. `None` and NaN are scored as empty ones,
        reason `missing`.
    references (list of str): The reference descriptions, none of them empty.
    measures (list of str, default ["bleu", "rouge_l", "bertscore", "sbert"]): Which to compute.
    clusters (list, default None): One key an item, e.g. its image; the bootstrap draws whole
        clusters.
    bootstrap (int, default 0): Number of bootstrap resamples; 0 for no intervals.
    seed (int, default 0): Seed of the bootstrap.
Returns:
    bleu, rouge_l (float or None; 0 to 1, higher is better): Corpus BLEU, and the mean ROUGE-L
        F-measure with stemming; like all measures `None` where not computed.
    bertscore (float or None; about 0.75 to 1): Mean BERTScore F1 (roberta-large).
    sbert (float or None; −1 to 1): Mean cosine similarity of all-MiniLM-L6-v2 vectors.
    median_words (float): Median number of words of the predictions.
    median_words_paper (float): The same by the paper's count, which takes what stands between
        spaces and has a letter in it.
    empty (int): Predictions that are empty or missing.
    not_computed (dict): The reason, for each measure that is `None`.
    items (list of dict): For each prediction `reason` (`ok`, `empty`, `missing`), `words`,
        `words_paper`, `bleu` (the counts that corpus BLEU is made of), `rouge_l`, `bertscore`,
        `sbert`.
    intervals (dict): Percentile bootstrap intervals (95 %) of the measures, if asked for.
    signature (str): How the scores were made; scores compare only under the same signature.
Examples:
    >>> import evaluate
    >>> description_similarity = evaluate.load("metrics/description_similarity")
    >>> result = description_similarity.compute(
    ...     predictions=["mix points to bake. bake points to eat."],
    ...     references=["mix points to bake. bake points to cool."],
    ...     measures=["bleu", "rouge_l"],
    ... )
    >>> round(result["bleu"], 3), result["rouge_l"], result["sbert"]
    (0.783, 0.875, None)
    >>> result["not_computed"]["sbert"]
    'not asked for'
    >>> result["signature"]
    'description_similarity|bleu:13a,exp|rouge_l:stem,f|bertscore:none|sbert:none|version:1.0'
"""


class DescriptionSimilarity(CheckedInputs, evaluate.Metric):
    """Similarity of descriptions to references."""

    accepts: ClassVar = {"predictions": (str,), "references": (str,)}

    def _info(self):
        return self.module_info(_DESCRIPTION, _KWARGS_DESCRIPTION, FLOWLEARN)

    def _compute(
        self,
        predictions,
        references,
        measures=MEASURES,
        clusters=None,
        bootstrap=0,
        seed=0,
    ):
        return plain(
            score_similarity(
                decode(predictions),
                decode(references),
                measures=measures,
                resampling=Resampling(bootstrap, seed, clusters),
            )
        )
