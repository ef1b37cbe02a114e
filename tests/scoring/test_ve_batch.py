"""Visual entailment through batch files: what is asked, what comes back, in any order."""

import base64
import json
import random
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from common.errors import UserError
from metrics.core.precision_ve import PrecisionOptions, score_precision
from metrics.core.ve_protocol import batches, element_texts, ve_prompt
from scoring.generated_charts import charts_of
from scoring.ve_batch import (
    Reply,
    answering_model,
    calls_of,
    picture_url,
    read_replies,
    requests,
)
from scoring.ve_score import score_charts, to_text

OPTIONS = PrecisionOptions()
SMALL = "flowchart LR\na(mix) -->|well| b(bake)"
LARGE = "flowchart LR\n" + "\n".join(f"n{n}(step {n}) --> n{n + 1}(step {n + 1})" for n in range(9))
ROWS = [
    {"id": "chart#1", "image": "a.png", "code": SMALL, "gold": SMALL.replace("bake", "boil")},
    {"image": "b.png", "code": f"Here it is:\n```mermaid\n{LARGE}\n```", "gold": LARGE},
    {"id": 3, "image": "c.png", "code": "I'm sorry, I can't.", "gold": SMALL},
    {"id": "elements", "image": "d.png", "code": {"nodes": ["mix"]}, "gold": SMALL},
]


def output(call: str, content: object, **body: Any) -> dict[str, Any]:
    """Return a line of a batch's output."""
    choices = [{"message": {"content": content}}]
    response = {"status_code": 200, "body": {"model": "vlm", "choices": choices, **body}}
    return {"custom_id": call, "response": response, "error": None}


def answer_all(word: str = "yes") -> list[dict[str, Any]]:
    """Return the output of a model that says one word of everything."""
    charts = charts_of(ROWS)
    lines = []
    for chart in charts:
        calls = zip(calls_of(chart, OPTIONS), batches(chart.elements(OPTIONS)), strict=True)
        for call, batch in calls:
            reply = "\n".join(f"{number}. {word}" for number in range(1, len(batch) + 1))
            lines.append(output(call, reply))
    return lines


def call(chart: int, number: int = 0) -> str:
    """Return the name of a call of one of the charts."""
    return calls_of(charts_of(ROWS)[chart], OPTIONS)[number]


def read(lines: list[dict[str, Any]]) -> dict[str, Reply]:
    return read_replies((f"line {number}", line) for number, line in enumerate(lines, 1))


def test_requests_ask_every_element_once_in_the_papers_prompt() -> None:
    charts = charts_of(ROWS)
    asked = list(requests(charts, "vlm", lambda image: f"file:///{image}", OPTIONS, "low"))
    assert json.loads(json.dumps(asked)) == asked
    assert len({row["custom_id"] for row in asked}) == len(asked)
    assert [row["custom_id"] for row in asked] == [
        call for chart in charts for call in calls_of(chart, OPTIONS)
    ]
    large = [row for row in asked if row["custom_id"].startswith("b.png#")]
    parts = list(batches(element_texts(charts[1].generated)))
    assert len(parts) > 1
    for row, part in zip(large, parts, strict=True):
        text, picture = row["body"]["messages"][0]["content"]
        assert text["text"] == ve_prompt(part)
        assert picture["image_url"] == {"url": "file:///b.png", "detail": "low"}
        assert (row["method"], row["url"]) == ("POST", "/v1/chat/completions")
        assert (row["body"]["model"], row["body"]["temperature"]) == ("vlm", 0)


def test_what_is_answered_is_not_asked_again_and_its_picture_not_read() -> None:
    charts = charts_of(ROWS)
    first, *others = [call for chart in charts for call in calls_of(chart, OPTIONS)]
    asked = list(requests(charts, "vlm", str, OPTIONS, answered=set(others)))
    assert [row["custom_id"] for row in asked] == [first]

    def no_picture(image: str) -> str:
        raise AssertionError(image)

    assert not list(requests(charts, "vlm", no_picture, OPTIONS, answered={first, *others}))


