from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.core.matching import text_similarity
from metrics.core.recall_ocr import RecallOptions, generated_elements, score_recall

CODE = 'flowchart TD\nA["left subtree"] --> |"Yes"| B["wrapped label of a node"]'
LABEL = st.text(alphabet="ab ", min_size=1, max_size=8).map(str.strip).filter(bool)


def recall(code: Any, texts: list[Any], **options: Any) -> float | None:
    return score_recall([code], [texts], RecallOptions(**options)).recall


def box(text: str, top: float, left: float = 0) -> dict[str, Any]:
    return {"text": text, "box": [left, top, left + 100, top + 20], "confidence": 0.99}


@pytest.mark.parametrize(
    ("texts", "options", "expected"),
    [
        pytest.param(["left subtree", "wrapped label of a node", "Yes"], {}, 1.0, id="all"),
        pytest.param(["left subtree", "Yes"], {"edge_labels": False}, 0.5, id="no edge labels"),
        pytest.param(["left subtree"] * 2, {}, 0.5, id="a duplicate counts once"),
        pytest.param(["left subtree", "left subtre"], {}, 0.5, id="a twin counts once"),
        pytest.param(["wrapped label", "of a node"], {}, 1.0, id="joined run"),
        pytest.param(["wrapped label", "of a node"], {"lines": "raw"}, 0.0, id="raw run"),
        pytest.param([box("wrapped label", 0), box("of a node", 24)], {}, 1.0, id="joined boxes"),
        pytest.param(
            [box("wrapped label", 0), box("of a node", 24)], {"lines": "raw"}, 0.0, id="raw boxes"
        ),
        pytest.param(
            [{**box("wrapped label of a node", 0), "lines": [box("wrapped label", 0)]}],
            {},
            1.0,
            id="merged before",
        ),
        pytest.param(["LEFT SUBTREE"], {}, 0.0, id="case counts"),
        pytest.param(["left  ‘subtree"], {}, 1.0, id="white space and a stray quote"),
        pytest.param(["left subtree"], {"threshold": 1.0}, 1.0, id="exact"),
        pytest.param(["left subtre"], {"threshold": 1.0}, 0.0, id="exact refuses"),
        pytest.param(["abc", box("▼", 0)], {}, 0.0, id="arrow heads are no texts"),
    ],
)
def test_recall(texts: list[Any], options: dict[str, Any], expected: float) -> None:
    assert recall(CODE, texts, **options) == expected


def test_titles_of_groups_are_elements() -> None:
    assert recall("flowchart TD\nsubgraph s [The title]\na\nend", ["The title", "a"]) == 1.0


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("", "empty"),
        (None, "missing"),
        ("I cannot see the image.", "refusal"),
        ({"nodes": [], "links": []}, "empty"),
    ],
)
def test_code_without_elements_is_a_counted_zero(code: Any, reason: str) -> None:
    (item,) = score_recall([code], [["Start"]]).items
    assert (item.recall, item.reason) == (0.0, reason)
    assert item.missed[0].nearest is None


@pytest.mark.parametrize("texts", [[], [{"text": "▼", "confidence": 0.9}], ["  "]])
def test_no_text_is_undefined(texts: list[Any]) -> None:
    score = score_recall([CODE, CODE], [texts, ["Yes"]])
    assert score.items[0].recall is None
    assert score.items[0].reason == "no_ocr_text"
    assert (score.recall, score.micro_recall, score.undefined) == (1.0, 1.0, 1)
    assert score_recall([CODE], [texts]).recall is None


def test_missed_texts_tell_place_and_nearest() -> None:
    (item,) = score_recall([CODE], [[box("right subtree", 7), "Yes"]]).items
    (missed,) = item.missed
    assert (missed.text, missed.box, missed.nearest) == (
        "right subtree",
        (0, 7, 100, 27),
        "left subtree",
    )
    assert missed.similarity == pytest.approx(text_similarity("right subtree", "left subtree"))
    assert item.found[0].generated == "Yes"


@pytest.mark.parametrize("language", ["dot", "plantuml", "mermaid-state"])
def test_other_languages(language: str) -> None:
    code = {
        "dot": "digraph { a [label=Start]; a -> Stop }",
        "plantuml": "@startuml\n:Start;\n:Stop;\n@enduml",
        "mermaid-state": "stateDiagram-v2\nStart --> Stop",
    }[language]
    assert recall(code, ["Start", "Stop"]) == 1.0
    assert recall(code, ["Start", "Stop"], language=language) == 1.0


