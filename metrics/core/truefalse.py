"""True or false: the verdict in a reply, by the FlowLearn paper's token rule or by meaning."""

import re

from .reply import Answer, Mode, hide_thoughts, no_text
from .truefalse_meaning import read_by_meaning

_TOKEN = re.compile(r"\b(true|false)\b", re.IGNORECASE)


def read_by_token(reply: str) -> Answer[bool]:
    """Read the verdict as the published scores do.

    A reply has a verdict if exactly one of the tokens true and false occurs in it, in any case of
    letters and any number of times (FlowLearn, rule measured on the published replies).

    >>> read_by_token("True, false").reason
    'both'
    """
    first: dict[str, re.Match[str]] = {}
    for token in _TOKEN.finditer(reply):
        first.setdefault(token[1].lower(), token)
    if len(first) == 1:
        [(word, token)] = first.items()
        return Answer(word == "true", "token", token.span())
    if first:
        return Answer(None, "both")
    return Answer(None, "none" if reply.strip() else "empty")


def read_truefalse(
    reply: object, *, mode: Mode = "paper", strip_think: bool = False
) -> Answer[bool]:
    """Read the verdict in a reply to a true/false question.

    Args:
        reply: The model's reply; what is no text has none.
        mode: `paper`: exactly one of the tokens true and false; `meaning`: what it says.
        strip_think: In paper mode, ignore `<think>` parts; meaning mode always does.

    Raises:
        ValueError: The mode is unknown.
    """
    if mode not in ("paper", "meaning"):
        raise ValueError(f"mode: expected paper or meaning, got {mode!r}")
    if not isinstance(reply, str):
        return Answer(None, no_text(reply))
    if mode == "paper":
        return read_by_token(hide_thoughts(reply) if strip_think else reply)
    return read_by_meaning(reply)
