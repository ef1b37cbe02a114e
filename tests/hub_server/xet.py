"""Reading the directory into which the real Xet client stores files (`casUrl: local://…`)."""

from __future__ import annotations

import struct
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

_HEADER = _RECORD = 48
_HAS_VERIFICATION = 1 << 31
_HAS_SHA256 = 1 << 30
_END = b"\xff" * 32


class XetStore:
    """A Xet content store in a directory.

    Args:
        folder: The directory.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.url = f"local://{folder}"

    def hash_of(self, sha256: str) -> str:
        """Return the Xet hash of a stored file by its SHA-256; empty where it is not stored."""
        shards = self.folder.glob("xet/xorbs/shards/*.mdb")
        return next(
            (xet for shard in shards for xet, sha in _files(shard.read_bytes()) if sha == sha256),
            "",
        )

    def read(self, xet_hash: str, size: int) -> bytes:
        """Return the content of a stored file."""
        import hf_xet

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "content"
            with hf_xet.XetSession().new_file_download_group(
                endpoint=self.url, token="any", token_expiry_unix_secs=int(time.time()) + 3600
            ) as group:
                group.start_download_file(hf_xet.XetFileInfo(xet_hash, size), str(path))
            return path.read_bytes()


def _files(shard: bytes) -> Iterator[tuple[str, str]]:
    """Yield Xet hash and SHA-256 of the files that a shard describes.

    Records of 48 bytes: a file's hash, flags and number of segments; the segments; as many
    verification records, if the flags say so; the SHA-256, if they say so.
    """
    at = _HEADER
    while (name := shard[at : at + 32]) != _END:
        flags, segments = struct.unpack_from("<II", shard, at + 32)
        at += _RECORD * (1 + segments * (2 if flags & _HAS_VERIFICATION else 1))
        if flags & _HAS_SHA256:
            yield _hexadecimal(name), _hexadecimal(shard[at : at + 32])
            at += _RECORD


def _hexadecimal(digest: bytes) -> str:
    """Write a digest as Xet does: four little-endian numbers."""
    return "".join(f"{number:016x}" for number in struct.unpack("<4Q", digest))
