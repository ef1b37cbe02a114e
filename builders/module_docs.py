"""What a metric module says of itself: its documented arguments and results, read and checked."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from common.errors import UserError

_SECTION = re.compile(r"^(Args|Returns|Examples):\n((?:[ \t].*\n|\n)*)", re.MULTILINE)
_ENTRY = re.compile(r"(?P<names>\w+(?:, \w+)*) \((?P<type>[^()]*)\): (?P<text>.+)", re.DOTALL)
_DEFAULT = re.compile(r"(?P<type>.*), default (?P<default>.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Entry:
    """A documented argument or result.

    Attributes:
        names: Its name, or several that share a description.
        type: Its type, in words.
        text: What it is.
        default: Its default as a literal of Python; empty where it has none.
    """

    names: tuple[str, ...]
    type: str
    text: str
    default: str = ""


def read_sections(docs: str) -> dict[str, tuple[Entry, ...]]:
    r"""Read the sections `Args` and `Returns` of a module's description of its inputs.

    Raises:
        ValueError: An entry is not written as `name (type): text`.

    >>> read_sections("Args:\n    mode (str, default 'a'): How.\n")["Args"]
    (Entry(names=('mode',), type='str', text='How.', default="'a'"),)
    """
    return {
        match[1]: tuple(map(_entry, _paragraphs(match[2])))
        for match in _SECTION.finditer(docs)
        if match[1] != "Examples"
    }


def _paragraphs(section: str) -> list[str]:
    """Split a section at the lines that are indented least."""
    lines = textwrap.dedent(section).strip("\n").splitlines()
    starts = [number for number, line in enumerate(lines) if line and not line[0].isspace()]
    ends = [*starts[1:], len(lines)]
    return [
        " ".join(map(str.strip, lines[start:end])) for start, end in zip(starts, ends, strict=True)
    ]


def _entry(paragraph: str) -> Entry:
    match = _ENTRY.fullmatch(paragraph.strip())
    if not match:
        raise ValueError(f"expected 'name (type): text', got {paragraph!r:.80}")
    names, text = tuple(match["names"].split(", ")), match["text"]
    stated = _DEFAULT.fullmatch(match["type"])
    if stated:
        return Entry(names, stated["type"], text, stated["default"])
    return Entry(names, match["type"], text)


def check_arguments(
    entries: Iterable[Entry], compute: Callable[..., Any], inputs: Iterable[str]
) -> None:
    """Check that the documented arguments and defaults are those of a module.

    Args:
        entries: The documented arguments.
        compute: The module's `_compute`.
        inputs: Names of its inputs, which have one value an item.

    Raises:
        UserError: An argument or its default is documented otherwise than it is.
    """
    parameters = inspect.signature(compute).parameters
    documented = {name: entry for entry in entries for name in entry.names}
    _check_names("arguments", documented, (*inputs, *parameters))
    for name, parameter in parameters.items():
        stated = documented[name].default
        if parameter.default is parameter.empty:
            right = not stated
        else:
            right = bool(stated) and _plain(ast.literal_eval(stated)) == _plain(parameter.default)
        if not right:
            raise UserError(
                f"the argument {name} is documented with the default {stated or 'none'}, "
                f"which is {parameter.default!r} in the code"
            )


def check_results(entries: Iterable[Entry], result: Mapping[str, Any]) -> None:
    """Check that the documented results are those that a module gives.

    Raises:
        UserError: One is missing on either side.
    """
    _check_names("results", [name for entry in entries for name in entry.names], result)


def _check_names(what: str, documented: Iterable[str], real: Iterable[str]) -> None:
    if wrong := set(documented) ^ set(real):
        raise UserError(
            f"documented {what} and those of the code differ in {', '.join(sorted(wrong))}"
        )


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
