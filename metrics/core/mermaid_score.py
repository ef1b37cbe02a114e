"""Node- and link-level precision, recall and F1 of flowchart code, FlowLearn's Tables 7 and 12."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .bootstrap import Floats, Interval, Resampling, Statistic
from .diagram import Skipped
from .elements import Elements, Mode, read_elements, read_gold
from .items import require_items
from .languages import resolve
from .matching import Assignment, Element, distinct, match
from .signature import signature

VERSION = "1.0"


@dataclass(frozen=True, slots=True)
class Options:
    """How diagrams are read and compared.

    Attributes:
        mode: How replies are read, see `read_elements`.
        threshold: Least similarity at which two texts match, inclusive; 1 asks for equality.
        assignment: How pairs are chosen below threshold 1.
        multiset: Whether elements that occur twice count twice.
        link_labels: Whether a link's label must match too.
        language: Lenient mode's diagram language, e.g. `mermaid`, `dot`; `auto` detects it in
            each text.
    """

    mode: Mode = "paper"
    threshold: float = 1.0
    assignment: Assignment = "best-first"
    multiset: bool = True
    link_labels: bool = False
    language: str = "mermaid"

    def __post_init__(self) -> None:
        if self.mode not in ("paper", "lenient"):
            raise ValueError(f"mode: expected paper or lenient, got {self.mode!r}")
        resolve(self.language)
        if self.mode == "paper" and self.language != "mermaid":
            raise ValueError("paper mode reads Mermaid only: use mode lenient for other languages")

    def signature(self) -> str:
        """Return the signature of scores made so."""
        return signature(
            "mermaid_f1",
            VERSION,
            {
                "mode": self.mode,
                "threshold": self.threshold,
                "assignment": self.assignment if self.threshold < 1 else "equal",
                "elements": "multiset" if self.multiset else "set",
                "link_labels": self.link_labels,
                "language": self.language,
            },
        )


@dataclass(frozen=True, slots=True)
class Matched:
    """A gold element, the predicted one that it was matched with, and their similarity."""

    gold: Element
    predicted: Element
    similarity: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """The nodes, or the links, of one reply against the gold ones.

    Where neither side has any, precision, recall and F1 are 1; where one side has none, 0.

    Attributes:
        tp: Matched elements.
        fp: Predicted elements without a gold partner.
        fn: Gold elements without a predicted partner.
        precision: tp / (tp + fp).
        recall: tp / (tp + fn).
        f1: Harmonic mean of both.
        matched: The matched elements.
        missed: The gold elements behind fn.
        extra: The predicted elements behind fp.
    """

    tp: int
    fp: int
    fn: int
    precision: float
    recall: float
    f1: float
    matched: tuple[Matched, ...]
    missed: tuple[Element, ...]
    extra: tuple[Element, ...]


@dataclass(frozen=True, slots=True)
class FlowchartItem:
    """One scored reply.

    Attributes:
        reading: How the reply was read, see `Elements`.
        skipped: Lines that the recovering parser could not use.
        nodes: Its nodes, as `(text,)`, against the gold ones.
        links: Its links, as `(source text, target text)` or with the label as a third text.
    """

    reading: str
    skipped: tuple[Skipped, ...]
    nodes: Comparison
    links: Comparison


@dataclass(frozen=True, slots=True)
class MermaidScore:
    """Scores of flowchart code; all between 0 and 1.

    Attributes:
        node_precision: Mean of the replies' node precisions (macro average, as in the paper).
        node_recall: Mean node recall.
        node_f1: Mean node F1.
        link_precision: Mean link precision.
        link_recall: Mean link recall.
        link_f1: Mean link F1.
        micro_node_precision: Node precision of the summed counts (micro average).
        micro_node_recall: Node recall of the summed counts.
        micro_node_f1: Node F1 of the summed counts.
        micro_link_precision: Link precision of the summed counts.
        micro_link_recall: Link recall of the summed counts.
        micro_link_f1: Link F1 of the summed counts.
        readings: How many replies were read in which way.
        recovered: Replies of which the parser had to leave lines out.
        items: Every reply, in the order given.
        intervals: Bootstrap intervals by name of the score; empty unless asked for.
        signature: How the scores were made.
    """

    node_precision: float
    node_recall: float
    node_f1: float
    link_precision: float
    link_recall: float
    link_f1: float
    micro_node_precision: float
    micro_node_recall: float
    micro_node_f1: float
    micro_link_precision: float
    micro_link_recall: float
    micro_link_f1: float
    readings: dict[str, int]
    recovered: int
    items: tuple[FlowchartItem, ...]
    intervals: dict[str, Interval]
    signature: str


def precision_recall_f1(tp: float, fp: float, fn: float) -> tuple[float, float, float]:
    """Return precision, recall and F1 of counts.

    >>> precision_recall_f1(3, 1, 3)
    (0.75, 0.5, 0.6)
    >>> precision_recall_f1(0, 0, 0), precision_recall_f1(0, 2, 0)
    ((1.0, 1.0, 1.0), (0.0, 0.0, 0.0))
    """
    if tp == fp == fn == 0:
        return 1.0, 1.0, 1.0
    return (
        tp / (tp + fp) if tp else 0.0,
        tp / (tp + fn) if tp else 0.0,
        2 * tp / (2 * tp + fp + fn),
    )


def score_flowcharts(
    predictions: Sequence[object],
    references: Sequence[str],
    *,
    options: Options | None = None,
    resampling: Resampling | None = None,
) -> MermaidScore:
    r"""Score replies that hold flowchart code.

    Args:
        predictions: The model's whole replies; what is no text scores 0, reading `missing`.
        references: Gold code, bare or in a closed fence.
        options: How diagrams are read and compared.
        resampling: How to bootstrap, if at all.

    Raises:
        ValueError: No items, lists of different lengths, a reference that is no diagram.

    >>> gold = "flowchart LR\na(mix) --> b(bake)\nb --> c(cool)"
    >>> score = score_flowcharts(["```mermaid\nflowchart LR\nx(mix) --> y(bake)\n```"], [gold])
    >>> score.node_precision, score.node_recall, score.link_recall
    (1.0, 0.6666666666666666, 0.5)
    >>> score.items[0].links.missed
    (('bake', 'cool'),)
    """
    require_items(predictions, references)
    options = options or Options()
    golds: dict[object, Elements] = {}
    for index, reference in enumerate(references):
        if reference not in golds:
            golds[reference] = _gold(reference, index, options)
    items = tuple(
        _score_reply(reply, golds[reference], options)
        for reply, reference in zip(predictions, references, strict=True)
    )
    rows = np.array([_row(item) for item in items])
    means = rows.mean(axis=0, keepdims=True)
    scores = {name: float(statistic(means)[0]) for name, statistic in _STATISTICS.items()}
    return MermaidScore(
        **scores,
        readings=dict(Counter(item.reading for item in items).most_common()),
        recovered=sum(bool(item.skipped) for item in items),
        items=items,
        intervals=(resampling or Resampling()).intervals(rows, _STATISTICS),
        signature=options.signature(),
    )


def _gold(reference: object, index: int, options: Options) -> Elements:
    if not isinstance(reference, str):
        raise ValueError(f"references[{index}]: expected a text, got {reference!r:.80}")
    try:
        return read_gold(reference, options.mode, options.language)
    except ValueError as error:
        raise ValueError(f"references[{index}]: {error}") from error


def _score_reply(reply: object, gold: Elements, options: Options) -> FlowchartItem:
    predicted = read_elements(reply, options.mode, options.language)
    texts = 3 if options.link_labels else 2
    return FlowchartItem(
        reading=predicted.reading,
        skipped=predicted.skipped,
        nodes=_compare(gold.nodes, predicted.nodes, options),
        links=_compare(
            [link[:texts] for link in gold.links],
            [link[:texts] for link in predicted.links],
            options,
        ),
    )


def _compare(gold: Sequence[Element], predicted: Sequence[Element], options: Options) -> Comparison:
    if not options.multiset:
        gold, predicted = distinct(gold), distinct(predicted)
    found = match(gold, predicted, threshold=options.threshold, assignment=options.assignment)
    counts = len(found.pairs), len(found.extra), len(found.missed)
    return Comparison(
        *counts,
        *precision_recall_f1(*counts),
        matched=tuple(
            Matched(gold[pair.gold], predicted[pair.predicted], pair.similarity)
            for pair in found.pairs
        ),
        missed=tuple(gold[index] for index in found.missed),
        extra=tuple(predicted[index] for index in found.extra),
    )


def _row(item: FlowchartItem) -> list[float]:
    return [
        number
        for level in (item.nodes, item.links)
        for number in (level.precision, level.recall, level.f1, level.tp, level.fp, level.fn)
    ]


def _macro(column: int) -> Statistic:
    return lambda means: means[:, column]


def _micro(first: int, measure: int) -> Statistic:
    def statistic(means: Floats) -> Floats:
        # Means of counts serve as well as sums: every measure is a ratio.
        counts = means[:, first : first + 3]
        return np.array([precision_recall_f1(*row)[measure] for row in counts.tolist()])

    return statistic


# The columns of `_row`: three scores and three counts of the nodes, then those of the links.
_STATISTICS: dict[str, Statistic] = {
    f"{prefix}{level}_{name}": _micro(start + 3, measure) if prefix else _macro(start + measure)
    for prefix in ("", "micro_")
    for start, level in ((0, "node"), (6, "link"))
    for measure, name in enumerate(("precision", "recall", "f1"))
}
