"""Errors that a user can mend."""


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
