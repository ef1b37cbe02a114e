"""Long jobs that go on where they were interrupted."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from vision.workers import EngineWorkers


def go_on(
    out: Path | None,
    job: str,
    keys: Sequence[str],
    work: Callable[[list[int]], Iterator[Any]],
) -> Iterator[Any]:
    """Do a job, but for what an interrupted run has done of it.

    Results are kept in `<out>.partial` as soon as they are there; the file is removed when all of
    them are. What it holds of another job is thrown away.

    Args:
        out: The job's output file; without it nothing is kept.
        job: Everything that decides the results, but the keys.
        keys: For each item, what decides its result.
        work: Yields the results of the items whose indices it is given, in that order.

    Yields:
        The result of each item, in order: a value as JSON holds it.
    """
    if out is None:
        yield from work(list(range(len(keys))))
        return
    file = out.with_name(f"{out.name}.partial")
    done = _results(file, job)
    first = {key: index for index, key in reversed(list(enumerate(keys))) if key not in done}
    fresh = work(sorted(first.values()))
    with file.open("w", encoding="utf-8") as stream:
        _write(stream, job)
        for kept in done.items():
            _write(stream, kept)
        for key in keys:
            if key not in done:
                done[key] = next(fresh)
                _write(stream, (key, done[key]))
            yield done[key]
    file.unlink()


def engine_state(workers: EngineWorkers) -> str:
    """Return what decides what an engine reads: its signature, and the file that it may use."""
    _, _, argument = workers.spec.partition(":")
    return f"{workers.signature}|{file_state(Path(argument))}"


def file_state(file: Path) -> str:
    """Return what tells a file's content from another: path, size and time of change."""
    if not file.is_file():
        return str(file)
    state = file.stat()
    return f"{file}|{state.st_size}|{state.st_mtime_ns}"


def _write(stream: TextIO, value: Any) -> None:
    # Flushed, so that it stays when the program is ended right after.
    stream.write(json.dumps(value) + "\n")
    stream.flush()


def _results(file: Path, job: str) -> dict[str, Any]:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return {}
    if not lines or lines[0] != json.dumps(job):
        return {}
    done = {}
    for line in lines[1:]:
        try:
            key, result = json.loads(line)
        except ValueError:
            break  # the line that was being written when the program was ended
        done[key] = result
    return done
