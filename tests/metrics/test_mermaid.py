"""The strict parser against the answers of mermaid.js 12.3.0."""

import gzip
import json
import os
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.core.diagram import Diagram, DiagramSyntaxError, Link
from metrics.core.mermaid import parse_flowchart
from metrics.core.mermaid_lexer import _STATES, _TABLE, _State

DATA = Path(__file__).parents[1] / "data" / "mermaid"
HEAD_TYPES = {"none": "open", "point": "point", "circle": "circle", "cross": "cross"}


def read_cases(name: str) -> list[dict]:
    path = DATA / name
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line) for line in text.decode().splitlines()]


CATEGORIES = read_cases("categories.jsonl")


def link_type(link: Link) -> str:
    """Write a link's heads as mermaid.js does."""
    both = "double_" if link.arrow_start != "none" else ""
    return f"{both}arrow_{HEAD_TYPES[link.arrow]}"


def as_mermaid(diagram: Diagram) -> dict:
    """Bring a diagram into the form of the tables; only what both sides can say."""
    return {
        "direction": diagram.direction,
        "vertices": {node.id: (node.label, node.shape) for node in diagram.nodes},
        "edges": Counter(
            (link.source, link.target, link.label, link.stroke, link_type(link))
            for link in diagram.links
        ),
        "subgraphs": {group.id: (group.label, Counter(group.members)) for group in diagram.groups},
    }


def as_expected(answer: dict) -> dict:
    """Bring mermaid's answer into the same form.

    Mermaid sanitizes subgraph titles while it parses (`<br>` becomes `<br/>`), keeps the text of
    `accTitle` as a member, and has a type of its own for links whose ends contradict each other.
    """
    names = {vertex["id"] for vertex in answer["vertices"]}
    names |= {subgraph["id"] for subgraph in answer["subgraphs"]}
    plain = {"INVALID": ("normal", "arrow_point")}
    return {
        "direction": answer["direction"],
        "vertices": {v["id"]: (v["text"], v["shape"]) for v in answer["vertices"]},
        "edges": Counter(
            (e["start"], e["end"], e["text"], *plain.get(e["type"], (e["stroke"], e["type"])))
            for e in answer["edges"]
        ),
        "subgraphs": {
            s["id"]: (s["title"], Counter(n for n in s["nodes"] if n in names))
            for s in answer["subgraphs"]
        },
    }


def same_breaks(form: dict) -> dict:
    groups = form["subgraphs"].items()
    titles = {name: (title.replace("<br>", "<br/>"), members) for name, (title, members) in groups}
    return form | {"subgraphs": titles}


@pytest.mark.parametrize("case", [c for c in CATEGORIES if c["valid"]], ids=lambda c: c["id"])
def test_reads_each_feature_as_mermaid_does(case):
    read, expected = as_mermaid(parse_flowchart(case["code"])), as_expected(case["mermaid"])
    assert same_breaks(read) == same_breaks(expected)


@pytest.mark.parametrize("case", [c for c in CATEGORIES if not c["valid"]], ids=lambda c: c["id"])
def test_refuses_what_mermaid_refuses(case):
    with pytest.raises(DiagramSyntaxError) as caught:
        parse_flowchart(case["code"])
    lines = case["code"].split("\n")
    assert 1 <= caught.value.line <= len(lines) + 1
    assert caught.value.column >= 1


def test_reads_random_charts_as_mermaid_does():
    cases = read_cases("random.jsonl.gz")
    differing = [
        case["code"]
        for case in cases
        if same_breaks(as_mermaid(parse_flowchart(case["code"])))
        != same_breaks(as_expected(case["mermaid"]))
    ]
    assert (len(cases), differing) == (1200, [])


@pytest.mark.parametrize("case", read_cases("rejected.jsonl"), ids=lambda c: c["code"][:30])
def test_refuses_random_code_that_mermaid_refuses(case):
    with pytest.raises(DiagramSyntaxError):
        parse_flowchart(case["code"])


@pytest.mark.parametrize(
    ("code", "labels"),
    [
        ("flowchart\nA", {"A": "A"}),
        ("graph TD;A-->B;;C", {"A": "A", "B": "B", "C": "C"}),
        ("flowchart TD\nA[ x ] & B --> C", {"A": "x", "B": "B", "C": "C"}),
        ("flowchart TD\nA[/one\\] --> B[\\two/]", {"A": "one", "B": "two"}),
        ('flowchart TD\nA["#35;1 &lt; #quot;2#quot;"]', {"A": '#1 < "2"'}),
        ('flowchart TD\nA["`**bold** text`"]', {"A": "**bold** text"}),
        ('flowchart TD\nA@{ shape: cyl, label: "x } y" }', {"A": "x } y"}),
        ("flowchart TD\nA@{\n  shape: cyl\n  label: 3\n}", {"A": "3"}),
        ("flowchart TD\nA@{ icon: x }", {"A": ""}),
        ("flowchart TD\nstyle Z fill:#fff", {"Z": "Z"}),
        ("flowchart TD\nA[|borders:lt|x]", {"A": "x"}),
        ("flowchart TD\nA-->B\nA[one]\nA[two]", {"A": "two", "B": "B"}),
        ('flowchart TD\nA["one\n two"]', {"A": "one\n two"}),
        ("---\ntitle: x\n---\nflowchart TD\n%% c\nA", {"A": "A"}),
        ("%%{init: {}}%%\nflowchart TD\r\nA\r\nB", {"A": "A", "B": "B"}),
        ("flowchart TD\nA e1@--> B\ne1@{ animate: true }", {"A": "A", "B": "B"}),
        ("flowchart TD\nsubgraph one [Two]\nA\nend", {"A": "A", "one": "Two"}),
        ("flowchart TD\nsubgraph s [Title]\nA\nend\ns --> B", {"A": "A", "B": "B", "s": "Title"}),
        ("flowchart TD\nsubgraph two words\nA\nend", {"A": "A", "subGraph0": "two words"}),
    ],
)
def test_labels(code, labels):
    assert parse_flowchart(code).labels() == labels


