"""A published release as its user has it: a folder or a zip, read without unpacking it."""

import lzma
import os
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from common.errors import UserError

MAX_FILES = 100_000
MAX_UNPACKED_BYTES = 4 << 30
MAX_RATIO = 200
"""Unpacked to packed size of a zip entry beyond which it is taken for a bomb."""

READ_ERRORS = (
    OSError,
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    lzma.LZMAError,
)
"""What `Release.read` raises on files that cannot be read or are damaged."""

_SMALL_ENTRY = 1 << 20


@dataclass(frozen=True)
class Release:
    """The files of a release.

    Attributes:
        source: Where it lies, for messages.
        files: Paths relative to the release, `/` between parts.
        read: Reads at most so many bytes of a file.

    """

    source: str
    files: tuple[str, ...]
    read: Callable[[str, int], bytes]


def open_release(path: Path) -> Release:
    """List a folder's or a zip's files; a file that is no zip stands for its folder.

    Raises:
        UserError: Nothing is there, or the zip is broken, unsafe or too large.
    """
    if path.is_dir():
        return _folder(path)
    if zipfile.is_zipfile(path):
        return _zip(path)
    if path.is_file() and path.suffix.lower() == ".json":
        return _folder(path.parent)
    if path.is_file():
        raise UserError(f"{path} is neither a folder nor a zip", "unpack it, or name its folder")
    raise UserError(f"{path} does not exist", "name the folder or zip of the published release")


def _folder(root: Path) -> Release:
    files = []
    for file in _walk(root):
        files.append(file)
        if len(files) > MAX_FILES:
            raise UserError(f"{root} holds more than {MAX_FILES} files", "name the release itself")

    def read(name: str, limit: int) -> bytes:
        with (root / name).open("rb") as stream:
            return stream.read(limit)

    return Release(str(root), tuple(sorted(files)), read)


def _walk(root: Path) -> Iterator[str]:
    for folder, below, names in os.walk(root):
        below[:] = [name for name in below if not name.startswith(".")]
        for file in (Path(folder) / name for name in names):
            if file.is_file():
                yield file.relative_to(root).as_posix()


def _zip(path: Path) -> Release:
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        raise UserError(f"{path} is a broken zip: {error}", "download it again") from error
    entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    _check_entries(path, entries)

    def read(name: str, limit: int) -> bytes:
        with archive.open(name) as stream:
            return stream.read(limit)

    return Release(str(path), tuple(sorted(entry.filename for entry in entries)), read)


def _check_entries(path: Path, entries: list[zipfile.ZipInfo]) -> None:
    """Refuse what no honest archive has, from the directory of the zip alone."""
    if len(entries) > MAX_FILES or sum(entry.file_size for entry in entries) > MAX_UNPACKED_BYTES:
        raise UserError(
            f"{path} holds more than {MAX_FILES} files or {MAX_UNPACKED_BYTES >> 30} GiB",
            "name the zip of the release itself",
        )
    for entry in entries:
        parts = PurePosixPath(entry.filename.replace("\\", "/"))
        if parts.is_absolute() or ".." in parts.parts or ":" in str(parts):
            raise UserError(f"{path} has an unsafe path: {entry.filename!r}", "do not trust it")
        if entry.flag_bits & 1:
            raise UserError(f"{path} is encrypted", "unpack it, and name the folder")
        if entry.file_size > max(_SMALL_ENTRY, MAX_RATIO * entry.compress_size):
            raise UserError(
                f"{path} looks like a zip bomb: {entry.filename!r} unpacks to {entry.file_size} "
                f"bytes from {entry.compress_size}",
                "do not trust it",
            )
