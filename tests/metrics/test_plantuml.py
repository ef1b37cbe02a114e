# ruff: noqa: E501 -- a row of a table is a line
"""PlantUML by tables; accepted and rejected code, states and components as PlantUML 1.2026.8."""

import json
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.core.diagram import MAX_LINES, Diagram, DiagramSyntaxError
from metrics.core.plantuml import parse_plantuml, recover_plantuml
from metrics.core.plantuml_text import label_text

DATA = Path(__file__).parents[1] / "data" / "plantuml.jsonl"
CASES = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]


def flow(diagram: Diagram) -> list[str]:
    """Write each link as `A > B` or `A >label> B`."""
    labels = diagram.labels()
    return sorted(
        f"{labels[x.source]} >{x.label}> {labels[x.target]}".replace(" >> ", " > ")
        for x in diagram.links
    )


# fmt: off
ACTIVITIES = [
    ("sequence", "start\n:a;\n:b;\nstop", ["a > b", "b > stop", "start > a"]),
    ("end", ":a;\nend", ["a > end"]),
    ("lines in an action", ":a\nb;\n:c;", ["a\nb > c"]),
    ("line end in an action", r":a\nb;" + "\n:c;", ["a\nb > c"]),
    ("if", "if (q?) then (yes)\n:a;\nelse (no)\n:b;\nendif\n:c;", ["a > c", "b > c", "q? >no> b", "q? >yes> a"]),
    ("if without else", "if (q?) then (yes)\n:a;\nendif\n:c;", ["a > c", "q? > c", "q? >yes> a"]),
    ("if is", "if (q?) is (yes) then\n:a;\nelse\nstop\nendif\n:c;", ["a > c", "q? > stop", "q? >yes> a"]),
    ("if equals", "if (q?) equals (1) then\n:a;\nendif", ["q? >1> a"]),
    ("brackets in a condition", "if (f(x, g(y)) > 0) then (ok (1))\n:a;\nendif", ["f(x, g(y)) > 0 >ok (1)> a"]),
    ("elseif", "if (p) then (1)\n:a;\nelseif (q) then (2)\n:b;\nelse (3)\n:c;\nendif\n:d;",
     ["a > d", "b > d", "c > d", "p > q", "p >1> a", "q >2> b", "q >3> c"]),
    ("no elseif", "if (p) then (y)\n:a;\n(n) elseif (q) then (y)\n:b;\nendif", ["p >n> q", "p >y> a", "q >y> b"]),
    ("nested if", "if (p) then (y)\nif (q) then (y)\n:a;\nendif\nelse (n)\n:b;\nendif\n:c;",
     ["a > c", "b > c", "p >n> b", "p >y> q", "q > c", "q >y> a"]),
    ("empty branch", "if (p) then (y)\nelse (n)\n:b;\nendif\n:c;", ["b > c", "p >n> b", "p >y> c"]),
    ("branch that ends", "if (p) then (y)\nstop\nendif\n:c;", ["p > c", "p >y> stop"]),
    ("switch", "switch (s)\ncase (1)\n:a;\ncase (2)\n:b;\nendswitch\n:c;", ["a > c", "b > c", "s >1> a", "s >2> b"]),
    ("while", "while (w) is (yes)\n:a;\nendwhile (no)\n:b;", ["a > w", "w >no> b", "w >yes> a"]),
    ("while with backward", "while (w)\n:a;\nbackward:x;\nendwhile\n:b;", ["a > x", "w > a", "w > b", "x > w"]),
    ("break", "while (w)\n:a;\nbreak\nendwhile (no)\n:b;", ["a > b", "w > a", "w >no> b"]),
    ("repeat", "repeat\n:a;\n:b;\nrepeat while (m?) is (yes) not (no)\n:c;", ["a > b", "b > m?", "m? >no> c", "m? >yes> a"]),
    ("repeat with action", "repeat :a;\nrepeat while (m?)\n:c;", ["a > m?", "m? > a", "m? > c"]),
    ("repeat with backward", "repeat\n:a;\nbackward:x;\nrepeat while (m?) is (y)\n->n;\n:c;",
     ["a > m?", "m? >n> c", "m? >y> x", "x > a"]),
    ("fork", ":s;\nfork\n:a;\nfork again\n:b;\nend fork\n:c;",
     ["a > join", "b > join", "fork > a", "fork > b", "join > c", "s > fork"]),
    ("fork with an end", "fork\n:a;\nfork again\n:b;\ndetach\nendfork\n:c;", ["a > join", "fork > a", "fork > b", "join > c"]),
    ("end merge", "fork\n:a;\nfork again\n:b;\nend merge\n:c;", ["a > c", "b > c", "fork > a", "fork > b"]),
    ("split", ":s;\nsplit\n:a;\nsplit again\n:b;\nend split\n:c;", ["a > c", "b > c", "s > a", "s > b"]),
    ("arrow labels", ":a;\n-> one;\n:b;\n-[#red,dashed]-> two\nlines;\n:c;", ["a >one> b", "b >two\nlines> c"]),
    ("connector", ":a;\n(X)\ndetach\n(X)\n:b;", ["X > b", "a > X"]),
    ("kill", ":a;\nkill\n:b;", []),
    ("goto", ":a;\nlabel l\n:b;\nif (q) then (y)\ngoto l\nendif\n:c;", ["a > b", "b > q", "q > c", "q >y> b"]),
    ("colors and stereotypes", "start\n#pink:a;\n:b; <<input>>\n:c]\n:d|", ["a > b", "b > c", "c > d", "start > a"]),
    ("decoration", "title T\nskinparam x y\nskinparam a {\nb c\n}\n' comment\n/' :x;\n'/\n:a;\nnote right: n\nnote left\nm\nend note\nlegend\nl\nendlegend\n:b;", ["a > b"]),
    ("continued line", ":a\\\nb;\n:c;", ["a b > c"]),
]
# fmt: on


