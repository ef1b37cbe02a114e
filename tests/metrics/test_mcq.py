"""Which options a reply chooses: tables of cases by category, properties, hostile input."""

import json
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.core.mcq import extract
from metrics.core.mcq_rules import RULES

DATA = Path(__file__).resolve().parents[1] / "data"
FIVE = list("ABCDE")
REASONS = {name for name, _ in RULES}


def cases(file: str) -> dict[str, list[dict[str, Any]]]:
    groups = defaultdict(list)
    for line in (DATA / file).read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        groups[case["category"]].append(case)
    return groups


CASES = [
    pytest.param(group, id=f"{file}-{category}")
    for file in ("mcq_replies", "mcq_cases")
    for category, group in sorted(cases(f"{file}.jsonl").items())
]


@pytest.mark.parametrize("group", CASES)
def test_cases(group: list[dict[str, Any]]) -> None:
    read = [(case, extract(case["response"], case["choices"])) for case in group]
    wrong = [
        (case["response"], case["expected"], found.letters, found.reason)
        for case, found in read
        if sorted(found.letters) != sorted(case["expected"]) and not case["debatable"]
    ]
    assert wrong == []
    for _, found in read:
        assert found.reason
        assert (found.reason in REASONS) == bool(found.letters)


def test_debatable_cases_mostly_agree() -> None:
    debatable = [
        case
        for file in ("mcq_replies.jsonl", "mcq_cases.jsonl")
        for group in cases(file).values()
        for case in group
        if case["debatable"]
    ]
    agreed = [
        case
        for case in debatable
        if sorted(extract(case["response"], case["choices"]).letters) == sorted(case["expected"])
    ]
    assert len(agreed) / len(debatable) > 0.6


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (None, "empty"),
        ("", "empty"),
        (" \n\u200b", "empty"),
        (float("nan"), "not_text"),
        (3, "not_text"),
        (["B"], "not_text"),
        ("I'm sorry, but I cannot view the image.", "refusal"),
        ("<think>The answer is B", "thought_only"),
        ("A or B", "hedged"),
        ("It could be either A or D.", "hedged"),
        ("Not A.", "only_denied"),
        ("A is incorrect and B is incorrect.", "only_denied"),
        ("The answer is B. Wait, that's wrong.", "taken_back"),
        ("A fits. C fits.", "conflicting"),
        ("The answer is F.", "outside_choices"),
        ("A repeats what B shows.", "no_choice_made"),
        ("A picture of a cat.", "no_option_named"),
        ("The options are A, B, C, D and E.", "options_restated"),
        ("(A) x (B) y (C) z (D) v (E) w", "options_restated"),
    ],
)
def test_every_none_has_its_reason(reply: object, reason: str) -> None:
    found = extract(reply, FIVE)
    assert (found.letters, found.reason) == ((), reason)


@pytest.mark.parametrize(
    ("reply", "reason", "said"),
    [
        ("So \\boxed{\\text{B}}.", "boxed", "B"),
        ("<answer> (b) </answer>", "answer_tag", "b"),
        ('{"why": "A is off", "answer": "B"}', "field", "B"),
        ('{"A": 0.1, "B": 0.9}', "label_map", '"B": 0.9'),
        ("  **B**", "whole_reply", "B"),
        ("I see. The answer is B, not A.", "answer_phrase", "B"),
        ("Which of A-E?\nB", "final_line", "B"),
        ("A ✗\nB ✓", "ticked", "B ✓"),
        ("I'd go with B.", "choice_phrase", "B"),
        ("B) because A is off", "leading_label", "B"),
        ("I find that B fits.", "verdict", "B"),
        ("Maybe B. Hard to see.", "tentative", "B"),
        ("Figure B.", "whole_reply", "B"),
        ("The one in figure B.", "only_mention", "B"),
        ("Ｂ", "whole_reply", "Ｂ"),
        ("<think>A?</think>\n\nWell, the answer is B.", "answer_phrase", "B"),
    ],
)
def test_rules_name_themselves_and_the_place(reply: str, reason: str, said: str) -> None:
    found = extract(reply, FIVE)
    assert (found.letters, found.reason) == (("B",), reason)
    assert found.span
    assert reply[found.span[0] : found.span[1]] == said


@pytest.mark.parametrize(
    ("reply", "reason", "said"),
    [
        ("25 lb is too light. So the weight is 30 lb.", "concluded_text", "30 lb"),
        ("It weighs 30 lb.", "option_text", "30 lb"),
        ("One cannot tell.", "paraphrase", "cannot tell"),
    ],
)
def test_rules_of_texts(reply: str, reason: str, said: str) -> None:
    texts = {"A": "25 lb", "B": "30 lb", "C": "35 lb", "D": "It is impossible to say"}
    found = extract(reply, texts)
    assert found.reason == reason
    assert found.span
    assert reply[found.span[0] : found.span[1]] == said


