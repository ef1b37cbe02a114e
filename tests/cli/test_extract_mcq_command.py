"""`flowlearn extract mcq`."""

import json
from pathlib import Path

from typer.testing import CliRunner

from cli.main import app


def run(file: str, text: str = "") -> tuple[int, str, list[object]]:
    result = CliRunner().invoke(app, ["extract", "mcq", "--jsonl", file], input=text)
    lines = [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]
    return result.exit_code, f"{result.output}{result.exception or ''}", lines


def test_one_object_a_line_in_order(tmp_path: Path) -> None:
    file = tmp_path / "replies.jsonl"
    items = [
        {"reply": "Not A but C.", "choices": ["A", "B", "C"]},
        {"reply": "35 lb", "choices": {"A": "25 lb", "B": "35 lb"}},
        {"reply": None, "choices": ["A", "B"]},
        {"reply": "A or B \ud800", "choices": ["A", "B", "C"]},
        {"reply": "2 and 4", "choices": [1, 2, 3, 4]},
    ]
    file.write_text("\n".join(json.dumps(item) for item in items))
    code, _, lines = run(str(file))
    assert code == 0
    assert lines == [
        {"letters": ["C"], "reason": "answer_phrase", "span": [10, 11]},
        {"letters": ["B"], "reason": "whole_reply", "span": [0, 5]},
        {"letters": [], "reason": "empty", "span": None},
        {"letters": [], "reason": "hedged", "span": [0, 6]},
        {"letters": ["2", "4"], "reason": "whole_reply", "span": [0, 7]},
    ]


def test_standard_input() -> None:
    code, _, lines = run("-", '{"reply": "B", "choices": ["A", "B"]}\n')
    assert (code, lines) == (0, [{"letters": ["B"], "reason": "whole_reply", "span": [0, 1]}])


def test_a_bad_object_is_named() -> None:
    code, output, _ = run("-", '{"reply": "B", "choices": []}\n')
    assert code == 1
    assert "object 1: choices need labels" in output
    code, output, _ = run("-", '{"reply": "B"}\n')
    assert code == 1
    assert "no key choices" in output