@pytest.mark.parametrize(
    ("code", "links"), [c[1:] for c in ACTIVITIES], ids=[c[0] for c in ACTIVITIES]
)
def test_activities(code, links):
    diagram = parse_plantuml(f"@startuml\n{code}\n@enduml")
    assert flow(diagram) == sorted(links)
    assert recover_plantuml(code) == recover_plantuml(f"@startuml\n{code}\n@enduml")


def test_partitions_and_lanes_are_groups():
    code = '|A|\nstart\npartition "P q" {\n:a;\npartition R {\n:b;\n}\n}\n|#red|B|\n:c;'
    groups = {g.label: g.members for g in parse_plantuml(code).groups}
    assert groups == {
        "A": ("start1", "action1", "action2"),
        "P q": ("action1", "partition2"),
        "R": ("action2",),
        "B": ("action3",),
    }


# fmt: off
LEGACY = [
    ("chain", '(*) --> "a"\n--> "b"\n--> (*)', ["(*) > a", "a > b", "b > (*)"]),
    ("labels and turns", '(*) -up-> "a"\n-right->[go] "b"', ["(*) > a", "a >go> b"]),
    ("decision", '(*) --> "a"\nif "q?" then\n-->[yes] "b"\n--> (*)\nelse\n->[no] "c"\nendif',
     ["(*) > a", "a > q?", "b > (*)", "q? >no> c", "q? >yes> b"]),
    ("inline decision", '(*) --> if "q" then\n--> "a"\nelse\n--> "b"\nendif', ["(*) > q", "q > a", "q > b"]),
    ("bars", '(*) --> ===B1===\n===B1=== --> "a"\n"a" --> ===B2===', ["(*) > B1", "B1 > a", "a > B2"]),
    ("alias", '(*) --> "long text" as A\nA --> (*)', ["(*) > long text", "long text > (*)"]),
]
# fmt: on


@pytest.mark.parametrize(("code", "links"), [c[1:] for c in LEGACY], ids=[c[0] for c in LEGACY])
def test_first_activity_syntax(code, links):
    assert flow(parse_plantuml(code)) == sorted(links)


