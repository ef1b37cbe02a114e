"""Words that detectors and recognizers lose, found again by how letters stand."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from metrics.core.text_lines import TextLine, rectangle
from vision.picture import Pixels
from vision.text_bands import Word, overlooked_words
from vision.words import respaced, words_of

FONT = ImageFont.truetype(
    Path(__import__("matplotlib").get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf", 26
)


def drawn(text: str, size: tuple[int, int] = (620, 40), at: tuple[int, int] = (10, 5)) -> Pixels:
    image = Image.new("RGB", size, "white")
    ImageDraw.Draw(image).text(at, text, "#333333", FONT)
    return np.asarray(image, dtype=np.uint8)


def line_of(text: str) -> TextLine:
    return TextLine(text, rectangle(0, 0, 620, 40), 0.9)


@pytest.mark.parametrize(
    ("drawn_text", "read", "words"),
    [
        pytest.param("set the 'mode' to one", "set the'mode'to one", 5, id="lost spaces"),
        pytest.param(
            "set the 'mode' to one", "set the 'mode' to one", 0, id="all spaces are there"
        ),
        pytest.param("set the mode to one", "set themodeto one", 0, id="running text"),
        pytest.param("'mode'", "'mode'", 0, id="no space to go by"),
        pytest.param("", "a 'b'", 0, id="empty picture"),
    ],
)
def test_words_are_cut_where_spaces_were_lost(drawn_text: str, read: str, words: int) -> None:
    assert len(words_of(drawn(drawn_text), line_of(read))) == words


def test_pieces_join_to_the_line() -> None:
    cut = drawn("set the 'mode' to one")
    pieces = words_of(cut, line_of("set the'mode'to one"))
    assert np.array_equal(np.concatenate(pieces, axis=1), cut)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["set", "the", "`mode`"], "set the `mode`"),
        (["", "set", "the", "mode", "。"], "set the mode"),
        (["sat", "the", "`mode`"], "setthe`mode"),
        ([], "setthe`mode"),
    ],
)
def test_words_replace_the_line_only_with_the_same_letters(words: list[str], expected: str) -> None:
    line = TextLine("setthe`mode", rectangle(0, 0, 9, 9), 0.9)
    assert respaced(line, words) == TextLine(expected, line.polygon, 0.9)


def extent(text: str) -> float:
    return FONT.getlength(text)


def test_a_line_detected_in_parts_is_proposed_as_a_whole() -> None:
    text = "Pain Too Much?"
    pixels = drawn(text, (300, 60), (20, 12))
    pain = rectangle(14, 8, 20 + extent("Pain"), 48)
    much = rectangle(20 + extent("Pain Too "), 8, 26 + extent(text), 48)
    (word,) = overlooked_words(pixels, [pain, much], 40)
    assert word.parts == (0, 1)
    (x0, _), (x1, _) = word.polygon[:2]
    assert (x0, x1) == pytest.approx((14, 26 + extent(text)), abs=8)


def test_a_detected_line_is_not_proposed() -> None:
    whole = rectangle(14, 8, 26 + extent("Pain Too"), 48)
    assert overlooked_words(drawn("Pain Too", (300, 60), (20, 12)), [whole], 40) == []


def test_short_words_and_single_letters_are_proposed() -> None:
    assert len(overlooked_words(drawn("No", (200, 60), (60, 12)), [], 40)) == 1
    (word,) = overlooked_words(drawn("o", (200, 60), (80, 12)), [], 40)
    assert isinstance(word, Word)
    assert word.polygon[1][0] - word.polygon[0][0] > 1.2 * 40  # room for a neighbour


def test_a_letter_missing_at_the_end_is_proposed_with_its_line() -> None:
    beside = rectangle(20, 8, 78, 48)
    (word,) = overlooked_words(drawn("o", (200, 60), (80, 12)), [beside], 40)
    assert word.parts == (0,)


def test_a_letter_near_a_detected_text_is_no_word() -> None:
    near = rectangle(20, 8, 66, 48)
    assert overlooked_words(drawn("o", (200, 60), (80, 12)), [near], 40) == []
