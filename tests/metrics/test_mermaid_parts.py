"""The parts of the Mermaid parsers: arrows, brackets, YAML, preparation of the code."""

import doctest
import importlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.core.mermaid import parse_flowchart
from metrics.core.mermaid_arrows import find_arrows
from metrics.core.mermaid_brackets import LineMap
from metrics.core.mermaid_lexer import FlowSyntaxError, Tokens, tokenize
from metrics.core.mermaid_locate import find_blocks, legible
from metrics.core.mermaid_parser import parse_lines
from metrics.core.mermaid_source import prepare, written_position
from metrics.core.mermaid_strict import _REFUSED, _UNCLOSED
from metrics.core.mermaid_yaml import YamlError, key_text, load_yaml

LAUGHS = "a0: &a0 x\n" + "".join(
    f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 12)
)
MODULES = [
    "mermaid",
    "mermaid_locate",
    "mermaid_arrows",
    "mermaid_brackets",
    "mermaid_header",
    "mermaid_nodes",
    "mermaid_plain",
    "mermaid_spelling",
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    results = doctest.testmod(importlib.import_module(f"metrics.core.{name}"))
    assert (results.failed, results.attempted > 0) == (0, True)


@pytest.mark.parametrize(
    ("text", "arrows"),
    [
        ("A --> B", [("normal", "none", "point")]),
        ("A <-- B", [("normal", "point", "none")]),
        ("A <-> B", [("normal", "point", "point")]),
        ("A => B =>> C", [("thick", "none", "point")] * 2),
        ("A -..> B ....> C", [("dotted", "none", "point")] * 2),
        ("A +.-> B", [("dotted", "none", "point")]),
        ("A --x B o--o C", [("normal", "none", "cross"), ("normal", "circle", "circle")]),
        ("A → B ⇐ C", [("normal", "none", "point"), ("thick", "point", "none")]),
        ("A ~~~ B", [("invisible", "none", "none")]),
        ("well-known, x <= 5, wait..., a = b, i.e. f(x)", []),
        ("-" * 1000, [("normal", "none", "none")]),
    ],
)
def test_arrows(text, arrows):
    assert [(a.stroke, a.arrow_start, a.arrow) for a in find_arrows(text)] == arrows


@pytest.mark.parametrize(
    ("line", "position", "text", "rest", "closed"),
    [
        ("A[Mix] --> B", 1, "Mix", " --> B", True),
        ("A[Mix (all)] x", 1, "Mix (all)", " x", True),
        ("A[a[0]] x", 1, "a[0]", " x", True),
        ("A[Mix --> B[Bake]", 1, "Mix", "--> B[Bake]", True),
        ("A[Mix) --> B{x]", 1, "Mix", " --> B{x]", True),
        ("A[x --> y] z", 1, "x --> y", " z", True),
        ("A([Serve)]", 1, "Serve", "", True),
        ("A((Stop)) x", 1, "Stop", " x", True),
        ("A{{x}} y", 1, "x", " y", True),
        ('A["a ] b --> c"] x', 1, "a ] b --> c", " x", True),
        ('A["Say "bye" now"]', 1, 'Say "bye" now', "", True),
        ("A[/x/] y", 1, "x", " y", True),
        ("A［Mix］ x", 1, "Mix", " x", True),
        ("A[Serve the gues", 1, "Serve the gues", "", False),
    ],
)
def test_labels_in_brackets(line, position, text, rest, closed):
    label = LineMap(line).label(position)
    assert label is not None
    assert (label.text, line[label.end :], label.closed) == (text, rest, closed)


def test_brackets_alone_are_no_label():
    assert LineMap("A[[[[[[").label(1) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: 1", {"a": 1}),
        ("a: yes\nb: true", {"a": "yes", "b": True}),
        ("a: 0o17\nb: 0x1f\nc: 017", {"a": 15, "b": 31, "c": 17}),
        ("a: 1_000\nb: .5", {"a": "1_000", "b": 0.5}),
        ("a: '3'\nb: ~", {"a": "3", "b": None}),
        ("{ a:, b: x }", {"a": None, "b": "x"}),
        ("{ : x }", {"null": "x"}),
        ("a: &amp;\nb: x", {"a": None, "b": "x"}),
        ("{ a: ?x, :b: c }", {"a": "?x", ":b": "c"}),
        ("a: x\u2028y\nb: x\x85y", {"a": "x\u2028y", "b": "x\x85y"}),
        ('a: "\ud800"\nb: "\x7f"', {"a": "\ud800", "b": "\x7f"}),
        ("a: \ud83d\ude00", {"a": "\U0001f600"}),
        ("a: \U000f0041", {"a": "\U000f0041"}),
        ("a: |+\n  x\n\n", {"a": "x\n\n"}),
        ("- 1\n- a", [1, "a"]),
        ("", None),
    ],
)
def test_yaml_is_read_as_javascript_reads_it(text, value):
    assert load_yaml(text) == value


