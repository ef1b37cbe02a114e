"""A model reads what the rules leave open; the model is scripted, the client real."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from llm_server.server import Script
from typer.testing import CliRunner

from cli.main import app
from metrics.core.mcq import extract
from scoring.endpoint import Endpoint
from scoring.logicvista import Item, score
from scoring.mcq_fallback import OPEN_REASONS, FallbackExtractor, extraction_prompt

Serve = Callable[..., Script]
LABELS = ["A", "B", "C"]
OPEN = "The shape with three corners comes next."


def reader(script: Script, attempts: int = 3) -> FallbackExtractor:
    return FallbackExtractor(Endpoint(script.url, "m"), attempts)


@pytest.mark.parametrize(
    "reply",
    [
        "B",
        "The answer is C.",
        "",
        None,
        3,
        "A or B",
        "Not A.",
        "I'm sorry, I cannot see the image.",
    ],
)
def test_what_the_rules_settle_is_not_asked(serve: Serve, reply: object) -> None:
    script = serve('{"letters": ["A"]}')
    assert reader(script)(reply, LABELS) == extract(reply, LABELS)
    assert script.requests == []


def test_an_open_reply_goes_to_the_model(serve: Serve) -> None:
    assert extract(OPEN, LABELS).reason in OPEN_REASONS
    script = serve('{"letters": ["B"]}')
    texts = {"A": "a circle", "B": "a triangle", "C": "a square"}
    read = reader(script)(OPEN, texts, "Which shape comes next?")
    assert (read.letters, read.reason, read.span) == (("B",), "llm", None)
    said = "\n".join(message["content"] for message in script.requests[0]["messages"])
    for part in (OPEN, "Which shape comes next?", "(B) a triangle", '"letters"'):
        assert part in said


@pytest.mark.parametrize(
    "output",
    [
        '```json\n{"letters": ["C", "A"]}\n```',
        'Sure! {"letters": ["A", "C"]} Anything else?',
        '{"letters":["A","C"]}',
    ],
)
def test_json_in_wrappings(serve: Serve, output: str) -> None:
    assert reader(serve(output))(OPEN, LABELS).letters == ("A", "C")


@pytest.mark.parametrize(
    ("output", "told"),
    [
        ("B", "Invalid JSON"),
        ('{"letters": ["D"]}', "['D'] not among the labels ['A', 'B', 'C']"),
        ('{"letters": ["B", "B"]}', "named twice"),
        ('{"letters": "B"}', "valid array"),
        ('{"answer": ["B"]}', "Field required"),
        ('{"letters": ["B"], "sure": true}', "Extra inputs"),
        ("", "Invalid JSON"),
    ],
)
def test_an_invalid_output_is_told_back(serve: Serve, output: str, told: str) -> None:
    script = serve(output, '{"letters": ["B"]}')
    assert reader(script)(OPEN, LABELS).letters == ("B",)
    *_, wrong, feedback = script.requests[1]["messages"]
    assert wrong == {"role": "assistant", "content": output}
    assert told in feedback["content"]


def test_gives_up_at_the_limit(serve: Serve) -> None:
    script = serve("no idea")
    read = reader(script, attempts=2)(OPEN, LABELS)
    assert (read.letters, read.reason) == ((), "llm_invalid")
    assert len(script.requests) == 2


def test_the_model_may_find_no_choice(serve: Serve) -> None:
    read = reader(serve('{"letters": []}'))(OPEN, LABELS)
    assert (read.letters, read.reason) == ((), "llm_none")


def test_attempts_must_be_positive(serve: Serve) -> None:
    with pytest.raises(ValueError, match="attempts: expected at least 1, got 0"):
        reader(serve("x"), attempts=0)(OPEN, LABELS)


def test_the_model_is_named() -> None:
    assert FallbackExtractor(Endpoint("http://x/v1", "gpt")).name == "rules+llm(gpt)"


def test_options_without_texts_are_listed() -> None:
    assert "(A)\n(B)" in extraction_prompt("x", ["A", "B"])[1]["content"]


def test_command(serve: Serve, tmp_path: Path) -> None:
    script = serve('{"letters": ["C"]}')
    file = tmp_path / "replies.jsonl"
    items = [
        {"reply": "(B)", "choices": LABELS},
        {"reply": OPEN, "choices": LABELS, "question": "Which?"},
    ]
    file.write_text("".join(json.dumps(item) + "\n" for item in items))
    command = ["extract", "mcq", "--jsonl", str(file), "--llm-base-url", script.url]
    command += ["--llm-model", "m", "--llm-cache", str(tmp_path / "cache")]
    for _ in range(2):  # the second time from the cache
        result = CliRunner().invoke(app, command)
        assert result.exit_code == 0, result.output
        assert [json.loads(line) for line in result.stdout.splitlines()] == [
            {"letters": ["B"], "reason": "whole_reply", "span": [1, 2]},
            {"letters": ["C"], "reason": "llm", "span": None},
        ]
    assert len(script.requests) == 1


def test_command_wants_url_and_model() -> None:
    command = ["extract", "mcq", "--jsonl", "-", "--llm-model", "m"]
    result = CliRunner().invoke(app, command, input="")
    assert result.exit_code == 2
    assert "go together" in result.output


def test_scores_may_ask_the_model_with_the_question_and_say_so(serve: Serve) -> None:
    script = serve('{"letters": ["B"]}')
    item = Item("x", dict.fromkeys("ABC", ""), 3, frozenset("B"), "spatial", (), "x", "", "Next?")
    extractor = reader(script)
    made = score([item], {"x": OPEN}, extractor=extractor, extractor_name=extractor.name)
    assert (made.overall.right, made.reasons) == (1, {"llm": 1})
    assert "extractor:rules+llm(m)" in made.signature
    assert "Next?" in str(script.requests[0]["messages"])
    assert score([item], {"x": OPEN}).overall.right == 0


def test_scoring_wants_url_and_model() -> None:
    result = CliRunner().invoke(app, ["score", "logicvista", "none", "--llm-model", "m"])
    assert result.exit_code == 2
    assert "go together" in result.output
