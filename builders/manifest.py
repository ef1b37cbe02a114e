"""The manifest of a built config: what is in it, and what made it."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from common.errors import UserError

MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class FileEntry:
    """A Parquet file of a config.

    Attributes:
        split: Split that it belongs to.
        rows: Number of rows.
        num_bytes: Bytes of the rows in memory.
        size: Bytes of the file.
        sha256: Digest of the file.
        notes: What its maker counted, e.g. rejected drafts per reason.
    """

    split: str
    rows: int
    num_bytes: int
    size: int
    sha256: str
    notes: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a config's data folder holds.

    Attributes:
        dataset: Name of the dataset, e.g. `flowlearn`.
        config: Name of the config, e.g. `simulated`.
        version: Version of the dataset, `N.x`.
        made_by: All that decides the bytes: configuration and its hash, versions of tools, fonts.
        features: The features as `datasets` writes them into cards.
        files: Entries by file name, in order.
        not_publishable: Why the config must not be published; empty where it may.
        license: Licence of its rows, as the Hub names it or in words.
    """

    dataset: str
    config: str
    version: str
    made_by: dict[str, Any]
    features: list[dict[str, Any]]
    files: dict[str, FileEntry] = field(default_factory=dict)
    not_publishable: str = ""
    license: str = ""

    def key(self) -> str:
        """Return the hash of all that decides the bytes of the data."""
        facts = [self.dataset, self.config, self.version, self.made_by, self.features]
        return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()

    def splits(self) -> dict[str, tuple[int, int]]:
        """Return number of rows and bytes in memory by split."""
        totals: dict[str, tuple[int, int]] = {}
        for entry in self.files.values():
            rows, num_bytes = totals.get(entry.split, (0, 0))
            totals[entry.split] = rows + entry.rows, num_bytes + entry.num_bytes
        return totals

    def save(self, folder: Path) -> None:
        """Write the manifest into the data folder, all or nothing."""
        text = json.dumps(asdict(self), indent=2, ensure_ascii=False) + "\n"
        write_atomically(folder / MANIFEST, text.encode())


def load_manifest(folder: Path) -> Manifest | None:
    """Read the manifest of a data folder; `None` where there is none.

    Raises:
        UserError: The manifest is not one.
    """
    path = folder / MANIFEST
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        files = {name: FileEntry(**entry) for name, entry in values.pop("files").items()}
        return Manifest(**values, files=files)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise UserError(f"{path} is no manifest: {error}", "build the config again") from error


def sha256_of(path: Path) -> str:
    """Return the hexadecimal SHA-256 of a file."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def intact(path: Path, entry: FileEntry) -> bool:
    """Tell whether a file is the one that an entry describes."""
    return path.is_file() and path.stat().st_size == entry.size and sha256_of(path) == entry.sha256


def check_files(data: Path, manifest: Manifest) -> None:
    """Check that a data folder holds exactly the files of its manifest.

    Raises:
        UserError: A file is missing, changed, or unknown to the manifest.
    """
    mend = f"delete {data}, then build the config again"
    for name, entry in manifest.files.items():
        if not intact(data / name, entry):
            raise UserError(f"{data / name} is not what {MANIFEST} says", mend)
    if unknown := {path.name for path in data.glob("*.parquet")} - manifest.files.keys():
        told = ", ".join(sorted(unknown))
        raise UserError(f"{data} holds files that {MANIFEST} does not know: {told}", mend)


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file aside and rename it into place."""
    aside = path.with_name(f".{path.name}.part")
    aside.write_bytes(data)
    os.replace(aside, path)
