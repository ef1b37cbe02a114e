"""`flowlearn reproduce cards`; the measuring itself is tested with the published replies."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cli.main import app


def test_quick_keeps_what_takes_minutes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def measured(flowlearn: Path, logicvista: Path, quick: bool = False) -> dict[str, Any]:
        cells = 1 if quick else 2
        return {"flowlearn": dict.fromkeys(("ocr_accuracy", "description_similarity"), cells)}

    monkeypatch.setattr("scoring.card_values.card_values", measured)
    out = tmp_path / "values.json"
    command = ["reproduce", "cards", "--flowlearn", ".", "--logicvista", ".", "--out", str(out)]
    values = []
    for options in ([], ["--quick"]):
        result = CliRunner().invoke(app, [*command, *options])
        assert result.exit_code == 0, result.output
        values.append(json.loads(out.read_text())["flowlearn"])
    assert values == [
        {"ocr_accuracy": 2, "description_similarity": 2},
        {"ocr_accuracy": 1, "description_similarity": 2},
    ]
