"""State diagrams against the answers of mermaid.js 12.3.0, and broken ones by hand."""

import json
import time
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.core.diagram import MAX_LINES, Diagram, DiagramSyntaxError
from metrics.core.mermaid_state import parse_state, recover_state

DATA = Path(__file__).parents[1] / "data" / "mermaid_state.jsonl"
CASES = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
VALID = [case for case in CASES if case["ok"]]
REJECTED = [case["code"] for case in CASES if not case["ok"]]


def as_oracle(diagram: Diagram) -> dict:
    parents = {member: group.id for group in diagram.groups for member in group.members}
    links = Counter((link.source, link.target, link.label) for link in diagram.links)
    return {
        "nodes": {n.id: [n.label, n.shape, parents.get(n.id)] for n in diagram.nodes},
        "groups": {g.id: [g.label, parents.get(g.id)] for g in diagram.groups},
        "links": sorted([*link, count] for link, count in links.items()),
    }


def texts(diagram: Diagram) -> tuple[list[str], list[tuple[str, str, str]]]:
    labels = diagram.labels()
    nodes = sorted(node.label for node in diagram.nodes)
    return nodes, sorted((labels[x.source], labels[x.target], x.label) for x in diagram.links)


def test_the_table_is_there():
    assert len(VALID) == 600
    assert len(REJECTED) == 300


@pytest.mark.parametrize("case", VALID, ids=range(len(VALID)))
def test_reads_what_mermaid_reads(case):
    diagram = parse_state(case["code"])
    assert as_oracle(diagram) == {key: case[key] for key in ("nodes", "groups", "links")}
    assert (diagram.direction or "TB") == case["direction"]
    assert diagram.skipped == ()


@pytest.mark.parametrize("code", REJECTED, ids=range(len(REJECTED)))
def test_rejects_what_mermaid_rejects(code):
    with pytest.raises(DiagramSyntaxError) as error:
        parse_state(code)
    assert error.value.line >= 1
    assert error.value.column >= 1


@pytest.mark.parametrize(
    ("code", "line", "column", "reason"),
    [
        ("flowchart TD\nA --> B", 1, 1, "expected 'stateDiagram'"),
        ("stateDiagram-v2\nA --> B --> C", 2, 9, "expected a statement, found '-->'"),
        ("stateDiagram-v2\nA -> B", 2, 3, "unexpected '-'"),
        ("stateDiagram-v2\nstate A {\nB", 3, 2, "expected '}'"),
        ("stateDiagram-v2\n\n  A -->\n", 3, 8, "expected id, found 'line end'"),
        ("---\ntitle: t\n---\nstateDiagram-v2\nA --> :", 5, 7, "unexpected ':'"),
        ('stateDiagram-v2\nstate "x" as A {\nb\n}\nA : y', 5, 1, "two descriptions"),
        ("stateDiagram-v2\nstate A\nstate B {\n}", 2, 7, "one word"),
    ],
)
def test_errors_say_where_and_what(code, line, column, reason):
    with pytest.raises(DiagramSyntaxError, match=f"line {line}, column {column}: .*") as error:
        parse_state(code)
    assert reason in error.value.reason


def test_entities_are_decoded():
    assert parse_state("stateDiagram-v2\nA : 5 #35; #quot;x#quot;").nodes[0].label == '5 # "x"'


def test_pseudo_states_are_kept_apart_by_scope_and_region():
    code = (
        "stateDiagram-v2\n[*] --> A\nstate A {\n[*] --> b\n--\n[*] --> c\nc --> [*]\n}\nA --> [*]"
    )
    diagram = parse_state(code)
    starts = [(node.id, node.label) for node in diagram.nodes if node.shape != "rect"]
    assert starts == [
        ("root_start", "[*]"),
        ("A_region1_start", "[*]"),
        ("A_region2_start", "[*]"),
        ("A_region2_end", "[*]"),
        ("root_end", "[*]"),
    ]


BROKEN = [
    ("chain", "stateDiagram-v2\nA --> B --> C : x", "A B C", [("A", "B", ""), ("B", "C", "x")]),
    ("thin arrow", "stateDiagram-v2\nA -> B", "A B", [("A", "B", "")]),
    ("thick arrow", "stateDiagram-v2\nA ==> B", "A B", [("A", "B", "")]),
    ("unicode arrow", "stateDiagram-v2\nA → B : go", "A B", [("A", "B", "go")]),
    ("flowchart label", "stateDiagram-v2\nA -->|yes| B", "A B", [("A", "B", "yes")]),
    ("no header", "A --> B : go", "A B", [("A", "B", "go")]),
    ("brace left open", "stateDiagram-v2\nstate P {\nA -> B", "A B", [("A", "B", "")]),
    ("brace too many", "stateDiagram-v2\nA --> B\n}", "A B", [("A", "B", "")]),
    ("hyphen in a name", "stateDiagram-v2\nmy-state --> B", "my-state B", [("my-state", "B", "")]),
    ("semicolons", "stateDiagram-v2\nA -> B; B -> C;", "A B C", [("A", "B", ""), ("B", "C", "")]),
    ("cut off", "stateDiagram-v2\nA --> B\nB --", "A B", [("A", "B", "")]),
    (
        "prose around",
        "Here:\nstateDiagram-v2\nA --> B\nI hope this helps.",
        "A B",
        [("A", "B", "")],
    ),
    ("fence", "```mermaid\nstateDiagram-v2\nA --> B\n```\nB --> C", "A B", [("A", "B", "")]),
    ("reversed alias", 'stateDiagram-v2\nstate A as "One"\nA -> B', "One B", [("One", "B", "")]),
    ("note left open", "stateDiagram-v2\nnote right of A\nA --> B", "A B", [("A", "B", "")]),
    ("bars in the line", "stateDiagram-v2\nA --|no|--> B", "A B", [("A", "B", "no")]),
    (
        "sign cut off",
        "stateDiagram-v2\nA --> B\nB --> [*",
        "A B [*]",
        [("A", "B", ""), ("B", "[*]", "")],
    ),
    ("header and statement", "stateDiagram-v2 A -> B", "A B", [("A", "B", "")]),
]