def test_labels_come_back_as_written_in_the_order_of_the_choices() -> None:
    assert extract("b and a", ["a", "b", "c"]).letters == ("a", "b")
    assert extract("The answers are 3 and 1.", [3, 1, 2]).letters == ("3", "1")  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("choices", "error", "message"),
    [
        ([], ValueError, "choices need labels"),
        ({}, ValueError, "choices need labels"),
        (["A", ""], ValueError, "choices need labels"),
        (["yes", "no"], ValueError, "choices need labels such as 'A' or '1'"),
        (["A", "a"], ValueError, "name a label twice"),
        ("ABCD", TypeError, "not 'ABCD'"),
        (3, TypeError, "not 3"),
    ],
)
def test_bad_choices(choices: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        extract("B", choices)


PHRASINGS = (
    "{}", "({})", "**{}**", "The answer is {}.", "Answer: {}", "I'd go with {}.", "\\boxed{{{}}}",
    '{{"answer": "{}"}}', "<think>Hmm, A or B?</think>So the correct option is {}.",
    "First I looked at the rows, then at the columns.\n\n**Final answer:** ({})",
)  # fmt: skip


@pytest.mark.parametrize("labels", ["ABC", "ABCDEFGHI", "12345"])
@pytest.mark.parametrize("phrasing", PHRASINGS)
def test_every_label_in_ten_phrasings(phrasing: str, labels: str) -> None:
    for label in labels:
        assert extract(phrasing.format(label), list(labels)).letters == (label,)
    pair = f"{labels[0]} and {labels[2]}"
    if len(labels) > 3:
        assert extract(phrasing.format(pair), list(labels)).letters == (labels[0], labels[2])


some_choices = st.sampled_from(
    [
        FIVE,
        list("ABCDEFGHI"),
        list("12345"),
        {"A": "clockwise", "B": "counterclockwise", "C": "(", "D": "\\", "E": ""},
        {"A": "A is 9.0", "B": "9", "C": "None of the above", "D": "cannot say"},
    ]
)
pieces = st.lists(
    st.one_of(
        st.text(max_size=6),
        st.sampled_from(
            [
                *("A", "B", "(C)", "I", "a", "3", " or ", " and ", "not ", ".", "\n", ", ", ": "),
                *("The answer is ", "so ", "<think>", "</think>", "\\boxed{", "}", '{"answer": '),
                *("is correct", " is wrong", "✓ ", "✗ ", "| ", "clockwise", "9.0", "[x] ", "wait"),
                *("答案是", "選", "Ⓑ", "В", "\u200b", "first option ", "if ", "Question: "),
            ]
        ),
    ),
    max_size=25,
).map("".join)


@given(pieces, some_choices)
def test_anything_is_read_without_error(reply: str, choices: Any) -> None:
    found = extract(reply, choices)
    assert set(found.letters) <= {str(label) for label in choices}
    assert found.reason
    assert (found.reason in REASONS) == bool(found.letters)
    if found.span:
        assert 0 <= found.span[0] < found.span[1] <= len(reply)
    if found.letters:
        assert found.span
    assert extract(reply, choices) == found


@given(st.text(), st.sampled_from("ABCDE"))
def test_a_thought_changes_nothing(thought: str, label: str) -> None:
    if "<" not in thought and "◁" not in thought:
        reply = f"<think>{thought}</think>The answer is {label}."
        assert extract(reply, FIVE).letters == (label,)


@given(st.sampled_from("ABCDE"), st.sampled_from("FGHZ"))
def test_a_label_outside_the_choices_never_counts(inside: str, outside: str) -> None:
    reply = f"Figure {inside} has two dots. The answer is {outside}."
    assert extract(reply, FIVE).letters == ()


MEGABYTE = 1_000_000


@pytest.mark.parametrize(
    "unit",
    ["A ", "The answer is A. ", "(", "<think>", '{"answer": ', "|A|", "\\boxed{", "\n", " ", "A, ",
     "not ", "A or ", "Option A is not B. ", "if A, ", "first option ", "clockwise ",
     "答案是B", "x", '"A": 0', "answer: none ",
     "(A) x ✗\n", "no other than ", "| A | B |\n", "B, and so is ", "change from A to ",
     "\\boxed{A}, "],
)  # fmt: skip
def test_long_replies_take_time_in_proportion(unit: str) -> None:
    choices = {"A": "clockwise", "B": "35 lb", "C": "neither A nor B"}
    reply = "x" + unit * (MEGABYTE // len(unit)) + "\nThe answer is B."
    start = time.process_time()
    found = extract(reply, choices)
    assert time.process_time() - start < 8
    if unit not in ("<think>", "\\boxed{", "\\boxed{A}, ", '{"answer": '):
        assert found.letters == ("B",)
        assert found.span
        assert reply[found.span[0] : found.span[1]] == "B"