# fmt: off
STATES = [
    ("plain", "[*] --> A\nA --> B : go\nB --> [*]", ["A >go> B", "B > [*]", "[*] > A"]),
    ("arrows", "[*] -up-> A\nA -[#red,dashed]-> B\nA <-- B\nB -> C", ["A > B", "B > A", "B > C", "[*] > A"]),
    ("alias", '[*] --> L\nstate "long name" as L\nstate M as "other"\nL --> M', ["[*] > long name", "long name > other"]),
    ("kinds", "state f <<fork>>\n[*] --> f\nf --> A", ["[*] > f", "f > A"]),
    ("history", "[*] --> A\nA --> B[H]\nA --> [H*]", ["A > B[H]", "A > [H*]", "[*] > A"]),
    ("notes", "[*] --> A\nnote left of A : x\nnote right of A\ny --> z\nend note", ["[*] > A"]),
    ("text below the title", "[*] --> A\nA : one\nA : two", ["[*] > A\none\ntwo"]),
]
# fmt: on


@pytest.mark.parametrize(("code", "links"), [c[1:] for c in STATES], ids=[c[0] for c in STATES])
def test_states(code, links):
    assert flow(parse_plantuml(f"@startuml\n{code}\n@enduml")) == sorted(links)


def test_composite_states_are_groups_and_regions_keep_their_starts():
    diagram = parse_plantuml(
        "[*] --> A\nstate A {\n[*] -> x\n--\n[*] -> y\nstate B {\nz --> x\n}\n}"
    )
    assert {g.id: g.members for g in diagram.groups} == {
        "A": ("A_region1_start", "x", "A_region2_start", "y", "B"),
        "B": ("z",),
    }
    ids = {node.id for node in diagram.nodes}
    assert {"root_start", "A_region1_start", "A_region2_start"} <= ids


# fmt: off
COMPONENTS = [
    ("brackets", "[A b] --> [C]", ["A b > C"]),
    ("all heads", "[A] <-- [B]\n[A] <|-- [C]\n[A] *-- [D]\n[A] o-- [E]\n[A] ..|> [F]", ["A > D", "A > E", "A > F", "B > A", "C > A"]),
    ("aliases", 'component "Long" as L\n[Other] as O\n() "If" as I\nL --> O : use\nO - I', ["Long >use> Other", "Other > If"]),
    ("name before label", 'actor u as "The user"\nu --> [A]', ["The user > A"]),
    ("use cases", "actor User\n:Main: --> (Do it)\nUser --> (Do it)", ["Main > Do it", "User > Do it"]),
    ("label after the first mention", '[a] --> b\ncomponent "Big B" as b', ["a > Big B"]),
    ("actor first", ":Ann: as a\na --> (Do)\n[B] ..> [C]", ["Ann > Do", "B > C"]),
    ("quoted end with a label", '[A] --> "q r" : go on', ["A >go on> q r"]),
    ("sockets", "[A] -0)- [B]\n[B] -(0- [C]\n[C] --( [D]\n[D] 0--0 [E]", ["A > B", "B > C", "C > D", "D > E"]),
    ("turns", "[A] -up-> [B]\n[B] .left.> [C]\n[C] -[#red,bold]-> [D]\n[D] -d-> [E]", ["A > B", "B > C", "C > D", "D > E"]),
    ("long component", "component c [\none\ntwo\n]\nc --> [B]", ["one\ntwo > B"]),
    ("deployment", "node n1\ndatabase DB\ncloud C\nn1 --> DB\nDB ..> C : sync", ["DB >sync> C", "n1 > DB"]),
    ("cardinalities", 'rectangle A\nrectangle B\nA "1" --> "0..*" B : has', ["A >has> B"]),
    ("links to notes", 'note "n" as N\n[A] --> [B]\nN .. [B]\n[A] -- N', ["A > B"]),
    ("classes", "class A {\n+x: int\nfoo()\n}\nclass B\nA --|> B : is\nB : bar()", ["A >is> B"]),
    ("plain names", "A --> B : x", ["A >x> B"]),
    ("links to groups", "package P {\n[a]\n}\nP --> [b]", ["P > b"]),
]
# fmt: on


@pytest.mark.parametrize(
    ("code", "links"), [c[1:] for c in COMPONENTS], ids=[c[0] for c in COMPONENTS]
)
def test_components(code, links):
    assert flow(parse_plantuml(f"@startuml\n{code}\n@enduml")) == sorted(links)


