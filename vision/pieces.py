"""Links that pass behind a shape: seen as two pieces that seem to end there."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import atan2, cos, hypot, pi, sin

from vision.shapes import Shape
from vision.strokes import wrap
from vision.tracing import Point

# Lengths in pixels of a picture scaled so that text has the height `verifier.TEXT_HEIGHT`.
DIRECTION_LENGTH = 24.0
"""Length of a piece's end over which its direction is taken."""

MAX_BEND = pi / 7
"""Most change of direction behind a shape."""

OFF_CENTRE = 0.3
"""Links that end at a shape aim at its middle; those that pass behind it miss the middle by this
share of half its smaller side."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stroke from one shape to another.

    Attributes:
        ends: Indices of the shapes, nodes first, then groups.
        heads: Whether it has a head at either end.
        path: Points on it from the first end to the second.
        labels: Indices of the labels on it, in order.
    """

    ends: tuple[int, int]
    heads: tuple[bool, bool]
    path: tuple[Point, ...]
    labels: tuple[int, ...]

    def turned(self) -> "Piece":
        """Return the piece told from its other end."""
        return Piece(self.ends[::-1], self.heads[::-1], self.path[::-1], self.labels[::-1])


def join_pieces(pieces: Iterable[Piece], nodes: Sequence[Shape]) -> list[Piece]:
    """Join the pieces of links that pass behind shapes.

    Links are drawn below the shapes: one that passes behind the corner of a shape seems to end on
    both of its sides, without a head, in one straight line that misses the shape's middle.

    Args:
        pieces: The pieces.
        nodes: The shapes of nodes.
    """
    joined = list(pieces)
    while (found := next(_passing(joined, nodes), None)) is not None:
        first, last, whole = found
        joined = [piece for index, piece in enumerate(joined) if index not in (first, last)]
        joined.append(whole)
    return joined


def _passing(pieces: Sequence[Piece], nodes: Sequence[Shape]) -> Iterator[tuple[int, int, Piece]]:
    """Yield the indices of two pieces of one link, and the link."""
    for (i, one), (j, other) in combinations(enumerate(pieces), 2):
        for before, after in product((one, one.turned()), (other, other.turned())):
            shape = before.ends[1]
            if shape != after.ends[0] or shape >= len(nodes):
                continue
            if not before.heads[1] and not after.heads[0] and _behind(before, after, nodes[shape]):
                yield (
                    i,
                    j,
                    Piece(
                        (before.ends[0], after.ends[1]),
                        (before.heads[0], after.heads[1]),
                        (*before.path, *after.path),
                        (*before.labels, *after.labels),
                    ),
                )


def _behind(before: Piece, after: Piece, shape: Shape) -> bool:
    """Tell whether two pieces are one line behind a shape."""
    (x0, y0), (x1, y1) = before.path[-1], after.path[0]
    inwards, outwards = wrap(_direction(before.path[::-1]) + pi), _direction(after.path)
    if abs(wrap(outwards - inwards)) > MAX_BEND:
        return False
    if hypot(x1 - x0, y1 - y0) > DIRECTION_LENGTH:
        chord = atan2(y1 - y0, x1 - x0)
        if max(abs(wrap(chord - inwards)), abs(wrap(outwards - chord))) > MAX_BEND:
            return False
    left, top, right, bottom = shape.box
    x, y = (left + right) / 2, (top + bottom) / 2
    least = OFF_CENTRE * min(right - left, bottom - top) / 2
    return all(
        abs((x - px) * sin(angle) - (y - py) * cos(angle)) > least
        for px, py, angle in ((x0, y0, inwards), (x1, y1, outwards))
    )


def _direction(path: Sequence[Point]) -> float:
    """Return the direction in which a path begins."""
    x, y = path[0]
    far = next((p for p in path if hypot(p[0] - x, p[1] - y) >= DIRECTION_LENGTH), path[-1])
    return atan2(far[1] - y, far[0] - x)
