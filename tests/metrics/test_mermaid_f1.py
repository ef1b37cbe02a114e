"""Flowchart precision, recall and F1: cases by hand, properties, paper and lenient reading."""

import gzip
import json
import random
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.core.bootstrap import Resampling
from metrics.core.elements import read_elements, read_gold
from metrics.core.mermaid_paper import read_paper
from metrics.core.mermaid_score import Options, precision_recall_f1, score_flowcharts

DATA = Path(__file__).parents[1] / "data" / "mermaid"
GOLD = "flowchart TD\na(mix)\nb(bake)\nc(cool)\na --> b\nb ==> c"
LENIENT = Options(mode="lenient")


def fenced(code: str) -> str:
    return f"```mermaid\n{code}\n```"


def scores(reply: object, gold: str = GOLD, **options) -> tuple[float, ...]:
    score = score_flowcharts([reply], [gold], options=Options(**options))
    return (
        score.node_precision,
        score.node_recall,
        score.node_f1,
        score.link_precision,
        score.link_recall,
        score.link_f1,
    )


# --- how the paper reads -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "nodes", "links"),
    [
        ("a(mix) --> b(bake)", ["mix", "bake"], [("mix", "bake")]),
        ("a(mix)\nb(bake)\na-->b", ["mix", "bake"], [("mix", "bake")]),
        ("a --> b --> c", ["a", "b", "c"], [("a", "b"), ("b", "c")]),
        ("a --> b\na(mix)", ["mix", "b"], [("mix", "b")]),
        ("a --> b\nb ==> c\nc -.-> d\nd -..-> e\ne --- f\nf --o g\ng --x h", None, 7),
        ("a -->|yes| b", ["a", "b"], [("a", "b")]),
        ("a[square] --> b{diamond}", ["square", "diamond"], [("square", "diamond")]),
        ('a["quoted"] --> b(["stadium"])', ["quoted", "stadium"], [("quoted", "stadium")]),
        ("a((round)) --> b{{hex}}", ["round", "hex"], [("round", "hex")]),
        ("flowchart LR\n%% a --> b\nx(one)", ["one"], []),
        ("subgraph box\na --> b\nend\nstyle a fill:#fff", ["a", "b"], [("a", "b")]),
        ("a <--> b", ["a <", "b"], [("a <", "b")]),
        ("two words --> b", ["two words", "b"], [("two words", "b")]),
        ("a", [], []),
        ("some prose", [], []),
        ("", [], []),
    ],
)
def test_the_paper_reads_line_by_line(code, nodes, links):
    diagram = read_paper(code)
    labels = diagram.labels()
    if isinstance(links, int):
        assert len(diagram.links) == links
    else:
        assert [labels[node.id] for node in diagram.nodes] == nodes
        assert [(labels[link.source], labels[link.target]) for link in diagram.links] == links


@pytest.mark.parametrize(
    "text", ["a" + "(" * 100_000, "(" * 100_000, "-" * 100_000, "a-->|" * 50_000, "--> " * 50_000]
)
def test_the_paper_reading_takes_linear_time(text):
    start = time.process_time()
    read_paper(text)
    assert time.process_time() - start < 1


@pytest.mark.parametrize(
    ("reply", "reading"),
    [
        (fenced(GOLD), "fence"),
        (f"Sure!\n{fenced(GOLD)}\nHope it helps.", "fence"),
        (fenced("nothing here"), "not_a_diagram"),
        ("```mermaid\n" + GOLD, "no_fence"),
        (GOLD, "no_fence"),
        ("", "empty"),
        (" \n", "empty"),
        (None, "missing"),
        (3.0, "missing"),
    ],
)
def test_paper_mode_reads_the_first_closed_fence_only(reply, reading):
    elements = read_elements(reply, "paper")
    assert elements.reading == reading
    assert bool(elements.nodes) == (reading == "fence")


@pytest.mark.parametrize(
    ("reply", "reading"),
    [
        (fenced(GOLD), "fence"),
        ("```mermaid\n" + GOLD, "unclosed_fence"),
        (GOLD, "no_fence"),
        (f"<think>```\na --> z\n```</think>{fenced(GOLD)}", "fence"),
        ("The flowchart shows how a cake is made.", "not_a_diagram"),
        (fenced("nothing here"), "not_a_diagram"),
        ("I'm sorry, I can't view the image.", "refusal"),
        ("", "empty"),
        (None, "missing"),
    ],
)
def test_lenient_mode_reads_as_a_person_does(reply, reading):
    elements = read_elements(reply, "lenient")
    assert elements.reading == reading
    found = sorted(elements.nodes)
    assert found == ([("bake",), ("cool",), ("mix",)] if "fence" in reading else [])


