"""Import of the published LogicVista from a user's own copy of it."""

import hashlib
import os
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

import pyarrow.parquet as pq

from builders.card import built_configs, write_card
from builders.manifest import Manifest, load_manifest
from builders.published.pictures import MAX_BYTES, picture_problem
from builders.published.problems import Problem, raise_problems
from builders.published.records import (
    ITEM_IDS,
    Record,
    picture_names,
    read_records,
    record_problems,
    text_columns,
)
from builders.published.release import READ_ERRORS, Release, open_release
from builders.shards import Shard, write_parquet
from common.errors import UserError
from logicvista.features import features
from logicvista.version import DATA_VERSION

CONFIG = "published"
SPLIT = "test"
NOT_PUBLISHABLE = (
    "The pictures and questions come from commercial test publishers, who allowed their use for "
    "research only. They are never redistributed: import them from your own copy of the release."
)

_RECORDS_NAME = "dataset.json"
_MAX_RECORDS_BYTES = 64 << 20
_MEND = "mend the copy, or take the published release again"


@dataclass(frozen=True)
class Imported:
    """What an import made.

    Attributes:
        folder: The dataset folder.
        file: The Parquet file.
        rows: Number of rows.
        scorable: Number of scorable rows.
        groups: Number of different pictures.
        missing: Ids of the items without a picture.
    """

    folder: Path
    file: Path
    rows: int
    scorable: int
    groups: int
    missing: tuple[str, ...]


def import_logicvista(
    path: Path, out: Path, *, allow_missing: bool = False, as_published: bool = False
) -> Imported:
    """Make the config `published` of the LogicVista dataset from a copy of the release.

    Args:
        path: Folder or zip of the release: `dataset.json` and the pictures, wherever they lie.
        out: Dataset folder; `data/published` in it and its card are written, aside first.
        allow_missing: Take items without their picture, and count them, instead of refusing.
        as_published: Leave gold and capabilities as released instead of applying the errata.

    Raises:
        UserError: Something is wrong with the copy; all of it is told at once, with the ids, and
            nothing is written.
    """
    release = open_release(path)
    name = _records_file(release)
    data = _read_records_file(release, name)
    records = read_records(f"{release.source}, {name}", data)
    names = picture_names(records)
    pictures, picture_problems = _pictures(release, names)
    problems = [*record_problems(records, as_published), *picture_problems]
    missing = tuple(item for item in names if item not in pictures)
    mend = _MEND
    if missing and not allow_missing:
        problems += [("missing image", item) for item in missing]
        mend += "; --allow-missing takes items without their image"
    raise_problems(release.source, problems, mend)

    rows = list(_rows(records, pictures, as_published))
    manifest = Manifest(
        dataset="logicvista",
        config=CONFIG,
        version=DATA_VERSION,
        made_by={
            "gold": "as published" if as_published else "corrected",
            "release_sha256": hashlib.sha256(data).hexdigest(),
            "missing_images": list(missing),
        },
        features=features()._to_yaml_list(),
        not_publishable=NOT_PUBLISHABLE,
        license="research use only, not to be redistributed",
    )
    try:
        file = _write(rows, manifest, out)
    except OSError as error:
        raise UserError(
            f"{out} cannot be written: {error.strerror or error}", "choose another --out"
        ) from error
    return Imported(
        folder=out,
        file=file,
        rows=len(rows),
        scorable=sum(row["scorable"] for row in rows),
        groups=len({row["image_sha256"] for row in rows} - {None}),
        missing=missing,
    )