def test_the_table_is_there():
    assert len(CASES) > 250


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_links_are_those_that_plantuml_draws(case):
    diagram = parse_plantuml(case["code"])
    pseudo = {node.id for node in diagram.nodes if node.label == "[*]"}
    ends = [
        ["[*]" if end in pseudo else end for end in (x.source, x.target)] for x in diagram.links
    ]
    # PlantUML lists the ends of a link that goes up or to the left the other way round.
    assert sorted(map(sorted, ends)) == sorted(map(sorted, case["links"]))


def test_how_links_are_drawn():
    diagram = parse_plantuml(
        "[A] --> [B]\n[A] ..> [C]\n[A] <-> [D]\n[A] -- [E]\n[A] -[hidden]-> [F]\n[A] ==> [G]"
    )
    assert [(x.target, x.stroke, x.arrow, x.arrow_start) for x in diagram.links] == [
        ("B", "normal", "point", "none"),
        ("C", "dotted", "point", "none"),
        ("D", "normal", "point", "point"),
        ("E", "normal", "none", "none"),
        ("F", "invisible", "point", "none"),
        ("G", "thick", "point", "none"),
    ]


def test_elements_shapes_groups_and_direction():
    diagram = parse_plantuml(
        'left to right direction\npackage "P q" {\n[a]\nnode N {\ndatabase d\n}\n}\n(u)\n:x:\n() i'
    )
    assert diagram.direction == "LR"
    assert {n.id: n.shape for n in diagram.nodes} == {
        "a": "component",
        "d": "database",
        "u": "usecase",
        "x": "actor",
        "i": "interface",
    }
    assert [(g.id, g.members) for g in diagram.groups] == [("P q", ("a", "N")), ("N", ("d",))]


@pytest.mark.parametrize(
    ("code", "line", "column", "reason"),
    [
        ("@startuml\nstart\nfoo bar\nstop\n@enduml", 3, 1, "not a statement of an activity"),
        ("@startuml\nstart\n  else\nstop\n@enduml", 3, 3, "no open if"),
        ("@startuml\nstart\nendwhile\n@enduml", 3, 1, "no open while"),
        ("@startuml\nstart\n:a\nstop\n@enduml", 3, 1, "no ';'"),
        ("@startuml\nstart\nif (a) then\n:b;\n@enduml", 3, 1, "if is never closed"),
        ("@startuml\n[*] -->\n@enduml", 2, 1, "not a statement"),
        ("@startuml\n[A] --> [B] junk here\n@enduml", 2, 1, "not a statement"),
        ("@startuml\npackage foo {\n[A]\n@enduml", 2, 1, "never closed"),
        ("flowchart TD\nA --> B", 1, 1, "not a statement"),
        ("@startuml\n@enduml", 1, 1, "no statement"),
        ("", 1, 1, "no statement"),
    ],
)
def test_rejects_and_says_where(code, line, column, reason):
    with pytest.raises(DiagramSyntaxError, match=reason) as error:
        parse_plantuml(code)
    assert (error.value.line, error.value.column) == (line, column)


BROKEN = [
    ("prose around", "Sure:\n@startuml\nstart\n:a;\nstop\n@enduml\n:b;", ["a > stop", "start > a"]),
    ("no end", "@startuml\nstart\n:a;\nif (q) then (y)\n:b;", ["a > q", "q >y> b", "start > a"]),
    ("no semicolons", "start\n:a\n:b\nstop", ["a > b", "b > stop", "start > a"]),
    ("cut off", "start\n:a;\n:b and th", ["a > b and th", "start > a"]),
    ("prose inside", "[*] --> A\nThis is the second part.\nA --> B", ["A > B", "[*] > A"]),
    ("brace left open", "package P {\n[a] --> [b]", ["a > b"]),
]


@pytest.mark.parametrize(("code", "links"), [b[1:] for b in BROKEN], ids=[b[0] for b in BROKEN])
def test_recovers_what_a_fair_reader_takes(code, links):
    assert flow(recover_plantuml(code)) == sorted(links)


