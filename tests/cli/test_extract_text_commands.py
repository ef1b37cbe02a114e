"""`flowlearn extract tf | number | ocr | mermaid`."""

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from cli.main import app

CHART = "```mermaid\nflowchart LR\nA-->B\n```"


def run(*arguments: str, text: str) -> list[dict[str, Any]]:
    result = CliRunner().invoke(app, ["extract", *arguments, "--jsonl", "-"], input=text)
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def lines(*replies: object) -> str:
    return "".join(json.dumps({"reply": reply}) + "\n" for reply in replies)


@pytest.mark.parametrize(
    ("arguments", "reply", "expected"),
    [
        (["tf"], "It is not true.", {"value": "true", "reason": "token", "span": [10, 14]}),
        (
            ["tf", "--mode", "meaning"],
            "It is not true.",
            {"value": "false", "reason": "verdict", "span": [10, 14]},
        ),
        (["tf"], "true or false", {"value": None, "reason": "both", "span": None}),
        (["number"], "Picture 1: 5", {"value": 1, "reason": "digits", "span": [8, 9]}),
        (
            ["number", "--mode", "meaning"],
            "Picture 1: 5",
            {"value": 5, "reason": "count", "span": [11, 12]},
        ),
        (
            ["number", "--mode", "meaning", "--counted", "nodes"],
            "4 nodes and 5 arrows",
            {"value": 4, "reason": "count", "span": [0, 1]},
        ),
        (["ocr"], "It says: foo", {"value": "It says: foo", "reason": "whole", "span": [0, 12]}),
        (
            ["ocr", "--mode", "meaning"],
            "It says: foo",
            {"value": "foo", "reason": "announced", "span": [9, 12]},
        ),
        (
            ["mermaid"],
            f"Here: {CHART}",
            {"value": "\nflowchart LR\nA-->B\n", "reason": "fence", "span": [16, 36]},
        ),
        (["mermaid"], CHART[:-3], {"value": None, "reason": "no_fence", "span": None}),
        (
            ["mermaid", "--mode", "meaning"],
            CHART[:-3],
            {"value": "\nflowchart LR\nA-->B\n", "reason": "unclosed_fence", "span": [10, 30]},
        ),
    ],
)
def test_one_reply(arguments: list[str], reply: str, expected: dict[str, Any]) -> None:
    assert run(*arguments, text=lines(reply)) == [expected]


@pytest.mark.parametrize("mode", ["paper", "meaning"])
@pytest.mark.parametrize("kind", ["tf", "number", "ocr", "mermaid"])
def test_what_is_no_text_has_no_value(kind: str, mode: str) -> None:
    found = run(kind, "--mode", mode, text=lines(None, 7, ["true"], {"a": 1}, True, "", "\ud800"))
    assert [item["reason"] for item in found[:2]] == ["missing", "not_text"]
    assert all(item["value"] is None and item["span"] is None for item in found[:6])
    assert len(found) == 7
    assert all(set(item) == {"value", "reason", "span"} for item in found)


def test_order_is_kept_and_spans_hold_in_the_reply() -> None:
    replies = ["<think>false</think>yes", "no", "maybe", "TRUE"]
    found = run("tf", "--mode", "meaning", text=lines(*replies))
    assert [item["value"] for item in found] == ["true", "false", None, "true"]
    assert replies[0][slice(*found[0]["span"])] == "yes"


def test_a_reference_tells_whether_it_is_contained() -> None:
    items = [{"reply": "It says foo", "reference": text} for text in ("foo", "Foo")]
    found = run("ocr", text="".join(json.dumps(item) + "\n" for item in items))
    assert [item["contained"] for item in found] == [True, False]


@pytest.mark.parametrize("kind", ["tf", "number", "ocr", "mermaid"])
def test_a_missing_key_is_named(kind: str) -> None:
    result = CliRunner().invoke(app, ["extract", kind, "--jsonl", "-"], input='{"a": 1}\n')
    assert result.exit_code == 1
    assert "no key reply" in str(result.exception)
