"""LogicVista scores: overall, per reasoning skill and per capability (equations 1 to 3).

A reply is right if it names exactly the gold labels, in any order. Items that cannot be scored are
left out and named; an item without a reply counts as wrong, with the reason.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from logicvista.options import UNSTATED_LABELS
from logicvista.taxonomy import RELEASED_CAPABILITIES, SKILLS
from logicvista.version import DATA_VERSION
from metrics.core.bootstrap import Difference, interval, paired_difference
from metrics.core.mcq import Extraction, extract
from metrics.core.signature import signature

VERSION = "1.0"

Extractor = Callable[[str, Mapping[str, str], str], Extraction]
"""Reads a reply, given the choices and the question."""


def by_rules(reply: str, choices: Mapping[str, str], _question: str) -> Extraction:
    """Read a reply by the rules alone, which need no question."""
    return extract(reply, choices)


@dataclass(frozen=True)
class Item:
    """What is needed of a row to score a reply to it.

    Attributes:
        id: The item's id.
        choices: Labels that may answer, with the texts of their options (empty if none).
        stated: Number of options that the question states; 0 if it states none.
        answer: The gold labels; empty if the item is not scorable.
        skill: Its reasoning skill.
        capabilities: Its capabilities, `diagram` and `ocr`.
        group: Key of its picture; items of a group are resampled together.
        reasoning: The human explanation; empty if there is none.
        question: The question; empty if it is not at hand.
    """

    id: str
    choices: Mapping[str, str]
    stated: int
    answer: frozenset[str]
    skill: str
    capabilities: tuple[str, ...]
    group: str
    reasoning: str = ""
    question: str = ""

    @property
    def scorable(self) -> bool:
        """Whether a reply can be judged at all."""
        return bool(self.answer)


@dataclass(frozen=True)
class Judgement:
    """One reply judged.

    Attributes:
        id: The item's id.
        letters: The labels read from the reply.
        reason: The rule that read them, or why there are none.
        right: Whether they are the gold labels.
    """

    id: str
    letters: tuple[str, ...]
    reason: str
    right: bool


@dataclass(frozen=True)
class Group:
    """The score of a group of items.

    Attributes:
        n: Number of items.
        right: Number of right replies.
        accuracy: Their share, 0 to 1.
        low: Lower end of the 95 % bootstrap interval of the accuracy, clustered by picture.
        high: Its upper end.
        chance: Expected accuracy of guessing one of the stated options, over the items that
            state theirs; None if none does.
        majority: Accuracy of always giving the group's most frequent gold answer.
    """

    n: int
    right: int
    accuracy: float
    low: float
    high: float
    chance: float | None
    majority: float


@dataclass(frozen=True)
class Scores:
    """All scores of one model.

    Attributes:
        overall: All scorable items.
        skills: By reasoning skill.
        capabilities: By capability.
        skipped: Ids of the items that are not scorable.
        reasons: How often each reason decided.
        judgements: Every scorable item, in order.
        signature: How the scores were made.
    """

    overall: Group
    skills: dict[str, Group]
    capabilities: dict[str, Group]
    skipped: tuple[str, ...]
    reasons: dict[str, int]
    judgements: tuple[Judgement, ...]
    signature: str


COLUMNS = (
    "id",
    "options",
    "labels",
    "answer",
    "scorable",
    "skill",
    "capabilities",
    "image_group",
    "reasoning",
    "question",
)
"""The columns of a row that scoring needs; the picture is none of them."""


def item_of_row(row: Mapping[str, Any]) -> Item:
    """Take what scoring needs from a row of the dataset."""
    texts = {option["label"]: option["text"] for option in row["options"]}
    return Item(
        id=row["id"],
        choices={label: texts.get(label, "") for label in row["labels"] or UNSTATED_LABELS},
        stated=len(texts),
        answer=frozenset(row["answer"]) if row["scorable"] else frozenset(),
        skill=row["skill"],
        capabilities=tuple(row["capabilities"]),
        group=row["image_group"],
        reasoning=row["reasoning"],
        question=row["question"],
    )


def chance_level(items: Iterable[Item]) -> float | None:
    """Return the expected accuracy of guessing one stated option; None if none are stated."""
    shares = [1 / item.stated for item in items if item.stated]
    return sum(shares) / len(shares) if shares else None


def majority_level(items: Sequence[Item]) -> float:
    """Return the accuracy of always giving the most frequent gold answer."""
    return max(Counter(item.answer for item in items).values()) / len(items)


def judge(item: Item, reply: str | None, extractor: Extractor = by_rules) -> Judgement:
    """Judge one reply; None stands for an item without a reply."""
    if reply is None:
        return Judgement(item.id, (), "no_reply", False)
    read = extractor(reply, item.choices, item.question)
    right = item.scorable and frozenset(read.letters) == item.answer
    return Judgement(item.id, read.letters, read.reason, right)


def score(
    items: Sequence[Item],
    replies: Mapping[str, str],
    *,
    extractor: Extractor = by_rules,
    extractor_name: str = "rules",
    gold: str = "corrected",
    resamples: int = 1000,
    seed: int = 0,
) -> Scores:
    """Score a model's replies.

    Args:
        items: The items; those that are not scorable are skipped.
        replies: Item id to reply.
        extractor: Reads the labels from a reply.
        extractor_name: Its name in the signature.
        gold: Which gold the items carry, for the signature.
        resamples: Resamples of the bootstrap.
        seed: Its seed.

    Raises:
        ValueError: No item is scorable, or a reply belongs to no item.
    """
    if unknown := replies.keys() - {item.id for item in items}:
        raise ValueError(f"replies to unknown items: {', '.join(sorted(unknown))}")
    scorable = [item for item in items if item.scorable]
    if not scorable:
        raise ValueError("no item is scorable")
    judged = {item.id: judge(item, replies.get(item.id), extractor) for item in scorable}

    def group(members: Sequence[Item]) -> Group:
        hits = [judged[item.id].right for item in members]
        ends = interval(
            hits, clusters=[item.group for item in members], resamples=resamples, seed=seed
        )
        return Group(
            n=len(members),
            right=sum(hits),
            accuracy=sum(hits) / len(members),
            low=ends.low,
            high=ends.high,
            chance=chance_level(members),
            majority=majority_level(members),
        )

    by_skill = {name: [item for item in scorable if item.skill == name] for name in SKILLS}
    by_capability = {
        name: [item for item in scorable if name in item.capabilities]
        for name in RELEASED_CAPABILITIES
    }
    return Scores(
        overall=group(scorable),
        skills={name: group(members) for name, members in by_skill.items() if members},
        capabilities={name: group(members) for name, members in by_capability.items() if members},
        skipped=tuple(item.id for item in items if not item.scorable),
        reasons=dict(Counter(judgement.reason for judgement in judged.values()).most_common()),
        judgements=tuple(judged.values()),
        signature=signature(
            "logicvista",
            VERSION,
            {
                "data": DATA_VERSION,
                "gold": gold,
                "extractor": extractor_name,
                "n": len(scorable),
                "resamples": resamples,
                "seed": seed,
            },
        ),
    )


def compare(
    items: Sequence[Item], first: Scores, second: Scores, *, resamples: int = 1000, seed: int = 0
) -> dict[str, Difference]:
    """Compare two models on the same items: paired bootstrap, clustered by picture.

    Returns:
        The difference of the accuracies, first minus second, `overall` and for each skill.

    Raises:
        ValueError: The two were scored on different items.
    """
    if [j.id for j in first.judgements] != [j.id for j in second.judgements]:
        raise ValueError("the two models were scored on different items")
    by_id = {item.id: item for item in items}
    pairs = [
        (by_id[one.id], one.right, other.right)
        for one, other in zip(first.judgements, second.judgements, strict=True)
    ]

    def difference(members: Sequence[tuple[Item, bool, bool]]) -> Difference:
        return paired_difference(
            [one for _, one, _ in members],
            [other for _, _, other in members],
            clusters=[item.group for item, _, _ in members],
            resamples=resamples,
            seed=seed,
        )

    by_skill = {name: [pair for pair in pairs if pair[0].skill == name] for name in SKILLS}
    return {
        "overall": difference(pairs),
        **{name: difference(members) for name, members in by_skill.items() if members},
    }
