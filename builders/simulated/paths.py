"""SVG paths and arrow heads as points in the picture."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]
"""Array of shape (n, 2): x and y in pixels."""

_COMMAND = re.compile(r"([MLCZ])([^MLCZ]*)")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
_STEP = 3.0


@dataclass(frozen=True, slots=True)
class Curve:
    """A flattened path.

    Attributes:
        points: The path as a polyline, first point first.
        start_direction: Unit vector along which the path leaves its first point.
        end_direction: Unit vector along which it reaches its last point.
    """

    points: Points
    start_direction: Points
    end_direction: Points


def flatten_path(d: str, offset: Sequence[float] = (0, 0)) -> Curve:
    """Flatten a path of M, L and C commands, which are all that a link is made of.

    Args:
        d: The path's data, absolute coordinates.
        offset: What to add to each point.

    Returns:
        The path as a polyline; points on curves are about 3 px apart.

    Raises:
        ValueError: The path has other commands, or no extent.
    """
    points: list[Points] = []
    for command, arguments in _COMMAND.findall(d):
        values = np.array([float(n) for n in _NUMBER.findall(arguments)]).reshape(-1, 2)
        if command == "C":
            for i in range(0, len(values), 3):
                points.extend(_cubic(points[-1], *values[i : i + 3]))
        elif command in "ML":
            points.extend(values)
        else:
            raise ValueError(f"a link of no extent: {d[:80]}")
    line = np.array(points).reshape(-1, 2) + np.asarray(offset, dtype=float)
    steps = np.linalg.norm(np.diff(line, axis=0), axis=1)
    line = line[np.concatenate([[True], steps > 1e-6])]
    if len(line) < 2 or not np.isfinite(line).all():
        raise ValueError(f"a link of no extent: {d[:80]}")
    return Curve(line, _unit(line[1] - line[0]), _unit(line[-1] - line[-2]))


def _cubic(p0: Points, p1: Points, p2: Points, p3: Points) -> Points:
    length = math.dist(p0, p1) + math.dist(p1, p2) + math.dist(p2, p3)
    count = max(1, math.ceil(length / _STEP))
    t = (np.arange(1, count + 1) / count)[:, None]
    s = 1 - t
    curve: Points = s**3 * p0 + 3 * s**2 * t * p1 + 3 * s * t**2 * p2 + t**3 * p3
    return curve


def _unit(vector: Points) -> Points:
    unit: Points = vector / np.linalg.norm(vector)
    return unit


@dataclass(frozen=True, slots=True)
class Marker:
    """A head as an SVG marker, in marker units until it is placed.

    Attributes:
        outline: Points whose bounding box is the head's.
        tip: The head's outermost point on the link's axis.
        anchor: The point that lies on the end of the stroke.
        scale: Pixels per marker unit.
    """

    outline: Points
    tip: Points
    anchor: Points
    scale: float

    def place(self, at: Points, direction: Points) -> tuple[Points, Points]:
        """Return tip and box of the head that lies on `at` and looks along `direction`.

        Args:
            at: Point of shape (2,).
            direction: Unit vector of shape (2,).

        Returns:
            Tip of shape (2,) and box `x0, y0, x1, y1` of shape (4,), in pixels.
        """
        turn = np.array([[direction[0], -direction[1]], [direction[1], direction[0]]])
        placed = (self.outline - self.anchor) * self.scale @ turn.T + at
        tip = (self.tip - self.anchor) * self.scale @ turn.T + at
        return tip, np.concatenate([placed.min(axis=0), placed.max(axis=0)])


_TRIANGLE = np.array([[0.0, 0], [10, 5], [0, 10]])
_TURN = np.linspace(0, 2 * np.pi, 33)
_CIRCLE = 5 + 5 * np.stack([np.cos(_TURN), np.sin(_TURN)], axis=1)
_CROSS = np.array([[1.0, 1], [10, 10], [10, 1], [1, 10]])

_HEADS: dict[str, tuple[Points, Points]] = {
    "pointEnd": (_TRIANGLE, np.array([10.0, 5])),
    "pointStart": (10 - _TRIANGLE, np.array([0.0, 5])),
    "circleEnd": (_CIRCLE, np.array([10.0, 5])),
    "circleStart": (_CIRCLE, np.array([0.0, 5])),
    "crossEnd": (_CROSS, np.array([10.0, 5.2])),
    "crossStart": (_CROSS, np.array([1.0, 5.2])),
}


def marker(name: str, view_box: str, anchor: Sequence[float], width: float) -> Marker:
    """Make a head from what the SVG says of its marker.

    Args:
        name: Mermaid's name of it, e.g. `pointEnd`.
        view_box: The marker's `viewBox`.
        anchor: The marker's `refX`, `refY`.
        width: The marker's `markerWidth`.

    Raises:
        ValueError: Mermaid has no such head.
    """
    if name not in _HEADS:
        raise ValueError(f"unknown arrow head {name!r}")
    outline, tip = _HEADS[name]
    units = float(view_box.split()[2])
    return Marker(outline, tip, np.asarray(anchor, dtype=float), width / units)
