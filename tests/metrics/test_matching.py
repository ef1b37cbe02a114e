"""Matching against slow, obvious references."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.core.matching import (
    Matching,
    assign,
    distinct,
    match,
    match_links,
    match_texts,
    normalize_text,
    similarities,
    text_similarity,
)

THRESHOLDS = st.sampled_from([0.5, 0.6, 0.75, 0.9, 1.0])
# Few letters make near-duplicates and ties common.
TEXTS = st.text(alphabet="ab'é\ud800", max_size=5)
ELEMENTS = st.lists(st.tuples(TEXTS, TEXTS), max_size=5)


def levenshtein(first: str, second: str) -> int:
    row = list(range(len(second) + 1))
    for i, a in enumerate(first, 1):
        previous, row[0] = row[0], i
        for j, b in enumerate(second, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (a != b))
    return row[-1]


def similarity(first: tuple[str, ...], second: tuple[str, ...]) -> float:
    return min(
        1 - levenshtein(a, b) / (max(len(a), len(b)) or 1)
        for a, b in zip(first, second, strict=True)
    )


def brute_force(gold, predicted, threshold: float) -> tuple[int, float]:
    """Return the largest number of pairs and, with it, the largest sum of similarities."""
    short, long = sorted((gold, predicted), key=len)
    best = (0, 0.0)
    for chosen in permutations(long, len(short)):
        values = [similarity(a, b) for a, b in zip(short, chosen, strict=True)]
        kept = [value for value in values if value >= threshold - 1e-9]
        best = max(best, (len(kept), sum(kept)))
    return best


def contents(found: Matching, gold, predicted) -> tuple[Counter, Counter, Counter]:
    return (
        Counter((gold[pair.gold], predicted[pair.predicted]) for pair in found.pairs),
        Counter(gold[index] for index in found.missed),
        Counter(predicted[index] for index in found.extra),
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("  two \t\n words  ", "two words"),
        ("no\u00a0break\u2003space", "no break space"),
        ("`tick`", "'tick'"),
        ("‘a’ “b” ‚c‛ „d‟", "'a' 'b' 'c' 'd'"),
        ("it's", "it's"),
        ("ﬁne ①", "fine 1"),
        ("Ａ", "A"),
        ("e\u0301", "é"),
        ("Case Kept", "Case Kept"),
        ("", ""),
        ("\ud800 lone", "\ud800 lone"),
    ],
)
def test_normalize_text(text, expected):
    assert normalize_text(text) == expected


@given(st.text())
def test_normalizing_twice_changes_nothing(text):
    once = normalize_text(text)
    assert normalize_text(once) == once


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("", "", 1.0),
        ("", "a", 0.0),
        ("abc", "abc", 1.0),
        ("abcdefghij", "abcdefghiX", 0.9),
        ("kitten", "sitting", 1 - 3 / 7),
        ("Start", "start", 0.8),
    ],
)
def test_text_similarity(first, second, expected):
    assert text_similarity(first, second) == pytest.approx(expected, abs=1e-12)


@given(ELEMENTS, ELEMENTS)
def test_similarities_equal_the_textbook(gold, predicted):
    matrix = similarities(gold, predicted)
    assert matrix.shape == (len(gold), len(predicted))
    for i, a in enumerate(gold):
        for j, b in enumerate(predicted):
            assert matrix[i, j] == pytest.approx(similarity(a, b), abs=1e-12)


@pytest.mark.parametrize(
    ("length", "wrong", "threshold", "matched"),
    [
        *((length, 1, 1 - 1 / length, 1) for length in range(2, 40)),
        *((10, wrong, round(1 - wrong / 10, 1), 1) for wrong in range(1, 10)),
        *((100, wrong, round(1 - wrong / 100, 2), 1) for wrong in range(1, 100)),
        (20, 3, 0.9, 0),
        (9, 1, 0.9, 0),
    ],
)
def test_the_threshold_is_inclusive(length, wrong, threshold, matched):
    gold, predicted = "a" * length, "a" * (length - wrong) + "b" * wrong
    assert len(match_texts([gold], [predicted], threshold=threshold).pairs) == matched


@given(ELEMENTS, ELEMENTS)
def test_equality_is_the_intersection_of_multisets(gold, predicted):
    found = match(gold, predicted)
    assert Counter(gold[pair.gold] for pair in found.pairs) == Counter(gold) & Counter(predicted)
    assert all(gold[pair.gold] == predicted[pair.predicted] for pair in found.pairs)


@settings(deadline=None)  # the first call imports scipy
@given(ELEMENTS, ELEMENTS, THRESHOLDS)
def test_maximum_equals_brute_force(gold, predicted, threshold):
    found = match(gold, predicted, threshold=threshold, assignment="maximum")
    count, total = brute_force(gold, predicted, threshold)
    assert len(found.pairs) == count
    assert sum(pair.similarity for pair in found.pairs) == pytest.approx(total)


@given(ELEMENTS, ELEMENTS, THRESHOLDS)
def test_best_first_takes_the_best_free_pair_each_time(gold, predicted, threshold):
    found = match(gold, predicted, threshold=threshold)
    free_gold, free_predicted = Counter(gold), Counter(predicted)
    for pair in sorted(found.pairs, key=lambda pair: -pair.similarity):
        best = max(similarity(a, b) for a in +free_gold for b in +free_predicted)
        assert pair.similarity == pytest.approx(best)
        free_gold[gold[pair.gold]] -= 1
        free_predicted[predicted[pair.predicted]] -= 1
    left = [similarity(a, b) for a in +free_gold for b in +free_predicted]
    assert all(value < threshold for value in left)


@settings(deadline=None)
@given(ELEMENTS, ELEMENTS, THRESHOLDS, st.randoms(), st.sampled_from(["best-first", "maximum"]))
def test_order_never_matters(gold, predicted, threshold, random, assignment):
    options = {"threshold": threshold, "assignment": assignment}
    before = contents(match(gold, predicted, **options), gold, predicted)
    random.shuffle(gold)
    random.shuffle(predicted)
    assert contents(match(gold, predicted, **options), gold, predicted) == before


@settings(deadline=None)
@given(ELEMENTS, ELEMENTS, THRESHOLDS, st.sampled_from(["best-first", "maximum"]))
def test_every_element_is_accounted_for_once(gold, predicted, threshold, assignment):
    found = match(gold, predicted, threshold=threshold, assignment=assignment)
    assert sorted([pair.gold for pair in found.pairs] + list(found.missed)) == list(
        range(len(gold))
    )
    assert sorted([pair.predicted for pair in found.pairs] + list(found.extra)) == list(
        range(len(predicted))
    )


def test_best_first_and_maximum_differ_where_the_best_pair_blocks_two():
    # abcd–abcd blocks abcX–abcd; the other way round both find a partner.
    gold, predicted = ["abcd", "abcX"], ["abcd", "abYd"]
    assert len(match_texts(gold, predicted, threshold=0.75).pairs) == 1
    assert len(match_texts(gold, predicted, threshold=0.75, assignment="maximum").pairs) == 2


def test_one_predicted_text_serves_one_gold_text():
    found = match_texts(["step", "step"], ["step"])
    assert (len(found.pairs), found.missed, found.extra) == (1, (1,), ())


def test_a_link_matches_only_where_both_ends_do():
    gold = [("collect the data", "train the model")]
    assert match(gold, [("collect the date", "train the modal")], threshold=0.9).pairs
    assert not match(gold, [("collect the data", "test the model")], threshold=0.9).pairs


@settings(deadline=None)
@given(ELEMENTS, ELEMENTS, THRESHOLDS)
def test_undirected_links_match_either_way(gold, predicted, limit):
    directed = match_links(gold, predicted, [], threshold=limit)
    assert directed == match(gold, predicted, threshold=limit)
    turned = [(target, source) for source, target in predicted]
    every = range(len(gold))
    matchings = [match_links(gold, side, every, threshold=limit) for side in (predicted, turned)]
    for matching, side in zip(matchings, (predicted, turned), strict=True):
        used = [pair.predicted for pair in matching.pairs]
        assert len(used) == len(set(used))
        for pair in matching.pairs:
            source, target = gold[pair.gold]
            ways = ((source, target), (target, source))
            best = max(similarity(way, side[pair.predicted]) for way in ways)
            assert pair.similarity == pytest.approx(best)
            assert best >= limit - 1e-9
    assert sum(p.similarity for p in matchings[0].pairs) == pytest.approx(
        sum(p.similarity for p in matchings[1].pairs)
    )


def test_directed_links_are_matched_before_undirected_ones():
    gold = [("a", "b"), ("a", "b")]
    matching = match_links(gold, [("b", "a"), ("a", "b")], [0])
    assert [(pair.gold, pair.predicted) for pair in matching.pairs] == [(0, 0), (1, 1)]


def test_distinct_keeps_the_first_of_each():
    assert distinct([("a",), ("b",), ("a",)]) == [("a",), ("b",)]


def test_assign_breaks_ties_by_row_then_column():
    pairs = assign(np.full((2, 3), 0.9), 0.9)
    assert [(pair.gold, pair.predicted) for pair in pairs] == [(0, 0), (1, 1)]


@pytest.mark.parametrize("threshold", [0.0, -0.1, 1.01, float("nan")])
def test_a_threshold_out_of_range_is_refused(threshold):
    with pytest.raises(ValueError, match="threshold must be above 0 and at most 1"):
        match_texts(["a"], ["a"], threshold=threshold)


def test_an_unknown_assignment_is_refused():
    with pytest.raises(ValueError, match="best-first or maximum, not 'greedy'"):
        match_texts(["a"], ["b"], threshold=0.5, assignment="greedy")  # type: ignore[arg-type]


def test_long_texts_of_other_length_cost_nothing():
    assert match_texts(["short"] * 20, ["x" * 100_000] * 20, threshold=0.9).pairs == ()
