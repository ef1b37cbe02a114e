"""Shards: the unit of work and of resumption, one Parquet file each."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from builders.manifest import FileEntry, sha256_of

_GROUP_BYTES = 4 << 20
_GROUP_ROWS = 100
_DICTIONARY_BYTES = 64 << 20


@dataclass(frozen=True, slots=True)
class Shard:
    """A slice of a split.

    Attributes:
        split: Name of the split.
        number: Which shard of the split, from 0.
        of: How many shards the split has.
        start: Index of its first item in the whole config.
        count: Number of items.
    """

    split: str
    number: int
    of: int
    start: int
    count: int

    @property
    def file(self) -> str:
        """File name, as the Hub names shards."""
        return f"{self.split}-{self.number:05d}-of-{self.of:05d}.parquet"


def plan_shards(splits: Mapping[str, int], size: int) -> tuple[Shard, ...]:
    """Cut splits into shards of at most `size` items; indices run on from split to split."""
    shards = []
    start = 0
    for split, count in splits.items():
        of = -(-count // size)
        for number in range(of):
            first = number * size
            shards.append(Shard(split, number, of, start + first, min(size, count - first)))
        start += count
    return tuple(shards)


def write_parquet(
    path: Path, split: str, rows: Iterable[Mapping[str, Any]], schema: pa.Schema
) -> FileEntry:
    """Write rows as Parquet, aside first; row groups stay far below the Hub viewer's 100 MB.

    Equal images next to each other, as in one row a question, are stored once a row group.

    Args:
        path: The file.
        split: Split that the rows belong to.
        rows: The rows, taken one at a time.
        schema: Schema of the rows, as `datasets.Features.arrow_schema` gives it.

    Returns:
        The file's entry for the manifest.
    """
    aside = path.with_name(f".{path.name}.part")
    count = num_bytes = 0
    with pq.ParquetWriter(
        aside,
        schema,
        compression="zstd",
        write_page_index=True,
        dictionary_pagesize_limit=_DICTIONARY_BYTES,
    ) as writer:
        for group in _groups(rows):
            table = pa.Table.from_pylist(group, schema=schema)
            writer.write_table(table, row_group_size=len(group))
            count += len(group)
            num_bytes += table.nbytes
            del table
            # Arrow would keep what compression took: as much again as a worker needs otherwise.
            pa.default_memory_pool().release_unused()
    os.replace(aside, path)
    return FileEntry(split, count, num_bytes, path.stat().st_size, sha256_of(path))


def _groups(rows: Iterable[Mapping[str, Any]]) -> Iterator[list[Mapping[str, Any]]]:
    group: list[Mapping[str, Any]] = []
    size = 0
    for row in rows:
        group.append(row)
        size += sum(map(_size, row.values()))
        if size >= _GROUP_BYTES or len(group) >= _GROUP_ROWS:
            yield group
            group, size = [], 0
    if group:
        yield group


def _size(value: Any) -> int:
    """Return the bytes of a picture or a text, which are most of a row."""
    if isinstance(value, dict) and isinstance(value.get("bytes"), bytes):
        return len(value["bytes"])
    return len(value) if isinstance(value, str) else 0