def load_rows(out: Path, columns: Sequence[str]) -> tuple[list[dict[str, Any]], str]:
    """Read columns of the imported rows.

    Args:
        out: The dataset folder.
        columns: Names of the columns.

    Returns:
        The rows, and which gold they carry: `corrected` or `as published`.

    Raises:
        UserError: The folder has no config `published`.
    """
    folder = out / "data" / CONFIG
    manifest = load_manifest(folder)
    if manifest is None:
        raise UserError(
            f"{folder} holds no imported data",
            "make them from your copy of the release: flowlearn import logicvista PATH",
        )
    tables = [pq.read_table(folder / name, columns=list(columns)) for name in manifest.files]
    return [row for table in tables for row in table.to_pylist()], manifest.made_by["gold"]


def _records_file(release: Release) -> str:
    found = [name for name in release.files if PurePosixPath(name).name == _RECORDS_NAME]
    if not found:
        raise UserError(
            f"{release.source} has no {_RECORDS_NAME}",
            "name a checkout or download of the published LogicVista repository",
        )
    depth = min(name.count("/") for name in found)
    highest = [name for name in found if name.count("/") == depth]
    if len(highest) > 1:
        raise UserError(
            f"{release.source} has several {_RECORDS_NAME}: {', '.join(highest)}",
            "name the folder of one of them",
        )
    return highest[0]


def _read_records_file(release: Release, name: str) -> bytes:
    try:
        data = release.read(name, _MAX_RECORDS_BYTES + 1)
    except READ_ERRORS as error:
        raise UserError(f"{release.source}: cannot read {name} ({error})", _MEND) from error
    if len(data) > _MAX_RECORDS_BYTES:
        raise UserError(f"{release.source}: {name} is over {_MAX_RECORDS_BYTES >> 20} MiB", _MEND)
    return data


def _pictures(release: Release, names: dict[str, str]) -> tuple[dict[str, bytes], list[Problem]]:
    """Read and check the pictures that are there, by item id; `names` are their file names."""
    files = set(release.files)
    folder = PurePosixPath(_picture_folder(release, set(names.values())))
    pictures: dict[str, bytes] = {}
    problems: list[Problem] = []
    for item, name in names.items():
        file = str(folder / name)
        if file not in files:
            continue
        try:
            pictures[item] = release.read(file, MAX_BYTES + 1)
            problem = picture_problem(name, pictures[item])
        except READ_ERRORS as error:
            pictures[item], problem = b"", f"the image cannot be read ({error})"
        if problem:
            problems.append((problem, item))
    return pictures, problems


def _picture_folder(release: Release, names: set[str]) -> str:
    """Return the folder that holds most of the pictures; the highest of equals."""
    paths = [PurePosixPath(file) for file in release.files]
    folders = Counter(str(path.parent) for path in paths if path.name in names)
    return min(folders, key=lambda folder: (-folders[folder], len(folder), folder), default="")


def _rows(
    records: dict[str, Record], pictures: dict[str, bytes], as_published: bool
) -> Iterator[dict[str, Any]]:
    first_of: dict[str, str] = {}
    for item in ITEM_IDS:
        picture = pictures.get(item)
        digest = None if picture is None else hashlib.sha256(picture).hexdigest()
        yield {
            **text_columns(item, records[item], as_published),
            "image": picture and {"bytes": picture, "path": records[item]["imagename"]},
            "image_sha256": digest,
            "image_group": item if digest is None else first_of.setdefault(digest, item),
        }


def _write(rows: list[dict[str, Any]], manifest: Manifest, out: Path) -> Path:
    """Write the config's folder aside, put it in place of an earlier one, and make the card."""
    built_configs(out)  # refuses a folder whose card could not be made afterwards
    target = out / "data" / CONFIG
    name = Shard(SPLIT, number=0, of=1, start=0, count=len(rows)).file
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{CONFIG}-") as aside:
        fresh = Path(aside) / "fresh"
        fresh.mkdir()
        entry = write_parquet(fresh / name, SPLIT, rows, features().arrow_schema)
        replace(manifest, files={name: entry}).save(fresh)
        if target.exists():
            os.replace(target, Path(aside) / "earlier")
        os.replace(fresh, target)
    write_card(out)
    return target / name
