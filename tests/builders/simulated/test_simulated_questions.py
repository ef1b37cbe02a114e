import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.simulated.annotate import Annotations, NodeAnnotation
from builders.simulated.check import WrongRowError, check_answers, check_graph, read_entities
from builders.simulated.graph import ChartGroup, ChartLink, ChartNode, Graph
from builders.simulated.mermaid_code import to_mermaid
from builders.simulated.questions import arrows, ask, describe
from builders.simulated.shapes import LINK_STYLES
from flowlearn.tasks import TASKS, Question


def chart(links, labels="abcd", groups=()):
    nodes = tuple(ChartNode(f"entity{i}", label, "rounded") for i, label in enumerate(labels))
    made = tuple(ChartLink(f"entity{a}", f"entity{b}", style) for a, style, b in links)
    return Graph(nodes, made, tuple(groups), "TB", "FFFFFF")


def drawn(graph):
    boxes = tuple(
        NodeAnnotation(n.id, n.label, n.shape, (0, 0, 9, 9), (1, 1, 8, 8)) for n in graph.nodes
    )
    return Annotations(10, 10, boxes, (), (), 21, 21)


def parsed(graph):
    """What mermaid.js would say of a chart."""

    def kind(style):
        _, end, start = LINK_STYLES[style]
        return "arrow_open" if end == "none" else f"{'double_' * (start != 'none')}arrow_{end}"

    return {
        "nodes": [[n.id, n.label, ""] for n in graph.nodes],
        "links": [
            [x.source, x.target, x.label, LINK_STYLES[x.style][0], kind(x.style)]
            for x in graph.links
        ],
        "groups": [[g.id, g.label, list(g.members)] for g in graph.groups],
    }


def questions(graph, seed=0):
    asked = ask(graph, to_mermaid(graph), drawn(graph), np.random.default_rng(seed))
    return {question.task: question for question in asked}


CHAIN = chart([(0, "-->", 1), (1, "==>", 2), (2, "-.->", 3)])
PAIR = chart([(0, "-->", 1), (1, "-->", 0)], labels="ab")


def test_one_question_a_task_in_the_order_of_the_tasks():
    assert tuple(questions(CHAIN)) == TASKS


@pytest.mark.parametrize(
    ("graph", "task", "reason"),
    [
        (PAIR, "false_a_to_b", "every arrow has one back"),
        (PAIR, "false_between", "every two nodes are linked"),
        (chart([(0, "---", 1)], "ab"), "true_a_to_b", "no arrow between two nodes"),
        (chart([(0, "---", 1)], "ab"), "true_between", "no arrow between two nodes"),
        (chart([(0, "---", 1)], "ab"), "false_between", "every two nodes are linked"),
        (chart([(0, "<-->", 1)], "ab"), "false_a_to_b", "every arrow has one back"),
        (chart([(0, "-->", 0)], "a"), "true_a_to_b", "no arrow between two nodes"),
    ],
)
def test_charts_say_what_they_cannot_be_asked(graph, task, reason):
    question = questions(graph)[task]
    assert (question.reason, question.answer, question.question) == (reason, "", "")


@pytest.mark.parametrize(
    ("graph", "answers"),
    [
        (CHAIN, {"num_nodes": "4", "num_arrows": "3"}),
        (PAIR, {"num_nodes": "2", "description": "a points to b. b points to a."}),
        (
            chart([(0, "<-->", 1), (1, "---", 2), (2, "--o", 3), (3, "--x", 0)]),
            {"num_arrows": "1", "description": "a points to b. b points to a."},
        ),
        (chart([(0, "-->", 1), (0, "-->", 1)], "ab"), {"num_arrows": "2"}),
    ],
)
def test_answers_follow_the_arrows(graph, answers):
    asked = questions(graph)
    assert {task: asked[task].answer for task in answers} == answers


LINKS = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from(sorted(LINK_STYLES)), st.integers(0, 3)),
    max_size=8,
)


@given(LINKS, st.integers(0, 999))
def test_every_answer_holds_in_the_chart(links, seed):
    graph = chart(links)
    asked = questions(graph, seed)
    known = set(arrows(graph))
    every = {(x.source, x.target) for x in graph.links}
    ids = {node.label: node.id for node in graph.nodes}
    for task, question in asked.items():
        if not question.question or question.reason or task.startswith("num"):
            continue
        a, b = (ids[part] for part in question.question.split("'")[1::2])
        if task == "true_a_to_b":
            assert (a, b) in known
        elif task == "false_a_to_b":
            assert (a, b) not in every | known
            assert (b, a) in known
        elif task == "true_between":
            assert known & {(a, b), (b, a)}
        else:
            assert not every & {(a, b), (b, a)}
    assert describe(graph).count(" points to ") == len(arrows(graph))
    check_answers(tuple(asked.values()), parsed(graph))


@pytest.mark.parametrize(
    "wrong",
    [
        Question("true_a_to_b", "Arrow points from node 'b' to node 'a'.", "true"),
        Question("false_a_to_b", "Arrow points from node 'a' to node 'b'.", "false"),
        Question("true_between", "Arrow exists between node 'a' and node 'd'.", "true"),
        Question("false_between", "Arrow exists between node 'c' and node 'b'.", "false"),
        Question("false_between", "Arrow exists between node 'a' and node 'phantom'.", "false"),
        Question("num_nodes", "", "5"),
        Question("num_arrows", "", "2"),
        Question("description", "", "a points to b."),
        Question("ocr", "", "b", "entity0"),
    ],
)
def test_the_check_finds_each_kind_of_wrong_answer(wrong):
    with pytest.raises(WrongRowError, match=wrong.task):
        check_answers([wrong], parsed(CHAIN))


@pytest.mark.parametrize(
    "other",
    [
        chart([(0, "-->", 1), (1, "==>", 2)]),
        chart([(0, "-->", 1), (1, "==>", 2), (3, "-.->", 2)]),
        chart([(0, "-->", 1), (1, "-->", 2), (2, "-.->", 3)]),
        chart([(0, "-->", 1), (1, "==>", 2), (2, "-.->", 3)], labels="abcx"),
        chart([(0, "-->", 1), (1, "==>", 2), (2, "-.->", 3)], labels="abcde"),
        chart(
            [(0, "-->", 1), (1, "==>", 2), (2, "-.->", 3)],
            groups=[ChartGroup("group0", "g", ("entity0",))],
        ),
    ],
)
def test_the_check_finds_each_kind_of_other_graph(other):
    check_graph(CHAIN, parsed(CHAIN))
    with pytest.raises(WrongRowError, match=r"mermaid\.js reads"):
        check_graph(CHAIN, parsed(other))


def test_entities_are_read_as_mermaid_keeps_them():
    assert read_entities("a#34;b#128512;") == 'a"b😀'
    assert read_entities("aﬂ°°34¶ßb") == 'a"b'
