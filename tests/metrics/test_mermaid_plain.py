"""Plain lines of broken flowcharts: the short reading is the one that weighs everything."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.core.mermaid_arrows import LooseArrow
from metrics.core.mermaid_loose import Start, read_line
from metrics.core.mermaid_plain import read_plain
from metrics.core.mermaid_spelling import respell

IDS = st.from_regex(r"[^\W_]\w{0,8}", fullmatch=True) | st.sampled_from(
    ["A", "x", "o", "end", "and", "to", "link", "edge", "from", "graph", "node", "dashed", "和"]
)
LABELS = st.builds(
    "{}{}{}".format,
    st.sampled_from("[({"),
    st.sampled_from(["Mix", " Mix well ", "go to B", "x ", "a_b", "步骤", "label", "solid line"]),
    st.sampled_from(["]", ")", "}", ""]),
)
NODES = st.builds("{}{}".format, IDS, st.just("") | LABELS)
ARROWS = st.sampled_from([" -> ", " --> ", " => ", " ==> ", " ---> ", " → ", "  ->  ", " ->"])
LINES = st.builds(
    lambda first, others, end: first + "".join(map("".join, others)) + end,
    NODES,
    st.lists(st.tuples(ARROWS, NODES), min_size=1, max_size=4),
    st.sampled_from(["", "", ";"]),
)


@given(LINES, st.booleans(), st.frozensets(IDS), st.sampled_from([(), ("A",), ("A", "B")]))
def test_plain_lines_are_read_as_other_lines_are(line, in_words, known, last):
    start = Start(last)
    plain = read_plain(line, start)
    if plain is not None:
        assert plain == read_line(respell(line, in_code=True, in_words=in_words), known, start)


@pytest.mark.parametrize(
    "line",
    ["A -> B", "A[Mix -> B", "A -> B(Bake", "A1[Mix well] => B{Ok}", "A → B -> C;", "节点 → 节点"],
)
def test_lines_that_are_plain(line):
    assert read_plain(line, Start()) == read_line(line, frozenset(), Start())


@pytest.mark.parametrize(
    "line",
    [
        *("A", "A[Mix", "A[Mix]", "A ->", "-> B", "A B -> C", "_ -> B", "A & B -> C", "A -> B; C"),
        *("A -- x --> B", "A -> B[Mix;", 'A["Mix"] -> B', "A[Mix) -> B", "A -> |x| B", "A: B -> C"),
        *("A:::hot -> B", "A -> B -> C" + "x" * 2000),
    ],
)
def test_lines_that_are_not_plain(line):
    assert read_plain(line, Start()) is None


def test_a_line_behind_an_open_arrow_is_not_plain():
    arrow = LooseArrow(0, 0, "normal", "point", "none")
    assert read_plain("A -> B", Start(("X",), arrow)) is None
