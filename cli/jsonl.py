"""JSON Lines in and out: one object a line, same order."""

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, TextIO

from common.errors import UserError


def _open(path: str) -> AbstractContextManager[TextIO]:
    if path == "-":
        return nullcontext(sys.stdin)
    try:
        return Path(path).open(encoding="utf-8-sig")
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from error


def _lines(path: str) -> Iterator[str]:
    try:
        with _open(path) as stream:
            # Standard input keeps the byte order mark that Windows programs put first.
            yield next(stream, "").removeprefix("\ufeff")
            yield from stream
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: not UTF-8 text ({error})") from error


def read_jsonl(path: str, require: tuple[str, ...] = ()) -> Iterator[dict[str, Any]]:
    """Yield the objects of a JSONL file.

    Args:
        path: File path, or `-` for standard input.
        require: Keys that every object must have.

    Raises:
        UserError: The file is missing or no text, or a line is not an object with
            those keys.
    """
    for number, line in enumerate(_lines(path), 1):
        if not line.strip():
            continue
        try:
            item = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise UserError(f"{path}, line {number}: not JSON ({error})") from error
        if not isinstance(item, dict):
            raise UserError(f"{path}, line {number}: expected an object like {{…}}")
        if missing := [key for key in require if key not in item]:
            raise UserError(f"{path}, line {number}: no key {', '.join(missing)}")
        yield item


def write_jsonl(items: Iterable[dict[str, Any]]) -> None:
    """Write objects to standard output, a line each, as soon as they come."""
    for item in items:
        # ASCII keeps lone surrogates of a model's reply writable.
        sys.stdout.write(json.dumps(item) + "\n")
