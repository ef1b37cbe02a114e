"""Recall_OCR: the share of a picture's texts that generated code holds, without any gold.

Eq. 1 of the reference-free paper: |OCR texts ∩ generated elements| / |OCR texts|, both as
multisets, matched one-to-one at a normalized Levenshtein similarity of at least 0.9.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from rapidfuzz import fuzz

from .bootstrap import Interval, Resampling
from .elements import Elements, read_elements
from .items import require_items, share
from .matching import Assignment, match_texts, normalize_text, text_similarity
from .signature import signature
from .text_lines import Box, Label, TextLine, join_texts, merge_lines, read_line

VERSION = "1.0"
Lines = Literal["merged", "raw"]
MIN_PART = 80
"""Least likeness, of 100, of a text without a place to a part of the label it may be a line of."""


@dataclass(frozen=True, slots=True)
class RecallOptions:
    """How texts and generated elements are compared.

    Attributes:
        lines: `merged` joins the lines of a wrapped label, by their places where they are known,
            else where they make up a text of the code, in any order; `raw` takes every line by
            itself, the paper's literal formula.
        threshold: Least similarity at which texts match, inclusive.
        assignment: How pairs are chosen, see `matching.assign`.
        edge_labels: Whether texts may be found in labels of links as well as in nodes.
        language: The code's diagram language; `auto` detects it in each.
        reader: What read the texts, for the signature.
    """

    lines: Lines = "merged"
    threshold: float = 0.9
    assignment: Assignment = "best-first"
    edge_labels: bool = True
    language: str = "auto"
    reader: str = "given"

    def __post_init__(self) -> None:
        if self.lines not in get_args(Lines):
            raise ValueError(f"lines: expected merged or raw, got {self.lines!r}")

    def signature(self) -> str:
        """Return the signature of scores made so."""
        return signature(
            "ocr_recall",
            VERSION,
            {
                "lines": self.lines,
                "threshold": self.threshold,
                "assignment": self.assignment,
                "edge_labels": self.edge_labels,
                "language": self.language,
                "reader": self.reader,
            },
        )


@dataclass(frozen=True, slots=True)
class Found:
    """A text of the picture and the generated element that holds it."""

    text: str
    generated: str
    similarity: float


@dataclass(frozen=True, slots=True)
class Missed:
    """A text of the picture that no generated element holds.

    Attributes:
        text: The text as it was read.
        box: Where it stands, `(x0, y0, x1, y1)` in pixels; `None` where that is not known.
        nearest: The generated element most like it, matched or not; `None` of no elements.
        similarity: How much it is like it.
    """

    text: str
    box: Box | None
    nearest: str | None
    similarity: float


@dataclass(frozen=True, slots=True)
class RecallItem:
    """One picture.

    Attributes:
        recall: Matched / texts; `None` where the picture has no text.
        reason: `ok`, `no_ocr_text`, or how the code was read where it gave no elements.
        matched: Number of texts found in the code.
        texts: Number of texts in the picture.
        found: The matched texts.
        missed: The texts that are not in the code.
    """

    recall: float | None
    reason: str
    matched: int
    texts: int
    found: tuple[Found, ...]
    missed: tuple[Missed, ...]


@dataclass(frozen=True, slots=True)
class RecallScore:
    """Recall_OCR of many pictures.

    Attributes:
        recall: Mean of the pictures' recalls; `None` where none is defined.
        micro_recall: Matched texts of all pictures / all texts.
        undefined: Pictures without text, which the mean leaves out.
        items: Every picture, in the order given.
        intervals: Bootstrap intervals, empty unless asked for.
        signature: How the scores were made.
    """

    recall: float | None
    micro_recall: float | None
    undefined: int
    items: tuple[RecallItem, ...]
    intervals: dict[str, Interval]
    signature: str


def generated_elements(prediction: object, language: str = "auto") -> Elements:
    """Read what a model generated.

    Args:
        prediction: A reply with code, or the elements themselves: an object with `nodes` (texts)
            and `links` (`[source text, target text]`, or with the label as a third).
        language: The code's diagram language.

    Raises:
        ValueError: An object of another form.
    """
    if not isinstance(prediction, Mapping):
        return read_elements(prediction, "lenient", language)
    nodes = prediction.get("nodes", ())
    links = prediction.get("links", ())
    if not all(isinstance(node, str) for node in nodes):
        raise ValueError(f"nodes: expected texts, got {nodes!r:.80}")
    if not all(2 <= len(link) <= 3 and all(isinstance(t, str) for t in link) for link in links):
        raise ValueError(f"links: expected [source, target] or with a label, got {links!r:.80}")
    return Elements(
        nodes=tuple((normalize_text(node),) for node in nodes),
        links=tuple(tuple(map(normalize_text, (*link, "")[:3])) for link in links),
        reading="elements" if nodes or links else "empty",
    )


def read_labels(texts: Sequence[Any]) -> list[Label | TextLine]:
    """Read a picture's texts.

    Args:
        texts: Texts, objects as `read_line` takes them, or labels that were merged with the
            picture at hand (objects with `lines`), which stay as they are.

    Raises:
        ValueError: An entry of another form.
    """
    found: list[Label | TextLine] = []
    for entry in texts:
        line = read_line(entry)
        parts = entry.get("lines") if isinstance(entry, Mapping) else None
        found.append(Label(line.text, tuple(map(read_line, parts))) if parts else line)
    return found


def score_recall(
    predictions: Sequence[object],
    texts: Sequence[Sequence[Any]],
    options: RecallOptions | None = None,
    resampling: Resampling | None = None,
) -> RecallScore:
    r"""Score generated code by the texts of the pictures that it was made from.

    Args:
        predictions: One reply (or elements) a picture, see `generated_elements`.
        texts: The texts of each picture, see `read_labels`.
        options: How they are compared.
        resampling: How to bootstrap.

    Raises:
        ValueError: Nothing to score, different lengths, or an entry that cannot be read.

    >>> score = score_recall(["flowchart LR\na(mix) --> b(bake)"], [["mix", "boke", "serve"]])
    >>> score.recall, [miss.text for miss in score.items[0].missed]
    (0.3333333333333333, ['boke', 'serve'])
    """
    require_items(predictions, texts)
    options = options or RecallOptions()
    items = tuple(
        recall_item(generated_elements(prediction, options.language), entries, options)
        for prediction, entries in zip(predictions, texts, strict=True)
    )
    defined = [item.recall for item in items if item.recall is not None]
    rows = np.array([[item.matched, item.texts] for item in items], dtype=np.float64)
    intervals = (resampling or Resampling()).intervals(
        rows, {"micro_recall": lambda means: means[:, 0] / means[:, 1]}
    )
    return RecallScore(
        recall=float(np.mean(defined)) if defined else None,
        micro_recall=share(sum(i.matched for i in items), sum(i.texts for i in items)),
        undefined=len(items) - len(defined),
        items=items,
        intervals=intervals,
        signature=options.signature(),
    )


def recall_item(generated: Elements, entries: Sequence[Any], options: RecallOptions) -> RecallItem:
    """Score one picture, see `score_recall`."""
    elements = [text for (text,) in (*generated.nodes, *generated.groups)]
    if options.edge_labels:
        elements += [label for _, _, label in generated.links if label]
    labels = _labels(read_labels(entries), elements, options)
    texts = [normalize_text(label.text) for label in labels]
    matching = match_texts(
        texts, elements, threshold=options.threshold, assignment=options.assignment
    )
    recall = share(len(matching.pairs), len(texts))
    empty = generated.reading if not elements else "ok"
    return RecallItem(
        recall=recall,
        reason="no_ocr_text" if recall is None else empty,
        matched=len(matching.pairs),
        texts=len(texts),
        found=tuple(
            Found(labels[pair.gold].text, elements[pair.predicted], pair.similarity)
            for pair in matching.pairs
        ),
        missed=tuple(_missed(labels[index], texts[index], elements) for index in matching.missed),
    )


def _missed(label: Label, text: str, elements: Sequence[str]) -> Missed:
    nearest = max(elements, key=lambda element: text_similarity(text, element), default=None)
    similarity = 0.0 if nearest is None else text_similarity(text, nearest)
    return Missed(label.text, label.box, nearest, float(similarity))


def _labels(
    entries: Sequence[Label | TextLine], elements: Sequence[str], options: RecallOptions
) -> list[Label]:
    if options.lines == "raw":
        lines = [
            line
            for entry in entries
            for line in (entry.lines if isinstance(entry, Label) else (entry,))
        ]
        return [Label(line.text, (line,)) for line in lines if line.text.strip()]
    ready = [entry for entry in entries if isinstance(entry, Label)]
    placed = merge_lines(ln for ln in entries if isinstance(ln, TextLine) and ln.polygon)
    loose = merge_lines(ln for ln in entries if isinstance(ln, TextLine) and not ln.polygon)
    return [*ready, *placed, *_join_parts(loose, elements, options.threshold)]


def _join_parts(labels: Sequence[Label], elements: Sequence[str], threshold: float) -> list[Label]:
    """Join texts without places that are the lines of one element, in whatever order they come."""
    texts = [normalize_text(label.text) for label in labels]
    alone = match_texts(texts, elements, threshold=threshold)
    joined = [labels[pair.gold] for pair in alone.pairs]
    free = sorted(alone.missed, key=lambda index: texts[index])
    for element in sorted(elements[index] for index in alone.extra):
        parts = _parts_of(element, [(index, texts[index]) for index in free])
        whole = _joined([labels[index] for index in parts])
        if len(parts) > 1 and text_similarity(normalize_text(whole.text), element) >= threshold:
            joined.append(whole)
            free = [index for index in free if index not in parts]
    return [*joined, *(labels[index] for index in free)]


def _parts_of(element: str, texts: Sequence[tuple[int, str]]) -> list[int]:
    """Return the keys of texts that stand one after the other in an element."""
    places = []
    for key, text in texts:
        place = fuzz.partial_ratio_alignment(text, element, score_cutoff=MIN_PART)
        if place is not None and len(text) < len(element):
            places.append((place.dest_start, -place.dest_end, text, key))
    parts, end = [], 0
    for start, negative_end, _, key in sorted(places):
        if start >= end:
            parts.append(key)
            end = -negative_end
    return parts


def _joined(labels: Sequence[Label]) -> Label:
    lines = tuple(line for label in labels for line in label.lines)
    return Label(join_texts([label.text for label in labels]), lines)