@pytest.mark.parametrize(
    ("code", "nodes", "links"), [b[1:] for b in BROKEN], ids=[b[0] for b in BROKEN]
)
def test_recovers_what_a_fair_reader_takes(code, nodes, links):
    assert texts(recover_state(code)) == (sorted(nodes.split()), sorted(links))


def test_names_with_spaces_are_recovered():
    diagram = recover_state('stateDiagram-v2\nIdle State --> "In Use"\n"In Use" --> [*] : stop')
    assert texts(diagram) == (
        ["Idle State", "In Use", "[*]"],
        [("Idle State", "In Use", ""), ("In Use", "[*]", "stop")],
    )


def test_skipped_lines_are_reported():
    diagram = recover_state("stateDiagram-v2\nA --> B --> C\nwhat is this line here\n")
    assert [(s.line, s.text) for s in diagram.skipped] == [(3, "what is this line here")]
    assert diagram.skipped[0].reason


NAMES = st.sampled_from(["A", "B", "Idle", "s_1", "état"])
TEXTS = st.sampled_from(["go", "a b c", "n >= 0", "(ok)", "it's"])
LINES = st.one_of(
    st.builds("{} --> {}".format, NAMES | st.just("[*]"), NAMES | st.just("[*]")),
    st.builds("{} --> {} : {}".format, NAMES, NAMES, TEXTS),
    st.builds("{} : {}".format, NAMES, TEXTS),
    st.builds('state "{}" as {}'.format, TEXTS, NAMES),
    st.builds("state {} <<{}>>".format, NAMES, st.sampled_from(["fork", "join", "choice"])),
    st.builds("note right of {} : {}".format, NAMES, TEXTS),
    st.builds("note left of {}\n{}\nend note".format, NAMES, TEXTS),
    st.builds("direction {}".format, st.sampled_from(["TB", "LR", "BT", "RL"])),
    st.sampled_from(["%% comment", "classDef c fill:#f00", "class A c", "", "A:::c --> B:::c"]),
    NAMES,
)
BLOCKS = st.builds(
    lambda lines, more: "\n".join(["state P {", *lines, *(["--", *more] if more else []), "}"]),
    st.lists(LINES, max_size=4),
    st.lists(LINES, max_size=3),
)


@settings(max_examples=120, deadline=None)
@given(st.lists(LINES | BLOCKS, max_size=8).map("\n".join))
def test_the_line_reader_reads_valid_code_as_the_grammar_does(body):
    strict = parse_state("stateDiagram-v2\n" + body)
    recovered = recover_state("stateDiagram-v2\n" + body + "\nA --> B --> C")
    assert recovered.skipped == ()
    assert recovered.links[: len(strict.links)] == strict.links
    shared = {node.id for node in strict.nodes}
    assert {node for node in recovered.nodes if node.id in shared} == set(strict.nodes)
    assert recovered.groups == strict.groups


SOUP = ["A", "[*]", "-->", "->", ":", "{", "}", "state ", '"', " as ", "note right of ", "\n", "--"]
SOUP += [
    "<<fork>>",
    "direction LR",
    "%%",
    "#",
    ";",
    ":::",
    "end note",
    "stateDiagram-v2\n",
    "\ud800",
]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(SOUP) | st.text(max_size=3), max_size=40).map("".join))
def test_recovery_never_raises(text):
    diagram = recover_state(text)
    ids = {node.id for node in diagram.nodes} | {group.id for group in diagram.groups}
    assert all(link.source in ids and link.target in ids for link in diagram.links)
    assert len({node.id for node in diagram.nodes}) == len(diagram.nodes)


HOSTILE = {
    "one line": "state a " + "a " * 200_000,
    "braces": "state a {\n" * 20_000,
    "closing braces": "}" * 200_000,
    "arrows": "A --> B\n" * 25_000,
    "arrow soup": "-->" * 60_000,
    "dashes": "-" * 200_000,
    "open notes": "note right of A\n" * 12_000,
    "open quotes": 'state "' * 30_000,
    "directions": "a direction " * 16_000,
    "kinds": "state <<fork " * 15_000,
    "colons": "a:" * 100_000,
    "spaces": " " * 200_000,
    "tags": "<a" * 100_000,
    "directives": "%%{" * 60_000,
    "front matter": "---\n" * 50_000,
    "entities": "#" * 200_000,
    "own insides": "state a {\na\n" * 10_000,
    "regrouped": "".join(f"state s{i} {{\n" for i in range(5_000))
    + "".join(f"s{i} --> s{i + 1}\n" for i in range(5_000)),
    "class behind blanks": "a -> b" + " " * 100_000 + "x:::y",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_input_takes_linear_time(text):
    start = time.process_time()
    recover_state("stateDiagram-v2\n" + text)
    assert time.process_time() - start < 3


def test_what_no_model_writes_is_left_unread_and_said():
    code = "stateDiagram-v2\n" + "A --> B\n" * (MAX_LINES + 5)
    assert len(parse_state(code).links) == MAX_LINES + 5
    diagram = recover_state(code + "C -> D")
    assert len(diagram.links) == MAX_LINES
    assert [skipped.line for skipped in diagram.skipped] == [MAX_LINES + 2]
    assert "not read" in diagram.skipped[0].reason
