"""Questions on a chart, with answers that are right by construction."""

from __future__ import annotations

import numpy as np

from builders.simulated.annotate import Annotations
from builders.simulated.graph import Graph
from builders.simulated.shapes import LINK_STYLES
from flowlearn.tasks import (
    DESCRIPTION_SENTENCE,
    QUESTION_NUM_ARROWS,
    QUESTION_NUM_NODES,
    STATEMENT_A_TO_B,
    STATEMENT_BETWEEN,
    Question,
)

Pair = tuple[str, str]


def arrows(graph: Graph) -> list[Pair]:
    """Return the arrows as (from, to) ids in the order of the code.

    A line without an arrow head is no arrow, and a two-headed one is an arrow both ways.
    """
    pairs = []
    for link in graph.links:
        _, at_target, at_source = LINK_STYLES[link.style]
        if at_target == "point":
            pairs.append((link.source, link.target))
        if at_source == "point":
            pairs.append((link.target, link.source))
    return pairs


def describe(graph: Graph) -> str:
    """Return the description: one sentence an arrow (FlowLearn section 3.3)."""
    names = {node.id: node.label for node in graph.nodes}
    names |= {group.id: group.label for group in graph.groups}
    return " ".join(
        DESCRIPTION_SENTENCE.format(a=names[source], b=names[target])
        for source, target in arrows(graph)
    )


def fenced(code: str) -> str:
    """Return Mermaid code in a fence, as gold answers show it."""
    return f"```mermaid\n{code}\n```"


def ask(
    graph: Graph, code: str, drawn: Annotations, rng: np.random.Generator
) -> tuple[Question, ...]:
    """Ask one question of each task.

    Args:
        graph: The chart.
        code: Its Mermaid code.
        drawn: Where everything is.
        rng: Source of all choices.

    Returns:
        One question a task in the order of `flowlearn.tasks.TASKS`; where the chart cannot have
        one, the question says why instead.
    """
    node = drawn.nodes[int(rng.integers(len(drawn.nodes)))]
    arrow_count = sum("point" in LINK_STYLES[link.style][1:] for link in graph.links)
    return (
        Question("ocr", "", node.label, node.id, node.text_box),
        *_statements(graph, rng),
        Question("description", "", describe(graph)),
        Question("mermaid", "", fenced(code)),
        Question("num_nodes", QUESTION_NUM_NODES, str(len(graph.nodes))),
        Question("num_arrows", QUESTION_NUM_ARROWS, str(arrow_count)),
    )


def _statements(graph: Graph, rng: np.random.Generator) -> tuple[Question, ...]:
    names = {node.id: node.label for node in graph.nodes}
    every = {(link.source, link.target) for link in graph.links}
    known = dict.fromkeys(arrows(graph))
    pairs = [(a, b) for a, b in known if a in names and b in names and a != b]
    one_way = [(b, a) for a, b in pairs if (b, a) not in every and (b, a) not in known]
    apart = [
        (a, b)
        for a in names
        for b in names
        if a != b and (a, b) not in every and (b, a) not in every
    ]

    def choose(candidates: list[Pair]) -> Pair | None:
        return candidates[int(rng.integers(len(candidates)))] if candidates else None

    def statement(template: str, pair: Pair) -> str:
        return template.format(a=names[pair[0]], b=names[pair[1]])

    true_pair = choose(pairs)
    between = choose([pair for pair in pairs if pair != true_pair]) or true_pair
    false_pair, apart_pair = choose(one_way), choose(apart)
    return (
        Question("true_a_to_b", statement(STATEMENT_A_TO_B, true_pair), "true")
        if true_pair
        else Question("true_a_to_b", reason="no arrow between two nodes"),
        Question("false_a_to_b", statement(STATEMENT_A_TO_B, false_pair), "false")
        if false_pair
        else Question("false_a_to_b", reason="every arrow has one back"),
        Question("true_between", statement(STATEMENT_BETWEEN, between), "true")
        if between
        else Question("true_between", reason="no arrow between two nodes"),
        Question("false_between", statement(STATEMENT_BETWEEN, apart_pair), "false")
        if apart_pair
        else Question("false_between", reason="every two nodes are linked"),
    )
