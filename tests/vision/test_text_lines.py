import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.core.text_lines import TextLine, clean_text, is_noise, join_texts, merge_lines


def line(text: str, x: float, y: float, width: float = 100, height: float = 20) -> TextLine:
    return TextLine(text, ((x, y), (x + width, y), (x + width, y + height), (x, y + height)), 0.99)


def upwards(text: str, x: float, y: float, length: float = 100, height: float = 20) -> TextLine:
    polygon = ((x, y + length), (x, y), (x + height, y), (x + height, y + length))
    return TextLine(text, polygon, 0.99)


def downwards(text: str, x: float, y: float, length: float = 100, height: float = 20) -> TextLine:
    polygon = ((x + height, y), (x + height, y + length), (x, y + length), (x, y))
    return TextLine(text, polygon, 0.99)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param([line("a b", 0, 0), line("c d", 0, 24)], ["a b c d"], id="two lines"),
        pytest.param(
            [line("c", 20, 24, 60), line("e", 30, 48, 40), line("a", 0, 0)], ["a c e"], id="centred"
        ),
        pytest.param([line("ab", 0, 0), line("cd", 0, 45)], ["ab", "cd"], id="too far apart"),
        pytest.param(
            [line("ab", 0, 0), line("cd", 0, 24, 100, 40)], ["ab", "cd"], id="larger type"
        ),
        pytest.param([line("ab", 0, 0), line("cd", 60, 24)], ["ab", "cd"], id="little overlap"),
        pytest.param([line("ab", 0, 0), line("cd", 120, 0)], ["ab", "cd"], id="side by side"),
        pytest.param([line("ab", 0, 0), line("cd", 30, 24, 150)], ["ab", "cd"], id="not aligned"),
        pytest.param([line("流程", 0, 0), line("图表", 0, 24)], ["流程图表"], id="wide letters"),
        pytest.param([upwards("ab", 0, 0), upwards("cd", 24, 0)], ["ab cd"], id="turned left"),
        pytest.param([downwards("ab", 24, 0), downwards("cd", 0, 0)], ["ab cd"], id="turned right"),
        pytest.param([upwards("ab", 0, 0), line("cd", 0, 104, 20)], ["ab", "cd"], id="two ways"),
        pytest.param([line("ab", 0, 0), line("▼", 0, 24)], ["ab"], id="arrow head"),
        pytest.param([line("ab", 0, 0), line("V", 0, 60, 8, 8)], ["ab"], id="tiny head"),
        pytest.param([line("ab", 0, 0), line("V", 0, 60, 14, 18)], ["ab", "V"], id="letter"),
        pytest.param([line("V", 0, 0, 8, 8), line("W", 0, 60, 9, 18)], ["V", "W"], id="letters"),
        pytest.param([TextLine("ab"), TextLine("cd")], ["ab", "cd"], id="no positions"),
        pytest.param([], [], id="nothing"),
    ],
)
def test_merge(lines: list[TextLine], expected: list[str]) -> None:
    assert [label.text for label in merge_lines(lines)] == expected


def test_something_drawn_between_separates() -> None:
    lines = [line("ab", 0, 0), line("cd", 0, 24)]
    assert len(merge_lines(lines, lambda upper, lower: True)) == 2


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 5), st.integers(0, 10), st.integers(1, 9)), unique=True, max_size=8
    )
)
def test_every_line_is_kept_once_in_any_order(cells: list[tuple[int, int, int]]) -> None:
    lines = [line(f"t{i}", 50 * x, 22 * y, 20 * w) for i, (x, y, w) in enumerate(cells)]
    merged = merge_lines(lines)
    assert sorted(part.text for label in merged for part in label.lines) == sorted(
        part.text for part in lines
    )
    assert [m.box for m in merged] == [m.box for m in merge_lines(lines)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- croupiers  stupidest |", "croupiers stupidest"),
        ("-1", "-1"),
        ("'arr'", "'arr'"),
        ("a - b", "a - b"),
        ("-", "-"),
        ("", ""),
    ],
)
def test_clean_text(text: str, expected: str) -> None:
    assert clean_text(text) == expected


@pytest.mark.parametrize(
    ("text", "confidence", "expected"),
    [
        ("A", 0.99, False),
        ("A", 0.6, True),
        ("A", None, False),
        ("Start", 0.6, False),
        ("Start", 0.4, True),
        ("▲", 0.99, True),
        ("→", 0.99, True),
        ("|", 0.99, True),
        ("+", 0.99, False),
        ("*", 0.99, True),
        ("", None, True),
        ("之", 0.2, True),
    ],
)
def test_noise(text: str, confidence: float | None, expected: bool) -> None:
    assert is_noise(TextLine(text, (), confidence)) is expected


def test_join_texts() -> None:
    assert join_texts(["Wrapped", "label", "流程", "图"]) == "Wrapped label 流程图"


def test_label_tells_box_and_lowest_confidence() -> None:
    low = TextLine("cd", line("cd", 10, 24).polygon, 0.7)
    (label,) = merge_lines([line("ab", 0, 0), low])
    assert label.box == (0, 0, 110, 44)
    assert label.confidence == 0.7
