import hashlib
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import jsonschema
import pyarrow.parquet as pq
import pytest
import yaml
from typer.testing import CliRunner

from builders.manifest import Manifest, intact, load_manifest
from builders.published.logicvista import import_logicvista
from builders.published.records import ITEM_IDS
from cli.main import app
from common.errors import UserError
from logicvista.schema import row_schema


def rows_of(made):
    return {row["id"]: row for row in pq.read_table(made.file).to_pylist()}


def test_counts(imported):
    assert (imported.rows, imported.scorable, imported.groups) == (448, 447, 448 - 4)
    assert imported.missing == ()


def test_rows_fit_the_schema(imported):
    validator = jsonschema.Draft202012Validator(row_schema())
    for row in rows_of(imported).values():
        validator.validate({**row, "image": row["image"]["path"]})


@pytest.mark.parametrize(
    ("item", "answer", "labels"),
    [
        ("v1_190", ["2"], "12345"),
        ("v1_20", ["3"], "12345"),
        ("v1_1", ["A", "C"], "ABCD"),
        ("v1_2", ["B", "D"], "ABCD"),
        ("v1_5", ["B", "D"], "ABCD"),
        ("v1_4", ["G"], "ABCDEFGHI"),
        ("v1_21", ["F"], "ABCDEF"),
        ("v1_400", ["D"], "ABCD"),
        ("v1_382", [], "ABCD"),
    ],
)
def test_odd_items(imported, item, answer, labels):
    row = rows_of(imported)[item]
    assert (row["answer"], row["labels"]) == (answer, list(labels))
    assert row["scorable"] == (item != "v1_382") == (not row["unscorable_reason"])


def test_errata_are_applied_on_default_and_left_out_on_request(imported, stand_in, tmp_path):
    published = rows_of(import_logicvista(stand_in, tmp_path / "out", as_published=True))
    corrected = rows_of(imported)
    assert published["v1_190"]["answer"] == ["B"]
    assert published["v1_190"]["labels"] == list("ABCDE")
    assert corrected["v1_190"]["published_answer"] == "B"
    assert not published["v1_382"]["scorable"]
    # The stand-in calls every third item "diagram", v1_0 among them, which the errata amend.
    assert published["v1_0"]["capabilities"] == ["diagram"]
    assert corrected["v1_0"]["capabilities"] == ["diagram", "ocr"]
    differing = {item for item in corrected if corrected[item] != published[item]}
    assert {"v1_0", "v1_190"} <= differing
    for item in differing:
        changed = {"answer", "capabilities", *(["labels"] if item == "v1_190" else [])}
        both = corrected[item], published[item]
        assert {key for key in both[0] if both[0][key] != both[1][key]} <= changed


def test_misspelt_key_is_mended(imported):
    assert rows_of(imported)["v1_220"]["source_url"] == "https://example.org/"


def test_identical_images_are_one_group(imported, twins):
    rows = rows_of(imported)
    for first, others in twins:
        assert {rows[item]["image_group"] for item in (first, *others)} == {first}
    assert rows["v1_7"]["image_group"] == "v1_7"


_LOAD = """
import hashlib, sys
from datasets import Image, load_dataset
whole = load_dataset("logicvista", "published", split="test")
stream = load_dataset("logicvista", "published", split="test", streaming=True)
raw = whole.cast_column("image", Image(decode=False))
for row, coded, streamed in zip(whole, raw, stream, strict=True):
    image = coded["image"]
    assert row["image"].size == streamed["image"].size and row["id"] == streamed["id"]
    row["image"].load()
    assert hashlib.sha256(image["bytes"]).hexdigest() == row["image_sha256"]
    print(row["id"], image["path"], row["image_sha256"])
"""


