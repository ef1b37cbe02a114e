"""Replies that read a text in a picture: what they claim to read, and how right it is."""

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.core.ocr_score import score_ocr
from metrics.core.ocr_text import compare_text, find_reference, normalize, read_text

MEANINGS = Path(__file__).parents[1] / "data" / "ocr_meaning.jsonl"
CLAIMS = [
    ("foo bar", "foo bar"),
    (" foo bar\n", "foo bar"),
    ('"foo bar"', "foo bar"),
    ("'foo bar'", "foo bar"),
    ("“foo”", "foo"),
    ("**foo bar**", "foo bar"),
    ("`foo`", "foo"),
    ("don't", "don't"),
    ("foo.", "foo."),
    ("x > 5", "x > 5"),
    ("Is it ok?", "Is it ok?"),
    ("Node is ready", "Node is ready"),
    ("a\nb", "a\nb"),
    ('The text in the red box is "foo bar".', "foo bar"),
    ("The text in the red box is foo bar.", "foo bar"),
    ("The text in the red box reads: foo bar", "foo bar"),
    ("The text is: foo\nThe box is red.", "foo"),
    ("The answer is p'.", "p'"),
    ("Answer: foo", "foo"),
    ("**Answer:** foo bar", "foo bar"),
    ("OCR result: foo", "foo"),
    ('{"text": "foo"}', "foo"),
    ("<answer>foo</answer>", "foo"),
    ("\\boxed{\\text{foo}}", "foo"),
    ("```\nfoo bar\n```", "foo bar"),
    ("The word 'foo' is in the red box.", "foo"),
    ('"foo" is the text in the red box', "foo"),
    ('It says "don\'t stop"', "don't stop"),
    ("The red box contains the text 'foo bar'.", "foo bar"),
    ("The red box contains the word **foo**.", "foo"),
    ('The label of the node is "A: b".', "A: b"),
    (' within the red box which reads "lansing".', "lansing"),
    ("Based on the image, the text in the red box is:\n\n**foo bar**", "foo bar"),
    ('Sure! The text inside the red rectangle is "foo".', "foo"),
    ("<think>maybe bar</think>foo", "foo"),
    ("foo\n\nQuestion: and this one?", "foo"),
]


@pytest.mark.parametrize(("reply", "claimed"), CLAIMS)
def test_claimed_text(reply: str, claimed: str) -> None:
    answer = read_text(reply, mode="meaning")
    assert answer.value == claimed
    assert answer.span is not None
    assert reply[slice(*answer.span)] == claimed


@pytest.mark.parametrize(
    ("reply", "mode", "reason"),
    [
        (None, "paper", "missing"),
        (3, "meaning", "not_text"),
        ("\n", "paper", "empty"),
        ("<think>foo", "meaning", "empty"),
        ("I'm sorry, I cannot read the text.", "meaning", "refusal"),
    ],
)
def test_reasons_for_no_text(reply: object, mode: Any, reason: str) -> None:
    answer = read_text(reply, mode=mode)
    assert (answer.value, answer.reason, answer.span) == (None, reason, None)


def test_paper_mode_takes_the_whole_reply() -> None:
    assert read_text(' The text is "foo". ').value == 'The text is "foo".'


def test_unknown_mode_is_refused() -> None:
    with pytest.raises(ValueError, match="expected paper or meaning, got 'exact'"):
        read_text("foo", mode="exact")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("reply", "reference", "span"),
    [
        ("It says foo.", "foo", (8, 11)),
        ("It says Foo.", "foo", None),
        ("food", "foo", (0, 3)),
        (None, "foo", None),
    ],
)
def test_paper_rule(reply: object, reference: str, span: tuple[int, int] | None) -> None:
    assert find_reference(reply, reference) == span


@pytest.mark.parametrize(
    ("claimed", "reference", "exact", "normalized"),
    [
        ("foo bar", "foo bar", True, True),
        ("Foo  Bar.", "foo bar", False, True),
        ("ｆｏｏ bar", "foo bar", False, True),
        ("foo\nbar", "foo bar", False, True),
        ("foobar", "foo bar", False, False),
        (None, "foo bar", False, False),
    ],
)
def test_exact_and_normalized(
    claimed: str | None, reference: str, exact: bool, normalized: bool
) -> None:
    match = compare_text(claimed, reference)
    assert (match.exact, match.normalized) == (exact, normalized)


