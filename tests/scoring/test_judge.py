"""The judge of the reasoning; the model is scripted, the client real."""

import json
from collections.abc import Callable

import pytest
from llm_server.server import Script

from scoring.endpoint import Endpoint
from scoring.judge import judge_item, judge_reasoning
from scoring.logicvista import Item

Serve = Callable[..., Script]


def item(name: str, reasoning: str = "The dot moves clockwise.", group: str = "") -> Item:
    return Item(
        id=name,
        choices={"A": "", "B": ""},
        stated=2,
        answer=frozenset("A"),
        skill="inductive",
        capabilities=("diagram",),
        group=group or name,
        reasoning=reasoning,
    )


def grade(points: int, why: str = "Same rule.") -> str:
    return json.dumps({"why": why, "grade": points})


@pytest.mark.parametrize(("points", "score"), [(0, 0.0), (1, 0.25), (3, 0.75), (4, 1.0)])
def test_grade_becomes_a_score(serve: Serve, points: int, score: float) -> None:
    script = serve(grade(points))
    judged = judge_item(Endpoint(script.url, "m"), item("a"), "It goes round with the clock.")
    assert (judged.score, judged.reason, judged.why) == (score, "ok", "Same rule.")
    said = "\n".join(message["content"] for message in script.requests[0]["messages"])
    assert "The dot moves clockwise." in said
    assert "It goes round with the clock." in said


@pytest.mark.parametrize(
    "output", [grade(5), grade(-1), '{"grade": 2}', '{"why": "", "grade": 2.5}', "4"]
)
def test_other_grades_are_asked_again(serve: Serve, output: str) -> None:
    script = serve(output, grade(2))
    assert judge_item(Endpoint(script.url, "m"), item("a"), "x").score == 0.5
    assert "did not validate" in script.requests[1]["messages"][-1]["content"]


@pytest.mark.parametrize("reply", ["", "  \n"])
def test_a_blank_reply_scores_nothing_unasked(serve: Serve, reply: str) -> None:
    script = serve(grade(4))
    judged = judge_item(Endpoint(script.url, "m"), item("a"), reply)
    assert (judged.score, judged.reason) == (0.0, "empty")
    assert script.requests == []


def test_all_items(serve: Serve) -> None:
    script = serve(grade(4), grade(1), "?", "?", "?")
    items = [item("a"), item("b"), item("c"), item("d", reasoning=" "), item("e")]
    replies = {"a": "one", "b": "two", "c": "three", "d": "four"}
    result = judge_reasoning(Endpoint(script.url, "m"), items, replies, resamples=50)
    assert [one.score for one in result.items] == [1.0, 0.25, None, 0.0]
    assert (result.n, result.skipped, result.invalid) == (3, ("d",), ("c",))
    assert result.score
    assert result.score.estimate == pytest.approx(1.25 / 3)
    assert result.score.low <= result.score.estimate <= result.score.high
    assert result.signature == "logicvista_judge|model:m|grades:0-4|temperature:0|version:1.0"


def test_items_of_one_picture_are_drawn_together(serve: Serve) -> None:
    script = serve(grade(4))
    items = [item("a", group="g"), item("b", group="g")]
    result = judge_reasoning(Endpoint(script.url, "m"), items, {"a": "x", "b": "y"}, resamples=20)
    assert result.score
    assert result.score.units == 1


def test_nothing_to_judge(serve: Serve) -> None:
    result = judge_reasoning(Endpoint(serve("x").url, "m"), [item("a", reasoning="")], {})
    assert (result.score, result.n, result.skipped) == (None, 0, ("a",))
