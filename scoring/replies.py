"""Files of model replies: one reply an item."""

import json
from pathlib import Path
from typing import Any

from common.errors import UserError

_FORM = 'expected lines of {"id": …, "reply": …}, or one object {id: {"answer": reply}}'


def read_replies(file: Path) -> dict[str, str]:
    """Read replies by item id: JSON Lines, or the form in which LogicVista publishes replies.

    Raises:
        UserError: The file is missing, of neither form, or has an id twice.
    """
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"cannot read {file}: {error}", _FORM) from error
    return _published(text) or _lines(file, text)


def _published(text: str) -> dict[str, str] | None:
    """Read one object of answers by id; None if the text is something else."""
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    answers = {
        item: entry.get("answer") if isinstance(entry, dict) else None
        for item, entry in value.items()
    }
    replies = {item: answer for item, answer in answers.items() if isinstance(answer, str)}
    return replies if len(replies) == len(answers) else None


def _lines(file: Path, text: str) -> dict[str, str]:
    replies: dict[str, str] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
            item, reply = entry["id"], entry["reply"]
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise UserError(f"{file}, line {number}: no id and reply ({error!r})", _FORM) from error
        if not isinstance(item, str) or not (reply is None or isinstance(reply, str)):
            raise UserError(f"{file}, line {number}: id and reply must be texts", _FORM)
        if item in replies:
            raise UserError(f"{file}, line {number}: a second reply to {item}", _FORM)
        replies[item] = reply or ""
    return replies
