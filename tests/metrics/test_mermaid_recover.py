"""The recovering parser: broken replies, what a fair reader takes from them, and hostile text."""

import gzip
import json
import random
import time
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.core.diagram import Diagram, DiagramSyntaxError
from metrics.core.elements import read_elements
from metrics.core.matching import normalize_text
from metrics.core.mermaid import parse_flowchart, recover_flowchart

DATA = Path(__file__).parents[1] / "data" / "mermaid"


def read_cases(name: str) -> list[dict]:
    path = DATA / name
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line) for line in text.decode().splitlines()]


BROKEN = read_cases("broken.jsonl")


def texts(diagram: Diagram) -> tuple[Counter, Counter]:
    """Return the multisets of labels and of linked labels."""
    labels = {node.id: node.label for node in diagram.nodes}
    pairs = (
        (labels.get(x.source, x.source), labels.get(x.target, x.target)) for x in diagram.links
    )
    return Counter(labels.values()), Counter(pairs)


def expected(nodes: list[str], links: list[list[str]]) -> tuple[Counter, Counter]:
    return Counter(nodes), Counter(map(tuple, links))


@pytest.mark.parametrize("case", BROKEN, ids=lambda c: c["kind"])
def test_takes_from_broken_replies_what_a_fair_reader_would(case):
    readings = [expected(case["expected_nodes"], case["expected_links"])]
    readings += [expected(alt["nodes"], alt["links"]) for alt in (case.get("alt") or {}).values()]
    assert texts(recover_flowchart(case["code"])) in readings


@pytest.mark.parametrize("case", read_cases("replies.jsonl"), ids=lambda c: ascii(c["reply"])[:60])
def test_reads_replies(case):
    read = read_elements(case["reply"], "lenient")
    assert sorted(text for (text,) in read.nodes) == sorted(map(one_line, case["nodes"]))
    links = sorted((one_line(source), one_line(target)) for source, target in case["links"])
    assert sorted(link[:2] for link in read.links) == links


def one_line(label):
    return normalize_text(label.replace("<br>", " "))


@pytest.mark.parametrize("case", read_cases("kinds.jsonl"), ids=lambda c: c["kind"])
def test_reads_further_kinds(case):
    read = texts(recover_flowchart(case["code"]))
    assert read == expected(case["nodes"], case["links"])


def test_reads_valid_code_as_the_strict_parser_does():
    cases = read_cases("categories.jsonl") + read_cases("random.jsonl.gz")
    codes = [case["code"] for case in cases if case["mermaid"]["ok"]]
    for code in codes:
        assert recover_flowchart(code) == parse_flowchart(code)
        assert recover_flowchart(f"Here:\n```mermaid\n{code}\n```\n").nodes == (
            parse_flowchart(code).nodes
        )


def test_two_broken_statements_are_not_one_link_text():
    code = "flowchart TD\nA[Mix] --> B[Bake]\nA <-- B\nB --> A"
    assert texts(recover_flowchart(code)) == expected(
        ["Mix", "Bake"], [["Mix", "Bake"], ["Bake", "Mix"], ["Bake", "Mix"]]
    )


def test_lists_what_was_left_out():
    text = "Sure!\n```mermaid\nflowchart TD\nA[Mix] -> B\nend\nclick A\nso it goes\nB -> C\n```"
    diagram = recover_flowchart(text)
    assert [(s.line, s.text, s.reason) for s in diagram.skipped] == [
        (5, "end", "no subgraph is open here"),
        (6, "click A", "not a complete statement"),
        (7, "so it goes", "neither a label nor a link"),
    ]
    assert recover_flowchart("flowchart TD\nA-->B").skipped == ()


def test_groups_and_directions_survive():
    code = "flowchart RL\nsubgraph S [My part]\nA[Mix] -> B\nsubgraph T\nC\nend\nend\nB -> C"
    diagram = recover_flowchart(code)
    groups = [(group.id, group.label, group.members) for group in diagram.groups]
    assert groups == [("S", "My part", ("A", "B", "T")), ("T", "T", ("C",))]
    assert diagram.direction == "RL"


# Breakages, tried on random charts: each turns declarations and links into a text.

WORDS = ["mix", "bake", "serve", "cool", "pour", "boil", "knead", "dough", "salt", "flour"]