def edit_distance(a: str, b: str) -> int:
    """The textbook's dynamic programme."""
    row = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        diagonal, row[0] = row[0], i
        for j, right in enumerate(b, 1):
            diagonal, row[j] = (
                row[j],
                min(row[j] + 1, row[j - 1] + 1, diagonal + (left != right)),
            )
    return row[-1]


@given(st.text(max_size=12), st.text(min_size=1, max_size=12))
def test_edits_are_the_textbook_edit_distance(claimed: str, reference: str) -> None:
    assert compare_text(claimed, reference).edits == edit_distance(claimed, reference)


@given(st.text())
@settings(max_examples=300, deadline=None)
def test_any_text_is_read(reply: str) -> None:
    for mode in ("paper", "meaning"):
        answer = read_text(reply, mode=mode)  # type: ignore[arg-type]
        if answer.span is not None:
            assert 0 <= answer.span[0] <= answer.span[1] <= len(reply)
    assert normalize(normalize(reply)) == normalize(reply)


@given(st.text(alphabet="abc XYZ", min_size=1).filter(str.strip))
def test_the_right_text_scores_one(text: str) -> None:
    score = score_ocr([text], [text.strip()])
    assert (score.contained, score.exact, score.normalized) == (1, 1, 1)
    assert score.character_error_rate == 0


@pytest.mark.parametrize("piece", ["'a ", '"', "“", "**", "`", "<answer>", "the text ", "it is "])
def test_long_replies_take_time_in_proportion(piece: str) -> None:
    reply = piece * (200_000 // len(piece))
    start = time.perf_counter()
    read_text(reply, mode="meaning")
    assert time.perf_counter() - start < 15


def test_score() -> None:
    score = score_ocr(['It says "foo".', "Foo", None], ["foo", "foo", "foo"])
    assert score.accuracy == score.contained == pytest.approx(1 / 3)
    assert score.exact == pytest.approx(1 / 3)
    assert score.normalized == pytest.approx(2 / 3)
    assert score.character_error_rate == pytest.approx(4 / 9)
    assert score.unanswered == 1
    assert [item.value for item in score.items] == ["foo", "Foo", None]
    assert score_ocr(["Foo"], ["foo"], mode="meaning").accuracy == 1


@pytest.mark.parametrize(
    ("predictions", "references", "message"),
    [
        ([], [], "no predictions"),
        (["a"], ["a", "b"], "1 predictions, but 2 references"),
        (["a"], [" "], r"references\[0\]: expected a text, got an empty one"),
    ],
)
def test_what_nobody_can_score_is_refused(
    predictions: list[str], references: list[str], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        score_ocr(predictions, references)


# FlowLearn, Tables 4 (all charts) and 10 (the same 100): OCR.
PRINTED = {
    ("scientific", "claude", None): 0.44,
    ("scientific", "gpt4v", None): 0.51,
    ("scientific", "gemini-pro-vision", None): 0.43,
    ("scientific", "deepseek-vl-7b-chat", None): 0.05,
    ("scientific", "gemini-pro-vision", 100): 0.53,
    ("scientific", "deepseek-vl-7b-chat", 100): 0.09,
    ("word", "claude", None): 0.83,
    ("word", "gpt4v", None): 0.75,
    ("word", "gemini-pro-vision", None): 0.69,
    ("word", "deepseek-vl-7b-chat", None): 0.23,
    ("word", "gemini-pro-vision", 100): 0.64,
    ("word", "deepseek-vl-7b-chat", 100): 0.20,
}


@pytest.mark.skipif("UPSTREAM_DATA" not in os.environ, reason="UPSTREAM_DATA is not set")
@pytest.mark.parametrize("cell", PRINTED, ids=str)
def test_published_accuracies(cell: tuple[str, str, int | None]) -> None:
    subset, model, first = cell
    file = Path(os.environ["UPSTREAM_DATA"]) / "flowlearn" / "results" / subset
    text = (file / f"{model}_ocr_2-shot.json").read_text(encoding="utf-8")
    records = list(json.loads(text).values())[:first]
    score = score_ocr(
        [record["prediction"] for record in records], [record["reference"] for record in records]
    )
    assert abs(round(score.contained, 2) - PRINTED[cell]) < 0.0101


@pytest.mark.parametrize(
    "row",
    [json.loads(line) for line in MEANINGS.read_text(encoding="utf-8").splitlines()],
    ids=lambda row: ascii(row["reply"])[:40],
)
def test_claims_of_other_wordings(row: dict[str, Any]) -> None:
    claimed = read_text(row["reply"], mode="meaning").value
    expected = row["intended"]
    assert (claimed and normalize(claimed)) == (expected and normalize(expected))
