import csv
import json
import os
from pathlib import Path

import jsonschema
import pytest

from logicvista.errata import corrected, errata
from logicvista.features import features
from logicvista.schema import row_schema
from logicvista.taxonomy import (
    BROAD_CAPABILITIES,
    CAPABILITIES,
    RELEASED_CAPABILITIES,
    SKILLS,
    SPECIFIC_CAPABILITIES,
)


def test_schema_is_valid_and_names_the_columns_of_the_features():
    jsonschema.Draft202012Validator.check_schema(row_schema())
    assert list(features()) == list(row_schema()["properties"])


def test_taxonomy():
    assert (len(SKILLS), len(CAPABILITIES), len(SPECIFIC_CAPABILITIES)) == (5, 9, 11)
    assert set(RELEASED_CAPABILITIES) < set(CAPABILITIES)
    assert {name for names in BROAD_CAPABILITIES.values() for name in names} == set(
        RELEASED_CAPABILITIES
    )
    properties = row_schema()["properties"]
    assert properties["skill"]["enum"] == list(SKILLS)
    assert properties["specific_capability"]["enum"] == list(SPECIFIC_CAPABILITIES)


def test_errata_have_a_reason_and_no_double():
    rows = errata()
    assert all(row.why.endswith(".") for row in rows)
    assert len({(row.scope, row.id, row.field) for row in rows}) == len(rows)
    assert {row.scope for row in rows} == {"item", "dataset", "evaluation", "paper"}


@pytest.mark.parametrize(
    ("item", "field", "released", "ours"),
    [
        ("v1_190", "answer", "B", ["2"]),
        ("v1_190", "answer", "2", "2"),
        ("v1_382", "answer", "", []),
        ("v1_20", "answer", "3", ["3"]),
        ("v1_1", "answer", "A, C", ["A", "C"]),
        ("v1_0", "answer", "C", "C"),
        ("v1_0", "capabilities", ["diagram"], ["diagram", "ocr"]),
    ],
)
def test_a_correction_holds_for_the_slip_it_names(item, field, released, ours):
    assert corrected(item, field, released) == ours


@pytest.mark.skipif("UPSTREAM_DATA" not in os.environ, reason="UPSTREAM_DATA is not set")
def test_errata_quote_the_release():
    folder = Path(os.environ["UPSTREAM_DATA"]) / "logicvista"
    records = json.loads((folder / "dataset.json").read_text(encoding="utf-8"))
    with (folder / "results" / "BLIP2-accuracy-results.csv").open(encoding="utf-8") as stream:
        labels = {
            row["id"]: [name for name in RELEASED_CAPABILITIES if name in row["capability"]]
            for row in csv.DictReader(stream)
        }
    for item, record in records.items():
        released = list(BROAD_CAPABILITIES[record["broad_capability"][0]])
        assert corrected(item, "capabilities", released) == labels[item]
    for row in errata():
        if row.scope == "item" and row.field in ("question", "answer", "reasoning"):
            assert records[row.id][row.field] == row.published
    without_reasoning = {item for item, record in records.items() if not record["reasoning"]}
    assert without_reasoning == {row.id for row in errata() if row.field == "reasoning"}
    assert len(without_reasoning) == 44
