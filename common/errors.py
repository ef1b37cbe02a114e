"""Errors that a user can mend."""

from collections.abc import Sequence


class UserError(Exception):
    """Something outside the program is wrong: a configuration, a file, a missing tool.

    The command line prints the message without a traceback and exits with 1.

    Args:
        problem: What was wrong, and where.
        mend: What to do about it.
    """

    def __init__(self, problem: str, mend: str = "") -> None:
        super().__init__(f"{problem}\n  → {mend}" if mend else problem)
        self.problem = problem
        self.mend = mend


def first_of(names: Sequence[str], shown: int = 5) -> str:
    """Return the first of many names, and how many more there are.

    >>> first_of(["a", "b", "c"], shown=2)
    'a, b and 1 more'
    """
    listed = ", ".join(names[:shown])
    return listed if len(names) <= shown else f"{listed} and {len(names) - shown} more"
