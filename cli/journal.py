"""Results of a long job, kept beside its output until that is whole."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO


class Journal:
    """What a job has done so far, by key.

    Attributes:
        done: Results of earlier runs and of this one.
    """

    def __init__(self, done: dict[str, Any], stream: TextIO | None) -> None:
        self.done = done
        self._stream = stream

    def add(self, key: str, result: Any) -> None:
        """Keep a result, also if the program is ended right after."""
        self.done[key] = result
        if self._stream:
            self._stream.write(json.dumps([key, result]) + "\n")
            self._stream.flush()


@contextmanager
def journal(out: Path | None, job: str) -> Iterator[Journal]:
    """Go on with a job that was interrupted: its results stand in `<out>.partial`.

    The file is removed when the block ends without an error. What an earlier run kept of another
    job is thrown away.

    Args:
        out: The job's output file; without it nothing is kept.
        job: Everything that decides the results, but the keys.
    """
    if out is None:
        yield Journal({}, None)
        return
    file = out.with_name(f"{out.name}.partial")
    done = _results(file, job)
    with file.open("w", encoding="utf-8") as stream:
        stream.write(json.dumps(job) + "\n")
        kept = Journal({}, stream)
        for key, result in done.items():
            kept.add(key, result)
        yield kept
    file.unlink()


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
