import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from numbers_recipe import FEATURES, MANIFEST, SHARDS, NumbersRecipe

from builders.build import build
from builders.manifest import Manifest, intact, load_manifest
from builders.shards import plan_shards, write_parquet
from common.errors import UserError

NUMBERS = NumbersRecipe()
TESTS = Path(__file__).parent.parent


def make(out, *, recipe=NUMBERS, shards=SHARDS, manifest=MANIFEST, jobs=1):
    done = []
    built = build(recipe, shards, manifest, out, jobs, done.append)
    return built, sum(done)


def files(out):
    folder = out / "data" / "squares"
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.mark.parametrize(
    ("splits", "size", "expected"),
    [
        ({"train": 5}, 2, [("train", 0, 3, 0, 2), ("train", 1, 3, 2, 2), ("train", 2, 3, 4, 1)]),
        ({"train": 2, "test": 1}, 2, [("train", 0, 1, 0, 2), ("test", 0, 1, 2, 1)]),
        ({"test": 0}, 2, []),
    ],
)
def test_shards_cover_the_splits(splits, size, expected):
    assert [
        (s.split, s.number, s.of, s.start, s.count) for s in plan_shards(splits, size)
    ] == expected


def test_shards_are_named_as_the_hub_names_them():
    assert plan_shards({"train": 3}, 2)[1].file == "train-00001-of-00002.parquet"


def test_a_build_makes_every_row_once_and_a_second_one_does_nothing(tmp_path):
    built, progress = make(tmp_path)
    tables = [pq.read_table(path) for path in (tmp_path / "data").glob("squares/*.parquet")]
    assert sorted(n for table in tables for n in table["n"].to_pylist()) == list(range(63))
    assert (built.made, built.kept, progress) == (7, 0, 63)
    assert built.manifest.splits()["train"][0] == 50
    assert load_manifest(built.folder) == built.manifest
    assert built.manifest.made_by["shards"]["test-00000-of-00002.parquet"] == [50, 10]
    before = files(tmp_path)
    built, progress = make(tmp_path)
    assert (built.made, built.kept, progress) == (0, 7, 63)
    assert files(tmp_path) == before


def test_any_number_of_jobs_gives_the_same_bytes(tmp_path):
    make(tmp_path / "one")
    make(tmp_path / "two", jobs=3)
    assert files(tmp_path / "one") == files(tmp_path / "two")


def test_a_changed_recipe_makes_new_data_and_keeps_the_old_until_then(tmp_path):
    make(tmp_path)
    before = files(tmp_path)
    other = replace(MANIFEST, made_by={"what": "other squares"})
    with pytest.raises(UserError, match="no disk"):
        make(tmp_path, recipe=NumbersRecipe(fault="user"), manifest=other)
    assert files(tmp_path) == before
    built, _ = make(tmp_path, manifest=other, shards=plan_shards({"train": 20}, 10))
    assert built.made == 2
    assert sorted(files(tmp_path)) == [
        "manifest.json", "train-00000-of-00002.parquet", "train-00001-of-00002.parquet"
    ]  # fmt: skip
    assert not list((tmp_path / "data").glob(".squares-*"))


def test_a_tampered_shard_is_made_again(tmp_path):
    make(tmp_path)
    before = files(tmp_path)
    shard = tmp_path / "data" / "squares" / SHARDS[2].file
    shard.write_bytes(shard.read_bytes()[:-1] + b"?")
    built, _ = make(tmp_path)
    assert (built.made, built.kept) == (1, 6)
    assert files(tmp_path) == before


def test_faults_of_users_come_through_and_the_rerun_goes_on(tmp_path):
    with pytest.raises(UserError, match="no disk\n  → buy one"):
        make(tmp_path, recipe=NumbersRecipe(fault="user"))
    assert not (tmp_path / "data" / "squares").exists()
    built, progress = make(tmp_path)
    assert (built.made, built.kept, progress) == (5, 2, 63)


def test_faults_of_ours_keep_their_kind(tmp_path):
    with pytest.raises(KeyError, match="bug"):
        make(tmp_path, recipe=NumbersRecipe(fault="bug"))


BUILD = """
import sys
from pathlib import Path
from numbers_recipe import MANIFEST, SHARDS, NumbersRecipe
from builders.build import build
if __name__ == "__main__":
    build(NumbersRecipe(pause=0.02), SHARDS, MANIFEST, Path(sys.argv[1]), 2, lambda items: None)
"""


@pytest.mark.parametrize("seconds", [1.2, 2.0, 2.6])
def test_a_killed_build_goes_on_to_the_same_bytes(tmp_path, seconds):
    make(tmp_path / "whole")
    script = tmp_path / "script.py"
    script.write_text(BUILD)
    environment = {**os.environ, "PYTHONPATH": f"{TESTS.parent}{os.pathsep}{TESTS}"}
    command = [sys.executable, str(script), str(tmp_path / "killed")]
    process = subprocess.Popen(command, env=environment, start_new_session=True)
    time.sleep(seconds)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    make(tmp_path / "killed")
    assert files(tmp_path / "killed") == files(tmp_path / "whole")


def test_two_builds_of_one_config_do_not_mix(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(BUILD)
    environment = {**os.environ, "PYTHONPATH": f"{TESTS.parent}{os.pathsep}{TESTS}"}
    process = subprocess.Popen([sys.executable, str(script), str(tmp_path)], env=environment)
    try:
        deadline = time.monotonic() + 30
        while not list(tmp_path.glob("data/.squares-*")) and time.monotonic() < deadline:
            time.sleep(0.05)
        with pytest.raises(UserError, match="another build of squares runs"):
            make(tmp_path)
    finally:
        process.wait(timeout=60)
    assert process.returncode == 0


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "data").write_text("a file is in the way")
    with pytest.raises(UserError, match=r"data cannot be written.*\n.*--out"):
        make(tmp_path)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"files": 3}', '{"files": {"a": {"x": 1}}}'])
def test_a_broken_manifest_is_named(tmp_path, text):
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(UserError, match=r"manifest\.json is no manifest"):
        load_manifest(tmp_path)


def test_entries_describe_their_files(tmp_path):
    path = tmp_path / "train.parquet"
    entry = write_parquet(
        path, "train", ({"n": i, "square": 1} for i in range(250)), FEATURES.arrow_schema
    )
    assert (entry.rows, entry.size) == (250, path.stat().st_size)
    assert intact(path, entry)
    assert not intact(tmp_path / "other", entry)
    assert pq.ParquetFile(path).num_row_groups == 3


def test_the_key_follows_all_that_decides_the_bytes():
    keys = {
        MANIFEST.key(),
        replace(MANIFEST, version="2.0").key(),
        replace(MANIFEST, made_by={}).key(),
        replace(MANIFEST, features=[]).key(),
        replace(MANIFEST, config="other").key(),
    }
    assert len(keys) == 5
    assert (
        Manifest("numbers", "squares", "1.0", {"what": "squares"}, MANIFEST.features).key() in keys
    )
