"""Accuracy against model size: Figure 5 of the LogicVista paper.

The figure averages the models of a size, then fits a straight line through those averages, each
counted once, over the size in billions of parameters.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from logicvista.paper import Table

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class SizePoint:
    """The models of one size.

    Attributes:
        size: Billions of parameters.
        accuracy: Mean of their average accuracies, in percent.
        models: How many they are.
    """

    size: float
    accuracy: float
    models: int


@dataclass(frozen=True)
class Fit:
    """A straight line of percent over billions of parameters, fitted by least squares.

    Attributes:
        slope: Percent a billion.
        intercept: Percent at size 0.
        r_squared: Share of the variance that the line explains, 0 to 1.
        points: What it was fitted through, by size.
    """

    slope: float
    intercept: float
    r_squared: float
    points: tuple[SizePoint, ...]

    def line(self, sizes: ArrayLike) -> Floats:
        """Return the line at some sizes."""
        return self.intercept + self.slope * np.asarray(sizes, dtype=np.float64)

    def band(self, sizes: ArrayLike, level: float = 0.95) -> Floats:
        """Return the half width of the confidence band of the line's mean at some sizes.

        Needs three points or more: with two the line has no residuals to judge it by.
        """
        from scipy import stats

        x = np.array([point.size for point in self.points])
        y = np.array([point.accuracy for point in self.points])
        free = len(x) - 2
        variance = ((y - self.line(x)) ** 2).sum() / free
        spread = 1 / len(x) + (np.asarray(sizes) - x.mean()) ** 2 / ((x - x.mean()) ** 2).sum()
        width: Floats = stats.t.ppf((1 + level) / 2, free) * np.sqrt(variance * spread)
        return width


def average_by_size(table: Table, sizes: Mapping[str, float | None]) -> tuple[SizePoint, ...]:
    """Average a table's rows, and the models of each size; models of unknown size are left out."""
    by_size: dict[float, list[float]] = defaultdict(list)
    for model, row in table.rows.items():
        if (size := sizes.get(model)) is not None:
            by_size[size].append(sum(row) / len(row))
    return tuple(
        SizePoint(size, sum(means) / len(means), len(means))
        for size, means in sorted(by_size.items())
    )


def fit_line(points: tuple[SizePoint, ...]) -> Fit:
    """Fit a straight line.

    Raises:
        ValueError: There are fewer than three sizes.
    """
    if len(points) < 3:
        raise ValueError(f"a line with a band needs three sizes or more, got {len(points)}")
    x = np.array([point.size for point in points])
    y = np.array([point.accuracy for point in points])
    slope, intercept = np.polyfit(x, y, 1)
    r_squared = np.corrcoef(x, y)[0, 1] ** 2
    return Fit(float(slope), float(intercept), float(r_squared), points)


def plot(fits: Mapping[str, Fit], file: Path) -> None:
    """Draw fits, by their names, into one picture; dots grow with the number of models."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 5), layout="constrained")
    axes = figure.subplots()
    for (name, fit), colour in zip(fits.items(), ("tab:blue", "tab:red"), strict=True):
        x = np.array([point.size for point in fit.points])
        along = np.linspace(0, x.max() * 1.05, 200)
        line, width = fit.line(along), fit.band(along)
        label = f"{name}: y = {fit.slope:.2f}x + {fit.intercept:.2f}, $R^2$ = {fit.r_squared:.2f}"
        axes.plot(along, line, color=colour, label=label)
        axes.fill_between(along, line - width, line + width, color=colour, alpha=0.15, lw=0)
        axes.scatter(
            x,
            [point.accuracy for point in fit.points],
            s=[30 * point.models for point in fit.points],
            color=colour,
            alpha=0.7,
        )
    axes.set_xlabel("model size (billions of parameters)")
    axes.set_ylabel("average accuracy (%)")
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.set_title("LogicVista: model size and average accuracy, 95 % confidence bands")
    axes.legend(loc="upper left")
    figure.savefig(file, dpi=150)
