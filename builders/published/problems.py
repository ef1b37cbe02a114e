"""All that is wrong with an import, told at once."""

from collections import defaultdict
from collections.abc import Iterable

from common.errors import UserError, first_of

Problem = tuple[str, str]
"""What is wrong, and the id of the item."""


def raise_problems(source: str, problems: Iterable[Problem], mend: str) -> None:
    """Raise one error that lists every problem with the first ids it concerns, if there are any.

    Raises:
        UserError: There are problems.
    """
    by_text: dict[str, list[str]] = defaultdict(list)
    for text, item in problems:
        by_text[text].append(item)
    if not by_text:
        return
    total = sum(len(ids) for ids in by_text.values())
    lines = [f"  {text}: {first_of(ids, 20)}" for text, ids in by_text.items()]
    head = f"{source} has {total} problem{'s' if total > 1 else ''}; nothing was written:"
    raise UserError("\n".join([head, *lines]), mend)
