"""Building a config: shards by several workers, resumable, swapped into place when complete."""

from __future__ import annotations

import multiprocessing
import queue
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from filelock import FileLock, Timeout

from builders.manifest import FileEntry, Manifest, intact, load_manifest
from builders.shards import Shard, write_parquet
from common.errors import UserError

Progress = Callable[[int], None]
"""Called with the number of items that were finished since the last call."""

_POLL_SECONDS = 0.5
_DISK_MARGIN = 200 << 20


class ShardMaker(Protocol):
    """Makes the rows of shards; lives in a worker while that lives."""

    def rows(self, shard: Shard) -> Iterator[Mapping[str, Any]]:
        """Yield the rows of one shard."""

    def notes(self) -> dict[str, int]:
        """Return what was counted since the last call."""


class Recipe(Protocol):
    """How to make a config; sent to every worker, so it must pickle."""

    def open(self) -> AbstractContextManager[ShardMaker]:
        """Open whatever the maker needs, e.g. a browser."""

    def features(self) -> Any:
        """Return the `datasets.Features` of the rows."""


@dataclass(frozen=True, slots=True)
class Built:
    """What a build did.

    Attributes:
        folder: The config's data folder.
        manifest: Its manifest.
        made: Number of shards made now; 0 when all was there already.
        kept: Number of shards that were there already.
        seconds: How long it took.
    """

    folder: Path
    manifest: Manifest
    made: int
    kept: int
    seconds: float


def build(
    recipe: Recipe,
    shards: tuple[Shard, ...],
    manifest: Manifest,
    out: Path,
    jobs: int,
    progress: Progress,
) -> Built:
    """Build a config into `out/data/<config>`.

    Shards are made beside the data and swapped in when all are there, so that what is loaded is
    always a whole. An interrupted build goes on where it was; a changed configuration starts anew.

    Args:
        recipe: How to make rows.
        shards: What to make.
        manifest: The manifest without files.
        out: The dataset's folder.
        jobs: Number of worker processes.
        progress: Told of finished items.

    Raises:
        UserError: The folder cannot be written, another build runs, or a worker failed.
    """
    began = time.monotonic()
    data = out / "data"
    target = data / manifest.config
    total = sum(shard.count for shard in shards)
    plan = {shard.file: [shard.start, shard.count] for shard in shards}
    manifest = replace(manifest, made_by={**manifest.made_by, "shards": plan})
    with _locked(data, manifest.config):
        there = load_manifest(target)
        same = there if there and there.key() == manifest.key() else None
        if same and _complete(target, same, shards):
            # What does not decide the data, e.g. the licence, may have changed.
            same = replace(manifest, files=same.files)
            same.save(target)
            progress(total)
            return Built(target, same, 0, len(shards), time.monotonic() - began)
        aside = data / f".{manifest.config}-{manifest.key()[:12]}"
        for stale in data.glob(f".{manifest.config}-*"):
            if stale != aside and stale.is_dir():
                shutil.rmtree(stale)
        aside.mkdir(exist_ok=True)
        earlier = load_manifest(aside)
        files = dict(earlier.files) if earlier else {}
        if same:
            files |= _take_intact(target, same, aside)
        done = {s.file: files[s.file] for s in shards if _done(aside, s, files)}
        progress(sum(shard.count for shard in shards if shard.file in done))
        todo = [shard for shard in shards if shard.file not in done]
        for shard, entry in _make(recipe, todo, aside, jobs, progress):
            done[shard.file] = entry
            replace(manifest, files=dict(sorted(done.items()))).save(aside)
        complete = replace(manifest, files={s.file: done[s.file] for s in shards})
        complete.save(aside)
        for part in aside.glob(".*.part"):
            part.unlink()
        _swap(aside, target)
    return Built(target, complete, len(todo), len(shards) - len(todo), time.monotonic() - began)


