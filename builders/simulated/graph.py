"""Random flowcharts as plain values."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from builders.simulated.config import SimulatedConfig
from builders.simulated.labels import LabelPool
from builders.simulated.legibility import link_contrast
from builders.simulated.sampling import pick


@dataclass(frozen=True, slots=True)
class ChartNode:
    """A node to draw.

    Attributes:
        id: Mermaid id.
        label: Text that a reader sees.
        shape: Mermaid's short name of the shape, e.g. `rounded`.
    """

    id: str
    label: str
    shape: str


@dataclass(frozen=True, slots=True)
class ChartLink:
    """A link to draw, from node (or group) id to node (or group) id.

    Attributes:
        source: Id where the link starts.
        target: Id where the link ends.
        style: Mermaid's token, e.g. `-->`.
        label: Text on the link, empty for none.
    """

    source: str
    target: str
    style: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class ChartGroup:
    """A subgraph to draw round nodes.

    Attributes:
        id: Mermaid id.
        label: Title.
        members: Ids of the nodes inside.
    """

    id: str
    label: str
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Graph:
    """A flowchart before it is drawn.

    Attributes:
        nodes: Nodes in the order of their ids.
        links: Links sorted by source, in the order of the code.
        groups: Subgraphs; a node is in one at the most.
        direction: `TB`, `TD`, `BT`, `LR` or `RL`.
        background: Background colour, six hexadecimal digits.
    """

    nodes: tuple[ChartNode, ...]
    links: tuple[ChartLink, ...]
    groups: tuple[ChartGroup, ...]
    direction: str
    background: str


def make_graph(config: SimulatedConfig, pool: LabelPool, rng: np.random.Generator) -> Graph:
    """Draw a random flowchart.

    Links follow the published generator: every node gets one link to another random node, written
    from the lower to the higher index; some backward links are added; duplicates are dropped.

    Args:
        config: What to draw from.
        pool: Where the labels come from.
        rng: Source of all randomness.

    Returns:
        A flowchart whose node labels are unique.
    """
    count = int(rng.integers(config.min_nodes, config.max_nodes + 1))
    labels = pool.unique_labels(rng, count)
    nodes = tuple(
        ChartNode(f"entity{i}", label, pick(rng, config.node_shapes))
        for i, label in enumerate(labels)
    )
    groups = _make_groups(config, pool, rng, count)
    links = tuple(
        ChartLink(
            f"entity{source}",
            f"entity{target}",
            pick(rng, config.link_styles),
            pool.link_label(rng) if rng.random() < config.link_label_rate else "",
        )
        for source, target in _make_pairs(config, rng, count)
    )
    return Graph(
        nodes,
        links + _group_links(config, rng, nodes, groups),
        groups,
        pick(rng, config.orientations),
        _background(config, rng),
    )


def _make_pairs(
    config: SimulatedConfig, rng: np.random.Generator, count: int
) -> list[tuple[int, int]]:
    pairs: set[tuple[int, int]] = set()
    for i in range(count):
        j = int(rng.integers(count - 1))
        j += j >= i
        pairs.add((min(i, j), max(i, j)))
    if config.connected:
        pairs |= _bridges(rng, count, pairs)
    for _ in range(int(pick(rng, config.backward_links))):
        low, high = sorted(int(i) for i in rng.choice(count, size=2, replace=False))
        if config.antiparallel or (low, high) not in pairs:
            pairs.add((high, low))
    links = sorted(pairs)
    links += [pair for pair in links if rng.random() < config.double_link_rate]
    links += [(i, i) for i in range(count) if rng.random() < config.self_loop_rate]
    return sorted(links)


def _bridges(
    rng: np.random.Generator, count: int, pairs: set[tuple[int, int]]
) -> set[tuple[int, int]]:
    """Return links that join the connected components."""
    component = list(range(count))
    for a, b in sorted(pairs):
        old, new = component[b], component[a]
        component = [new if value == old else value for value in component]
    members = [[i for i in range(count) if component[i] == c] for c in sorted(set(component))]
    bridges = set()
    for left, right in itertools.pairwise(members):
        a, b = int(rng.choice(left)), int(rng.choice(right))
        bridges.add((min(a, b), max(a, b)))
    return bridges


def _make_groups(
    config: SimulatedConfig, pool: LabelPool, rng: np.random.Generator, count: int
) -> tuple[ChartGroup, ...]:
    if count < 3 or rng.random() >= config.subgraph_rate:
        return ()
    size = int(rng.integers(2, count))
    start = int(rng.integers(0, count - size + 1))
    members = tuple(f"entity{i}" for i in range(start, start + size))
    return (ChartGroup("group0", pool.link_label(rng), members),)


def _group_links(
    config: SimulatedConfig,
    rng: np.random.Generator,
    nodes: tuple[ChartNode, ...],
    groups: tuple[ChartGroup, ...],
) -> tuple[ChartLink, ...]:
    """Return links from nodes outside to groups; Mermaid cannot draw one from inside."""
    links = []
    for group in groups:
        outside = [node.id for node in nodes if node.id not in group.members]
        if outside and rng.random() < config.subgraph_link_rate:
            source = outside[int(rng.integers(len(outside)))]
            links.append(ChartLink(source, group.id, pick(rng, config.link_styles)))
    return tuple(links)


def _background(config: SimulatedConfig, rng: np.random.Generator) -> str:
    """Draw a background on which links and texts can be told apart, as the floor demands."""
    while True:
        policy = pick(rng, config.backgrounds)
        colour = f"{int(rng.integers(0x1000000)):06X}" if policy == "random" else policy
        if link_contrast(config.theme, colour) >= config.min_contrast:
            return colour
