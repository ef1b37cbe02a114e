"""Random draws that depend on nothing but the row."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np


def row_rng(seed: int, config_hash: str, index: int, attempt: int = 0) -> np.random.Generator:
    """Return the generator of one row.

    It depends on the arguments alone, so that any row can be made again alone, on any worker, in
    any order.

    Args:
        seed: Seed of the configuration.
        config_hash: Hexadecimal hash of the configuration.
        index: Index of the row.
        attempt: How many drafts of the row were rejected before.
    """
    entropy = [seed, int(config_hash[:16], 16), index, attempt]
    return np.random.default_rng(np.random.SeedSequence(entropy))


def pick(rng: np.random.Generator, weights: Mapping[str, float]) -> str:
    """Draw one key of a mapping from keys to weights."""
    mark = rng.random() * sum(weights.values())
    for key, weight in weights.items():
        mark -= weight
        if mark < 0:
            return key
    return key