@settings(deadline=None)
@given(st.lists(LABEL, min_size=1, max_size=4), st.lists(LABEL, max_size=4), st.randoms())
def test_order_never_matters(texts: list[str], nodes: list[str], random: Any) -> None:
    options = {"threshold": 0.7, "assignment": "maximum"}
    placed = [box(text, 100 * i) for i, text in enumerate(texts)]
    before = recall({"nodes": nodes}, placed, **options)
    random.shuffle(placed)
    random.shuffle(nodes)
    assert recall({"nodes": nodes}, placed, **options) == before


@settings(deadline=None)
@given(
    st.lists(st.lists(st.sampled_from(["mix", "bake", "the", "dough"]), min_size=1, max_size=4)),
    st.randoms(),
)
def test_order_of_texts_without_places_never_matters(labels: list[list[str]], random: Any) -> None:
    nodes = [" ".join(label) for label in labels]
    lines = [line for label in labels for line in (label[0], " ".join(label[1:])) if line]
    before = recall({"nodes": nodes}, list(lines))
    random.shuffle(lines)
    random.shuffle(nodes)
    assert recall({"nodes": nodes}, lines) == before


@pytest.mark.parametrize(
    ("texts", "nodes", "expected"),
    [
        (["of a node", "wrapped label"], ["wrapped label of a node"], 1.0),
        (["of a nod", "wraped label"], ["wrapped label of a node"], 1.0),
        (["label", "wrapped", "of a node"], ["wrapped label of a node", "label"], 1 / 3),
        (["left", "subtree"], ["right subtree"], 0.0),
        (["left subtree", "right subtree"], ["left subtree right subtree"], 1.0),
        (["right subtree"], ["left subtree", "subtree"], 0.0),
        (["mix", "bake"], ["bake mix", "mix", "bake"], 1.0),
        (["mix", "mix well", "well"], ["mix well", "mix well"], 1.0),
    ],
)
def test_lines_without_places(texts: list[str], nodes: list[str], expected: float) -> None:
    for order in permutations(texts):
        assert recall({"nodes": nodes}, list(order)) == pytest.approx(expected)


@settings(deadline=None)
@given(st.lists(LABEL, min_size=1, max_size=4), st.lists(LABEL, max_size=4))
def test_maximum_assignment_equals_brute_force(texts: list[str], nodes: list[str]) -> None:
    score = score_recall(
        [{"nodes": nodes}], [texts], RecallOptions("raw", threshold=0.7, assignment="maximum")
    )
    padded = nodes + [""] * max(0, len(texts) - len(nodes))
    best = max(
        sum(
            bool(node) and text_similarity(" ".join(text.split()), " ".join(node.split())) >= 0.7
            for text, node in zip(texts, order, strict=False)
        )
        for order in permutations(padded, len(texts))
    )
    assert score.items[0].matched == best


@settings(deadline=None)
@given(st.lists(LABEL, max_size=5), st.lists(LABEL, max_size=5))
def test_bounds_and_monotony(texts: list[str], nodes: list[str]) -> None:
    score = score_recall([{"nodes": nodes}], [texts], RecallOptions(lines="raw")).items[0]
    more = score_recall([{"nodes": [*nodes, *texts]}], [texts], RecallOptions(lines="raw")).items[0]
    assert score.matched <= min(len(texts), len(nodes))
    assert score.matched + len(score.missed) == score.texts
    assert more.recall in (None, 1.0)


@pytest.mark.parametrize(
    ("predictions", "texts", "message"),
    [
        ([], [], "nothing to score"),
        ([CODE], [], "1 predictions, but 0"),
        ([CODE], [[3]], "expected a text or an object"),
        ([CODE], [[{"text": "a", "box": [1, 2]}]], "cannot read the place"),
        ([{"nodes": [3]}], [["a"]], "nodes: expected texts"),
        ([{"links": [["a"]]}], [["a"]], "links: expected"),
    ],
)
def test_bad_input(predictions: Any, texts: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        score_recall(predictions, texts)


def test_bad_options() -> None:
    with pytest.raises(ValueError, match="lines: expected merged or raw"):
        RecallOptions(lines="joined")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="unknown diagram language"):
        recall("x", ["x"], language="tikz")


def test_signature_names_every_option() -> None:
    assert score_recall([CODE], [["Yes"]], RecallOptions(reader="rapidocr-3.10.0")).signature == (
        "ocr_recall|lines:merged|threshold:0.9|assignment:best-first|edge_labels:yes|language:auto"
        "|reader:rapidocr-3.10.0|version:1.0"
    )


def test_a_linked_group_is_one_element() -> None:
    code = "flowchart TD\nsubgraph g[Box]\na[mix]\nend\nb[bake] --> g"
    assert generated_elements(code).nodes == (("mix",), ("bake",))
    score = score_recall([code], [["mix", "bake", "Box", "Box"]])
    assert score.recall == 0.75
