"""Labels of nodes and links, drawn from words."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from builders.simulated.config import SimulatedConfig
from builders.simulated.sampling import pick
from builders.simulated.words import english_words, read_word_list
from common.errors import UserError

_TRIES = 1000
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class LabelPool:
    """Draws labels as a configuration asks for.

    Args:
        config: Label style, words per label, length limits, word list.

    Raises:
        UserError: The word list cannot give enough different labels.
    """

    def __init__(self, config: SimulatedConfig) -> None:
        self._config = config
        self._words = _entries(config)
        by_length: dict[int, list[str]] = defaultdict(list)
        for word in self._words:
            if len(word) <= config.max_label_chars:
                by_length[len(word)].append(word)
        weights = {str(n): float(len(words)) for n, words in by_length.items()}
        if config.label_style == "word" and config.word_lengths:
            weights = config.word_lengths
        self._by_length = {n: tuple(words) for n, words in by_length.items()}
        self._lengths = {n: odds for n, odds in weights.items() if int(n) in by_length}
        if not self._lengths:
            raise UserError(
                "no word of the list has a length that `word_lengths` allows",
                "widen `word_lengths` or set it to null",
            )
        if config.label_style != "word" and len(self._words) < config.max_nodes:
            raise UserError(
                f"{len(self._words)} labels for charts of up to {config.max_nodes} nodes",
                "lengthen the list or lower `max_nodes`",
            )

    def characters(self) -> frozenset[str]:
        """Return every character that a label can hold."""
        return frozenset("".join(self._words)) | frozenset(" ")

    def unique_labels(self, rng: np.random.Generator, count: int) -> list[str]:
        """Draw `count` different labels.

        Raises:
            UserError: The words cannot give so many within the length limit.
        """
        if self._config.label_style != "word":
            order = rng.choice(len(self._words), size=count, replace=False)
            return [self._words[int(i)] for i in order]
        labels: dict[str, None] = {}
        for _ in range(_TRIES * count):
            if len(labels) == count:
                return list(labels)
            labels[self._node_label(rng)] = None
        raise UserError(
            f"the words give fewer than {count} different labels of up to "
            f"{self._config.max_label_chars} characters",
            "lengthen the word list, raise `max_label_chars` or lower `max_nodes`",
        )

    def link_label(self, rng: np.random.Generator) -> str:
        """Draw a short text for a link or a subgraph's title."""
        return self._word(rng)

    def _node_label(self, rng: np.random.Generator) -> str:
        config = self._config
        if rng.random() < config.wrapped_label_rate:
            count = int(rng.integers(config.min_wrapped_words, config.max_wrapped_words + 1))
            return " ".join(self._word(rng) for _ in range(count))
        count = int(pick(rng, config.words_per_label))
        label = self._word(rng)
        for _ in range(count - 1):
            longer = f"{label} {self._word(rng)}"
            if len(longer) > config.max_label_chars:
                break
            label = longer
        return label

    def _word(self, rng: np.random.Generator) -> str:
        words = self._by_length[int(pick(rng, self._lengths))]
        return words[int(rng.integers(len(words)))]


def _entries(config: SimulatedConfig) -> tuple[str, ...]:
    if config.label_style == "char":
        return tuple(_LETTERS)
    return read_word_list(config.word_list) if config.word_list else english_words()
