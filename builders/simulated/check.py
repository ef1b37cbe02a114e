"""Proof of a row: its code and its answers against mermaid.js's own reading of the code."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from builders.simulated.graph import Graph
from builders.simulated.shapes import LINK_STYLES
from flowlearn.tasks import Question

_ENTITY = re.compile(r"(?:#|ﬂ°°)(\d+)(?:;|¶ß)")
_STATEMENT = re.compile(r"Arrow (points from|exists between) node '(.*)' (?:to|and) node '(.*)'\.")


class WrongRowError(AssertionError):
    """A row that says something wrong: a fault of the builder, never of the user."""


def read_entities(text: str) -> str:
    """Decode the numeric entities of a Mermaid label, in the form that mermaid.js keeps them."""
    return _ENTITY.sub(lambda match: chr(int(match[1])), text)


def check_graph(graph: Graph, parsed: Mapping[str, Any]) -> None:
    """Check that mermaid.js reads exactly the graph that was drawn.

    Raises:
        WrongRowError: It reads another one.
    """
    groups = {group.id for group in graph.groups}
    nodes = {
        node_id: read_entities(label)
        for node_id, label, _ in parsed["nodes"]
        if node_id not in groups
    }
    if nodes != {node.id: node.label for node in graph.nodes}:
        raise WrongRowError(f"mermaid.js reads the nodes {nodes}")
    links = [
        (source, target, read_entities(label), stroke, kind)
        for source, target, label, stroke, kind in parsed["links"]
    ]
    if links != [
        (link.source, link.target, link.label, *_kind(link.style)) for link in graph.links
    ]:
        raise WrongRowError(f"mermaid.js reads the links {links}")
    members = {group_id: set(ids) for group_id, _, ids in parsed["groups"]}
    if members != {group.id: set(group.members) for group in graph.groups}:
        raise WrongRowError(f"mermaid.js reads the subgraphs {members}")


def _kind(style: str) -> tuple[str, str]:
    stroke, end, start = LINK_STYLES[style]
    if end == "none":
        return stroke, "arrow_open"
    return stroke, f"double_arrow_{end}" if start != "none" else f"arrow_{end}"


def check_answers(questions: Sequence[Question], parsed: Mapping[str, Any]) -> None:
    """Check every answer against the graph as mermaid.js reads it from the code.

    Raises:
        WrongRowError: An answer is wrong.
    """
    groups = {group_id for group_id, _, _ in parsed["groups"]}
    labels = {node_id: read_entities(label) for node_id, label, _ in parsed["nodes"]}
    titles = {group_id: read_entities(title) for group_id, title, _ in parsed["groups"]}
    names = {**labels, **titles}
    nodes = [labels[node_id] for node_id in labels if node_id not in groups]
    linked = Counter((names[a], names[b]) for a, b, *_ in parsed["links"])
    sentences = []
    arrows: Counter[tuple[str, str]] = Counter()
    count = 0
    for source, target, _, _, kind in parsed["links"]:
        if not kind.endswith("arrow_point"):
            continue
        count += 1
        pairs = [(names[source], names[target])]
        if kind.startswith("double"):
            pairs.append((names[target], names[source]))
        arrows.update(pairs)
        sentences += [f"{a} points to {b}." for a, b in pairs]
    facts = {
        "description": " ".join(sentences),
        "num_nodes": str(len(nodes)),
        "num_arrows": str(count),
    }
    for question in questions:
        if question.reason:
            continue
        if question.task in facts:
            right = question.answer == facts[question.task]
        elif question.task == "ocr":
            right = question.answer == labels[question.node]
        elif question.task == "mermaid":
            right = True  # the code itself, which check_graph proves
        else:
            right = _holds(question.question, nodes, arrows, linked) == question.answer
        if not right:
            raise WrongRowError(f"{question.task}: {question.question!r} → {question.answer!r}")


def _holds(
    statement: str,
    nodes: Sequence[str],
    arrows: Counter[tuple[str, str]],
    linked: Counter[tuple[str, str]],
) -> str:
    match = _STATEMENT.fullmatch(statement)
    if not match or match[2] not in nodes or match[3] not in nodes:
        return "nothing"
    relation, a, b = match.groups()
    if relation == "points from":
        return "true" if arrows[a, b] else "false"
    if arrows[a, b] or arrows[b, a]:
        return "true"
    # A line without a head is no arrow, yet no fair reader would call the pair unlinked.
    return "nothing" if linked[a, b] or linked[b, a] else "false"
