"""Records with anything in them are refused with the item's id, or make a row of the schema."""

import json

import jsonschema
from hypothesis import given
from hypothesis import strategies as st

from builders.published.records import read_records, record_problems, text_columns
from common.errors import UserError
from logicvista.schema import row_schema

SOUND = {
    "imagename": "v1_7.png",
    "question": "Which? Select from A-D",
    "answer": "B",
    "reasoning": "",
    "skill": ["spatial"],
    "broad_capability": ["diagram"],
    "specific_capability": ["3d pattern"],
    "imagesource": "nobody",
    "sourcelink": "https://example.org/",
    "liscenced": "false",
}
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=8) | st.sampled_from("ABCI19,"),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=4,
)
VALIDATOR = jsonschema.Draft202012Validator(row_schema())


def problems_of(record, as_published=False):
    found = record_problems({"v1_7": record}, as_published)
    return [text for text, item in found if item == "v1_7"]


@given(st.sampled_from(sorted(SOUND)), ANYTHING, st.booleans())
def test_any_value_of_a_field(key, value, as_published):
    record = {**SOUND, key: value}
    if not problems_of(record, as_published):
        row = text_columns("v1_7", record, as_published)
        image = {"image": None, "image_sha256": None, "image_group": "v1_7"}
        VALIDATOR.validate(row | image)


@given(st.text(max_size=40), st.text(max_size=6))
def test_any_question_and_answer(question, answer):
    record = {**SOUND, "question": question, "answer": answer}
    if not problems_of(record):
        row = text_columns("v1_7", record, as_published=False)
        assert row["scorable"] == bool(question.strip() and answer.strip())


def test_sound_record():
    assert problems_of(SOUND) == []


def test_a_label_given_twice_counts_once():
    record = {**SOUND, "answer": "B, B"}
    assert text_columns("v1_7", record, as_published=False)["answer"] == ["B"]


@given(st.binary(max_size=60) | st.builds(lambda v: json.dumps(v).encode(), ANYTHING))
def test_any_bytes_are_records_or_a_user_error(data):
    try:
        records = read_records("x", data)
    except UserError:
        return
    assert all(isinstance(record, dict) for record in records.values())
    assert list(record_problems(records, as_published=False))