def test_skipped_lines_are_reported():
    diagram = recover_plantuml("@startuml\nstart\nsome words here\n:a;\n@enduml")
    assert [(s.line, s.text) for s in diagram.skipped] == [(3, "some words here")]


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("**bold** and //it//", "bold and it"),
        ("<b>x</b> <color:red>y</color> <size:12>z", "x y z"),
        (r"a\nb", "a\nb"),
        ("5 < 6 &lt; 7", "5 < 6 < 7"),
        ("a -- b", "a -- b"),
    ],
)
def test_label_text(label, expected):
    assert label_text(label) == expected


SOUP = [
    "start",
    "stop",
    ":a;",
    ":b",
    "if (q) then (y)",
    "else",
    "endif",
    "while (w)",
    "endwhile",
    "fork",
]
SOUP += [
    "fork again",
    "end fork",
    "repeat",
    "repeat while (m)",
    "[A] --> [B]",
    '(*) --> "x"',
    "}",
    "{",
]
SOUP += [
    "[*] --> S",
    "state S {",
    "note left",
    "end note",
    "/'",
    "'/",
    "package P {",
    "class C {",
    "-> l;",
]
SOUP += [
    "@startuml",
    "@enduml",
    "split",
    "end split",
    "break",
    "|lane|",
    "switch (s)",
    "case (c)",
    "--",
]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(SOUP) | st.text(max_size=8), max_size=30).map("\n".join))
def test_recovery_never_raises(text):
    diagram = recover_plantuml(text)
    ids = {node.id for node in diagram.nodes} | {group.id for group in diagram.groups}
    assert all(link.source in ids and link.target in ids for link in diagram.links)
    assert len({node.id for node in diagram.nodes}) == len(diagram.nodes)


HOSTILE = {
    "actions": "start\n" + ":do it;\n" * 15_000,
    "ifs": "start\n" + "if (a) then (b)\n" * 10_000,
    "forks": "fork\n" * 20_000,
    "closed ifs": "start\n" + "if (a) then (b)\n" * 5_000 + "endif\n" * 5_000,
    "splits": ("split\n" + ":a;\nsplit again\n" * 2_000 + "end split\n") * 3,
    "repeats": "repeat\n" * 30_000 + ":a;\n",
    "dashes": "A " + "-" * 100_000,
    "bracket after dashes": "A -[" + "-" * 100_000,
    "open notes": "note left\n" * 20_000,
    "open comments": "/'" * 100_000,
    "brackets": "[\n" * 50_000,
    "parentheses": "(" * 100_000,
    "colons": ":" * 100_000,
    "states": "state A {\n" * 20_000,
    "packages": "package a {\n" * 20_000,
    "links": "[A] --> [B] : x\n" * 10_000,
    "decisions": '(*) --> "a"\n' + 'if "x" then\n' * 10_000,
    "spaces": "partition a" + " " * 100_000 + "b",
    "markup": ":" + "**a " * 30_000 + ";",
    "no semicolons": ":a\n" * 30_000,
    "open action": "start\n:" + "a\n" * 30_000,
    "backslashes": "a\\\n" * 50_000,
    "coloured actions": "#a:b\n" * 20_000,
    "thick arrows": "=>x\n" * 20_000,
    "breaks": "while (x)\n" + "if (a) then (b)\n" * 9_000 + "break\n" * 9_000,
    "groups without a name": "together {\n" * 9_000 + "[a]\n" * 9_000,
    "ends that multiply": "if (a) then (b)\n:c;\n" * 5_000
    + "endif\n" * 5_000
    + "split\nsplit again\n" * 2_000,
    "short lines": "a\n" * 100_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_input_takes_linear_time(text):
    start = time.process_time()
    recover_plantuml(f"@startuml\n{text}\n@enduml")
    assert time.process_time() - start < 3


def test_what_no_model_writes_is_left_unread_and_said():
    diagram = recover_plantuml("@startuml\n" + "[a] --> [b]\n" * (MAX_LINES + 5) + "@enduml")
    assert len(diagram.links) == MAX_LINES
    assert [skipped.line for skipped in diagram.skipped] == [MAX_LINES + 2]
    assert "not read" in diagram.skipped[0].reason
