"""Similarity of descriptions to references, as in the FlowLearn paper's Tables 5 and 11."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Any

import numpy as np

from .bootstrap import Floats, Interval, Resampling, Statistic
from .items import require_items
from .minilm import MODEL, embed
from .signature import signature

VERSION = "1.0"
MEASURES = ("bleu", "rouge_l", "bertscore", "sbert")
# The model that `bert-score` takes for English, which the paper's figures agree with.
BERTSCORE_MODEL = "roberta-large"

_ORDERS = 4  # BLEU counts n-grams up to this length


@dataclass(frozen=True, slots=True)
class BleuCounts:
    """What one reply adds to corpus BLEU.

    Attributes:
        matched: n-grams shared with the reference, for n = 1 to 4.
        total: n-grams of the reply, for n = 1 to 4.
        reply_length: Tokens of the reply.
        reference_length: Tokens of the reference.
    """

    matched: tuple[int, ...]
    total: tuple[int, ...]
    reply_length: int
    reference_length: int


@dataclass(frozen=True, slots=True)
class SimilarityItem:
    """The similarity of one reply to its reference; `None` where a measure was not computed.

    Attributes:
        reason: `ok`, `empty` (all similarities are 0) or `missing` (no text at all, scored so).
        words: Words between white space.
        words_paper: Words as the paper counts them, see `count_words_paper`.
        bleu: Counts that corpus BLEU is made of.
        rouge_l: ROUGE-L F-measure with stemming, 0 to 1.
        bertscore: BERTScore F1.
        sbert: Cosine similarity of the sentence vectors, −1 to 1.
    """

    reason: str
    words: int
    words_paper: int
    bleu: BleuCounts | None
    rouge_l: float | None
    bertscore: float | None
    sbert: float | None


@dataclass(frozen=True, slots=True)
class SimilarityScore:
    """Similarity of replies to references; `None` where a measure was not computed.

    Attributes:
        bleu: Corpus BLEU (13a tokens), 0 to 1.
        rouge_l: Mean ROUGE-L F-measure with stemming, 0 to 1.
        bertscore: Mean BERTScore F1.
        sbert: Mean cosine similarity of all-MiniLM-L6-v2 vectors, −1 to 1.
        median_words: Median number of words of the replies.
        median_words_paper: The same by the paper's count, see `count_words_paper`.
        empty: Replies that are empty or missing.
        not_computed: Why, for each measure that is `None`.
        items: Every reply, in the order given.
        intervals: Bootstrap intervals by name of the measure; empty unless asked for.
        signature: How the scores were made.
    """

    bleu: float | None
    rouge_l: float | None
    bertscore: float | None
    sbert: float | None
    median_words: float
    median_words_paper: float
    empty: int
    not_computed: dict[str, str]
    items: tuple[SimilarityItem, ...]
    intervals: dict[str, Interval]
    signature: str


def count_words_paper(text: str) -> int:
    r"""Count words as FlowLearn does: what stands between *spaces* and has a letter in it.

    A line end does not part words and a number is none; this gives all eight medians of Table 5
    that the published replies can be checked against.

    >>> count_words_paper("Figure 3: start\nstop")
    2
    """
    return sum(any(map(str.isalpha, word)) for word in text.split(" "))


def score_similarity(
    predictions: Sequence[object],
    references: Sequence[str],
    *,
    measures: Sequence[str] = MEASURES,
    resampling: Resampling | None = None,
) -> SimilarityScore:
    """Score descriptions against references.

    Args:
        predictions: The model's replies; what is no text is scored as an empty reply.
        references: The reference descriptions, none of them empty.
        measures: Which to compute, out of `bleu`, `rouge_l`, `bertscore` and `sbert`; one that
            cannot be computed here is reported in `not_computed`, never guessed.
        resampling: How to bootstrap, if at all.

    Raises:
        ValueError: No items, lists of different lengths, an empty reference, an unknown measure.

    >>> score = score_similarity(["A points to C."], ["A points to B."], measures=["rouge_l"])
    >>> score.rouge_l, score.bleu, score.not_computed["bleu"]
    (0.75, None, 'not asked for')
    """
    require_items(predictions, references)
    if unknown := set(measures) - set(MEASURES):
        raise ValueError(f"unknown measures {sorted(unknown)}; there are {', '.join(MEASURES)}")
    for index, reference in enumerate(references):
        if not isinstance(reference, str) or not reference.strip():
            raise ValueError(f"references[{index}]: expected a text, got {reference!r:.80}")
    replies = [reply if isinstance(reply, str) else "" for reply in predictions]
    columns: dict[str, list[Any]] = {}
    not_computed = dict.fromkeys(MEASURES, "not asked for")
    for measure in dict.fromkeys(measures):
        try:
            columns[measure] = _COLUMNS[measure](replies, references)
            del not_computed[measure]
        except (ImportError, OSError) as error:
            not_computed[measure] = str(error)
    items = tuple(
        SimilarityItem(
            reason=_reason(given),
            words=len(reply.split()),
            words_paper=count_words_paper(reply),
            **{
                measure: columns[measure][index] if measure in columns else None
                for measure in MEASURES
            },
        )
        for index, (given, reply) in enumerate(zip(predictions, replies, strict=True))
    )
    rows, statistics = _statistics(columns, len(items))
    scores = {
        measure: float(statistic(rows.mean(axis=0, keepdims=True))[0])
        for measure, statistic in statistics.items()
    }
    return SimilarityScore(
        bleu=scores.get("bleu"),
        rouge_l=scores.get("rouge_l"),
        bertscore=scores.get("bertscore"),
        sbert=scores.get("sbert"),
        median_words=float(median(item.words for item in items)),
        median_words_paper=float(median(item.words_paper for item in items)),
        empty=sum(item.reason != "ok" for item in items),
        not_computed=not_computed,
        items=items,
        intervals=(resampling or Resampling()).intervals(rows, statistics) if statistics else {},
        signature=signature(
            "description_similarity",
            VERSION,
            {measure: _RECIPES[measure] if measure in columns else None for measure in MEASURES},
        ),
    )


def _reason(reply: object) -> str:
    if not isinstance(reply, str):
        return "missing"
    return "ok" if reply.strip() else "empty"


def _bleu_counts(replies: Sequence[str], references: Sequence[str]) -> list[BleuCounts]:
    from sacrebleu.metrics.bleu import BLEU

    bleu = BLEU(effective_order=True)  # silences a warning; the counts do not depend on it
    scores = [
        bleu.sentence_score(reply, [reference])
        for reply, reference in zip(replies, references, strict=True)
    ]
    return [
        BleuCounts(tuple(score.counts), tuple(score.totals), score.sys_len, score.ref_len)
        for score in scores
    ]


def _rouge_l(replies: Sequence[str], references: Sequence[str]) -> list[float]:
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(["rougeL"], use_stemmer=True)
    return [
        float(scorer.score(reference, reply)["rougeL"].fmeasure)
        for reply, reference in zip(replies, references, strict=True)
    ]


def _bertscore(replies: Sequence[str], references: Sequence[str]) -> list[float]:
    try:
        from bert_score import BERTScorer
        from huggingface_hub import try_to_load_from_cache
    except ImportError as error:
        raise ImportError(
            "bert-score is not installed: pip install bert-score (it brings torch)"
        ) from error
    # Asking first keeps a machine without network from waiting for a download that cannot come.
    if not isinstance(try_to_load_from_cache(BERTSCORE_MODEL, "config.json"), str):
        raise OSError(
            f"the weights of {BERTSCORE_MODEL} are not in the Hugging Face cache: "
            f"hf download {BERTSCORE_MODEL}"
        )
    _, _, f_measures = BERTScorer(model_type=BERTSCORE_MODEL).score(list(replies), list(references))
    return _zero_where_empty(f_measures.tolist(), replies)


def _sbert(replies: Sequence[str], references: Sequence[str]) -> list[float]:
    texts = list(dict.fromkeys([*replies, *references]))
    vectors = dict(zip(texts, embed(texts), strict=True))
    cosines = [
        float(vectors[reply] @ vectors[reference])
        for reply, reference in zip(replies, references, strict=True)
    ]
    return _zero_where_empty(cosines, replies)


def _zero_where_empty(values: Sequence[float], replies: Sequence[str]) -> list[float]:
    """A model gives even the empty text a vector; here it is like nothing."""
    return [value if reply.strip() else 0.0 for value, reply in zip(values, replies, strict=True)]


_COLUMNS: dict[str, Callable[[Sequence[str], Sequence[str]], list[Any]]] = {
    "bleu": _bleu_counts,
    "rouge_l": _rouge_l,
    "bertscore": _bertscore,
    "sbert": _sbert,
}
_RECIPES = {"bleu": "13a,exp", "rouge_l": "stem,f", "bertscore": BERTSCORE_MODEL, "sbert": MODEL}


def _statistics(columns: dict[str, list[Any]], count: int) -> tuple[Floats, dict[str, Statistic]]:
    """Return the items' rows of numbers and, for each measure, its function of the mean row."""
    width = 2 * _ORDERS + 2
    rows = np.zeros((count, width + len(MEASURES)))
    statistics: dict[str, Statistic] = {}
    for place, measure in enumerate(MEASURES):
        if measure not in columns:
            continue
        if measure == "bleu":
            rows[:, :width] = [
                (*item.matched, *item.total, item.reply_length, item.reference_length)
                for item in columns[measure]
            ]
            statistics[measure] = partial(_corpus_bleu, count=count)
        else:
            rows[:, width + place] = columns[measure]
            statistics[measure] = partial(_mean_of_column, column=width + place)
    return rows, statistics


def _mean_of_column(means: Floats, column: int) -> Floats:
    values: Floats = means[:, column]
    return values


def _corpus_bleu(means: Floats, count: int) -> Floats:
    """Return corpus BLEU for each row of mean counts of `count` replies."""
    from sacrebleu.metrics.bleu import BLEU

    scores = []
    for row in np.rint(means * count).astype(int):  # compute_bleu takes whole counts only
        matched, total = row[:_ORDERS].tolist(), row[_ORDERS : 2 * _ORDERS].tolist()
        reply_length, reference_length = row[2 * _ORDERS : 2 * _ORDERS + 2].tolist()
        score = BLEU.compute_bleu(matched, total, reply_length, reference_length)
        scores.append(min(score.score / 100, 1.0))  # rounding leaves a perfect one above 1
    return np.array(scores)
