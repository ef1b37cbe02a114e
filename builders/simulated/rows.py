"""Rows of the simulated subset: one function from (configuration, index) to row."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

from builders.simulated.annotate import Annotations, RejectedDrawingError, annotate
from builders.simulated.browser import Browser, Drawing, DrawingError
from builders.simulated.check import check_answers, check_graph
from builders.simulated.config import SimulatedConfig
from builders.simulated.fonts import Font, chart_fonts
from builders.simulated.graph import Graph, make_graph
from builders.simulated.labels import LabelPool
from builders.simulated.mermaid_code import to_mermaid
from builders.simulated.questions import ask, describe
from builders.simulated.raster import check_fallback, check_shaping, encode_jpeg, rasterize
from builders.simulated.sampling import row_rng
from builders.simulated.svg import finish_svg

Row = dict[str, Any]

_BATCH = 8
_ATTEMPTS = 20


def config_fonts(config: SimulatedConfig, pool: LabelPool) -> tuple[Font, ...]:
    """Return the fonts that a configuration draws in.

    Raises:
        UserError: No font has, or the rasterizer cannot shape, a character of the labels.
    """
    check_shaping(pool.characters(), config.rasterizer)
    fonts = chart_fonts(pool.characters(), config.fallback_fonts)
    check_fallback(fonts, config.rasterizer)
    return fonts


def _fields_of(value: Any) -> dict[str, Any]:
    """Return a flat dataclass as a dict; `asdict` would copy each point of each line."""
    return {field.name: getattr(value, field.name) for field in fields(value)}


@dataclass(frozen=True, slots=True)
class Draft:
    """A chart to be drawn: `attempt` counts the drafts of this row that were rejected before."""

    index: int
    attempt: int
    graph: Graph
    code: str


class RowMaker:
    """Makes rows of one configuration in one browser; a context manager.

    Args:
        config: What to draw.

    Attributes:
        rejected: How many drafts were rejected for each reason.
    """

    def __init__(self, config: SimulatedConfig) -> None:
        self.config = config
        self.rejected: Counter[str] = Counter()
        self._hash = config.drawing_hash()
        self._pool = LabelPool(config)
        self.fonts = config_fonts(config, self._pool)
        self._browser = Browser(config.theme, config.wrap_width, self.fonts)

    def __enter__(self) -> RowMaker:
        self._browser.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._browser.__exit__(*error)

    def rows(self, indices: Sequence[int]) -> Iterator[Row]:
        """Make rows, several charts per call to the browser.

        Args:
            indices: Index of each row.

        Yields:
            The rows in that order.

        Raises:
            WrongRowError: A row's code or answers would be wrong.
            RuntimeError: A chart was rejected too often.
        """
        for start in range(0, len(indices), _BATCH):
            yield from self._batch(indices[start : start + _BATCH])

    def _batch(self, indices: Sequence[int]) -> list[Row]:
        done: dict[int, Row] = {}
        drafts = [self._draft(index, 0) for index in indices]
        while drafts:
            again = []
            drawings = self._browser.draw([draft.code for draft in drafts])
            for draft, drawing in zip(drafts, drawings, strict=True):
                try:
                    done[draft.index] = self._row(draft, drawing)
                except RejectedDrawingError as reason:
                    self.rejected[str(reason)] += 1
                    if draft.attempt + 1 == _ATTEMPTS:
                        raise RuntimeError(
                            f"chart {draft.index} was rejected {_ATTEMPTS} times, at last "
                            f"because {reason}; its code:\n{draft.code}"
                        ) from reason
                    again.append(self._draft(draft.index, draft.attempt + 1))
            drafts = again
        return [done[index] for index in indices]

    def _draft(self, index: int, attempt: int) -> Draft:
        rng = row_rng(self.config.seed, self._hash, index, attempt)
        graph = make_graph(self.config, self._pool, rng)
        return Draft(index, attempt, graph, to_mermaid(graph))

    def _row(self, draft: Draft, drawing: Drawing | DrawingError) -> Row:
        if isinstance(drawing, DrawingError):
            raise RejectedDrawingError(f"Mermaid: {drawing}")
        graph, config = draft.graph, self.config
        check_graph(graph, drawing.graph)
        drawn = annotate(graph, drawing.geometry)
        if min(drawn.link_contrast, drawn.text_contrast) < config.min_contrast:
            raise RejectedDrawingError("contrast below the floor")
        # The graph took an unknown number of draws; questions start from a generator of their own.
        rng = row_rng(config.seed + 1, self._hash, draft.index, draft.attempt)
        questions = ask(graph, draft.code, drawn, rng)
        check_answers(questions, drawing.graph)
        svg = finish_svg(drawing.svg, drawing.geometry, self.fonts, graph.background)
        picture = rasterize(
            svg,
            (drawn.width, drawn.height),
            config.rasterizer,
            self.fonts,
            self._browser.screenshot,
        )
        return {
            "id": str(draft.index),
            "image": {"bytes": encode_jpeg(picture, config.jpeg_quality), "path": None},
            "svg": svg,
            "mermaid": draft.code,
            "description": describe(graph),
            "width": drawn.width,
            "height": drawn.height,
            "direction": graph.direction,
            "background": graph.background,
            "nodes": [_fields_of(node) for node in drawn.nodes],
            "links": [_fields_of(link) for link in drawn.links],
            "groups": [_fields_of(group) for group in drawn.groups],
            "questions": [_fields_of(question) for question in questions],
            "seed": config.seed,
            "parameters": json.dumps(self._parameters(draft, drawn)),
        }

    def _parameters(self, draft: Draft, drawn: Annotations) -> dict[str, Any]:
        return {
            "preset": self.config.preset,
            "config_sha256": self._hash,
            "index": draft.index,
            "attempt": draft.attempt,
            "theme": self.config.theme,
            "link_contrast": drawn.link_contrast,
            "text_contrast": drawn.text_contrast,
        }
