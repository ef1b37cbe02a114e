"""Export of simulated charts in the record format of the published FlowLearn."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from builders.manifest import check_files, load_manifest, write_atomically
from common.errors import UserError

_REACH = 10
"""Half the side of the boxes round the ends of a link, in pixels, as published."""


def upstream_record(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return one chart's annotations as the published data have them.

    `end_point` is where the stroke ends, not the head's tip; coordinates are pixels of the JPEG.

    Args:
        row: A row of a simulated config.

    Returns:
        `text`: `x0, x1, y0, y1, text, mermaid_entity_i` of each node; `links`: ends, indices of
        the texts at the ends, and boxes.
    """
    order = {node["id"]: i for i, node in enumerate(row["nodes"])}
    texts = [
        {
            **dict(zip(("x0", "y0", "x1", "y1"), node["text_box"], strict=True)),
            "text": node["label"],
            "mermaid_entity_i": i,
        }
        for i, node in enumerate(row["nodes"])
    ]
    links = [
        {
            "start_point": list(link["tail"]),
            "end_point": list(link["stroke_end"]),
            "start_text_i": order.get(link["source"]),
            "end_text_i": order.get(link["target"]),
            "link_bbox": _bounds(link["polyline"]),
            "start_point_bbox": _around(link["tail"]),
            "end_point_bbox": _around(link["stroke_end"]),
        }
        for link in row["links"]
    ]
    return {"text": texts, "links": links}


def _bounds(points: Sequence[Sequence[float]]) -> list[float]:
    xs, ys = zip(*points, strict=True)
    return [min(xs), min(ys), max(xs), max(ys)]


def _around(point: Sequence[float]) -> list[float]:
    x, y = point
    return [x - _REACH, y - _REACH, x + _REACH, y + _REACH]


def export_upstream(folder: Path, config: str, out: Path) -> int:
    """Write a built config as pictures, SVGs, Mermaid code and one file of annotations.

    Args:
        folder: The dataset's folder.
        config: A simulated config in it.
        out: Where to write `annotations.json`, `images/`, `svg/` and `mermaid/`.

    Returns:
        Number of charts.

    Raises:
        UserError: The config was not built, is none of charts, or its files were changed.
    """
    data = folder / "data" / config
    manifest = load_manifest(data)
    if manifest is None or "mermaid" not in manifest.made_by:
        raise UserError(f"{data} holds no built charts", "run `flowlearn build simulated` first")
    check_files(data, manifest)
    records: dict[str, Any] = {}
    for name in ("images", "svg", "mermaid"):
        (out / name).mkdir(parents=True, exist_ok=True)
    for file in manifest.files:
        for batch in pq.ParquetFile(data / file).iter_batches(batch_size=100):
            for row in batch.to_pylist():
                key = row["id"]
                records[key] = upstream_record(row)
                (out / "images" / f"{key}.jpeg").write_bytes(row["image"]["bytes"])
                (out / "svg" / f"{key}.svg").write_text(row["svg"], encoding="utf-8")
                (out / "mermaid" / f"{key}.mmd").write_text(row["mermaid"], encoding="utf-8")
    write_atomically(out / "annotations.json", json.dumps(records).encode())
    return len(records)
