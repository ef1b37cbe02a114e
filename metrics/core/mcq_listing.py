"""Names that belong together: a label with its text, all options listed one after the other."""

import re
from collections.abc import Sequence
from dataclasses import replace

from .mcq_mentions import Mention

_LABEL_AFTER_TEXT = re.compile(r"[\"'.,*]{0,3}\s{0,2}[(\[]\s?")
_TEXT_AFTER_LABEL = re.compile(r"[\s)\]}.:,\"'*_$=>–—-]{0,8}(?:\(\s{0,3}|\"\s{0,3})?")
_ARTICLE = re.compile(r"(?:an?|the)\s+", re.IGNORECASE)


def merge_texts(labels: Sequence[Mention], texts: Sequence[Mention], text: str) -> list[Mention]:
    """Merge labels with the texts beside them, and drop labels inside texts.

    "(C) 35 lb" and "35 lb (C)" are one naming of C each; in "A and C turn clockwise", the text of
    option B, no label is named. Where label and text disagree, the label counts.

    Args:
        labels: What is named by label, in order.
        texts: What is named by text or place, in order.
        text: Folded text of the reply.
    """
    starts = {mention.start: index for index, mention in enumerate(texts)}
    merged: list[Mention] = []
    used: set[int] = set()
    for label in labels:
        index = _text_behind(starts, text, label.end)
        alone = label.joint == "single" and (not label.small or is_head(text, label))
        if index is not None and alone:
            used.add(index)
            if texts[index].labels == label.labels:
                label = replace(label, end=texts[index].end, marked=True, small=False)
        merged.append(label)
    marked = {
        label.start: at
        for at, label in enumerate(merged)
        if label.marked and label.joint == "single" and label.end - label.start <= 2
    }
    for index, said in enumerate(texts):
        gap = _LABEL_AFTER_TEXT.match(text, said.end)
        at_label = marked.get(gap.end()) if gap and index not in used else None
        if at_label is not None:
            used.add(index)
            merged[at_label] = replace(merged[at_label], start=said.start)
    free = [mention for index, mention in enumerate(texts) if index not in used]
    kept = _outside(merged, sorted((mention.start, mention.end) for mention in texts))
    return sorted([*kept, *free], key=lambda mention: mention.start)


def _text_behind(starts: dict[int, int], text: str, end: int) -> int | None:
    """Return the index of the option text that follows a label, an article perhaps between."""
    gap = _TEXT_AFTER_LABEL.match(text, end)
    if gap is None or gap.end() == end:
        return None
    article = _ARTICLE.match(text, gap.end())
    behind = starts.get(gap.end())
    return starts.get(article.end()) if behind is None and article else behind


def _outside(mentions: Sequence[Mention], covers: Sequence[tuple[int, int]]) -> list[Mention]:
    """Return the mentions that do not lie inside one of the covers; both in order."""
    kept: list[Mention] = []
    position = 0
    for mention in mentions:
        while position < len(covers) and covers[position][1] <= mention.start:
            position += 1
        start, end = covers[position] if position < len(covers) else (len(covers), -1)
        if not (start <= mention.start and mention.end <= end):
            kept.append(mention)
    return kept


def restated_mentions(mentions: Sequence[Mention], text: str, count: int) -> set[int]:
    """Return the indices of mentions in which all options are listed one after the other.

    `(A) 10 (B) 1000 (C) 5000 (D) 10000`, a heading per option, or "A, B, C or D".

    Args:
        mentions: All mentions, in order.
        text: Folded text of the reply.
        count: Number of options.
    """
    found: set[int] = set()
    run: list[int] = []
    for index, mention in enumerate(mentions):
        if len(mention.labels) >= count > 2 and mention.joint != "nor":
            found.add(index)
            run = []
        if mention.kind != "label" or len(mention.labels) > 1 or not is_head(text, mention):
            continue
        label = mention.labels[0]
        if label in ("A", "1"):
            run = [index]
        elif run and ord(label[-1]) == ord(mentions[run[-1]].labels[0][-1]) + 1:
            run.append(index)
        else:
            run = []
        if len(run) >= max(2, count):
            found.update(range(run[0], run[-1] + 1))
    return found


def is_head(text: str, mention: Mention) -> bool:
    """Tell whether a label stands as `(A)`, `A)`, `A.` or `A:`."""
    behind = text[mention.start + 1 : mention.start + 4].lstrip(" *_\"'")
    return behind[:1] in {")", ".", ":", "]"}
