"""The simulated configs as recipes of the shared build machinery."""

from __future__ import annotations

import json
import platform
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from typing import Any

import jsonschema_rs

from builders.manifest import Manifest
from builders.shards import Shard
from builders.simulated.config import SimulatedConfig
from builders.simulated.labels import LabelPool
from builders.simulated.raster import rasterizer_version
from builders.simulated.rows import Row, RowMaker, config_fonts
from builders.toolchain import MERMAID_VERSION, chromium_version
from flowlearn.version import VERSION

SHARD_CHARTS = 250
_LICENSE = "cc-by-4.0"

_LIBRARIES = ("flowlearn", "pillow", "pyarrow", "playwright", "lxml", "fonttools", "numpy")


@dataclass(frozen=True, slots=True)
class SimulatedRecipe:
    """How to make the charts of a configuration."""

    config: SimulatedConfig

    @contextmanager
    def open(self) -> Iterator[SimulatedMaker]:
        """Open a browser that draws."""
        with RowMaker(self.config) as rows:
            yield SimulatedMaker(rows)

    def features(self) -> Any:
        """Return the features of a chart's row."""
        from flowlearn.features import SIMULATED

        return SIMULATED


class SimulatedMaker:
    """Makes shards of charts, each row checked against the JSON Schema.

    Args:
        rows: What makes the rows.
    """

    def __init__(self, rows: RowMaker) -> None:
        self._rows = rows
        self._validator = jsonschema_rs.validator_for(row_schema())

    def rows(self, shard: Shard) -> Iterator[Row]:
        """Yield the charts of a shard.

        Raises:
            jsonschema_rs.ValidationError: A row is not as the schema says.
        """
        for row in self._rows.rows(range(shard.start, shard.start + shard.count)):
            self._validator.validate(json_parts(row))
            yield row

    def notes(self) -> dict[str, int]:
        """Return the rejected drafts per reason since the last call."""
        notes, self._rows.rejected = dict(sorted(self._rows.rejected.items())), Counter()
        return notes


def json_parts(row: Row) -> dict[str, Any]:
    """Return the parts of a row that the JSON Schema describes."""
    parts = {key: row[key] for key in ("nodes", "links", "groups", "questions")}
    return {**parts, "parameters": json.loads(row["parameters"])}


@cache
def row_schema() -> dict[str, Any]:
    """Return the JSON Schema of a row's JSON parts."""
    file = files("flowlearn").joinpath("schemas").joinpath("simulated.schema.json")
    text = file.read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def empty_manifest(config: SimulatedConfig) -> Manifest:
    """Return the manifest of a configuration, before any file is made."""
    from flowlearn.features import SIMULATED

    fonts = config_fonts(config, LabelPool(config))
    made_by = {
        "configuration": json.loads(config.canonical()),
        "drawing_sha256": config.drawing_hash(),
        "mermaid": MERMAID_VERSION,
        "chromium": chromium_version(),
        "rasterizer": rasterizer_version(config.rasterizer),
        "fonts": [{"file": font.source, "sha256": font.source_sha256} for font in fonts],
        "libraries": {name: version(name) for name in _LIBRARIES},
        "python": platform.python_version(),
    }
    return Manifest(
        "flowlearn",
        config.config_name(),
        VERSION,
        made_by,
        SIMULATED._to_yaml_list(),
        license=_LICENSE,
    )
