"""One-to-one matching of two multisets of diagram elements.

An element is a tuple of texts: `(label,)` for a node or an OCR text, `(source, target)` or
`(source, target, link label)` for a link. Two elements are as similar as their least similar
texts, so that a link matches only where both of its ends do.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

Element = tuple[str, ...]
Assignment = Literal["best-first", "maximum"]

_QUOTES = str.maketrans(dict.fromkeys("`‘’‚‛“”„‟", "'"))
# Keeps a threshold inclusive where 1 − d/n is a hair below its decimal value.
_EPSILON = 1e-9
# rapidfuzz drops scores that equal its cutoff (0.8 at cutoff 0.8), so ours stays well below.
_CUTOFF_MARGIN = 1e-3


@dataclass(frozen=True, slots=True)
class Pair:
    """Two elements that were matched.

    Attributes:
        gold: Index of the gold element.
        predicted: Index of the predicted element.
        similarity: Their similarity, from the threshold to 1.
    """

    gold: int
    predicted: int
    similarity: float


@dataclass(frozen=True, slots=True)
class Matching:
    """A one-to-one matching; every index occurs exactly once.

    Attributes:
        pairs: Matched elements, ordered by gold index.
        missed: Indices of the gold elements without a partner, ascending.
        extra: Indices of the predicted elements without a partner, ascending.
    """

    pairs: tuple[Pair, ...]
    missed: tuple[int, ...]
    extra: tuple[int, ...]


def normalize_text(text: str) -> str:
    """Return a text as it is compared: NFKC, white space folded, quotes unified.

    The backtick and the typographic quotes become a single quote; case is kept.

    >>> normalize_text("it’s  `ﬁne`")
    "it's 'fine'"
    """
    if text.isascii():
        text = text.replace("`", "'")
    else:
        text = unicodedata.normalize("NFKC", text).translate(_QUOTES)
    return " ".join(text.split())


def text_similarity(first: str, second: str) -> float:
    """Return the normalized Levenshtein similarity 1 − d / max(length), from 0 to 1.

    Two empty texts are alike (1). Texts are compared as given: normalize them before.

    >>> text_similarity("start", "stare")
    0.8
    """
    return Levenshtein.normalized_similarity(first, second)


def similarities(
    gold: Sequence[Element], predicted: Sequence[Element], cutoff: float = 0.0
) -> npt.NDArray[np.float64]:
    """Return the similarity of every gold element to every predicted one.

    Args:
        gold: Elements, all with the same number of texts.
        predicted: Elements with that number of texts.
        cutoff: Text similarities up to it may become 0, which saves most of the work.

    Returns:
        Matrix of shape (gold, predicted), values from 0 to 1.
    """
    result = np.ones((len(gold), len(predicted)))
    if not result.size:
        return result
    for gold_texts, predicted_texts in zip(
        zip(*gold, strict=True), zip(*predicted, strict=True), strict=True
    ):
        by_text = cdist(
            gold_texts,
            predicted_texts,
            scorer=Levenshtein.normalized_similarity,
            score_cutoff=cutoff,
            dtype=np.float64,
        )
        np.minimum(result, by_text, out=result)
    return result


def assign(
    similarity: npt.NDArray[np.float64],
    threshold: float,
    assignment: Assignment = "best-first",
) -> list[Pair]:
    """Choose the pairs of a similarity matrix, one-to-one.

    Args:
        similarity: Matrix of shape (gold, predicted).
        threshold: Least similarity of a pair, inclusive.
        assignment: `best-first` takes the most similar free pair again and again (ties: the
            first row, then the first column); `maximum` takes as many pairs as possible and,
            among those choices, the one with the largest sum of similarities.

    Returns:
        The pairs, ordered by row.
    """
    allowed = similarity >= threshold - _EPSILON
    choose = _maximum if assignment == "maximum" else _best_first
    chosen = choose(similarity, allowed)
    return [Pair(row, column, float(similarity[row, column])) for row, column in sorted(chosen)]


def match(
    gold: Sequence[Element],
    predicted: Sequence[Element],
    *,
    threshold: float = 1.0,
    assignment: Assignment = "best-first",
) -> Matching:
    """Match two multisets of elements one-to-one.

    The order of the elements never changes which contents are matched: ties are broken by the
    elements' texts.

    Args:
        gold: Gold elements, all with the same number of texts.
        predicted: Predicted elements with that number of texts.
        threshold: Least similarity of a pair, inclusive, in (0, 1]; 1 asks for equality.
        assignment: How pairs are chosen below threshold 1, see `assign`.

    Returns:
        The matching, by indices into the two sequences.

    Raises:
        ValueError: The threshold is outside (0, 1], or the assignment is unknown.

    >>> found = match([("start",), ("stop",)], [("stoop",), ("start",)], threshold=0.8)
    >>> [(pair.gold, pair.predicted, pair.similarity) for pair in found.pairs]
    [(0, 1, 1.0), (1, 0, 0.8)]
    """
    if not 0.0 < threshold <= 1.0:
        raise ValueError(f"threshold must be above 0 and at most 1, not {threshold}")
    if assignment not in get_args(Assignment):
        raise ValueError(f"assignment is best-first or maximum, not {assignment!r}")
    # Best first means equal ones first; only what is left needs similarities.
    equal_first = threshold == 1.0 or assignment == "best-first"
    pairs = _equal_pairs(gold, predicted) if equal_first else []
    if threshold < 1.0:
        rows = _left(gold, {pair.gold for pair in pairs})
        columns = _left(predicted, {pair.predicted for pair in pairs})
        if rows and columns:
            matrix = similarities(
                [gold[row] for row in rows],
                [predicted[column] for column in columns],
                cutoff=threshold - _CUTOFF_MARGIN,
            )
            pairs += [
                Pair(rows[pair.gold], columns[pair.predicted], pair.similarity)
                for pair in assign(matrix, threshold, assignment)
            ]
    matched_gold = {pair.gold for pair in pairs}
    matched_predicted = {pair.predicted for pair in pairs}
    return Matching(
        pairs=tuple(sorted(pairs, key=lambda pair: pair.gold)),
        missed=tuple(index for index in range(len(gold)) if index not in matched_gold),
        extra=tuple(index for index in range(len(predicted)) if index not in matched_predicted),
    )


def match_texts(
    gold: Sequence[str],
    predicted: Sequence[str],
    *,
    threshold: float = 1.0,
    assignment: Assignment = "best-first",
) -> Matching:
    """Match two multisets of texts one-to-one, see `match`."""
    return match(
        [(text,) for text in gold],
        [(text,) for text in predicted],
        threshold=threshold,
        assignment=assignment,
    )


def match_links(
    gold: Sequence[Element],
    predicted: Sequence[Element],
    undirected: Collection[int],
    *,
    threshold: float = 1.0,
) -> Matching:
    """Match two multisets of links one-to-one, best first, some of them either way round.

    Args:
        gold: Gold links, `(source, target, …)`, all with the same number of texts.
        predicted: Predicted links with that number of texts.
        undirected: Indices of gold links that also match with source and target exchanged.
        threshold: Least similarity of a pair, inclusive, in (0, 1].

    >>> match_links([("a", "b"), ("b", "c")], [("b", "a"), ("c", "b")], [0]).extra
    (1,)
    """
    if not undirected or not gold or not predicted:
        return match(gold, predicted, threshold=threshold)
    # Undirected links last: of equal links they are matched with what directed ones leave.
    rows = sorted(range(len(gold)), key=lambda row: (row in undirected, gold[row]))
    columns = sorted(range(len(predicted)), key=predicted.__getitem__)
    links = [predicted[column] for column in columns]
    cutoff = threshold - _CUTOFF_MARGIN
    matrix = similarities([gold[row] for row in rows], links, cutoff)
    turned = similarities([(gold[r][1], gold[r][0], *gold[r][2:]) for r in rows], links, cutoff)
    either_way = np.array([row in undirected for row in rows])
    matrix[either_way] = np.maximum(matrix, turned)[either_way]
    pairs = tuple(
        sorted(
            (
                Pair(rows[pair.gold], columns[pair.predicted], pair.similarity)
                for pair in assign(matrix, threshold)
            ),
            key=lambda pair: pair.gold,
        )
    )
    matched_gold = {pair.gold for pair in pairs}
    matched_predicted = {pair.predicted for pair in pairs}
    return Matching(
        pairs=pairs,
        missed=tuple(index for index in range(len(gold)) if index not in matched_gold),
        extra=tuple(index for index in range(len(predicted)) if index not in matched_predicted),
    )


def distinct(elements: Iterable[Element]) -> list[Element]:
    """Return the elements as a set: each once, in order of first appearance."""
    return list(dict.fromkeys(elements))


def _left(elements: Sequence[Element], taken: set[int]) -> list[int]:
    """Return the indices that are not taken, in the order of the elements' texts."""
    left = [index for index in range(len(elements)) if index not in taken]
    return sorted(left, key=elements.__getitem__)