def test_pictures_become_urls(tmp_path: Path) -> None:
    # The kind is that of the content, whatever the name says.
    Image.new("RGB", (4, 4), "red").save(tmp_path / "a.png", format="JPEG")
    url = picture_url("a.png", tmp_path, "data")
    assert url.startswith("data:image/jpeg;base64,")
    assert base64.b64decode(url.split(",")[1]) == (tmp_path / "a.png").read_bytes()
    assert picture_url("a.png", tmp_path, "file") == (tmp_path / "a.png").as_uri()
    for remote in ("https://x/y.png", "data:image/png;base64,AA==", "file:///z.png"):
        assert picture_url(remote, tmp_path, "data") == remote
    (tmp_path / "text.png").write_text("no picture")
    with pytest.raises(UserError, match=r"text\.png is no picture"):
        picture_url("text.png", tmp_path, "data")
    with pytest.raises(UserError, match=r"cannot read the picture .*none\.png: No such file"):
        picture_url("none.png", tmp_path, "file")


def test_scores_are_those_of_the_metric_in_any_order() -> None:
    lines = answer_all()
    charts = charts_of(ROWS)
    made = score_charts(charts, read(lines), OPTIONS)
    direct = score_precision(
        [row["code"] for row in ROWS],
        [[True] * len(chart.elements(OPTIONS)) for chart in charts],
        [row["gold"] for row in ROWS],
        OPTIONS,
    )
    assert made.score == direct
    assert (made.score.ve_fpr, made.score.undefined) == (1.0, 1)
    random.Random(0).shuffle(lines)
    assert score_charts(charts, read(lines), OPTIONS) == made


def test_each_verdict_and_hallucination_is_listed() -> None:
    charts = charts_of(ROWS[:1])
    reply = "1. yes\n2. no\n3. maybe\n4. yes"
    made = score_charts(charts, read([output(call(0), reply)]), OPTIONS)
    (one,) = made.charts
    assert one.elements == (
        ('Node: "mix"', True),
        ('Node: "bake"', False),
        ('Edge: "mix" --> "bake" with label "well"', False),
    )
    assert one.score.hallucinated == tuple(text for text, seen in one.elements if not seen)
    assert (made.score.missing, made.score.odd, made.surplus, made.failed) == (0, 1, 1, 0)
    text = to_text(made)
    assert '  chart#1: Node: "bake"' in text
    assert "verifier against gold: F1 1.0000  FPR 0.0000  FNR 0.0000" in text
    assert "0 missing, 1 odd, 1 surplus; 0 of 1 calls without a reply" in text


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ({"custom_id": "c", "response": None, "error": {"message": "slow down"}}, "slow down"),
        ({"custom_id": "c", "response": None, "error": "expired"}, "error: expired"),
        ({"custom_id": "c", "response": None, "error": None}, "no response"),
        (
            {"custom_id": "c", "response": {"status_code": 500, "body": {"error": {"code": "x"}}}},
            "status 500: x",
        ),
        ({"custom_id": "c", "response": {"status_code": 200, "body": {}}}, "status 200"),
        ({"custom_id": "c", "response": {"body": {"choices": []}}}, "no message"),
        (output("c", None), "no text in the response"),
        (
            {"custom_id": "c", "response": {"body": {"choices": [{"message": {
                "content": None, "refusal": "I won't"}}]}}},
            "no text in the response: I won't",
        ),
    ],
)  # fmt: skip
def test_calls_that_failed_have_a_reason(line: dict[str, Any], problem: str) -> None:
    reply = read([line])["c"]
    assert reply.text is None
    assert problem in reply.problem


def test_content_in_parts_is_a_text() -> None:
    parts = [{"type": "text", "text": "1. yes"}, {"type": "text", "text": "\n2. no"}]
    assert read([output("c", parts)])["c"].text == "1. yes\n2. no"


