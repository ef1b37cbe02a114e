"""Examples with their real output: code in, the same code as a doctest out."""

from __future__ import annotations

import ast
import contextlib
import io
import os
from collections.abc import Iterator
from pathlib import Path


def as_doctest(code: str, folder: Path, raises: str = "") -> str:
    r"""Run code and write it as a doctest with what it prints.

    Args:
        code: Statements; the value of an expression is printed as in an interactive session.
        folder: Working directory of the run.
        raises: Name of the error that the last statement shows; without it, no error is expected.

    Raises:
        ValueError: The last statement does not raise that error.

    >>> print(as_doctest("a = 2\na + 1", Path()))
    >>> a = 2
    >>> a + 1
    3
    <BLANKLINE>
    """
    lines = code.strip("\n").splitlines()
    namespace: dict[str, object] = {"__name__": "example"}
    parts = []
    with _working_in(folder):
        statements = ast.parse("\n".join(lines)).body
        for statement in statements:
            source = lines[_first_line(statement) - 1 : statement.end_lineno]
            parts += [f">>> {source[0]}", *(f"... {line}".rstrip() for line in source[1:])]
            expected = raises if statement is statements[-1] else ""
            output = _run(statement, namespace, expected)
            parts += [line or "<BLANKLINE>" for line in output.splitlines()]
    return "\n".join(parts) + "\n"


def _first_line(statement: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return decorators[0].lineno if decorators else statement.lineno


def _run(statement: ast.stmt, namespace: dict[str, object], raises: str) -> str:
    """Run a statement; return what it prints, or the error that it is expected to raise."""
    output = io.StringIO()
    compiled = compile(ast.Interactive([statement]), "<example>", "single")
    with contextlib.redirect_stdout(output):
        try:
            exec(compiled, namespace)
        except Exception as error:  # whatever an example shows
            if type(error).__name__ != raises:
                raise
            return f"Traceback (most recent call last):\n{raises}: {error}\n"
    if raises:
        raise ValueError(f"the example does not raise {raises}: {ast.unparse(statement)}")
    return output.getvalue()


@contextlib.contextmanager
def _working_in(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
