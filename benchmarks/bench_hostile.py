"""How long hostile input takes to read: every reader, shapes that invite quadratic time.

Each shape is read at 0.25, 0.5 and 1 MB. Time proportional to size shows as a ratio near 1 between
the seconds per MB of the largest and of the smallest; below 1, the reader stopped at its bound on
broken code. The target is one second per MB.

python benchmarks/bench_hostile.py [--only WORD]
"""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from metrics.core.count import read_count
from metrics.core.dot import recover_dot
from metrics.core.matching import normalize_text
from metrics.core.mermaid import recover_flowchart
from metrics.core.mermaid_paper import read_paper
from metrics.core.mermaid_state import recover_state
from metrics.core.ocr_text import normalize, read_text
from metrics.core.plantuml import recover_plantuml
from metrics.core.reply import find_code
from metrics.core.truefalse import read_truefalse

SIZES = (250_000, 500_000, 1_000_000)
TARGET = 1.0
"""Seconds of processor time per MB."""


def same(unit: str, head: str = "", tail: str = "") -> Callable[[int], str]:
    """Return a maker of texts that repeat one piece."""
    return lambda size: head + unit * (size // len(unit)) + tail


def numbered(unit: str, head: str = "", tail: str = "") -> Callable[[int], str]:
    """Return a maker of texts of pieces that differ in a number."""

    def make(size: int) -> str:
        count = size // (len(unit.format(0)) + 4)
        return head + "".join(map(unit.format, range(count))) + tail

    return make


def nested(opening: str, inside: str, closing: str, head: str = "") -> Callable[[int], str]:
    """Return a maker of texts of brackets within brackets."""

    def make(size: int) -> str:
        depth = size // (len(opening) + len(closing))
        return head + opening * depth + inside + closing * depth

    return make


FLOW = "flowchart TD\n"
STATE = "stateDiagram-v2\n"
FLOWCHARTS = {
    "valid lines": numbered("entity{0}(some words) --> other{0}\n", FLOW),
    "one line looping": same("entity0(same words) --> entity1\n", FLOW),
    "misspelt arrows": numbered("entity{0}[words] -> other{0}\n", FLOW),
    "misspelt short lines": numbered("A{0} -> B\n", FLOW),
    "every second line wrong": numbered("a{0} --> b{0}\nc{0} -> d\n", FLOW),
    "unclosed labels": numbered("a{0}[some words --> b{0}(other words\n", FLOW),
    "unclosed quotes": numbered('a{0}["some words] --> b{0}\n', FLOW),
    "chain in one line": numbered(" --> n{0}", FLOW + "n", "\n"),
    "chain cut at its end": numbered(" --> n{0}", FLOW + "n", " --> m[ab"),
    "misspelt chain": numbered(" -> n{0}", FLOW + "n"),
    "statements cut at their end": numbered("n{0}[words]-->m{0};", FLOW, "x[ab"),
    "half pipes": same("A-->|", FLOW),
    "half pipes, lines": same("A-->|\n", FLOW),
    "ends that multiply": same("A & B --> ", FLOW + "A"),
    "open brackets": same("[", FLOW + "A"),
    "brackets of all kinds": same("[({", FLOW + "A"),
    "closed brackets": nested("[", "x", "]", FLOW + "A"),
    "quotes": same('"', FLOW + "A["),
    "quoted ids": same("'a'", FLOW),
    "backticks": same("`a` ", FLOW),
    "fences": same("```\n"),
    "fences of charts": numbered("```\nflowchart TD\nA{0} -> B\n```\n"),
    "headers": same("flowchart TD\n"),
    "subgraphs": numbered("subgraph s{0}\n", FLOW),
    "broken subgraphs": numbered("subgraph s{0} [x\nA{0} -> B\nend\n", FLOW),
    "class lines": numbered("class A{0} big\nA -> B{0}\n", FLOW),
    "metadata": numbered('n{0}@{{ shape: rect, label: "x" }}\n', FLOW),
    "broken metadata": numbered("n{0}@{{ shape: \n", FLOW),
    "at signs": same("a@", FLOW),
    "direction words": same("direction ", FLOW),
    "minus signs": same("-", FLOW + "A "),
    "arrows alone": same("--> ", FLOW + "A "),
    "blank lines": same(" \n", FLOW, "A -> B"),
    "blanks": same(" ", FLOW + "A", "B"),
    "one long word": same("word", FLOW),
    "one long label": same("word ", FLOW + "A[", "] -> B"),
    "commas": same("a, ", FLOW),
    "semicolons": same("a;", FLOW, "b -> c"),
    "colons": numbered("a{0}: b{0} -> c\n", FLOW),
    "entities": same("#35;", FLOW + "A["),
    "prose": same("This is a sentence of a long reply.\n"),
    "prose behind a header": numbered("This is sentence {0}, of a long reply.\n", FLOW),
    "list items": numbered("{0}. A{0} -> B{0}\n", FLOW),
    "html": same("<b>x</b>", FLOW + "A["),
    "tags unclosed": same('<a x="', FLOW + "A["),
    "front matter": same("---\n"),
    "directives": same("%%{", FLOW),
    "thoughts": same("<think>"),
    "escaped": same("A --&gt; B\\n", "flowchart TD\\n"),
    "other letters": same("节点 → 节点\n", FLOW),
}
FLOWCHARTS |= {
    "line ends of Windows": numbered("a{0}[words] --> b{0}\r\n", FLOW),
    "tabs": same("\t", FLOW + "A", "--> B"),
    "html labels": numbered('a{0}["<b>x</b><br/>y"] --> b{0}\n', FLOW),
    "texts of links": numbered("a{0} -- yes --> b{0}\n", FLOW),
    "thick and dotted": numbered("a{0} ==> b{0} -.-> c{0}\n", FLOW),
    "closed subgraphs": numbered("subgraph s{0}\na{0} --> b{0}\nend\n", FLOW),
    "ends alone": same("end\n", FLOW),
    "front matter before a chart": numbered("k{0}: v\n", "---\n", "---\n" + FLOW + "A --> B"),
    "YAML lists": same("[", FLOW + "A@{ shape: "),
    "classes": numbered("a{0}:::big --> b{0}:::small\n", FLOW),
    "unicode arrows": numbered("a{0} → b{0}\n", FLOW),
}
STATES = {
    "valid lines": numbered("s{0} --> t{0} : go\n", STATE),
    "misspelt arrows": numbered("s{0} -> t{0} : go\n", STATE),
    "open states": numbered("state s{0} {{\n", STATE),
    "braces": same("{", STATE + "state a "),
    "notes": same("note right of A\n", STATE),
    "prose": numbered("The state {0} comes first, then others.\n", STATE),
    "chain in one line": numbered(" --> s{0}", STATE + "s"),
    "quotes": same('state "', STATE),
    "colons": same("a:", STATE),
    "pseudo states": same("[*] --> [*]\n", STATE),
    "bars": same("a --|", STATE),
}
STATES |= {
    "nested states": nested("state a {\n", "[*] --> b\n", "}\n", STATE),
    "states by the dozen": numbered("state s{0} {{\n[*] --> a\n}}\n", STATE),
    "regions": same("a --> b\n--\n", STATE + "state x {\n", "}\n"),
    "kinds": numbered("state f{0} <<fork>>\n", STATE),
    "long notes": same("note right of a\nx\nend note\n", STATE),
    "classes": same("a:::b --> c:::d\n", STATE),
    "short lines": same("a\n", STATE),
    "directions": same("direction LR ", STATE),
    "comments": same("a%%b\n", STATE),
    "semicolons": same("a -> b;", STATE),
    "line ends of Windows": same("a --> b\r\n", STATE),
}
DOTS = {
    "valid edges": numbered("n{0} -> m{0};\n", "digraph {\n", "}"),
    "labels": numbered('n{0} [label="some words", shape=box];\n', "digraph {\n", "}"),
    "words without signs": same("a ", "digraph {"),
    "edges without brace": numbered("n{0} -> m{0}\n", "digraph {\n"),
    "commas wrong": numbered("n{0} => m{0},\n", "digraph {\n", "}"),
    "braces": same("{", "digraph "),
    "subgraphs": numbered("subgraph cluster{0} {{ a{0}", "digraph {"),
    "brackets": same("[", "digraph { a "),
    "quotes": same('"', "digraph { a "),
    "less-than signs": same("<", "digraph { a [label="),
    "comments": same("/*", "digraph {"),
    "ends that multiply": same("{a b c} -> ", "digraph {"),
    "chain": numbered(" -> n{0}", "digraph { n"),
    "wrong characters": same("@ ", "digraph { a"),
    "wrong lines": numbered("@ n{0} -> m\n", "digraph {\n"),
    "unclosed attributes": numbered("n{0} [label=x\n", "digraph {\n"),
    "prose": same("This is a sentence.\n", "digraph {\n"),
    "semicolons": same(";", "digraph { a"),
}
DOTS |= {
    "escaped quotes": same('\\"', 'digraph { a "', "}"),
    "dots": same(".", "digraph { a ", "}"),
    "equal signs": same("=", "digraph { a ", "}"),
    "markup comments": same("<!--", "digraph { a [label="),
    "markup": same("<td>", "digraph { a [label=<", ">]}"),
    "ports": same("a:b:c -> ", "digraph {", "}"),
    "records": same("{<p>|", 'digraph { a [shape=record, label="', '"]}'),
    "ends in ends": nested("{a -> ", "b", "}", "digraph {"),
    "names in labels": lambda size: (
        f'digraph {{ {"a" * (size // 2)} [label="{chr(92)}N{chr(92)}N"]; '
        + 'b [label="'
        + "\\N" * (size // 4)
        + '"] }'
    ),
    "default labels": lambda size: (
        'digraph { node [label="' + "x" * (size // 2) + '"] ' + "a b c d " * (size // 16) + "}"
    ),
    "commas": same("a,", "digraph {", "}"),
    "attributes": same("a=b,", "digraph { a [", "]}"),
    "line ends of Windows": same("a -> b\r\n", "digraph {\r\n", "}"),
    "other letters": same("节点 -> ", "digraph {", "}"),
}
PLANTUMLS = {
    "activity": numbered(":step {0};\n", "@startuml\nstart\n"),
    "open actions": numbered(":step {0}\n", "@startuml\nstart\n"),
    "open ifs": numbered("if (x{0}) then (yes)\n", "@startuml\n"),
    "states": numbered("S{0} --> T{0} : go\n", "@startuml\n[*] --> S\n"),
    "components": numbered("[a{0}] --> [b{0}] : go\n", "@startuml\n"),
    "open braces": numbered("package p{0} {{\n", "@startuml\n"),
    "open notes": same("note left\n", "@startuml\n"),
    "comments": same("/'", "@startuml\n"),
    "legacy": numbered('(*) --> "step {0}"\n', "@startuml\n"),
    "prose": numbered("This is sentence {0} of a long reply.\n", "@startuml\n"),
    "brackets": same("[", "@startuml\n"),
    "colons": same(":a", "@startuml\n"),
    "backslashes": same("a\\\n", "@startuml\n"),
    "minus signs": same("-", "@startuml\na "),
    "if words": same("if (", "@startuml\n"),
    "nothing but starts": same("@startuml\n"),
}
PLANTUMLS |= {
    "nested ifs": nested("if (a) then (b)\n:x;\n", "", "endif\n", "@startuml\n"),
    "nested forks": nested("fork\n:a;\nfork again\n:b;\n", "", "end fork\n", "@startuml\n"),
    "breaks": nested("if (a) then (b)\n", "", "break\n", "@startuml\nwhile (x)\n"),
    "cases": same("case (a)\n:x;\n", "@startuml\nswitch (a)\n"),
    "coloured actions": same("#a:b\n", "@startuml\n"),
    "thick arrows": same("=>x\n", "@startuml\nstart\n"),
    "lanes": numbered("|l{0}|\n:x;\n", "@startuml\n"),
    "skinparam": same("skinparam x {\n", "@startuml\n"),
    "closed notes": same("note left\nx\nend note\n:a;\n", "@startuml\n"),
    "groups without a name": nested("together {\n", "", "[a]\n", "@startuml\n"),
    "long texts": numbered("component a{0} [\nx\n]\n", "@startuml\n"),
    "short lines": same("a\n", "@startuml\n"),
    "creole": same("**a", "@startuml\n:", ";"),
    "nested states": nested("state a {\n", "[*] --> b\n", "}\n", "@startuml\n"),
    "line ends of Windows": same("a --> b\r\n", "@startuml\n"),
}
REPLIES = {
    "fences": same("```"),
    "fence lines": same("```\n"),
    "tildes": same("~~~a\n"),
    "tags": same("<pre>"),
    "thoughts": same("<think>"),
    "closed thoughts": same("<think>a</think>"),
    "arrows": same("->"),
    "prose": same("I can not see the picture of it. "),
    "headers": same("graph "),
}
ANSWERS = {
    "prose": same("There is an arrow from this one to that one. "),
    "true": same("true "),
    "not true": same("it is not true that "),
    "true or false": same("true or false "),
    "hedges": same("may not necessarily be true, but "),
    "numbers": numbered("{0} "),
    "number words": same("twenty one "),
    "counts": numbered("there are {0} nodes and {0} arrows, "),
    "digits": same("1"),
    "dozens": same("half a dozen "),
    "plus": same("1 + "),
    "list": numbered("{0}. a\n"),
    "quotes": same('"a" '),
    "open quotes": same('"a'),
    "single quotes": same("'a"),
    "bold": same("**a"),
    "announced": same("The text in the box is: "),
    "boxed": same("\\boxed{"),
    "blanks": same(" "),
    "line ends": same("\n"),
    "turns": same("\nQuestion: x"),
    "other letters": same("正确"),
    "combining": same("e\u0301"),
}
READERS: dict[str, tuple[Callable[[str], object], dict[str, Callable[[int], str]]]] = {
    "flowchart": (recover_flowchart, FLOWCHARTS),
    "paper": (read_paper, FLOWCHARTS),
    "state": (recover_state, STATES),
    "dot": (recover_dot, DOTS),
    "plantuml": (recover_plantuml, PLANTUMLS),
    "reply": (lambda text: find_code(text, "meaning"), REPLIES | FLOWCHARTS),
    "true/false": (lambda text: read_truefalse(text, mode="meaning"), ANSWERS),
    "number": (lambda text: read_count(text, mode="meaning"), ANSWERS),
    "first number": (lambda text: read_count(text), ANSWERS),
    "ocr": (lambda text: read_text(text, mode="meaning"), ANSWERS),
    "normalize": (lambda text: (normalize(text), normalize_text(text)), ANSWERS),
}


def seconds_per_megabyte(read: Callable[[str], object], text: str) -> float:
    """Return the processor seconds of a reading, per million characters."""
    started = time.process_time()
    read(text)
    return (time.process_time() - started) * 1e6 / len(text)


def main() -> None:
    """Print the table, the slowest shape of every reader, and what is over the target."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="readers or shapes that have this word")
    options = parser.parse_args()
    over = []
    print(f"{'seconds per MB at':42}{'0.25 MB':>9}{'0.5 MB':>9}{'1 MB':>9}{'ratio':>8}")
    for reader, (read, shapes) in READERS.items():
        for shape, make in shapes.items():
            name = f"{reader}: {shape}"
            if options.only not in name:
                continue
            rates = [seconds_per_megabyte(read, make(size)) for size in SIZES]
            ratio = rates[-1] / max(rates[0], 0.01)
            print(f"{name:42}" + "".join(f"{r:9.2f}" for r in rates) + f"{ratio:8.1f}", flush=True)
            if rates[-1] > TARGET:
                over.append(f"{name} ({rates[-1]:.2f})")
    print(f"\nover {TARGET} s per MB: {', '.join(over) or 'none'}")


if __name__ == "__main__":
    main()