def test_a_reply_that_is_not_a_diagram_has_no_elements():
    for reply in ("I'm sorry, I can't view the image.", "", None, "Prose."):
        assert read_elements(reply, "lenient").nodes == ()


def test_skipped_lines_are_listed():
    reply = fenced("flowchart TD\na(mix) --> b(bake)\n)) ((\nb --> c(cool)")
    score = score_flowcharts([reply], [GOLD], options=LENIENT)
    assert score.recovered == 1
    assert [line.text for line in score.items[0].skipped] == [")) (("]
    assert score.node_f1 == 1.0


# --- scores --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (fenced(GOLD), (1, 1, 1, 1, 1, 1)),
        (fenced("graph LR\nx(mix) -.-> y[bake]\ny --- z{cool}"), (1, 1, 1, 1, 1, 1)),
        (fenced("flowchart TD\na(mix) --> b(bake)"), (1, 2 / 3, 0.8, 1, 0.5, 2 / 3)),
        (fenced("flowchart TD\nb(bake) --> a(mix)"), (1, 2 / 3, 0.8, 0, 0, 0)),
        (fenced("flowchart TD\na(Mix) --> b(bake)"), (0.5, 1 / 3, 0.4, 0, 0, 0)),
        (fenced("flowchart TD\na(mix)\nd(mix)"), (0.5, 1 / 3, 0.4, 0, 0, 0)),
        ("no code", (0,) * 6),
        (None, (0,) * 6),
    ],
)
def test_scores_of_one_reply(reply, expected):
    assert scores(reply) == pytest.approx(expected)


def test_set_and_multiset_differ_where_elements_repeat():
    gold = fenced("flowchart TD\na(step) --> b(step)\nb --> a\na --> b")
    reply = fenced("flowchart TD\na(step) --> b(step)")
    assert scores(reply, gold)[:3] == (1, 1, 1)
    assert scores(reply, gold)[4] == pytest.approx(1 / 3)
    assert scores(reply, gold, multiset=False) == (1,) * 6
    assert scores(fenced("flowchart TD\na(step)"), gold)[1] == 0.5
    assert scores(fenced("flowchart TD\na(step)"), gold, multiset=False)[1] == 1


def test_similar_texts_match_from_the_threshold_on():
    reply = fenced("flowchart TD\na(mixx) --> b(bake)\nb --> c(cool)")
    assert scores(reply)[0] == pytest.approx(2 / 3)
    assert scores(reply, threshold=0.75)[:2] == (1, 1)
    assert scores(reply, threshold=0.75)[3] == 1
    assert scores(reply, threshold=0.76)[3] == 0.5


def test_a_similar_text_is_used_once():
    reply = fenced("flowchart TD\na(bake)\nb(bakes)\nc(baker)")
    item = score_flowcharts([reply], [GOLD], options=Options(threshold=0.8)).items[0]
    assert [(pair.gold, pair.predicted) for pair in item.nodes.matched] == [(("bake",), ("bake",))]
    assert item.nodes.extra == (("bakes",), ("baker",))


def test_link_labels_count_where_asked_for():
    gold = "flowchart TD\na(one) -->|yes| b(two)\na -->|no| c(three)"
    reply = fenced("flowchart TD\na(one) -->|yes| b(two)\na -->|maybe| c(three)")
    for mode in ("paper", "lenient"):
        assert scores(reply, gold, mode=mode)[3] == 1
        assert scores(reply, gold, mode=mode, link_labels=True)[3] == 0.5


def test_lists_say_what_was_matched_missed_and_extra():
    reply = fenced("flowchart TD\na(mix) --> b(bake)\nb --> d(eat)")
    item = score_flowcharts([reply], [GOLD]).items[0]
    assert [pair.gold for pair in item.nodes.matched] == [("mix",), ("bake",)]
    assert (item.nodes.missed, item.nodes.extra) == ((("cool",),), (("eat",),))
    assert (item.links.missed, item.links.extra) == ((("bake", "cool"),), (("bake", "eat"),))
    assert (item.links.tp, item.links.fp, item.links.fn) == (1, 1, 1)


