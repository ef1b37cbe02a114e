"""The answer options that a LogicVista question states in its own words.

The release has no field for options. A question writes them out, as in `(A) True (B) False`,
or only names them ("Select from A, B, and C", "(A-E)", "options A to F", "Select from 1-5"), or
leaves them to the picture.
"""

import re

UNSTATED_LABELS = ("A", "B", "C", "D")
"""Labels allowed where the question names none: the four figures drawn in those pictures."""

_ALPHABETS = ("ABCDEFGHI", "123456789")
_MARKER = re.compile(r"(?<!\w)\(?([A-I1-9])\)")
_LIST = re.compile(r"(?<!\w)\(?[A1]\)?(?: ?(?:, ?(?:and |or )?|and |or )\(?[B-I2-9]\)?)+(?!\w)")
_RANGE = re.compile(r"(?<![\w.])([A1])(?: ?[-–] ?| to )([B-I2-9])(?![\w%]|\.\d)")
_LABEL = re.compile(r"(?<!\w)[A-I1-9](?!\w)")


def parse_options(question: str) -> dict[str, str]:
    """Read the options that a question states, label to text, in order.

    A text is what the option says beyond its label: empty where the label only points into the
    picture (`(A) (B) (C)`, `(A) A (B) B`, "Select from A-E"). White space is folded.

    Returns:
        Labels `A`, `B`, … or `1`, `2`, … with their texts; empty if the question states none.

    >>> parse_options("Is it so? Select from A, B and C. (A) True (B)False (C) Cannot say")
    {'A': 'True', 'B': 'False', 'C': 'Cannot say'}
    >>> parse_options("Which box comes next? Select from 1-3")
    {'1': '', '2': '', '3': ''}
    """
    folded = " ".join(question.split())
    return _written_out(folded) or _listed(folded) or _ranged(folded)


def allowed_labels(question: str) -> tuple[str, ...]:
    """Return the labels that may answer a question: the stated ones, else `UNSTATED_LABELS`."""
    return tuple(parse_options(question)) or UNSTATED_LABELS


def _first_labels(labels: str) -> bool:
    """Tell whether the labels are the first two or more of one alphabet."""
    return len(labels) >= 2 and any(alphabet.startswith(labels) for alphabet in _ALPHABETS)


def _written_out(question: str) -> dict[str, str]:
    """Read `(A) text (B) text` or `A) text B) text`: the last of the longest runs of markers."""
    best: list[re.Match[str]] = []
    run: list[re.Match[str]] = []
    for marker in _MARKER.finditer(question):
        if _first_labels("".join(m[1] for m in run) + marker[1]):
            run = [*run, marker]
        elif marker[1] in "A1":
            run = [marker]
        if len(run) >= max(2, len(best)):
            best = run
    if not best:
        return {}
    ends = [marker.start() for marker in best[1:]] + [len(question)]
    return {
        marker[1]: _own_text(marker[1], question[marker.end() : end])
        for marker, end in zip(best, ends, strict=True)
    }


def _own_text(label: str, written: str) -> str:
    text = written.strip().rstrip(",;").rstrip()
    return "" if text == label else text


def _listed(question: str) -> dict[str, str]:
    """Read "A, B, and C"."""
    lists = ["".join(_LABEL.findall(match[0])) for match in _LIST.finditer(question)]
    return _without_texts([labels for labels in lists if _first_labels(labels)])


def _ranged(question: str) -> dict[str, str]:
    """Read "A-E" or "1 to 5"."""
    return _without_texts(
        [
            alphabet[: alphabet.index(last) + 1]
            for first, last in _RANGE.findall(question)
            for alphabet in _ALPHABETS
            if first in alphabet and last in alphabet
        ]
    )


def _without_texts(runs: list[str]) -> dict[str, str]:
    """Return the labels of the longest run."""
    longest: str = max(runs, key=len, default="")
    return dict.fromkeys(longest, "")
