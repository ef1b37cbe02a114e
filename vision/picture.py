"""Pictures as arrays, and cutting turned rectangles out of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import dist
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from metrics.core.text_lines import Point

Pixels = NDArray[np.uint8]
Polygon = tuple[Point, ...]


class PictureError(ValueError):
    """A file that is no readable picture."""


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A picture in memory.

    Attributes:
        name: File name; how texts written elsewhere are found again.
        pixels: RGB, shape `(height, width, 3)`.
    """

    name: str
    pixels: Pixels

    @classmethod
    def open(cls, path: str | Path) -> "Picture":
        """Read a picture file; transparency is laid on white.

        Raises:
            PictureError: The file is missing or no picture.
        """
        try:
            with Image.open(path) as image:
                return cls.of(image, Path(path).name)
        except (OSError, UnidentifiedImageError, Image.DecompressionBombError) as error:
            reason = getattr(error, "strerror", None) or error
            raise PictureError(f"cannot read the picture {path}: {reason}") from error

    @classmethod
    def of(cls, image: Image.Image, name: str = "") -> "Picture":
        """Wrap a PIL image."""
        if image.has_transparency_data:
            rgba = image.convert("RGBA")
            white = Image.new("RGBA", rgba.size, "white")
            image = Image.alpha_composite(white, rgba)
        return cls(name, np.asarray(image.convert("RGB"), dtype=np.uint8))

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        height, width = self.pixels.shape[:2]
        return width, height


def largest_difference(pixels: Pixels, other: Pixels) -> Pixels:
    """Return the difference, at each pixel, of the channel that differs most.

    Args:
        pixels: Picture, shape `(height, width, 3)`.
        other: One of the same size.

    Returns:
        Shape `(height, width)`.
    """
    import cv2

    red, green, blue = cv2.split(cv2.absdiff(pixels, other))
    return np.asarray(cv2.max(cv2.max(red, green), blue), dtype=np.uint8)


def has_colour(pixels: Pixels, colour: NDArray[np.integer], tolerance: int) -> Pixels:
    """Tell where a picture has a colour.

    Args:
        pixels: Picture, shape `(height, width, 3)`.
        colour: Shape `(3,)`.
        tolerance: Largest difference of a channel.

    Returns:
        255 there, 0 elsewhere; shape `(height, width)`.
    """
    import cv2

    bounds = (colour.astype(np.int64) + off for off in (-tolerance, tolerance))
    lower, upper = (np.clip(bound, 0, 255).astype(np.uint8) for bound in bounds)
    return np.asarray(cv2.inRange(pixels, lower, upper), dtype=np.uint8)


def between(start: Point, end: Point, share: float) -> Point:
    """Return the point at a share of the way from one point to another."""
    return (start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1]))


def sides(polygon: Sequence[Point]) -> tuple[float, float]:
    """Return the width and the height of a turned rectangle, seen in its reading direction."""
    return dist(polygon[0], polygon[1]), dist(polygon[0], polygon[3])


def part_of(polygon: Sequence[Point], start: float, end: float) -> Polygon:
    """Return the part of a turned rectangle from one share of its width to another.

    >>> part_of(((0, 0), (8, 0), (8, 2), (0, 2)), 0.25, 1)
    ((2.0, 0.0), (8.0, 0.0), (8.0, 2.0), (2.0, 2.0))
    """
    a, b, c, d = polygon
    return between(a, b, start), between(a, b, end), between(d, c, end), between(d, c, start)


def cut_out(pixels: Pixels, polygon: Sequence[Point]) -> Pixels:
    """Cut a turned rectangle out of a picture and set it upright.

    Args:
        pixels: Picture, shape `(height, width, 3)`.
        polygon: Four corners, clockwise; the first to the second becomes the upper side.

    Returns:
        The content, sized as the rectangle's sides, at least one pixel each way.
    """
    import cv2

    width = max(1, round(max(dist(polygon[0], polygon[1]), dist(polygon[2], polygon[3]))))
    height = max(1, round(max(dist(polygon[0], polygon[3]), dist(polygon[1], polygon[2]))))
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(np.array(polygon, dtype=np.float32), target)
    cut = cv2.warpPerspective(
        pixels, matrix, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(cut, dtype=np.uint8)
