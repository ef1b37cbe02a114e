"""Words of a line of text read one by one, where the line as a whole loses its spaces.

Recognizers drop quotes and backticks of code in running text, and the spaces round them with
them: ``the `mode` attribute`` comes out as `the modeattribute`. Each word by itself is read well.
"""

import re
from itertools import pairwise
from statistics import median

import numpy as np

from metrics.core.text_lines import TextLine
from vision.picture import Pixels, cut_out
from vision.text_ends import INK

LEAST_GAP = 0.6
"""Least gap between words, in gaps where the line was read with spaces; quotes stand closer."""

_CODE = re.compile(r"[`'\"\[\]_=<>{}]|[a-z][A-Z]|[A-Z]{2}[a-z]")
_SENSIBLE = re.compile(r"[\x21-\x7e]|\w")


def words_of(pixels: Pixels, line: TextLine) -> list[Pixels]:
    """Cut a line of code-like text into words.

    Args:
        pixels: Picture, shape `(height, width, 3)`.
        line: The line as it was read, with its place.

    Returns:
        The words from left to right; none if the text is not like code, or its words are
        as many as the gaps let expect.
    """
    if not _CODE.search(line.text):
        return []
    cut = cut_out(pixels, line.polygon)
    ground = np.median(cut.reshape(-1, 3), axis=0)
    columns = np.flatnonzero((np.abs(cut - ground).max(axis=2) > INK).any(axis=0))
    gaps = sorted(pairwise(columns.tolist()), key=lambda gap: gap[0] - gap[1])
    spaces = gaps[: line.text.count(" ")]
    if not spaces:
        return []
    least = max(LEAST_GAP * median(end - start for start, end in spaces), 0.1 * cut.shape[0])
    found = sorted((start, end) for start, end in gaps if end - start >= least)
    if len(found) <= len(spaces):
        return []
    edges = [0, *((start + end) // 2 for start, end in found), cut.shape[1]]
    return [cut[:, left:right] for left, right in pairwise(edges)]


def respaced(line: TextLine, words: list[str]) -> TextLine:
    """Take what was read word by word for what was read of the line, if its letters are the same.

    >>> respaced(TextLine("thenameis 'id."), ["the", "name", "is", "'id", "•"]).text
    "the name is 'id"
    """
    text = " ".join(word for word in words if _SENSIBLE.search(word))
    same = _letters(text) == _letters(line.text)
    return TextLine(text, line.polygon, line.confidence) if same else line


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))