@pytest.mark.parametrize(
    ("gold", "reply"),
    [
        ("flowchart TD\na[it's]", "flowchart TD\na[it’s]"),
        ("flowchart TD\na[two words]", "flowchart TD\na[two<br/>words]"),
        ("flowchart TD\na[two words]", "flowchart TD\na[two   words]"),
        ('flowchart TD\na["x > y"]', 'flowchart TD\na["x #gt; y"]'),
        ("flowchart TD\na[ﬁne]", "flowchart TD\na[fine]"),
    ],
)
def test_lenient_mode_compares_what_a_reader_sees(gold, reply):
    assert scores(fenced(reply), gold, mode="lenient")[2] == 1
    assert scores(fenced(reply), gold)[2] in (0, 1)


def test_other_languages_are_read_where_asked_for():
    dot = "```dot\ndigraph { a [label=mix]; b [label=bake]; c [label=cool]; a -> b -> c }\n```"
    assert scores(dot, mode="lenient", language="auto") == (1,) * 6
    assert scores(dot) == (0,) * 6
    with pytest.raises(ValueError, match="paper mode reads Mermaid only"):
        scores(dot, language="auto")


def test_macro_is_the_mean_of_samples_and_micro_of_sums():
    replies = [fenced(GOLD), fenced("flowchart TD\na(one)"), "none"]
    golds = [GOLD, "flowchart TD\na(one)\nb(two)\nc(three)\nd(four)", GOLD]
    score = score_flowcharts(replies, golds)
    assert score.node_recall == pytest.approx((1 + 1 / 4 + 0) / 3)
    assert score.micro_node_recall == pytest.approx(4 / 10)
    assert score.micro_node_precision == 1
    assert score.micro_node_f1 == pytest.approx(8 / 14)
    assert score.readings == {"fence": 2, "no_fence": 1}


# --- the undefined cases (as the metric card states them) ----------------------------------------


def test_nothing_against_nothing_is_one_and_anything_against_nothing_zero():
    assert precision_recall_f1(0, 0, 0) == (1, 1, 1)
    assert precision_recall_f1(0, 1, 0) == (0, 0, 0)
    assert precision_recall_f1(0, 0, 1) == (0, 0, 0)
    single = "flowchart TD\na(alone)"
    assert scores(fenced(single), single)[3:] == (1, 1, 1)
    assert scores(fenced("flowchart TD\na(alone) --> b(more)"), single)[3:] == (0, 0, 0)
    assert scores(fenced("flowchart TD"), "flowchart TD") == (1,) * 6
    assert scores("", "flowchart TD") == (1,) * 6


@pytest.mark.parametrize("mode", ["paper", "lenient"])
@pytest.mark.parametrize("gold", ["", "The figure shows a cake.", "```\nno code here\n```"])
def test_a_gold_without_a_diagram_is_refused(gold, mode):
    with pytest.raises(ValueError, match=r"references\[1\]: no diagram"):
        score_flowcharts(["x", "y"], [GOLD, gold], options=Options(mode=mode))


@pytest.mark.parametrize(
    ("replies", "golds", "options", "message"),
    [
        ([], [], {}, "nothing to score"),
        (["a"], [GOLD, GOLD], {}, "1 predictions, but 2 references"),
        (["a"], [None], {}, r"references\[0\]: expected a text, got None"),
        (["a"], [GOLD], {"mode": "strict"}, "mode: expected paper or lenient, got 'strict'"),
        ([fenced(GOLD)], [GOLD], {"threshold": 1.5}, "threshold must be above 0 and at most 1"),
        (["a"], [GOLD], {"mode": "lenient", "language": "latex"}, "unknown diagram language"),
        (["a"], [GOLD], {"assignment": "greedy"}, "best-first or maximum, not 'greedy'"),
    ],
)
def test_bad_input_is_refused(replies, golds, options, message):
    with pytest.raises(ValueError, match=message):
        score_flowcharts(replies, golds, options=Options(**options))


LINES = (DATA / "categories.jsonl").read_bytes().splitlines()
LINES += gzip.decompress((DATA / "random.jsonl.gz").read_bytes()).splitlines()
VALID = [case["code"] for case in map(json.loads, LINES) if case["mermaid"].get("ok")][::2]


