"""Open-ended evaluation of LogicVista: a model's reasoning against the human one, by similarity."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from metrics.core.bootstrap import Resampling
from metrics.core.similarity import MEASURES, SimilarityScore, score_similarity
from scoring.logicvista import Item


@dataclass(frozen=True)
class ReasoningScores:
    """How like the human reasoning a model's replies are.

    Attributes:
        n: Number of items compared.
        skipped: Ids of the items that were released without reasoning.
        similarity: The similarity scores, with intervals clustered by picture.
    """

    n: int
    skipped: tuple[str, ...]
    similarity: SimilarityScore


def score_reasoning(
    items: Sequence[Item],
    replies: Mapping[str, str],
    *,
    measures: Sequence[str] = MEASURES,
    resamples: int = 1000,
    seed: int = 0,
) -> ReasoningScores:
    """Compare replies with the human reasoning.

    Args:
        items: The items; those without reasoning are skipped.
        replies: Item id to reply; an item without one counts as an empty reply.
        measures: Which measures to compute, out of `metrics.core.similarity.MEASURES`.
        resamples: Resamples of the bootstrap.
        seed: Its seed.

    Raises:
        ValueError: No item has reasoning, or a measure is unknown.
    """
    explained = [item for item in items if item.reasoning.strip()]
    resampling = Resampling(resamples, seed, [item.group for item in explained])
    return ReasoningScores(
        n=len(explained),
        skipped=tuple(item.id for item in items if not item.reasoning.strip()),
        similarity=score_similarity(
            [replies.get(item.id) for item in explained],
            [item.reasoning for item in explained],
            measures=measures,
            resampling=resampling,
        ),
    )
