"""Reading the directory into which the real Xet client stores files (`casUrl: local://…`)."""

from __future__ import annotations

import hashlib
import shutil
import struct
import tempfile
from collections.abc import Iterator, Mapping
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

    def hashes(self) -> dict[str, str]:
        """Return the Xet hashes of the stored files by their SHA-256."""
        shards = self.folder.glob("xet/xorbs/shards/*.mdb")
        return {sha: xet for shard in shards for xet, sha in _files(shard.read_bytes())}

    def read(self, sizes: Mapping[str, int]) -> dict[str, bytes]:
        """Return the contents of stored files by their SHA-256.

        Args:
            sizes: Bytes of the files wanted, by Xet hash.
        """
        import hf_xet

        with tempfile.TemporaryDirectory() as scratch:
            # The client that has just written it still holds the store's lock: read a copy.
            copy = Path(scratch) / "store"
            shutil.copytree(self.folder, copy)
            with hf_xet.XetSession().new_file_download_group(
                endpoint=f"local://{copy}", token="any", token_expiry_unix_secs=2**33
            ) as group:
                for xet, size in sizes.items():
                    target = str(Path(scratch) / xet)
                    group.start_download_file(hf_xet.XetFileInfo(xet, size), target)
            contents = [(Path(scratch) / xet).read_bytes() for xet in sizes]
        return {hashlib.sha256(content).hexdigest(): content for content in contents}


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
