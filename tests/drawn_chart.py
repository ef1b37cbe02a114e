"""Charts drawn here, whose shapes, strokes and heads are known exactly."""

from math import atan2, cos, pi, sin

import cv2
import numpy as np

from metrics.core.text_lines import Label, TextLine, rectangle

FILL, BORDER, INK, GREY = (236, 236, 255), (147, 112, 219), (51, 51, 51), (232, 232, 232)
HALF_HEIGHT = 40
"""Of a node; lines of text are 44 pixels high, as the verifier scales them."""


def curve(*corners, count=200):
    """Points on the Bézier curve of its corners."""
    t = np.linspace(0.0, 1.0, count)[:, None]
    points = np.array(corners, dtype=float)[:, None, :].repeat(count, axis=1)
    while len(points) > 1:
        points = (1 - t) * points[:-1] + t * points[1:]
    return points[0]


def outline_of(kind, x, y, half_width=120, half_height=HALF_HEIGHT):
    """Corners of a node's outline."""
    w, h = half_width, half_height
    if kind == "circle":
        angles = np.linspace(0, 2 * pi, 90)[:-1]
        return np.stack([x + w * np.cos(angles), y + w * np.sin(angles)], axis=1)
    offsets = {
        "rect": [(-w, -h), (w, -h), (w, h), (-w, h)],
        "diamond": [(0, -w), (w, 0), (0, w), (-w, 0)],
        "hexagon": [(-w, 0), (h - w, -h), (w - h, -h), (w, 0), (w - h, h), (h - w, h)],
        "lean": [(h - w, -h), (w, -h), (w - h, h), (-w, h)],
        "trapezoid": [(h - w, -h), (w - h, -h), (w, h), (-w, h)],
        "flag": [(-w, -h), (w, -h), (w, h), (-w, h), (h - w, 0)],
        "triangle": [(0, -w), (w, w / 2), (-w, w / 2)],
    }[kind]
    return np.array([(x + a, y + b) for a, b in offsets], dtype=float)


class DrawnChart:
    """A picture at the verifier's scale, and the labels in it."""

    def __init__(self, width=900, height=700, ground=(255, 255, 255)):
        self.pixels = np.full((height, width, 3), ground, np.uint8)
        self.labels = []

    def text(self, text, x, y):
        (width, _), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 1.0, 2)
        place = (round(x - width / 2), round(y + 11))
        cv2.putText(self.pixels, text, place, cv2.FONT_HERSHEY_SIMPLEX, 1.0, INK, 2, cv2.LINE_AA)
        box = rectangle(x - width / 2 - 4, y - 22, x + width / 2 + 4, y + 22)
        self.labels.append(Label(text, (TextLine(text, box, 0.99),)))
        return width

    def polygon(self, points, fill=FILL, border=BORDER, thickness=2):
        corners = np.rint(points).astype(np.int32).reshape(-1, 1, 2)
        cv2.fillPoly(self.pixels, [corners], fill)
        cv2.polylines(self.pixels, [corners], True, border, thickness, cv2.LINE_AA)

    def node(self, text, x, y, kind="rect", **size):
        points = outline_of(kind, x, y, **size)
        self.polygon(points)
        self.text(text, x, y)
        return points

    def link_label(self, text, x, y):
        width = self.text(text, x, y)
        corners = (round(x - width / 2 - 4), y - 22), (round(x + width / 2 + 4), y + 22)
        cv2.rectangle(self.pixels, *corners, GREY, cv2.FILLED)
        self.labels.pop()
        self.text(text, x, y)

    def link(self, points, start="none", end="point", thickness=2, dotted=False):
        """Draw a link; `start` and `end` are none, point, circle or cross."""
        points = np.asarray(points, dtype=float)
        along = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))))
        if dotted:
            first, last = (0 if kind == "none" else 16 for kind in (start, end))
            for begin in np.arange(first, along[-1] - last, 8):
                places = np.interp([begin, begin + 3], along, np.arange(len(points)))
                self._stroke(points[np.rint(places).astype(int)], thickness)
        else:
            inside = (along >= (14 if start != "none" else 0)) & (
                along <= along[-1] - (14 if end != "none" else 0)
            )
            self._stroke(points[inside], thickness)
        for kind, tip, back in ((start, points[0], points), (end, points[-1], points[::-1])):
            distance = np.hypot(*(back - tip).T)
            self._head(kind, tip, back[int(np.argmax(distance >= 16))])

    def _stroke(self, points, thickness):
        corners = np.rint(points * 16).astype(np.int32).reshape(-1, 1, 2)
        cv2.polylines(self.pixels, [corners], False, INK, thickness, cv2.LINE_AA, 4)

    def _head(self, kind, tip, back):
        angle = atan2(back[1] - tip[1], back[0] - tip[0])
        ahead, side = np.array([cos(angle), sin(angle)]), np.array([-sin(angle), cos(angle)])
        if kind == "point":
            corners = [tip, tip + 17 * ahead + 8 * side, tip + 17 * ahead - 8 * side]
            cv2.fillPoly(
                self.pixels, [np.rint(corners).astype(np.int32)], INK, lineType=cv2.LINE_AA
            )
        elif kind == "circle":
            x, y = np.rint(tip + 12 * ahead).astype(int)
            cv2.circle(self.pixels, (int(x), int(y)), 10, INK, cv2.FILLED, cv2.LINE_AA)
        elif kind == "cross":
            middle = tip + 12 * ahead
            for arm in (ahead + side, ahead - side):
                self._stroke(np.array([middle - 7 * arm, middle + 7 * arm]), 4)