def test_load_dataset_gives_back_every_image(imported, stand_in, tmp_path):
    run = subprocess.run(
        [sys.executable, "-c", _LOAD],
        cwd=imported.folder.parent,
        env={**os.environ, "HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    lines = [line.split() for line in run.stdout.splitlines()]
    assert [item for item, _, _ in lines] == list(ITEM_IDS)
    for _, name, digest in lines:
        file = stand_in / "data" / "images" / name
        assert hashlib.sha256(file.read_bytes()).hexdigest() == digest


def test_row_groups_stay_small(imported):
    metadata = pq.ParquetFile(imported.file).metadata
    sizes = [metadata.row_group(k).total_byte_size for k in range(metadata.num_row_groups)]
    assert len(sizes) > 1
    assert max(sizes) < 100_000_000


def test_manifest_and_card_forbid_publishing(imported):
    manifest = load_manifest(imported.file.parent)
    assert "research only" in manifest.not_publishable
    assert intact(imported.file, manifest.files[imported.file.name])
    card = (imported.folder / "README.md").read_text(encoding="utf-8")
    assert "Never redistribute" in card
    metadata = yaml.safe_load(card.split("---")[1])
    assert metadata["dataset_info"][0]["splits"][0]["num_examples"] == 448


def test_card_keeps_other_configs_and_importing_again_changes_nothing(stand_in, tmp_path):
    other = tmp_path / "data" / "other"
    other.mkdir(parents=True)
    Manifest("logicvista", "other", "1.0", {}, []).save(other)
    first = import_logicvista(stand_in, tmp_path)
    files = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    metadata = yaml.safe_load(files[tmp_path / "README.md"].decode().split("---")[1])
    assert [config["config_name"] for config in metadata["configs"]] == ["other", "published"]
    assert import_logicvista(stand_in, tmp_path) == first
    assert {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()} == files


@pytest.mark.parametrize("prefix", ["", "data/", "LogicVista-main/data/"])
def test_zip_and_any_layout(stand_in, imported, tmp_path, prefix):
    archive = tmp_path / "release.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
        out.write(stand_in / "data" / "dataset.json", f"{prefix}dataset.json")
        for image in sorted((stand_in / "data" / "images").iterdir()):
            out.write(image, f"{prefix}pictures/{image.name}")
    assert rows_of(import_logicvista(archive, tmp_path / "out")) == rows_of(imported)


def test_missing_images_are_refused_or_counted(copy, tmp_path):
    for item in ("v1_3", "v1_42"):
        (copy / "data" / "images" / f"{item}.png").unlink()
    with pytest.raises(UserError, match=r"2 problems.*\n.*missing image: v1_3, v1_42"):
        import_logicvista(copy, tmp_path / "out")
    made = import_logicvista(copy, tmp_path / "out", allow_missing=True)
    row = rows_of(made)["v1_42"]
    assert made.missing == ("v1_3", "v1_42")
    assert (row["image"], row["image_sha256"], row["image_group"]) == (None, None, "v1_42")


@pytest.mark.skipif("UPSTREAM_DATA" not in os.environ, reason="UPSTREAM_DATA is not set")
def test_published_release(tmp_path):
    source = Path(os.environ["UPSTREAM_DATA"]) / "logicvista"
    made = import_logicvista(source, tmp_path / "out", allow_missing=True)
    rows = rows_of(made)
    assert (made.rows, made.scorable, len(made.missing)) == (448, 447, 378)
    counts = {
        name: sum(name in row["capabilities"] for row in rows.values())
        for name in ("diagram", "ocr")
    }
    assert counts == {"diagram": 330, "ocr": 234}
    for row in rows.values():
        assert row["scorable"] == (row["id"] != "v1_382")
        assert set(row["answer"]) <= set(row["labels"])
        if row["image"]:
            file = source / "images" / row["image"]["path"]
            assert hashlib.sha256(file.read_bytes()).hexdigest() == row["image_sha256"]


def test_command_says_what_it_made_and_that_it_stays_here(stand_in, tmp_path):
    out = tmp_path / "out"
    result = CliRunner().invoke(app, ["import", "logicvista", str(stand_in), "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert "448 rows, 447 scorable, 444 different images" in result.output
    assert "Not for publishing" in result.output
    assert (out / "README.md").is_file()