class Chart:
    """A random chart: ids, labels and links between indices."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)
        count = rng.randrange(3, 8)
        pool = [f"{a} {b}" for a in WORDS for b in WORDS] + WORDS
        self.labels = rng.sample(pool, count)
        self.ids = [f"entity{i}" for i in range(count)] if seed % 2 else list("ABCDEFGH"[:count])
        self.links = [tuple(rng.sample(range(count), 2)) for _ in range(count)]

    def lines(self, arrow: str = " --> ", brackets: str = "[]", inline: bool = False) -> list[str]:
        full = [
            f"{i}{brackets[0]}{t}{brackets[1]}" for i, t in zip(self.ids, self.labels, strict=True)
        ]
        left = dict(enumerate(full))
        if not inline:
            return full + [f"{self.ids[a]}{arrow}{self.ids[b]}" for a, b in self.links]
        links = [
            f"{left.pop(a, self.ids[a])}{arrow}{left.pop(b, self.ids[b])}" for a, b in self.links
        ]
        return links + list(left.values())

    def code(self, header: str = "flowchart TD\n", **style) -> str:
        return header + "\n".join(self.lines(**style))


def unclosed(chart: Chart) -> str:
    lines = (line.replace("]", "", 1) for line in chart.lines(inline=True))
    return "flowchart TD\n" + "\n".join(lines) + "\n%% done\n"


ARROWS = "->|=>|=>>|->>|-->>|-..>|....>|+.->|--.->|→|—>|--|>|------>|-- >|--"
TEXT_LINKS = "->|yes|;--|yes|;-- yes ->;-yes->;-->|yes (ok)|;-- yes (ok) -->;--'yes'-->;-->||yes||"
BREAKAGES = {
    **{f"arrow {a}": lambda c, a=a: c.code(arrow=f" {a} ") for a in ARROWS.split("|")[:11]},
    **{
        f"inline {a}": lambda c, a=a: c.code(arrow=f" {a} ", inline=True) for a in ("->", "→", "=>")
    },
    **{f"text {a}": lambda c, a=a: c.code(arrow=f" {a} ") for a in TEXT_LINKS.split(";")},
    "head pipe": lambda c: c.code(arrow=" --|> "),
    "missing closers": unclosed,
    "wrong closers": lambda c: c.code(brackets="[)", inline=True),
    "full-width brackets": lambda c: c.code(brackets="［］", inline=True),
    "smart quotes": lambda c: c.code(brackets=["[“", "”]"], arrow=" -> "),
    "blank before brackets": lambda c: c.code(brackets=[" (", ")"], inline=True),
    "brackets without ids": lambda c: (
        "flowchart TD\n"
        + "\n".join(
            [f"[{t}]" for t in c.labels]
            + [f"[{c.labels[a]}] --> [{c.labels[b]}]" for a, b in c.links]
        )
    ),
    "quoted ids": lambda c: (
        "flowchart TD\n"
        + "\n".join(
            [f'"{t}"' for t in c.labels]
            + [f'"{c.labels[a]}" -- "{c.labels[b]}"' for a, b in c.links]
        )
    ),
    "commas": lambda c: ",\n".join(["flowchart TD\nX0[skip it]", *c.lines()]).replace(
        "X0[skip it],\n", ""
    ),
    "one line, semicolons": lambda c: "flowchart TD; " + "; ".join(c.lines(arrow=" -> ")),
    "one line, blanks": lambda c: "flowchart LR " + " ".join(c.lines(brackets="()")),
    "one line, commas": lambda c: "flowchart LR\n" + ", ".join(c.lines()),
    "numbers": lambda c: "\n".join(f"{n}. {x}" for n, x in enumerate(c.code().split("\n"), 1)),
    "bullets": lambda c: "flowchart TD\n" + "\n".join(f"- {x}" for x in c.lines()),
    "quote prefix": lambda c: "\n".join(f"> {x}" for x in c.code().split("\n")),
    "no header": lambda c: c.code(header=""),
    "prose around": lambda c: f"Sure, here it is (see below):\n\n{c.code()}\n\nI hope it helps!",
    "fence in prose": lambda c: f"A --> B is a link.\n```\n{c.code()}\n```\nX --> Y is another.",
    "glued fence": lambda c: f"The code: ```mermaid\n{c.code()}\n``` Next question",
    "unclosed fence": lambda c: f"```mermaid\n{c.code()}\n",
    "run-on": lambda c: f"```mermaid\n{c.code()}\n```\n\n```mermaid\nflowchart TD\nX --> Y\n```",
    "run-on without fence": lambda c: f"{c.code()}\n\nQuestion: the next\n\nflowchart TD\nX --> Y",
    "direction in the fence": lambda c: c.code(header="```mermaid LR\n") + "\n```",
    "python first": lambda c: f'```python\nprint("A --> B")\n```\n```\n{c.code()}\n```',
    "html": lambda c: '<pre class="mermaid">\n' + c.code().replace(">", "&gt;") + "\n</pre>",
    "escaped line ends": lambda c: c.code().replace("\n", "\\n"),
    "json": lambda c: json.dumps({"code": c.code(brackets=['["', '"]'])}),
    "thoughts": lambda c: f"<think>A --> B?</think>\n{c.code()}",
    "odd direction": lambda c: c.code(header="flowchart DAG\n", arrow=" -> "),
    "wrong case": lambda c: c.code(header="Flowchart td\n"),
    "stray end": lambda c: c.code() + "\nend",
    "open subgraph": lambda c: c.code(header="flowchart TD\nsubgraph Kitchen (main)\n"),
    "broken styles": lambda c: (
        c.code() + "\nstyle A fill=#f9f;\nclassDef x\nclick A\nlinkStyle 9 x:1"
    ),
    "cut label": lambda c: c.code() + "\nZ9[some cut la",
    "cut arrow": lambda c: c.code() + f"\n{c.ids[0]} -",
    "comments": lambda c: c.code().replace("]\n", "] // note\n") + " # last\n# done",
    "windows": lambda c: "\ufeff" + c.code(arrow=" -> ").replace("\n", "\r\n"),
}


@pytest.mark.parametrize("breakage", BREAKAGES)
@pytest.mark.parametrize("seed", range(6))
def test_a_broken_chart_is_still_the_chart(breakage, seed):
    chart = Chart(seed)
    text = BREAKAGES[breakage](chart)
    links = [[chart.labels[a], chart.labels[b]] for a, b in chart.links]
    assert texts(recover_flowchart(text)) == expected(chart.labels, links), text


# Hostile text

PIECES = st.sampled_from(
    [
        *"[](){}<>|\"'`#;:&,.-=~@%/\\ \t\nAé\ud800\x00",
        *("flowchart TD\n", "graph LR;", "```mermaid\n", "```", "entity1", "end", "subgraph "),
        *("-->", "--", "-.->", "==>", "->", "→", "<--", "%%", "&gt;", "#35;", "@{", "\\n"),
        *("<think>", "</think>", "<pre>", "@{ label: ", "---\n", '"}'),
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=40).map("".join) | st.text(max_size=80))
def test_never_raises(text):
    diagram = recover_flowchart(text)
    ids = {node.id for node in diagram.nodes} | {group.id for group in diagram.groups}
    assert all(link.source in ids and link.target in ids for link in diagram.links)


@pytest.mark.parametrize(
    "text",
    [
        "flowchart TD\nA" + "[" * 100_000,
        "flowchart TD\n" + "A{" * 20_000,
        'flowchart TD\n"' + "x" * 100_000,
        "flowchart TD\n" + "A -> B\n" * 5_000,
        "flowchart TD\n" + "subgraph s\n" * 5_000,
        "\n" * 100_000,
        "```\n" * 10_000,
        "flowchart TD\n" + "A -- b " * 5_000,
        "flowchart TD\n" + "direction TB " * 5_000,
        f"flowchart TD\nA-->B\nlinkStyle {'9' * 5000} stroke:red",
        f"flowchart TD\nA@{{ label: {'9' * 5000} }}",
        f"flowchart TD\nA@{{ label: 0x{'f' * 5000} }}",
        f"flowchart TD\nA[&#{'9' * 5000};] --&gt; B",
        f"flowchart TD\nA@{{ label: {'[' * 5000} }}",
    ],
    ids=lambda text: repr(text[:20]),
)
def test_reads_long_hostile_text(text):
    assert isinstance(recover_flowchart(text), Diagram)


def test_ends_that_multiply_are_bounded_and_named() -> None:
    def ends(name: str, count: int) -> str:
        return " & ".join(f"{name}{i}" for i in range(count))

    wide = f"flowchart TD\n{ends('a', 600)} --> {ends('b', 600)}\nc --> d"
    diagram = recover_flowchart(wide)
    assert [(link.source, link.target) for link in diagram.links] == [("c", "d")]
    assert [item.reason for item in diagram.skipped] == ["too many links"]
    long = "flowchart TD\n" + f"{ends('a', 90)} --> {ends('b', 90)}\n" * 30
    diagram = recover_flowchart(long)
    assert 0 < len(diagram.links) <= 200_000
    assert {item.reason for item in diagram.skipped} == {"too many links"}
    with pytest.raises(DiagramSyntaxError, match="more than 200,000 links"):
        parse_flowchart(wide)


def test_says_where_it_stops_reading_what_is_all_broken():
    lines = [f"n{i}[word {i}] -> m{i}" for i in range(30_000)]
    diagram = recover_flowchart("flowchart TD\n" + "\n".join(lines))
    assert len(diagram.links) > 4000
    (skipped,) = diagram.skipped
    assert skipped.line == len(diagram.links) + 2
    assert "lines behind: too much is broken" in skipped.reason
    cut = recover_flowchart("flowchart TD\n" + "".join(f" -> n{i}" for i in range(20_000)))
    assert any("a line too long to read on" in entry.reason for entry in cut.skipped)


def test_links_with_two_heads_say_so():
    (link,) = recover_flowchart("flowchart TD\nA <--> B").links
    assert (link.arrow, link.arrow_start) == ("point", "point")


def test_a_megabyte_of_blanks_in_a_line_takes_linear_time():
    started = time.process_time()
    recover_flowchart("flowchart TD\nA" + " " * 1_000_000 + "B")
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    ("arrow", "stroke"),
    [
        ("-->", "normal"),
        ("-.->", "dotted"),
        ("-...->", "dotted"),
        ("==>", "thick"),
        ("- - >", "normal"),
    ],
)
def test_strokes_of_links_in_broken_lines(arrow: str, stroke: str) -> None:
    (link,) = recover_flowchart(f"flowchart TD\nA[mix {arrow} B").links
    assert (link.source, link.target, link.stroke) == ("A", "B", stroke)