def test_missing_calls_are_told_or_count_as_no() -> None:
    charts = charts_of(ROWS)
    lines = [line for line in answer_all() if line["custom_id"] != call(1, 1)]
    lines[0] = {"custom_id": call(0), "response": None, "error": {"message": "busy"}}
    with pytest.raises(UserError) as told:
        score_charts(charts, read(lines), OPTIONS)
    missing = f"calls have no reply: {call(0)} (error: busy), {call(1, 1)} (not in the output)"
    assert missing in told.value.problem
    assert "--answered" in told.value.mend
    made = score_charts(charts, read(lines), OPTIONS, allow_missing=True)
    assert made.failed == 2
    assert made.charts[0].failed == ((call(0), "error: busy"),)
    assert made.score.items[0].missing == 3
    assert made.score.items[0].precision == 0


def test_a_retry_replaces_a_failure_whatever_comes_first() -> None:
    failure = {"custom_id": "c", "response": None, "error": {"message": "busy"}}
    for lines in ([failure, output("c", "1. yes")], [output("c", "1. yes"), failure]):
        assert read(lines)["c"] == Reply("1. yes", "vlm")
    assert read([output("c", "1. yes")] * 2)["c"].text == "1. yes"


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ([output("c", "1. yes"), output("c", "1. no")], "line 1 and line 2 hold different replies"),
        ([{"reply": "1. yes"}], "line 1: not a line of a batch's output"),
        ([{"custom_id": "c", "body": {}}], "line 1: not a line of a batch's output"),
        ([{"custom_id": 3, "response": None}], "line 1: not a line of a batch's output"),
    ],
)
def test_other_files_are_refused(lines: list[dict[str, Any]], problem: str) -> None:
    with pytest.raises(UserError, match=problem):
        read(lines)


def test_replies_to_other_charts_are_refused() -> None:
    charts = charts_of(ROWS[:1])
    with pytest.raises(UserError, match=r"replies are to calls that these charts do not make: b"):
        score_charts(charts, read(answer_all()), OPTIONS)


def test_replies_about_other_elements_are_refused() -> None:
    """The same chart and number of calls, but other code, or edges asked without labels."""
    lines = [line for line in answer_all() if line["custom_id"] == call(0)]
    other = charts_of([{**ROWS[0], "code": SMALL.replace("bake", "boil")}])
    unlabelled = PrecisionOptions(edge_labels=False)
    for charts, options in ((other, OPTIONS), (charts_of(ROWS[:1]), unlabelled)):
        with pytest.raises(UserError, match="1 replies are to calls that these charts do not make"):
            score_charts(charts, read(lines), options)


def test_replies_of_several_models_are_refused() -> None:
    assert answering_model([Reply("", "a"), Reply("", ""), Reply("", "a")]) == "a"
    assert answering_model([]) == ""
    with pytest.raises(UserError, match="several models answered: a, b"):
        answering_model([Reply("", "a"), Reply("", "b")])


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ([], "there are no charts"),
        ([{"code": SMALL}], "chart 1: expected a path or URL as image, got None"),
        ([{"image": "a", "id": [1], "code": ""}], "chart 1: expected a text as id"),
        ([{"image": "a", "code": ""}] * 2, "charts 1 and 2 are both 'a'"),
        ([{"image": "a", "code": {"nodes": [1]}}], "chart 1, a: nodes: expected texts"),
        ([{"image": "a", "code": {"links": 1}}], "chart 1, a: "),
        ([{"image": "a", "code": "", "gold": "none"}], "chart 1, a: gold holds no diagram"),
        ([{"image": "a", "code": "", "gold": None}], r"gold holds no diagram \(missing\)"),
        ([ROWS[0], {"image": "x", "code": ""}], "1 of 2 charts have no gold: x"),
    ],
)
def test_charts_of_another_form_are_refused(rows: list[dict[str, Any]], problem: str) -> None:
    with pytest.raises(UserError, match=problem):
        charts_of(rows)
