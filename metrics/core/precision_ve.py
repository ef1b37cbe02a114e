"""Precision_VE: the share of generated elements that a verifying model sees in the picture.

Eq. 2 of the reference-free paper: |entailed elements| / |generated elements|, nodes and edges.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from .bootstrap import Interval, Resampling
from .elements import Elements
from .items import require_items, share
from .matching import match, match_links
from .recall_ocr import generated_elements
from .signature import signature
from .ve_protocol import VeAnswers, batch_sizes, element_texts, read_ve_reply

VERSION = "1.0"


@dataclass(frozen=True, slots=True)
class PrecisionOptions:
    """What is verified, and by what.

    Attributes:
        edge_labels: Whether an edge is asked about, and compared with gold, with its label.
        threshold: Least similarity at which an element is in the gold, inclusive.
        language: The code's diagram language; `auto` detects it in each.
        verifier: What verified, for the signature.
    """

    edge_labels: bool = True
    threshold: float = 0.9
    language: str = "auto"
    verifier: str = "given"

    def signature(self) -> str:
        """Return the signature of scores made so."""
        return signature(
            "ve_precision",
            VERSION,
            {
                "edge_labels": self.edge_labels,
                "threshold": self.threshold,
                "language": self.language,
                "verifier": self.verifier,
            },
        )


@dataclass(frozen=True, slots=True)
class Confusion:
    """A verifier's verdicts against the truth.

    Attributes:
        tp: Present elements that it saw.
        fp: Absent elements that it saw.
        fn: Present elements that it did not see.
        tn: Absent elements that it did not see.
    """

    tp: int = 0
    fp: int = 0
    fn: int = 0
    tn: int = 0

    def __add__(self, other: "Confusion") -> "Confusion":
        return Confusion(
            self.tp + other.tp, self.fp + other.fp, self.fn + other.fn, self.tn + other.tn
        )

    @property
    def f1(self) -> float | None:
        """2 tp / (2 tp + fp + fn)."""
        return share(2 * self.tp, 2 * self.tp + self.fp + self.fn)

    @property
    def false_positive_rate(self) -> float | None:
        """Share of the absent elements that it saw."""
        return share(self.fp, self.fp + self.tn)

    @property
    def false_negative_rate(self) -> float | None:
        """Share of the present elements that it did not see."""
        return share(self.fn, self.fn + self.tp)


@dataclass(frozen=True, slots=True)
class PrecisionItem:
    """One picture.

    Attributes:
        precision: Entailed / elements; `None` where no elements were generated.
        reason: `ok`, or how the code was read where it gave no elements.
        entailed: Number of entailed elements.
        elements: Number of generated elements.
        hallucinated: The elements that were not entailed, in canonical wording.
        missing: Elements without a verdict (counted as no).
        odd: Elements with an unclear verdict (counted as no).
        surplus: Verdicts about nothing that was asked.
        confusion: Against the gold, if given.
    """

    precision: float | None
    reason: str
    entailed: int
    elements: int
    hallucinated: tuple[str, ...]
    missing: int
    odd: int
    surplus: int
    confusion: Confusion | None


@dataclass(frozen=True, slots=True)
class PrecisionScore:
    """Precision_VE of many pictures.

    Attributes:
        precision: Mean of the pictures' precisions; `None` where none is defined.
        micro_precision: Entailed elements of all pictures / all elements.
        undefined: Pictures without generated elements, which the mean leaves out.
        missing: Elements without a verdict.
        odd: Elements with an unclear verdict.
        ve_f1: Micro F1 of the verifier, where gold is given.
        ve_fpr: Its false positive rate.
        ve_fnr: Its false negative rate.
        items: Every picture, in the order given.
        intervals: Bootstrap intervals, empty unless asked for.
        signature: How the scores were made.
    """

    precision: float | None
    micro_precision: float | None
    undefined: int
    missing: int
    odd: int
    ve_f1: float | None
    ve_fpr: float | None
    ve_fnr: float | None
    items: tuple[PrecisionItem, ...]
    intervals: dict[str, Interval]
    signature: str


def score_precision(
    predictions: Sequence[object],
    verdicts: Sequence[Sequence[object]],
    gold: Sequence[object] | None = None,
    options: PrecisionOptions | None = None,
    resampling: Resampling | None = None,
) -> PrecisionScore:
    """Score generated code by what a verifier says of its elements.

    Args:
        predictions: One reply (or elements) a picture.
        verdicts: For each picture the replies to its calls (`ve_protocol.batches`), or one
            truth value an element, in canonical order.
        gold: Gold code (or elements) of each picture, to score the verifier itself.
        options: What is verified.
        resampling: How to bootstrap.

    Raises:
        ValueError: Nothing to score, different lengths, or verdicts that fit no elements.
    """
    require_items(predictions, verdicts)
    if gold is not None:
        require_items(predictions, gold)
    options = options or PrecisionOptions()
    items = tuple(
        precision_item(
            generated_elements(prediction, options.language),
            verdicts[index],
            None if gold is None else generated_elements(gold[index], options.language),
            options,
        )
        for index, prediction in enumerate(predictions)
    )
    return score_of_items(items, options, resampling)


def score_of_items(
    items: Sequence[PrecisionItem],
    options: PrecisionOptions,
    resampling: Resampling | None = None,
) -> PrecisionScore:
    """Summarize scored pictures, see `score_precision`."""
    defined = [item.precision for item in items if item.precision is not None]
    confusion = sum((item.confusion for item in items if item.confusion), Confusion())
    rows = np.array([[item.entailed, item.elements] for item in items], dtype=np.float64)
    return PrecisionScore(
        precision=float(np.mean(defined)) if defined else None,
        micro_precision=share(sum(i.entailed for i in items), sum(i.elements for i in items)),
        undefined=len(items) - len(defined),
        missing=sum(item.missing for item in items),
        odd=sum(item.odd for item in items),
        ve_f1=confusion.f1,
        ve_fpr=confusion.false_positive_rate,
        ve_fnr=confusion.false_negative_rate,
        items=tuple(items),
        intervals=(resampling or Resampling()).intervals(
            rows, {"micro_precision": lambda means: means[:, 0] / means[:, 1]}
        ),
        signature=options.signature(),
    )


def precision_item(
    generated: Elements,
    verdicts: Sequence[object],
    gold: Elements | None,
    options: PrecisionOptions,
) -> PrecisionItem:
    """Score one picture, see `score_precision`."""
    texts = element_texts(generated, options.edge_labels)
    answers = read_verdicts(verdicts, len(texts))
    entailed = sum(answers.entailed)
    truth = None if gold is None else elements_present(generated, gold, options)
    return PrecisionItem(
        precision=share(entailed, len(texts)),
        reason="ok" if texts else generated.reading,
        entailed=entailed,
        elements=len(texts),
        hallucinated=tuple(
            text for text, seen in zip(texts, answers.entailed, strict=True) if not seen
        ),
        missing=answers.missing,
        odd=answers.odd,
        surplus=answers.surplus,
        confusion=None if truth is None else _confusion(answers.entailed, truth),
    )


def elements_present(
    generated: Elements, gold: Elements, options: PrecisionOptions
) -> tuple[bool, ...]:
    """Tell of each generated element, in canonical order, whether the gold has it.

    A link with a head at one end points there. A link with two heads, or with none, looks the
    same from both of its ends: an edge in either direction is right, but only one.
    """
    links, gold_links = generated.links, gold.links
    if not options.edge_labels:
        links, gold_links = (tuple(link[:2] for link in side) for side in (links, gold_links))
    nodes = match(gold.nodes, generated.nodes, threshold=options.threshold)
    edges = match_links(gold_links, links, gold.undirected, threshold=options.threshold)
    return (
        *(index not in set(nodes.extra) for index in range(len(generated.nodes))),
        *(index not in set(edges.extra) for index in range(len(links))),
    )


def read_verdicts(verdicts: Sequence[object], count: int) -> VeAnswers:
    """Read what a verifier says of a picture's elements.

    Args:
        verdicts: Its replies, one a call (`ve_protocol.batches`), or one truth value an element.
        count: Number of the elements.

    Raises:
        ValueError: The verdicts fit another number of elements.
    """
    if verdicts and all(isinstance(verdict, bool) for verdict in verdicts):
        if len(verdicts) != count:
            raise ValueError(f"{len(verdicts)} verdicts for {count} elements")
        return VeAnswers(tuple(verdict is True for verdict in verdicts), 0, 0, 0)
    sizes = batch_sizes(count) or [0] * len(verdicts)
    if len(verdicts) > len(sizes):
        raise ValueError(f"{len(verdicts)} replies, but {count} elements take {len(sizes)} calls")
    replies = [*verdicts, *[None] * (len(sizes) - len(verdicts))]
    calls = [read_ve_reply(reply, size) for reply, size in zip(replies, sizes, strict=True)]
    return VeAnswers(
        tuple(chain.from_iterable(call.entailed for call in calls)),
        sum(call.missing for call in calls),
        sum(call.odd for call in calls),
        sum(call.surplus for call in calls),
    )


def _confusion(entailed: Sequence[bool], truth: Sequence[bool]) -> Confusion:
    pairs = list(zip(entailed, truth, strict=True))
    return Confusion(
        tp=pairs.count((True, True)),
        fp=pairs.count((True, False)),
        fn=pairs.count((False, True)),
        tn=pairs.count((False, False)),
    )
