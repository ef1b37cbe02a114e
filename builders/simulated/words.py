"""Words for labels: real English ones by default, or a user's own list."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from pathlib import Path

from common.errors import UserError

_SOURCES = ("nounlist.txt", "verblist.txt", "adjectivelist.txt")
_OFFENSIVE = "profanitylist.txt"
_MIN_STEM = 4


def _asset(name: str) -> list[str]:
    text = (
        resources.files("wonderwords").joinpath("assets").joinpath(name).read_text(encoding="utf-8")
    )
    return [line.strip() for line in text.splitlines() if line.strip()]


@lru_cache(maxsize=1)
def english_words() -> tuple[str, ...]:
    """Return the lower-case English words of the package wonderwords, sorted.

    A word that merely contains an offensive one is left out too: a few harmless words are lost,
    and none slips through as part of a compound.
    """
    offensive = {word.lower() for word in _asset(_OFFENSIVE)}
    stems = {word for word in offensive if len(word) >= _MIN_STEM and word.isalpha()}
    words = {word for name in _SOURCES for word in _asset(name)}
    return tuple(
        sorted(
            word
            for word in words
            if word.isascii()
            and word.isalpha()
            and word.islower()
            and len(word) > 1
            and word not in offensive
            and stems.isdisjoint(_parts(word))
        )
    )


def _parts(word: str) -> set[str]:
    ends = range(len(word) + 1)
    return {word[start:end] for start in ends for end in ends if end - start >= _MIN_STEM}


def read_word_list(path: str) -> tuple[str, ...]:
    """Read a word list: one entry a line, blank lines and `#` comments left out, UTF-8.

    Raises:
        UserError: The file cannot be read, is not UTF-8, or holds no entry.
    """
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise UserError(f"word list {path}: {error.strerror}", "name a readable file") from error
    except UnicodeDecodeError as error:
        raise UserError(f"word list {path}: not UTF-8 ({error})", "save it as UTF-8") from error
    entries = dict.fromkeys(
        line.strip() for line in lines if line.strip() and not line.startswith("#")
    )
    if not entries:
        raise UserError(f"word list {path}: no entries", "write one entry a line")
    return tuple(entries)
