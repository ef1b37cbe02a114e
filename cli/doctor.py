"""`flowlearn doctor`: what this machine lacks, and what mends it."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table


def doctor(
    fix: Annotated[bool, typer.Option("--fix", help="Get what is missing.")] = False,
) -> None:
    """Say what this machine has, what it lacks, and the command that mends it.

    Exits with 1 where something that `flowlearn build simulated` needs is missing.
    """
    from builders.doctor import examine, mend

    if fix:
        mend(lambda what: typer.echo(f"getting {what} …", err=True))
    table = Table("", "part", "found", "what mends it")
    findings = examine()
    for finding in findings:
        mark = "✓" if finding.ok else ("✗" if finding.needed else "–")
        table.add_row(mark, finding.part, finding.found, finding.mend)
    Console().print(table)
    if any(finding.needed and not finding.ok for finding in findings):
        raise typer.Exit(1)
