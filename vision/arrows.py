"""Links of a chart: strokes from shape to shape, and the heads at their ends.

Strokes are followed from both of their ends. Where both ways agree, the link is sure; what is
left over belongs to strokes that share their end with another.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

import numpy as np

from vision.heads import has_head, widths_along
from vision.picture import Pixels
from vision.pieces import Piece, join_pieces
from vision.ports import Port, find_ports
from vision.shapes import Shapes
from vision.strokes import Strokes, find_strokes
from vision.tracing import Point, Trace, follow

# Lengths in pixels of a picture scaled so that text has the height `verifier.TEXT_HEIGHT`.
SAME_END = 14.0
"""Distance within which a trace ends at a port."""

ON_PATH = 5.0
"""Distance within which a port lies on the path of another link."""


@dataclass(frozen=True, slots=True)
class Arrow:
    """A link between two shapes.

    Attributes:
        source: Index of the shape where it starts; the nodes come first, then the groups.
        target: Index of the shape where it ends.
        label: Text on it, empty where there is none.
        directed: Whether it has a head at its target alone. The ends of a link with two heads,
            or with none, look alike: which one is called the source means nothing.
        path: Points on it from source to target, in pixels of the scaled picture.
    """

    source: int
    target: int
    label: str = ""
    directed: bool = True
    path: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class _Link:
    """Two ports that one stroke joins; the last is unknown at a group or at a shared end."""

    first: int
    last: int | None
    trace: Trace


def find_arrows(pixels: Pixels, shapes: Shapes) -> tuple[Arrow, ...]:
    """Find the links between shapes.

    Args:
        pixels: Picture, shape `(height, width, 3)`, at the scale of the constants.
        shapes: The shapes in it.

    Returns:
        The links, ordered by target and source; two links of the same ends may occur.
    """
    strokes = find_strokes(pixels, shapes)
    ports = find_ports(strokes, shapes.nodes)
    links = pair_ports(ports, [follow(strokes, p.shape, p.contact, p.exit) for p in ports])
    pieces = [_piece(strokes, ports, link, len(shapes.nodes)) for link in links]
    arrows = []
    used: set[int] = set()
    for piece in join_pieces(pieces, shapes.nodes):
        passed = (index for index in piece.labels if index < len(shapes.free))
        label = next((index for index in passed if index not in used), None)
        if label is not None:
            used.add(label)
        arrows.append(_arrow(piece, "" if label is None else shapes.free[label].text))
    return tuple(sorted(arrows, key=lambda arrow: (arrow.target, arrow.source)))


def pair_ports(ports: Sequence[Port], traces: Sequence[Trace | None]) -> list[_Link]:
    """Join ports to links.

    Args:
        ports: Where strokes touch shapes.
        traces: The stroke that was followed from each port.
    """
    ends = [
        None if trace is None else _port_at(ports, index, trace)
        for index, trace in enumerate(traces)
    ]
    links = [
        _Link(first, last, trace)
        for first, (last, trace) in enumerate(zip(ends, traces, strict=True))
        if trace is not None and last is not None and first < last and ends[last] == first
    ]
    paired = {port for link in links for port in (link.first, link.last)}
    # Ports of strokes that only pass by lie on the path of another link.
    rest = [
        index
        for index in range(len(ports))
        if index not in paired and not any(_passes(link, ports[index]) for link in links)
    ]
    taken: set[int] = set()
    for index in sorted(rest, key=lambda index: ends[index] not in rest):
        trace = traces[index]
        if trace is not None and index not in taken:
            last = ends[index]
            links.append(_Link(index, last, trace))
            taken |= {index} if last is None else {index, last}
    return links


def _port_at(ports: Sequence[Port], start: int, trace: Trace) -> int | None:
    """Return the port where a trace ends."""
    tail = np.array(trace.path[-12:])
    best = min(
        (
            (float(np.hypot(*(tail - port.exit).T).min()), index)
            for index, port in enumerate(ports)
            if port.shape == trace.shape and index != start
        ),
        default=(SAME_END, -1),
    )
    return best[1] if best[0] < SAME_END else None


def _passes(link: _Link, port: Port) -> bool:
    path = np.array(link.trace.path[2:-2])
    if not len(path) or hypot(*(np.subtract(port.contact, link.trace.path[0]))) < SAME_END:
        return False
    return bool(np.hypot(*(path - port.exit).T).min() < ON_PATH)


def _piece(strokes: Strokes, ports: Sequence[Port], link: _Link, nodes: int) -> Piece:
    trace = link.trace
    path = trace.path if link.last is None else _ended(trace.path, ports[link.last])
    widths = widths_along(strokes, path)
    return Piece(
        ends=(ports[link.first].shape, trace.shape if trace.shape >= 0 else nodes + trace.group),
        heads=(has_head(widths), has_head(widths[::-1])),
        path=path,
        labels=trace.labels,
    )


def _arrow(piece: Piece, label: str) -> Arrow:
    if piece.heads == (True, False):
        piece = piece.turned()
    return Arrow(*piece.ends, label, piece.heads[0] != piece.heads[1], piece.path)


def _ended(path: Sequence[Point], port: Port) -> tuple[Point, ...]:
    """Return a path that ends at a port, through its exit."""
    distances = [hypot(x - port.exit[0], y - port.exit[1]) for x, y in path]
    nearest = max(1, int(np.argmin(distances)))
    return (*path[:nearest], port.exit, port.contact)
