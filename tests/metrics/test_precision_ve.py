from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.core.elements import read_elements
from metrics.core.precision_ve import (
    Confusion,
    PrecisionOptions,
    elements_present,
    score_precision,
)
from metrics.core.reference_free import edge_item, harmonic_mean, score_reference_free
from metrics.core.ve_protocol import batch_sizes

GOLD = "flowchart TD\na[Start] -->|Yes| b[Stop]"
CODE = "flowchart TD\na[Start] -->|No| b[Stop]\nb --> c[Ghost]"
OPTIONS = PrecisionOptions(edge_labels=False)
ALL_YES = "1. yes\n2. yes\n3. yes\n4. yes\n5. yes"


def test_hallucinated_elements_are_listed() -> None:
    score = score_precision([CODE], [["1. yes\n2. yes\n3. no\n4. yes\n5. no"]])
    assert score.precision == score.micro_precision == 0.6
    assert score.items[0].hallucinated == ('Node: "Ghost"', 'Edge: "Stop" --> "Ghost"')


def test_truth_values_instead_of_replies() -> None:
    assert score_precision([CODE], [[True, True, False, True, False]]).precision == 0.6


def test_calls_are_put_together() -> None:
    nodes = [f"node {number}" for number in range(20)]
    sizes = batch_sizes(20)
    replies = ["\n".join(f"{n}. yes" for n in range(1, size + 1)) for size in sizes]
    assert score_precision([{"nodes": nodes}], [replies]).precision == 1.0
    short = score_precision([{"nodes": nodes}], [replies[:-1]])
    assert short.missing == sizes[-1]
    assert short.precision == 1 - sizes[-1] / 20


@pytest.mark.parametrize(
    ("edge_labels", "expected"), [(True, Confusion(2, 3, 0, 0)), (False, Confusion(3, 2, 0, 0))]
)
def test_verifier_is_scored_against_gold(edge_labels: bool, expected: Confusion) -> None:
    options = PrecisionOptions(edge_labels=edge_labels)
    score = score_precision([CODE], [[ALL_YES]], [GOLD], options)
    assert score.items[0].confusion == expected
    assert score.ve_fpr == 1.0
    assert score.ve_fnr == 0.0
    assert score.ve_f1 == pytest.approx(2 * expected.tp / (2 * expected.tp + expected.fp))


def test_without_gold_there_are_no_rates() -> None:
    score = score_precision([CODE], [[ALL_YES]])
    assert (score.ve_f1, score.ve_fpr, score.ve_fnr) == (None, None, None)


@pytest.mark.parametrize(
    ("code", "reason"), [("", "empty"), (None, "missing"), ("x", "not_a_diagram")]
)
def test_no_elements_is_undefined(code: Any, reason: str) -> None:
    score = score_precision([code], [[]])
    assert score.items[0].reason == reason
    assert score.precision is None
    assert score.undefined == 1


def test_prose_counts_as_no() -> None:
    score = score_precision([CODE], [["Everything is there."]])
    assert (score.precision, score.missing) == (0.0, 5)


@pytest.mark.parametrize(
    ("verdicts", "message"),
    [([[True]], "1 verdicts for 5 elements"), ([["1. yes", "1. yes"]], "2 replies, but 5")],
)
def test_bad_verdicts(verdicts: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        score_precision([CODE], verdicts)


@settings(deadline=None)
@given(st.lists(st.booleans(), min_size=1, max_size=30))
def test_precision_is_the_share_of_yes(verdicts: list[bool]) -> None:
    nodes = [f"node {number}" for number in range(len(verdicts))]
    score = score_precision([{"nodes": nodes}], [verdicts], [{"nodes": nodes}])
    assert score.precision == pytest.approx(sum(verdicts) / len(verdicts))
    confusion = score.items[0].confusion
    assert confusion is not None
    assert confusion.tp + confusion.fn == len(verdicts)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [(1.0, 1.0, 1.0), (0.5, 1.0, 2 / 3), (0.0, 0.0, 0.0), (None, 1.0, None), (0.0, None, None)],
)
def test_harmonic_mean(first: float | None, second: float | None, expected: float | None) -> None:
    assert harmonic_mean(first, second) == expected


def test_f1_and_edges() -> None:
    score = score_reference_free(
        [CODE],
        [["Start", "Stop", "Yes"]],
        [[True, True, False, True, False]],
        [[("Start", "Stop"), ("Stop", "Start")]],
    )
    (item,) = score.items
    assert score.recall == pytest.approx(2 / 3)
    assert score.f1 == pytest.approx(2 * (2 / 3) * 0.6 / (2 / 3 + 0.6))
    assert (score.edge_recall, score.edge_precision) == (0.5, 0.5)
    assert item.edges is not None
    assert item.edges.missed == (("Stop", "Start"),)
    assert item.edges.unseen == (("Stop", "Ghost"),)
    assert score.edge_signature == "edge_recall|threshold:0.9|labels:no|finder:given|version:1.0"
    assert score.signature.startswith("f1_ocr_ve|recall:(ocr_recall|")


@pytest.mark.parametrize("link", ["---", "===", "-.-", "<-->", "o--o", "x--x"])
def test_link_with_like_ends_is_one_edge_of_either_direction(link: str) -> None:
    gold = f"flowchart TD\na[Start] {link} b[Stop]"
    turned = "flowchart TD\nb[Stop] --> a[Start]"
    both = f"{turned}\na --> b"
    for code in (gold, turned, both):
        generated = read_elements(code, "lenient")
        present = elements_present(generated, read_elements(gold, "lenient"), OPTIONS)[2:]
        assert sum(present) == 1


@pytest.mark.parametrize("link", ["-->", "--o", "--x", "==>", "-.->"])
def test_link_with_one_head_has_one_direction(link: str) -> None:
    gold = read_elements(f"flowchart TD\na[Start] {link} b[Stop]", "lenient")
    turned = read_elements("flowchart TD\nb[Stop] --> a[Start]", "lenient")
    assert elements_present(turned, gold, OPTIONS) == (True, True, False)


@pytest.mark.parametrize(
    ("arrows", "recall", "precision"),
    [
        ([("Stop", "Start", "", False)], 1.0, 1.0),
        ([("Stop", "Start", "", True)], 0.0, 0.0),
        ([("Stop", "Start", "")], 0.0, 0.0),
        ([("Stop", "Start", "", False), ("Start", "Stop", "", False)], 0.5, 1.0),
    ],
)
def test_undirected_arrow_supports_one_edge_either_way(
    arrows: list[tuple[Any, ...]], recall: float, precision: float
) -> None:
    item = edge_item([("Start", "Stop", "Yes")], arrows, 0.9)
    assert (item.recall, item.precision) == (recall, precision)


def test_undefined_parts_name_their_reasons() -> None:
    score = score_reference_free(["", CODE], [[], ["Start"]], [[], [ALL_YES]])
    assert score.items[0].f1 is None
    assert score.items[0].reason == "no_ocr_text, empty"
    assert score.undefined == 1
    assert score.edge_recall is None
    assert score.edge_signature == ""


def test_edges_are_multisets() -> None:
    item = edge_item([("a", "b", "")], [("a", "b"), ("a", "b")], 0.9)
    assert (item.recall, item.precision) == (0.5, 1.0)
    empty = edge_item([], [], 0.9)
    assert (empty.recall, empty.precision) == (None, None)
