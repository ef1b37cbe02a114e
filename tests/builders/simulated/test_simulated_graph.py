import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders.simulated.config import load_config
from builders.simulated.graph import make_graph
from builders.simulated.labels import LabelPool
from builders.simulated.sampling import pick, row_rng
from builders.simulated.words import english_words, read_word_list
from common.errors import UserError

WORD = load_config()
RICH = load_config(preset="rich")
POOLS = {config.drawing_hash(): LabelPool(config) for config in (WORD, RICH)}


def graph_of(config, index, attempt=0):
    key = config.drawing_hash()
    if key not in POOLS:
        POOLS[key] = LabelPool(config)
    return make_graph(config, POOLS[key], row_rng(config.seed, key, index, attempt))


def make_charts(config, count):
    pool = LabelPool(config)
    return [make_graph(config, pool, row_rng(0, config.drawing_hash(), i)) for i in range(count)]


@given(st.integers(0, 10**9))
@settings(max_examples=200, deadline=None)
def test_word_charts_are_like_the_published_ones(index):
    graph = graph_of(WORD, index)
    ids = [node.id for node in graph.nodes]
    pairs = [(link.source, link.target) for link in graph.links]
    assert 3 <= len(ids) <= 10
    assert len({node.label for node in graph.nodes}) == len(ids)
    assert all(re.fullmatch(r"[a-z]+( [a-z]+)*", n.label) for n in graph.nodes)
    assert all(len(node.label) <= 20 for node in graph.nodes)
    assert len(set(pairs)) == len(pairs)
    assert all(a != b for a, b in pairs)
    assert {end for pair in pairs for end in pair} == set(ids)
    assert {link.style for link in graph.links} <= {"-->", "==>", "-..->"}


@given(st.integers(0, 10**9))
@settings(max_examples=200, deadline=None)
def test_rich_charts_are_connected_and_never_link_a_subgraph_from_inside(index):
    graph = graph_of(RICH, index)
    ids = {node.id for node in graph.nodes}
    linked = {graph.nodes[0].id}
    for _ in graph.nodes:
        for link in graph.links:
            if link.source in linked or link.target in linked:
                linked |= {link.source, link.target}
    assert ids <= linked
    for group in graph.groups:
        assert set(group.members) < ids
        for link in graph.links:
            assert link.source != group.id
            assert link.target != group.id or link.source not in group.members
    loops = Counter(link.source for link in graph.links if link.source == link.target)
    assert all(count == 1 for count in loops.values())


def test_a_row_depends_on_seed_configuration_index_and_attempt_alone():
    assert graph_of(WORD, 5) == graph_of(WORD, 5)
    others = [graph_of(WORD, 6), graph_of(WORD, 5, 1), graph_of(load_config(seed=1), 5)]
    assert all(other != graph_of(WORD, 5) for other in others)


@pytest.mark.parametrize(
    ("changes", "holds"),
    [
        ({"connected": True}, lambda g: len(g.links) >= len(g.nodes) - 1),
        (
            {"antiparallel": False},
            lambda g: (
                not {(x.source, x.target) for x in g.links}
                & {(x.target, x.source) for x in g.links}
            ),
        ),
        (
            {"self_loop_rate": 1.0},
            lambda g: sum(x.source == x.target for x in g.links) == len(g.nodes),
        ),
        ({"link_label_rate": 1.0}, lambda g: all(x.label for x in g.links)),
        ({"min_nodes": 20, "max_nodes": 20}, lambda g: len(g.nodes) == 20),
        ({"orientations": {"LR": 1}}, lambda g: g.direction == "LR"),
        ({"node_shapes": {"hex": 1}}, lambda g: {n.shape for n in g.nodes} == {"hex"}),
        ({"backward_links": {"0": 1}}, lambda g: all(x.source < x.target for x in g.links)),
        ({"backgrounds": {"abcdef": 1}}, lambda g: g.background == "ABCDEF"),
        (
            {"preset": "flowlearn-char"},
            lambda g: all(re.fullmatch("[A-Z]", n.label) for n in g.nodes),
        ),
        ({"words_per_label": {"1": 1}}, lambda g: all(" " not in n.label for n in g.nodes)),
        (
            {"double_link_rate": 1.0},
            lambda g: len({(x.source, x.target) for x in g.links}) * 2 == len(g.links),
        ),
        ({"subgraph_rate": 1.0}, lambda g: len(g.groups) == 1),
        (
            {"wrapped_label_rate": 1.0},
            lambda g: all(5 <= len(n.label.split()) <= 10 for n in g.nodes),
        ),
    ],
)
def test_each_knob_does_what_it_says(changes, holds):
    config = load_config(**changes)
    assert all(holds(graph_of(config, index)) for index in range(40))


def test_words_are_english_plain_and_inoffensive():
    words = english_words()
    assert len(words) > 6000
    assert all(re.fullmatch("[a-z]{2,}", word) for word in words)
    assert not {"ass", "cockpit", "shitake"} & set(words)
    assert {"house", "running", "beautiful"} & set(words)


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"", "no entries"), (b"# only a comment\n\n", "no entries"), (b"\xff\xfe", "not UTF-8")],
)
def test_bad_word_lists_are_refused(tmp_path, content, message):
    path = tmp_path / "words.txt"
    path.write_bytes(content)
    with pytest.raises(UserError, match=message):
        read_word_list(str(path))


def test_a_missing_word_list_is_refused():
    with pytest.raises(UserError, match=r"nowhere\.txt: No such file"):
        read_word_list("nowhere.txt")


@pytest.mark.parametrize(
    ("lines", "changes", "message"),
    [
        ("one\ntwo\n", {"label_style": "list"}, "2 labels for charts of up to 10 nodes"),
        ("one\ntwo\n", {"word_lengths": None, "words_per_label": {"1": 1}}, "fewer than"),
        ("abcdefghijkl\n", {"max_label_chars": 5}, "no word of the list has a length"),
    ],
)
def test_lists_that_cannot_do_are_refused(tmp_path, lines, changes, message):
    path = tmp_path / "words.txt"
    path.write_text(lines)
    config = load_config(word_list=str(path), **changes)
    with pytest.raises(UserError, match=message):
        make_charts(config, 20)


def test_pick_follows_the_weights():
    rng = row_rng(0, "0" * 16, 0)
    drawn = Counter(pick(rng, {"a": 3, "b": 1}) for _ in range(4000))
    assert 2800 < drawn["a"] < 3200