@contextmanager
def _locked(data: Path, config: str) -> Iterator[None]:
    try:
        data.mkdir(parents=True, exist_ok=True)
        lock = FileLock(data / f".{config}.lock", timeout=0)
        lock.acquire()
    except Timeout as error:
        raise UserError(f"another build of {config} runs in {data}", "wait for it") from error
    except OSError as error:
        raise UserError(
            f"{data} cannot be written: {error.strerror}", "choose another folder with --out"
        ) from error
    try:
        yield
    finally:
        lock.release()


def _done(folder: Path, shard: Shard, files: Mapping[str, FileEntry]) -> bool:
    return shard.file in files and intact(folder / shard.file, files[shard.file])


def _complete(folder: Path, manifest: Manifest, shards: tuple[Shard, ...]) -> bool:
    return list(manifest.files) == [shard.file for shard in shards] and all(
        _done(folder, shard, manifest.files) for shard in shards
    )


def _take_intact(source: Path, manifest: Manifest, aside: Path) -> dict[str, FileEntry]:
    """Copy the shards that a damaged folder still has right."""
    taken = {n: entry for n, entry in manifest.files.items() if intact(source / n, entry)}
    for name in taken:
        shutil.copy2(source / name, aside / name)
    return taken


def _swap(fresh: Path, target: Path) -> None:
    old = fresh.with_name(f"{fresh.name}-old")
    if target.exists():
        target.rename(old)
    fresh.rename(target)
    shutil.rmtree(old, ignore_errors=True)


def _make(
    recipe: Recipe, shards: list[Shard], folder: Path, jobs: int, progress: Progress
) -> Iterator[tuple[Shard, FileEntry]]:
    """Make shards in worker processes; yield each when its file stands."""
    if not shards:
        return
    # Workers get the schema, so that they need not load `datasets`: a second and 100 MB each.
    schema = recipe.features().arrow_schema
    context = multiprocessing.get_context("spawn")
    tasks, events = context.Queue(), context.Queue()
    for shard in shards:
        tasks.put(shard)
    workers = [
        context.Process(target=_work, args=(recipe, schema, folder, tasks, events), daemon=True)
        for _ in range(min(jobs, len(shards)))
    ]
    for worker in workers:
        tasks.put(None)
        worker.start()
    left = len(shards)
    try:
        while left:
            try:
                kind, value = events.get(timeout=_POLL_SECONDS)
            except queue.Empty:
                _check_alive(workers)
                continue
            if kind == "items":
                progress(value)
            elif kind == "shard":
                left -= 1
                yield value
            else:
                raise value
    finally:
        for worker in workers:
            worker.terminate() if left else worker.join()


def _check_alive(workers: list[Any]) -> None:
    if dead := [worker for worker in workers if worker.exitcode not in (None, 0)]:
        raise UserError(
            f"a worker was stopped from outside (exit code {dead[0].exitcode}), often for want of "
            "memory",
            "run the command again, it goes on where it was; lower --jobs if it recurs",
        )


def _work(recipe: Recipe, schema: Any, folder: Path, tasks: Any, events: Any) -> None:
    """Make shards until there are none; every failure goes to the parent."""
    try:
        with recipe.open() as maker:
            while (shard := tasks.get()) is not None:
                rows = _counted(maker.rows(shard), events)
                entry = write_parquet(folder / shard.file, shard.split, rows, schema)
                events.put(("shard", (shard, replace(entry, notes=maker.notes()))))
    except UserError as error:
        events.put(("error", error))
    except OSError as error:
        events.put(("error", UserError(f"{folder}: {error.strerror or error}", _mend(folder))))
    except Exception as error:  # the parent must hear of every fault, with its trace
        error.__cause__ = None
        events.put(("error", error))


def _mend(folder: Path) -> str:
    free = shutil.disk_usage(folder).free
    if free < _DISK_MARGIN:
        return f"only {free >> 20} MB are free on that disk: make room, or choose another --out"
    return "check that the folder can be written, then run the command again"


def _counted(rows: Iterator[Mapping[str, Any]], events: Any) -> Iterator[Mapping[str, Any]]:
    for row in rows:
        yield row
        events.put(("items", 1))
