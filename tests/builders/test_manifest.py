"""Manifests: what decides their key, what they say of files, and what is refused."""

from dataclasses import replace
from pathlib import Path

import pytest

from builders.manifest import FileEntry, Manifest, check_files, load_manifest, sha256_of
from common.errors import UserError

MANIFEST = Manifest("flowlearn", "small", "1.0", {"seed": 0}, [{"name": "id", "dtype": "string"}])


def entry(path: Path, split: str = "train", rows: int = 1) -> FileEntry:
    return FileEntry(split, rows, 10, path.stat().st_size, sha256_of(path))


@pytest.fixture
def data(tmp_path: Path) -> tuple[Path, Manifest]:
    file = tmp_path / "train-00000-of-00001.parquet"
    file.write_bytes(b"rows")
    manifest = replace(MANIFEST, files={file.name: entry(file)}, license="mit")
    manifest.save(tmp_path)
    return tmp_path, manifest


def test_a_saved_manifest_is_read_back(data: tuple[Path, Manifest]) -> None:
    folder, manifest = data
    assert load_manifest(folder) == manifest
    assert not list(folder.glob("*.part"))
    check_files(folder, manifest)


@pytest.mark.parametrize(
    ("change", "same"),
    [
        ({"version": "1.1"}, False),
        ({"made_by": {"seed": 1}}, False),
        ({"features": []}, False),
        ({"config": "other"}, False),
        ({"not_publishable": "licence"}, True),
        ({"license": "mit"}, True),
        ({"files": {"a": FileEntry("train", 1, 1, 1, "0")}}, True),
    ],
)
def test_the_key_is_of_what_decides_the_data(change: dict, same: bool) -> None:
    assert (replace(MANIFEST, **change).key() == MANIFEST.key()) is same


def test_rows_and_bytes_add_up_by_split() -> None:
    files = {
        "a": FileEntry("train", 2, 20, 1, "0"),
        "b": FileEntry("train", 3, 30, 1, "0"),
        "c": FileEntry("test", 4, 40, 1, "0"),
    }
    assert replace(MANIFEST, files=files).splits() == {"train": (5, 50), "test": (4, 40)}


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"files": {"a": {}}}', "\xff"])
def test_what_is_no_manifest_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(text, encoding="latin-1")
    with pytest.raises(UserError, match="is no manifest"):
        load_manifest(tmp_path)


def test_no_manifest_is_none(tmp_path: Path) -> None:
    assert load_manifest(tmp_path) is None


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        ("missing", r"train-00000-of-00001\.parquet is not what manifest\.json says"),
        ("changed", r"train-00000-of-00001\.parquet is not what manifest\.json says"),
        ("unknown", r"does not know: extra\.parquet"),
    ],
)
def test_other_files_are_refused(damage: str, problem: str, data: tuple[Path, Manifest]) -> None:
    folder, manifest = data
    file = folder / "train-00000-of-00001.parquet"
    if damage == "missing":
        file.unlink()
    elif damage == "changed":
        file.write_bytes(b"ROWS")
    else:
        (folder / "extra.parquet").write_bytes(b"")
    with pytest.raises(UserError, match=problem):
        check_files(folder, manifest)