@pytest.mark.parametrize(
    ("signs", "link"),
    [
        ("-->", Link("A", "B")),
        ("---", Link("A", "B", arrow="none")),
        ("<-->", Link("A", "B", arrow_start="point")),
        ("--o", Link("A", "B", arrow="circle")),
        ("x--x", Link("A", "B", arrow="cross", arrow_start="cross")),
        ("==>", Link("A", "B", stroke="thick")),
        ("-..->", Link("A", "B", stroke="dotted")),
        ("~~~", Link("A", "B", stroke="invisible", arrow="none")),
        ("-->|x y|", Link("A", "B", "x y")),
        ("-- x y -->", Link("A", "B", "x y")),
        ("== x ==>", Link("A", "B", "x", "thick")),
        ('-. "x-y" .->', Link("A", "B", "x-y", "dotted")),
        ("<-- x -->", Link("A", "B", "x", arrow_start="point")),
        ("o-- x -->", Link("A", "B", "x")),
    ],
)
def test_links(signs, link):
    assert parse_flowchart(f"flowchart TD\nA {signs} B").links == (link,)


@pytest.mark.parametrize(
    ("code", "line", "column", "reason"),
    [
        ("flowchart TD\nA --> \n", 3, 1, "the end"),
        ("flowchart TD\nA[x] --> B[y\n", 3, 1, "closing bracket"),
        ("%% c\nflowchart TD\n\nA[a(b]", 4, 4, "closing bracket"),
        ("---\ntitle: x\n---\nflowchart TD\nA -> B", 5, 3, "found '-'"),
        ("flowchart TD\nA & B --> C D", 2, 13, "found 'D'"),
        ("flowchart TD\nA{x}  \n\nB ] C", 4, 3, "found ']', expected"),
        ("flowchart TD\nend", 2, 1, "found 'end'"),
        ("flowchart TD\nsubgraph a\nA", 3, 2, "'end' of the subgraph"),
        ("flowchart TD\nA-->B\nlinkStyle 1 stroke:red", 3, 11, "no link with number 1"),
        ("flowchart TD\nA@{ shape: nothing }", 2, 2, "no such shape: nothing"),
        ("flowchart TD\nA@{ label: a, label: b }", 2, 2, "stands twice"),
        ("---\ntitle: [\n---\nflowchart TD\nA", 1, 1, "front matter is not YAML"),
        ("sequenceDiagram\nA->>B: x", 1, 1, "expected 'flowchart' or 'graph'"),
        ("", 1, 1, "expected 'flowchart' or 'graph'"),
    ],
)
def test_errors_name_the_place(code, line, column, reason):
    with pytest.raises(DiagramSyntaxError, match=reason) as caught:
        parse_flowchart(code)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_depth_has_no_limit():
    chain = "flowchart TD\n" + "-->".join(f"n{i}" for i in range(20_000))
    assert len(parse_flowchart(chain).links) == 19_999
    nested = "flowchart TD\n" + "subgraph s\n" * 3000 + "A\n" + "end\n" * 3000
    assert parse_flowchart(nested).labels() == {"A": "A", "s": "s"}


def test_a_page_limit_is_not_the_grammar():
    code = "flowchart TD\n" + "A-->B\n" * 600
    assert len(parse_flowchart(code).links) == 600


TEXTS = st.text(st.sampled_from('aoxv@-=.~<>()[]{}|/\\"`#;:&,* \n%end0é'), max_size=20)


@given(state=st.sampled_from(sorted(_STATES)), text=TEXTS)
def test_first_characters_only_save_time(state, text):
    slow = _State(state, tuple(rule._replace(first="") for rule in _TABLE))
    for char in text[:1]:
        fast_match = _STATES[state][char][0](text, 0)
        slow_match = slow[char][0](text, 0)
        assert (fast_match and fast_match[0]) == (slow_match and slow_match[0])


@pytest.mark.skipif("UPSTREAM_DATA" not in os.environ, reason="needs UPSTREAM_DATA")
def test_flowvqa_charts_have_the_published_counts():
    path = Path(os.environ["UPSTREAM_DATA"]) / "flowvqa" / "charts_100.json"
    too_low = {}
    for key, chart in json.loads(path.read_text()).items():
        diagram = parse_flowchart(chart["mermaid"])
        for pair in chart["qa"].values():
            if not re.search(r"How many (nodes|edges) exist in the given", pair["Q"]):
                continue
            published = int(re.findall(r"\d+", pair["A1"])[0])
            if "nodes" in pair["Q"]:
                assert (key, len(diagram.nodes)) == (key, published)
            elif len(diagram.links) != published:
                too_low[key] = (published, len(diagram.links))
    assert too_low == {
        "code00201": (19, 21),
        "wiki00148": (24, 25),
        "wiki00384": (22, 23),
        "wiki00542": (22, 27),
        "wiki00650": (21, 22),
    }
