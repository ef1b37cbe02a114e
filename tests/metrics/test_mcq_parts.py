"""The parts of the extraction: folding, names, what stands before and behind them, texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.core.letters import fold, lower
from metrics.core.mcq_before import read_before
from metrics.core.mcq_mentions import label_mentions, place_mentions
from metrics.core.mcq_places import (
    boxed,
    chat_turns,
    end_of_reply,
    fields,
    hide_markup,
    tagged,
)
from metrics.core.mcq_texts import option_texts


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("Ｂ （Ｃ） ５", "B (C) 5"),
        ("Ⓑ ⓒ ⒟ 🄰 🅑 🅰 🇦", "B C D A B A A"),
        ("𝐀 𝘽 𝓒 𝟑", "A B C 3"),
        ("① ⑵ ❸", "1 2 3"),
        ("Ответ: В", "Ответ: B"),
        ("ВАС", "ВАС"),
        ("Απάντηση: Α", "Απάντηση: A"),
        ("“A” ‘B’ «C»", '"A" \'B\' "C"'),
        ("B\ufe0f\u200b", "B  "),
        ("plain", "plain"),
    ],
)
def test_fold(written: str, plain: str) -> None:
    assert fold(written) == plain
    assert len(plain) == len(written)


@given(st.text())
def test_folding_keeps_the_length(text: str) -> None:
    assert len(fold(text)) == len(lower(text)) == len(text)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("A diagram and B", ["B"]),
        ("I think I see I", ["I"]),
        ("A is off, B fits", ["A", "B"]),
        ("(A) and [b]", ["AB"]),
        ("A, C or D", ["ACD"]),
        ("N/A", []),
        ("i.e. e.g. U.S.A.", []),
        ("vitamin-C and C-shaped", []),
        ("from A-E to B", ["B"]),
        ("A - E", []),
        ("25 °C", []),
        ("I'd say d'accord", []),
        ("B = 5", []),
        ("so A, and C is out", ["A", "C"]),
        ("neither A nor B", ["AB"]),
        ("option a, figure b", ["AB"]),
        ("A replaces the mark", ["A"]),
        ("THE ANSWER IS A CIRCLE", []),
    ],
)
def test_names(text: str, named: list[str]) -> None:
    labels = tuple("ABCDEFGHI")
    found = [
        "".join(mention.labels)
        for mention in label_mentions(text, lower(text), labels)
        if not mention.small and not mention.outside
    ]
    assert found == named


def test_numbers_that_count_name_nothing() -> None:
    text = "3 shapes in row 1, 4.5 m, 2 is right"
    found = label_mentions(text, text, tuple("12345"))
    assert [mention.labels for mention in found] == [("1",), ("2",)]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("the second option", "B"),
        ("the last one", "D"),
        ("option 3", "C"),
        ("3rd figure", "C"),
        ("choice two", "B"),
    ],
)
def test_places(text: str, label: str) -> None:
    (mention,) = place_mentions(text, tuple("ABCD"))
    assert mention.labels == (label,)


@pytest.mark.parametrize(
    ("text", "cue"),
    [
        ("the answer is ", "answer"),
        ("**answer:** ", "answer"),
        ("### answer\n", "answer"),
        ("the missing piece is clearly option ", "answer"),
        ("my final answer ", "called_answer"),
        ("i would go with ", "choice"),
        ("which leaves ", "choice"),
        ("it is ", "choice"),
        ("so ", "therefore"),
        ("only ", "only"),
        ("all options except ", "spared"),
        ("not ", "denied"),
        ("we can rule out ", "denied"),
        ("it isn't figure ", "denied"),
        ("the answer is not a but ", "corrected"),
        ("maybe ", "tentative"),
        ("it might be ", "tentative"),
        ("if it were ", "aside"),
        ("some might choose ", "aside"),
        ("my first guess was ", "aside"),
        ("either between ", "between"),
        ("the dot moves to ", ""),
        ("the answer is clear. ", ""),
        ("答案是", "answer"),
        ("不是", "denied"),
        ("la respuesta correcta es la ", "answer"),
        ("die antwort ist nicht ", "denied"),
    ],
)
def test_text_before(text: str, cue: str) -> None:
    assert read_before(text, len(text)).cue == cue


@pytest.mark.parametrize(
    ("texts", "reply", "label"),
    [
        (("35 lb", "135 lb"), "it is 35 lb", "A"),
        (("35 lb", "135 lb"), "135lb", "B"),
        (("clockwise", "anticlockwise"), "Counter-Clockwise", "B"),
        (("1000", "10000"), "10,000 cars", "B"),
        (("9.0", "0.9"), "about .90", "B"),
        (("Set A", "neither set A nor set B"), "neither set A nor set B", "B"),
        (("4%", "46%"), "4 percent", "A"),
        (("a circle", "a square"), "The square", "B"),
        (("3:1", "3:10"), "a ratio of 3 : 1", "A"),
        (("25 RPM", "60RPM"), "60 rpm", "B"),
        (("35 lb", "40 lb"), "40 pounds", "B"),
        (("35 lb", "it does not move"), "the gear doesn't move", "B"),
        (("Gear A", "Neither A nor B"), "neither gear A nor gear B", "B"),
    ],
)
def test_option_texts(texts: tuple[str, str], reply: str, label: str) -> None:
    found = list(option_texts(tuple(zip("AB", texts, strict=True))).mentions(lower(reply)))
    assert [mention.labels for mention in found] == [(label,)]


def test_options_alike_name_nobody() -> None:
    assert list(option_texts((("A", "2007"), ("B", "2007"))).mentions("2007")) == []


def test_places_meant_for_the_answer() -> None:
    text = "\\boxed{\\text{A}} <answer>B</answer> {'answer': 'C', 'wrong_answer': 'D'}"
    assert [text[a:b] for a, b in boxed(text)] == ["\\text{A}"]
    assert [text[a:b] for a, b in tagged(text)] == ["B"]
    assert [text[a:b] for a, b in fields(text)] == ["C"]


def test_markup_is_blanked_and_turns_are_cut() -> None:
    assert hide_markup("<b>B</b> \\textbf{C}") == "   B            {C}"
    assert chat_turns("B\nUser: and now?") == 1
    assert chat_turns("Question: which?\nB") is None


@pytest.mark.parametrize(
    ("text", "end"), [("B</s>C", 1), ("B <|im_end|>", 2), ("<s>B", 4), ("<|im_start|>\nB", 14)]
)
def test_end_of_reply(text: str, end: int) -> None:
    assert end_of_reply(text) == end
