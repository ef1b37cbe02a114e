import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from datasets import Image, load_dataset

from builders.simulated.config import SimulatedConfig

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

FLOWLEARN = Path(sys.executable).with_name("flowlearn")


def run(*arguments, cwd=None, **environment):
    return subprocess.run(
        [str(FLOWLEARN), *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**os.environ, "COLUMNS": "200", **environment},
        check=False,
    )


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    out = tmp_path_factory.mktemp("built")
    done = run("build", "simulated", "--train", 20, "--test", 8, "--out", out)
    assert done.returncode == 0, done.stderr
    return out


def test_the_folder_loads_whole_and_streaming(built, tmp_path):
    charts = load_dataset(str(built), "simulated", cache_dir=str(tmp_path))
    assert {split: len(rows) for split, rows in charts.items()} == {"train": 20, "test": 8}
    row = charts["test"][0]
    assert row["id"] == "20"
    assert row["image"].size == (row["width"], row["height"])
    assert isinstance(charts["train"].features["image"], Image)
    assert charts["train"].features["nodes"].feature["box"].length == 4
    streamed = load_dataset(str(built), "simulated", split="test", streaming=True)
    assert [row["id"] for row in streamed] == [str(i) for i in range(20, 28)]


def test_questions_have_pictures_prompts_and_balanced_examples(built, tmp_path):
    charts = load_dataset(str(built), "simulated", split="test", cache_dir=str(tmp_path))
    asked = load_dataset(str(built), "simulated_vqa", split="test", cache_dir=str(tmp_path))
    possible = [(row["id"], q) for row in charts for q in row["questions"] if not q["reason"]]
    assert [(row["chart_id"], row["task"], row["answer"]) for row in asked] == [
        (chart, q["task"], q["answer"]) for chart, q in possible
    ]
    whole = {row["id"]: np.asarray(row["image"], dtype=int) for row in charts}
    for row in asked:
        drawn = np.asarray(row["image"], dtype=int)
        if row["task"] == "ocr":
            x, y = (round(side) for side in row["box"][:2])
            assert drawn[y + 4, x - 3, 0] - drawn[y + 4, x - 3, 2] > 100  # the box is red
        else:
            assert (drawn == whole[row["chart_id"]]).all()
        assert len({shot["chart_id"] for shot in row["support"]}) == 2
        assert all(int(shot["chart_id"]) < 20 for shot in row["support"])
        if row["answer"] in ("true", "false"):
            assert {shot["answer"] for shot in row["support"]} == {"true", "false"}
    last = Counter(
        (row["answer"], row["support"][-1]["answer"])
        for row in asked
        if row["answer"] in ("true", "false")
    )
    assert len(last) == 4, "the last example's label must not give the query's away"


def test_row_groups_are_small_and_images_stand_once(built):
    for path in built.glob("data/*/*.parquet"):
        metadata = pq.ParquetFile(path).metadata
        for i in range(metadata.num_row_groups):
            assert metadata.row_group(i).total_byte_size < 100 << 20
    charts = sum(path.stat().st_size for path in built.glob("data/simulated/test-*"))
    questions = sum(path.stat().st_size for path in built.glob("data/simulated_vqa/*.parquet"))
    assert questions < 3 * charts


def test_a_second_build_does_nothing_and_says_so(built):
    before = {path: path.read_bytes() for path in built.rglob("*.*") if path.is_file()}
    done = run("build", "simulated", "--train", 20, "--test", 8, "--out", built)
    assert done.returncode == 0
    assert done.stdout.count("complete already, nothing to do") == 3
    assert {path: path.read_bytes() for path in built.rglob("*.*") if path.is_file()} == before


def test_the_report_says_what_came_out(built):
    text = (built / "reports" / "simulated.md").read_text()
    for part in ("## Distributions", "## Legibility", "## Fidelity", "lunasvg", "## Rejected"):
        assert part in text


def test_the_upstream_format_has_upstream_fields(built, tmp_path):
    done = run("export", "upstream", built, "simulated", "--out", tmp_path / "upstream")
    assert done.returncode == 0, done.stderr
    import json

    records = json.loads((tmp_path / "upstream" / "annotations.json").read_text())
    assert len(records) == 28
    record = records["20"]
    assert set(record["text"][0]) == {"x0", "x1", "y0", "y1", "text", "mermaid_entity_i"}
    assert set(record["links"][0]) == {
        "start_point", "end_point", "start_text_i", "end_text_i", "link_bbox",
        "start_point_bbox", "end_point_bbox",
    }  # fmt: skip
    assert (tmp_path / "upstream" / "images" / "20.jpeg").exists()


@pytest.mark.parametrize(
    ("arguments", "environment", "message"),
    [
        (["--sead", "1"], {}, "No such option: --sead"),
        (["--min-nodes", "12"], {}, "min_nodes (12) is above max_nodes (10)"),
        (["--node-shapes", "{star: 1}"], {}, "node_shapes: unknown star"),
        (["--link-styles", "{'-->': "], {}, "is not YAML"),
        (["--config", "nowhere.yaml"], {}, "nowhere.yaml: No such file"),
        (["--train", "0", "--test", "0"], {}, "nothing to make"),
        (["--word-list", "nowhere.txt"], {}, "nowhere.txt: No such file"),
        ([], {"FLOWLEARN_CHROMIUM": "/nowhere"}, "FLOWLEARN_CHROMIUM=/nowhere is not a program"),
        ([], {"FLOWLEARN_CHROMIUM": "/bin/false"}, "does not start"),
        (["--out", "/proc/nowhere"], {}, "cannot be written"),
        (["--jobs", "0"], {}, "Invalid value for '--jobs'"),
    ],
)
def test_bad_input_is_one_clear_message(arguments, environment, message, tmp_path):
    small = [] if "--train" in arguments else ["--train", "4", "--test", "0"]
    where = [] if "--out" in arguments else ["--out", tmp_path / "out"]
    done = run("build", "simulated", *small, *where, *arguments, cwd=tmp_path, **environment)
    assert done.returncode != 0
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.rglob("*.parquet"))


def test_help_teaches_every_key():
    text = run("build", "simulated", "--help").stdout
    for name in SimulatedConfig.model_fields:
        assert f"--{name.replace('_', '-')}" in text
    assert "flowlearn build simulated --preset rich" in text
