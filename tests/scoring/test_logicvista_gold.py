"""Every gold answer, said in many ways, scores 1; a blank reply scores 0."""

import os
from pathlib import Path

import pytest

from builders.published.records import ITEM_IDS, read_records, text_columns
from scoring.logicvista import item_of_row, judge, score

PHRASINGS = (
    "{}",
    "({})",
    "**{}**",
    "The answer is {}.",
    "Answer: {}",
    "The correct answer is option {}.",
    "\\boxed{{{}}}",
    '{{"answer": "{}"}}',
    "<think>First I look at the picture.</think>\n<answer>{}</answer>",
    "Let me look at the figures one by one.\n\nSo the answer is ({}).",
)

MADE_UP = [
    ("Which? Select from A, B and C. (A) True (B)False (C)Unknown", "B"),
    ("Which box? Select from A-E", "E"),
    ("Who is the odd one out? Select answers from A-I", "G"),
    ("Which of boxes A to F?", "F"),
    ("Which? Select from 1-5", "3"),
    ("Which two figures (A-D) fit?", "A, C"),
    ("Which figure is turned?", "D"),
    ("How many? Select from A, B, and C. (A) 2 (B) 3 (C) 4", "A"),
]


def item(question, answer, number=0):
    record = {
        "imagename": "x.png",
        "question": question,
        "answer": answer,
        "reasoning": "",
        "skill": ["spatial"],
        "broad_capability": ["diagram"],
        "specific_capability": ["3d pattern"],
        "imagesource": "",
        "sourcelink": "",
        "liscenced": "true",
    }
    return item_of_row(text_columns(f"v1_{number}", record, True) | {"image_group": "x"})


def gold_of(item):
    return ", ".join(sorted(item.answer))


@pytest.mark.parametrize("phrasing", PHRASINGS)
def test_a_released_letter_beside_numbers_can_be_answered_as_published(phrasing):
    made = item("Which? Select from 1-5", "B")
    assert judge(made, phrasing.format("B")).right
    assert not judge(made, phrasing.format("C")).right


@pytest.mark.parametrize("phrasing", PHRASINGS)
@pytest.mark.parametrize(("question", "answer"), MADE_UP)
def test_gold_scores_one(question, answer, phrasing):
    made = item(question, answer)
    judgement = judge(made, phrasing.format(gold_of(made)))
    assert judgement.right, judgement


@pytest.mark.skipif("UPSTREAM_DATA" not in os.environ, reason="UPSTREAM_DATA is not set")
def test_every_published_gold_scores_one_and_a_blank_reply_nothing():
    file = Path(os.environ["UPSTREAM_DATA"]) / "logicvista" / "dataset.json"
    records = read_records("", file.read_bytes())
    rows = [text_columns(key, records[key], False) | {"image_group": key} for key in ITEM_IDS]
    items = [item_of_row(row) for row in rows]
    for phrasing in PHRASINGS:
        replies = {made.id: phrasing.format(gold_of(made)) for made in items}
        wrong = [j for j in score(items, replies).judgements if not j.right]
        assert not wrong, (phrasing, wrong[:5])
    blank = score(items, dict.fromkeys(ITEM_IDS, ""))
    assert (blank.overall.n, blank.overall.right, blank.skipped) == (447, 0, ("v1_382",))
    assert blank.overall.chance == pytest.approx(0.2467, abs=5e-5)