def _equal_pairs(gold: Sequence[Element], predicted: Sequence[Element]) -> list[Pair]:
    free: defaultdict[Element, list[int]] = defaultdict(list)
    for index in reversed(range(len(predicted))):
        free[predicted[index]].append(index)
    return [
        Pair(index, free[element].pop(), 1.0)
        for index, element in enumerate(gold)
        if free.get(element)
    ]


def _best_first(
    similarity: npt.NDArray[np.float64], allowed: npt.NDArray[np.bool_]
) -> list[tuple[int, int]]:
    rows, columns = np.nonzero(allowed)
    if not len(rows):
        return []
    order = np.lexsort((columns, rows, -similarity[rows, columns]))
    chosen: dict[int, int] = {}
    taken: set[int] = set()
    for row, column in zip(rows[order].tolist(), columns[order].tolist(), strict=True):
        if row not in chosen and column not in taken:
            chosen[row] = column
            taken.add(column)
    return list(chosen.items())


def _maximum(
    similarity: npt.NDArray[np.float64], allowed: npt.NDArray[np.bool_]
) -> list[tuple[int, int]]:
    from scipy.optimize import linear_sum_assignment

    # One pair more must outweigh any gain in similarity, which is at most 1 a pair.
    weight_of_pair = min(similarity.shape) + 1
    weights = np.where(allowed, weight_of_pair + similarity, 0.0)
    rows, columns = linear_sum_assignment(weights, maximize=True)
    return [
        (row, column)
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
        if allowed[row, column]
    ]