def test_metadata_over_lines_ends_with_a_line_more():
    # Mermaid hands it to js-yaml so, which a block text that keeps its line ends shows.
    diagram = parse_flowchart("flowchart TD\nA@{\n label: |+\n  x\n}")
    assert diagram.nodes[0].label == "x\n\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a: 1\na: 2", "stands twice"),
        ("a: !own x", "unknown tag"),
        ("a: [", "flow"),
        (" a\nb", "further left"),
        ("[" * 5000, "flow|deep"),
        ("[" * 900 + "]" * 900, "deep"),
        ("a: &a [*a]", "deep"),
        ("a: \ud800", "printed"),
        ("a: \ud800\U000f0041", "surrogate"),
        ("a: x\x7f", "printed"),
        (LAUGHS, "too many values"),
    ],
)
def test_what_is_not_yaml(text, reason):
    with pytest.raises(YamlError, match=reason):
        load_yaml(text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        (None, "null"),
        (2.0, "2"),
        (1e-7, "1e-7"),
        (1e21, "1e+21"),
        ([1, None], "1,"),
    ],
)
def test_values_as_javascript_writes_them(value, text):
    assert key_text(value) == text


@pytest.mark.parametrize(
    ("code", "prepared"),
    [
        ("graph TD\r\nA", "graph TD\nA\n"),
        ("---\na: b\n---\ngraph TD", "graph TD\n"),
        ("---\n\n---\n\nx\n---\ngraph TD", "graph TD\n"),
        ("%%{init: {'a': 1}}%%\n%% c\n\n  %% d\ngraph TD", "graph TD\n"),
        ("graph TD\nA\n\n %% c\nB", "graph TD\nA\nB\n"),
        ("A{x}  \n\n B", "A{x}\n B\n"),
        ('A[<a href="x">]', "A[<a href='x'>]\n"),
        ("style A fill:#fff;\nB", "style A fill:#fff\nB\n"),
        ("A[#35; #quot;]", "A[ﬂ°°35¶ß ﬂ°quot¶ß]\n"),
    ],
)
def test_preparation(code, prepared):
    assert prepare(code) == prepared


@given(st.text(st.sampled_from('AB\n\r %{}#;35<>="-: '), max_size=60))
def test_prepared_offsets_lead_back_to_the_code(code):
    try:
        prepared = prepare(code)
    except ValueError:
        return
    lines = code.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for offset, char in enumerate(prepared):
        line, column = written_position(code, offset)
        assert 1 <= line <= len(lines)
        if char in "AB":
            assert lines[line - 1][column - 1] in (char, "#", "=")


@given(st.text(st.sampled_from('AB\n -=.<>xo[](){}|;"~'), max_size=60))
def test_tokens_cover_the_text(text):
    tokens = Tokens([], [], [])
    for _ in tokenize(text, tokens):
        assert tokens.kinds[-1] in ("NEWLINE", "STOP", "INVALID")
    assert tokens.kinds[-1] in ("STOP", "INVALID")
    assert list(tokens.offsets) == sorted(tokens.offsets)
    for word, offset in zip(tokens.texts, tokens.offsets, strict=True):
        assert text.startswith(word, offset)


def test_blocks_of_a_reply():
    reply = "<think>\nA\n</think>\nHere:\n```mermaid LR\nA-->B\n```\nand\n~~~\nC\n~~~\n"
    blocks = [(b.first_line, b.info, b.text, b.closed) for b in find_blocks(legible(reply))]
    assert blocks[:2] == [(6, "mermaid LR", "A-->B\n", True), (10, "", "C\n", True)]


PIECES = [
    "A",
    "x",
    "o1",
    "end",
    "b2",
    "[w x]",
    "(w)",
    "{w}",
    " ",
    "  ",
    "->",
    "=>",
    "→",
    "-->",
    "--",
]
PIECES += ["x--x", "&", ":::", ";", "\n", "|t|", '"', "]", ">", "style", "v", "L", "é"]


@settings(max_examples=500, deadline=None)
@given(
    st.sampled_from(["A", "n1", "a:", "A[w x]", "A(w)", "b{w}", "v", "endless", "o"]),
    st.sampled_from([" ", "  "]),
    st.sampled_from(["->", "=>", "→", "b", "B", "1", "style", "end"]),
    st.lists(st.sampled_from(PIECES), max_size=8).map("".join),
)
def test_lines_that_are_not_given_to_the_grammar_are_refused_by_it(node, blank, sign, rest):
    line = node + blank + sign + rest
    assert _REFUSED.match(line)
    with pytest.raises(FlowSyntaxError) as fault:
        parse_lines(prepare(line))
    assert prepare(line).count("\n", 0, fault.value.offset) == 0


METADATA = [" ", "shape: rect", "label: 'a'", ",", "-->", "[", "]", "{", ":", "&", "|", "@", "'"]


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(["A", "n1", "style", "end", "click", "accTitle", "o"]),
    st.lists(st.sampled_from([*METADATA, "%%", "%%{", "#35;", ";", "<br>", "x", "\r"]), max_size=8),
)
def test_metadata_that_nothing_closes_is_refused_by_the_grammar(node, inside):
    line = f"{node}@{{{''.join(inside)}"
    assert _UNCLOSED.match(line)
    with pytest.raises(FlowSyntaxError):
        parse_lines(prepare(line))
