"""Mermaid code of a chart."""

from __future__ import annotations

from builders.simulated.graph import ChartLink, ChartNode, Graph
from builders.simulated.shapes import BRACKETS


def to_mermaid(graph: Graph) -> str:
    """Write a chart as Mermaid code: nodes first, then links, one statement a line.

    Args:
        graph: The chart.

    Returns:
        Code without a trailing newline.
    """
    grouped = {member for group in graph.groups for member in group.members}
    nodes = {node.id: _node(node) for node in graph.nodes}
    lines = [f"flowchart {graph.direction}"]
    lines += [code for id_, code in nodes.items() if id_ not in grouped]
    for group in graph.groups:
        lines.append(f"subgraph {group.id}[{_text(group.label)}]")
        lines += [nodes[member] for member in group.members]
        lines.append("end")
    lines += [_link(link) for link in graph.links]
    return "\n".join(lines)


def _node(node: ChartNode) -> str:
    if node.shape in BRACKETS:
        left, right = BRACKETS[node.shape]
        return f"{node.id}{left}{_text(node.label)}{right}"
    return f"{node.id}@{{ shape: {node.shape}, label: {_quoted(node.label)} }}"


def _link(link: ChartLink) -> str:
    label = f"|{_text(link.label)}|" if link.label else ""
    return f"{link.source} {link.style}{label} {link.target}"


def _is_plain(label: str) -> bool:
    """Tell whether a label can stand unquoted.

    Lower-case words that are no keyword of Mermaid's are what the published charts hold.
    """
    words = label.split(" ")
    return all(w.isascii() and w.isalpha() and w.lower() not in _KEYWORDS for w in words)


_KEYWORDS = frozenset(
    "end graph flowchart subgraph default class classdef click style linkstyle href call "  # noqa: SIM905
    "direction interpolate elk o x v".split()
)


def _text(label: str) -> str:
    return label if _is_plain(label) else _quoted(label)


def _quoted(label: str) -> str:
    """Quote a label; whatever is neither a letter, a digit nor a space becomes an entity."""
    return '"' + "".join(c if c.isalnum() or c == " " else f"#{ord(c)};" for c in label) + '"'
