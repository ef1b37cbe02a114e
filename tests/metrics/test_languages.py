"""Which language a code is in, and that every door leads to the same diagram."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.core.diagram import DiagramSyntaxError
from metrics.core.languages import LANGUAGES, detect, parse, resolve

FLOWCHART = "flowchart TD\nA --> B"
STATES = "stateDiagram-v2\nA --> B"
DOT = "digraph { A -> B }"
PLANTUML = "@startuml\n[A] --> [B]\n@enduml"
SAMPLES = {
    "mermaid-flowchart": FLOWCHART,
    "mermaid-state": STATES,
    "dot": DOT,
    "plantuml": PLANTUML,
}

DETECTED = [
    ("graph LR;A-->B", "mermaid-flowchart"),
    ("graph TD\nA{x} --> B", "mermaid-flowchart"),
    ("  flowchart-elk RL\nA", "mermaid-flowchart"),
    ("%%{init: {}}%%\ngraph TD\nA", "mermaid-flowchart"),
    ("---\ntitle: t\n---\nflowchart TD\nA", "mermaid-flowchart"),
    ("flowchart TD\nA ~~~ B ~~~ C", "mermaid-flowchart"),
    ("stateDiagram\nA --> B", "mermaid-state"),
    ("%% note\nstateDiagram-v2\n[*] --> A", "mermaid-state"),
    ("graph { a -- b }", "dot"),
    ("strict digraph G\n{ a -> b }", "dot"),
    ('digraph "my graph" {a}', "dot"),
    ("// comment\ngraph G {\na -- b }", "dot"),
    ("@startuml name\nA -> B\n@enduml", "plantuml"),
    # Without a header
    ("A --> B", "mermaid-flowchart"),
    ("A[Mix] -->|well| B", "mermaid-flowchart"),
    ("[*] --> A", "mermaid-state"),
    ("A --> [*]", "mermaid-state"),
    ("a -> b;\nb -> c;", "dot"),
    ("node [shape=box]\na -> b", "dot"),
    ("start\n:Mix;\nstop", "plantuml"),
    ('(*) --> "Mix"', "plantuml"),
    ("component A\n[B] --> A", "plantuml"),
    # In a fence, whose name may be wrong
    ("```mermaid\nA --> B\n```", "mermaid-flowchart"),
    ("```mermaid\n[*] --> B\n```", "mermaid-state"),
    ("```dot\na -> b\n```", "dot"),
    ("```graphviz\na -> b\n```", "dot"),
    ("```puml\nA --> B\n```", "plantuml"),
    ("```mermaid\ndigraph { a -> b }\n```", "dot"),
    ("Some words.\n\n```\ndigraph { a -> b }\n```\nA --> B", "dot"),
    ("<think>digraph { x }</think>\n```\ngraph TD\nA\n```", "mermaid-flowchart"),
    # No diagram
    ("", None),
    ("The answer is 5.", None),
    ("I'm sorry, I can't see the image.", None),
    ("Is there an arrow -> to A?", None),
    ("sequenceDiagram\nA->>B: hi", None),
    ("```python\nprint(1)\n```", None),
]


@pytest.mark.parametrize(("code", "language"), DETECTED)
def test_detect(code, language):
    assert detect(code) == language


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_languages_give_the_same_diagram(language):
    strict = parse(SAMPLES[language], strict=True)
    assert strict.language == language
    assert [node.label for node in strict.diagram.nodes] == ["A", "B"]
    assert [(x.source, x.target) for x in strict.diagram.links] == [("A", "B")]
    assert parse(SAMPLES[language]) == strict
    assert parse(SAMPLES[language], language) == strict


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "frame", ["```\n{}\n```", "Here you are:\n\n```text\n{}\n```\nThat is all."]
)
def test_fences_are_seen_through(language, frame):
    reply = frame.format(SAMPLES[language])
    assert parse(reply).language == language
    assert parse(reply).diagram.links == parse(SAMPLES[language]).diagram.links
    assert parse(reply, strict=True).diagram == parse(SAMPLES[language], strict=True).diagram


def test_errors_have_the_line_of_the_reply():
    with pytest.raises(DiagramSyntaxError) as error:
        parse("Here:\n```dot\ndigraph {\n a -> ;\n}\n```", strict=True)
    assert (error.value.line, error.value.column) == (4, 7)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (None, None),
        ("auto", None),
        ("Mermaid", "mermaid"),
        ("flowchart", "mermaid-flowchart"),
        ("graphviz", "dot"),
        ("gv", "dot"),
        (" puml ", "plantuml"),
    ],
)
def test_resolve(name, expected):
    assert resolve(name) == expected


def test_unknown_languages_are_named():
    with pytest.raises(
        ValueError, match="unknown diagram language 'visio'; known are auto, mermaid"
    ):
        parse("A --> B", "visio")


@pytest.mark.parametrize(("code", "found"), [(FLOWCHART, "flowchart"), (STATES, "state")])
def test_mermaid_is_either_of_its_diagrams(code, found):
    assert parse(code, "mermaid", strict=True).language == f"mermaid-{found}"


def test_no_language_is_an_error_in_strict_mode_only():
    assert parse("Nothing here.").language is None
    with pytest.raises(DiagramSyntaxError, match="no diagram language recognized"):
        parse("Nothing here.", strict=True)


@pytest.mark.parametrize(
    "reply",
    [
        "digraph { A -&gt; B }",
        "stateDiagram-v2\nA --&gt; B",
        "```mermaid\nstateDiagram-v2\\nA --> B\n```",
        "@startuml\\n[A] --> [B]\\n@enduml",
        "> stateDiagram-v2\n> A --> B",
        "1. stateDiagram-v2\n2. A --> B",
        "<pre>digraph { A -> B }</pre>",
        "<thinking>\nno\n</thinking>\n```dot\ndigraph { A → B",
    ],
)
def test_what_happened_to_a_reply_on_its_way_is_undone(reply):
    diagram = parse(reply).diagram
    assert [node.label for node in diagram.nodes] == ["A", "B"]
    assert [(x.source, x.target) for x in diagram.links] == [("A", "B")]


def test_nodes_alone_are_a_flowchart():
    assert parse("a[Dough]\nb[Flour]").language == "mermaid-flowchart"


PIECES = ["```", "```dot\n", "flowchart TD\n", "digraph {", "}", "@startuml\n", "@enduml", "\n"]
PIECES += [
    "A --> B\n",
    "a -> b;",
    "[*] --> A\n",
    ":x;\n",
    "stateDiagram-v2\n",
    "~~~",
    "<think>",
    "\ud800",
]


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=20).map("".join),
    st.sampled_from(["auto", "mermaid", *LANGUAGES]),
)
def test_recovery_never_raises(text, language):
    parsed = parse(text, language)
    assert parsed.language in {None, *LANGUAGES}


@pytest.mark.parametrize(
    "piece", ["```\n", "strict ", "graph ", "a -", "[*] ", "node ", "~~~", "@start"]
)
def test_hostile_input_takes_linear_time(piece):
    start = time.process_time()
    detect(piece * (200_000 // len(piece)))
    assert time.process_time() - start < 2
