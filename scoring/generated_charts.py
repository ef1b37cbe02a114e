"""Generated code and the picture that it was generated from."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from common.errors import UserError, first_of
from metrics.core.elements import Elements
from metrics.core.precision_ve import PrecisionOptions
from metrics.core.recall_ocr import generated_elements
from metrics.core.ve_protocol import element_texts

URL_SCHEMES = ("http://", "https://", "data:", "file:")
"""How an image begins that is a URL instead of a path."""

# What no system takes in a path: NUL and lone surrogates.
_UNUSABLE = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Chart:
    """Generated code, and the picture that it was generated from.

    Attributes:
        id: Names the chart in requests and results.
        image: Path of its picture, or a URL.
        generated: The elements of the code.
        gold: The elements of the gold code; `None` where there is none.
        generator: The model that generated the code; empty where it is not said.
    """

    id: str
    image: str
    generated: Elements
    gold: Elements | None
    generator: str = ""

    def elements(self, options: PrecisionOptions) -> list[str]:
        """Return the elements in the wording in which they are asked about."""
        return element_texts(self.generated, options.edge_labels)


def charts_of(rows: Iterable[Mapping[str, Any]], language: str = "auto") -> list[Chart]:
    """Read charts from objects with `code`, `image`, and optionally `id`, `gold`, `generator`.

    Args:
        rows: The objects. `code` and `gold` are a model's reply or code in any diagram language, or
            `{"nodes": […], "links": […]}`; without `id`, the image names the chart.
        language: Diagram language of the code; `auto` detects it in each.

    Raises:
        UserError: An object is of another form, an id is there twice, gold holds no diagram, or
            only some have gold.
    """
    charts: list[Chart] = []
    seen: dict[str, int] = {}
    for number, row in enumerate(rows, 1):
        image, chart = row.get("image"), row.get("id", row.get("image"))
        if not isinstance(image, str) or not image:
            raise UserError(f"chart {number}: expected a path or URL as image, got {image!r:.80}")
        if _UNUSABLE.search(image):
            raise UserError(f"chart {number}: no file can be named {image!r:.80}")
        if not isinstance(chart, (str, int)) or isinstance(chart, bool):
            raise UserError(f"chart {number}: expected a text as id, got {chart!r:.80}")
        name = str(chart)
        if name in seen:
            raise UserError(
                f"charts {seen[name]} and {number} are both {name!r}",
                "give each an `id` of its own",
            )
        seen[name] = number
        try:
            generated = generated_elements(row.get("code"), language)
            gold = generated_elements(row["gold"], language) if "gold" in row else None
        except (ValueError, TypeError) as error:
            raise UserError(f"chart {number}, {name}: {error}") from error
        if gold is not None and not (gold.nodes or gold.links):
            raise UserError(f"chart {number}, {name}: gold holds no diagram ({gold.reading})")
        charts.append(Chart(name, image, generated, gold, str(row.get("generator") or "")))
    if not charts:
        raise UserError("there are no charts", 'write lines of {"id": …, "image": …, "code": …}')
    lacking = [chart.id for chart in charts if chart.gold is None]
    if 0 < len(lacking) < len(charts):
        raise UserError(
            f"{len(lacking)} of {len(charts)} charts have no gold: {first_of(lacking)}",
            "give gold for all of them, or for none",
        )
    return charts