@pytest.mark.parametrize("mode", ["paper", "lenient"])
def test_every_chart_that_mermaid_accepts_scores_one_against_itself(mode):
    assert len(VALID) > 500
    for fence in (fenced, str):
        if mode == "paper" and fence is str:
            continue
        options = Options(mode=mode, threshold=0.9, link_labels=True)
        score = score_flowcharts([fence(code) for code in VALID], VALID, options=options)
        wrong = [
            code
            for code, item in zip(VALID, score.items, strict=True)
            if (item.nodes.f1, item.links.f1) != (1, 1)
        ]
        assert wrong == []


# --- properties ----------------------------------------------------------------------------------

LABELS = st.text(alphabet="abc ", min_size=1, max_size=4).map(str.strip).filter(bool)


@st.composite
def charts(draw) -> str:
    labels = draw(st.lists(LABELS, min_size=1, max_size=6))
    ends = st.integers(0, len(labels) - 1)
    links = draw(st.lists(st.tuples(ends, ends, st.sampled_from(["-->", "==>", "-..->"]))))
    lines = [f"entity{index}({label})" for index, label in enumerate(labels)]
    lines += [f"entity{source} {arrow} entity{target}" for source, target, arrow in links]
    return "\n".join(["flowchart LR", *lines])


@settings(deadline=None)
@given(charts(), st.sampled_from(["paper", "lenient"]), st.booleans(), st.sampled_from([0.6, 1.0]))
def test_a_gold_scores_one_against_itself(gold, mode, multiset, threshold):
    options = {"mode": mode, "multiset": multiset, "threshold": threshold}
    assert scores(fenced(gold), gold, **options) == (1,) * 6


@settings(deadline=None)
@given(charts(), charts(), st.sampled_from([0.6, 1.0]), st.randoms())
def test_order_of_statements_and_bounds(gold, reply, threshold, rng):
    before = scores(fenced(reply), gold, threshold=threshold)
    assert all(0 <= value <= 1 for value in before)
    header, *lines = reply.split("\n")
    rng.shuffle(lines)
    assert scores(fenced("\n".join([header, *lines])), gold, threshold=threshold) == before


@settings(deadline=None)
@given(charts(), charts())
def test_swapping_gold_and_reply_swaps_precision_and_recall(gold, reply):
    there, back = scores(fenced(reply), gold), scores(fenced(gold), reply)
    assert there[:2] == back[1::-1]
    assert there[2] == back[2]


@given(st.text())
def test_any_reply_is_scored(reply):
    for mode in ("paper", "lenient"):
        assert all(0 <= value <= 1 for value in scores(reply, mode=mode))


def test_order_of_samples_never_matters():
    golds = [f"flowchart TD\na(n{i}) --> b(m{i % 3})" for i in range(20)]
    replies = [fenced(f"flowchart TD\na(n{i}) --> b(m{i % 2})") for i in range(20)]
    before = score_flowcharts(replies, golds)
    order = random.Random(1).sample(range(20), 20)
    after = score_flowcharts([replies[i] for i in order], [golds[i] for i in order])
    assert after.link_f1 == pytest.approx(before.link_f1)
    assert after.micro_node_f1 == pytest.approx(before.micro_node_f1)
    assert sorted(map(repr, after.items)) == sorted(map(repr, before.items))


def test_intervals_come_from_the_items_and_hold_the_score():
    replies = [fenced(GOLD), "none", fenced("flowchart TD\na(mix)"), fenced(GOLD)]
    resampling = Resampling(resamples=300, seed=5, clusters=[1, 1, 2, 3])
    score = score_flowcharts(replies, [GOLD] * 4, resampling=resampling)
    assert len(score.intervals) == 12
    for name, found in score.intervals.items():
        assert found.estimate == pytest.approx(getattr(score, name))
        assert found.low <= found.estimate <= found.high
    assert score_flowcharts(replies, [GOLD] * 4, resampling=resampling) == score


def test_the_signature_tells_every_option():
    options = Options(
        mode="lenient", threshold=0.9, multiset=False, link_labels=True, language="auto"
    )
    assert score_flowcharts(["x"], [GOLD], options=options).signature == (
        "mermaid_f1|mode:lenient|threshold:0.9|assignment:best-first|elements:set"
        "|link_labels:yes|language:auto|version:1.0"
    )


def test_gold_may_stand_in_a_fence_or_alone():
    for mode in ("paper", "lenient"):
        assert read_gold(GOLD, mode).nodes == read_gold(fenced(GOLD), mode).nodes
