"""A small FlowLearn dataset, made without a browser: what it shows does not matter."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from builders.card import write_card
from builders.manifest import Manifest
from builders.shards import plan_shards, write_parquet
from flowlearn.features import SIMULATED, SIMULATED_VQA
from flowlearn.version import VERSION

SPLITS = {"train": 6, "test": 4}
LICENSE = "cc-by-4.0"


def picture(seed: int) -> bytes:
    """Return a JPEG of noise, so that no two are alike."""
    pixels = np.random.default_rng(seed).integers(0, 255, (24, 32, 3), dtype=np.uint8)
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, "JPEG")
    return stream.getvalue()


def chart(index: int, seed: int = 0) -> dict[str, Any]:
    """Return a row of `simulated`."""
    box = [0.0, 1.5, 10.0, 8.0]
    node = {"id": "entity0", "label": f"n{index}", "shape": "rounded", "box": box, "text_box": box}
    point = [3.0, 4.0]
    link = {
        "source": "entity0",
        "target": "entity1",
        "style": "-->",
        "label": "",
        "label_box": [],
        "polyline": [point, [5.0, 6.0]],
        "tail": point,
        "stroke_end": point,
        "head_tip": point,
        "head_box": box,
        "tail_tip": [],
        "tail_box": [],
    }
    question = {
        "task": "num_nodes",
        "question": "How many nodes are in the flowchart?",
        "answer": "2",
        "node": "",
        "box": [],
        "reason": "",
    }
    return {
        "id": str(index),
        "image": {"bytes": picture(1000 * seed + index), "path": None},
        "svg": "<svg/>",
        "mermaid": f"flowchart TD\na(n{index})\nb(x)\na --> b\n",
        "description": f"n{index} points to x.",
        "width": 32,
        "height": 24,
        "direction": "TD",
        "background": "FFFFFF",
        "nodes": [node],
        "links": [link],
        "groups": [],
        "questions": [question],
        "seed": seed,
        "parameters": "{}",
    }


def question(index: int) -> dict[str, Any]:
    """Return a row of `simulated_vqa`."""
    example = {"chart_id": "0", "question": "How many?", "answer": "2", "box": []}
    return {
        "id": f"{index}-num_nodes",
        "chart_id": str(index),
        "task": "num_nodes",
        "image": {"bytes": picture(index), "path": None},
        "prompt": "Count.",
        "question": "?",
        "answer": "2",
        "box": [],
        "support": [example, example],
    }


def write_small_dataset(
    folder: Path, version: str = VERSION, seed: int = 0, shard: int = 3
) -> tuple[Manifest, ...]:
    """Write `simulated` and `simulated_vqa` with their card; return the manifests.

    Args:
        folder: The dataset's folder.
        version: Version to write into it.
        seed: Other seeds make other pictures.
        shard: Rows a file.
    """

    def charts(start: int, count: int) -> Iterator[dict[str, Any]]:
        return (chart(index, seed) for index in range(start, start + count))

    def questions(start: int, count: int) -> Iterator[dict[str, Any]]:
        return (question(index) for index in range(start, start + count))

    configs = (
        ("simulated", SIMULATED, SPLITS, charts),
        ("simulated_vqa", SIMULATED_VQA, {"test": 4}, questions),
    )
    made_by = {
        "configuration": {"preset": "small", "seed": seed},
        "mermaid": "12.3.0",
        "chromium": "none",
        "rasterizer": "none",
        "fonts": [],
    }
    manifests = []
    for name, features, splits, rows in configs:
        data = folder / "data" / name
        data.mkdir(parents=True, exist_ok=True)
        files = {
            part.file: write_parquet(
                data / part.file, part.split, rows(part.start, part.count), features.arrow_schema
            )
            for part in plan_shards(splits, shard)
        }
        manifest = Manifest(
            *("flowlearn", name, version, made_by, features._to_yaml_list(), files),
            license=LICENSE,
        )
        manifest.save(data)
        manifests.append(manifest)
    write_card(folder)
    return tuple(manifests)
