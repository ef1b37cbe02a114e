"""The JSON Schema of a LogicVista row (`logicvista/schema.json`)."""

import json
from pathlib import Path
from typing import Any


def row_schema() -> dict[str, Any]:
    """Return the schema (draft 2020-12) of a row as JSON, its picture given by file name."""
    text = Path(__file__).with_name("schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema
