"""`flowlearn parse` as a pipeline sees it."""

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from cli.main import app
from cli.parse import parse_item

KEYS = ["ok", "language", "direction", "nodes", "links", "groups", "skipped", "error"]


def run(items, *options):
    lines = "".join(json.dumps(item) + "\n" for item in items)
    result = CliRunner().invoke(app, ["parse", *options, "--jsonl", "-"], input=lines)
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_one_object_a_line_in_order():
    codes = ["graph LR; A[Mix] -->|well| B", "digraph { a -> b }", "no diagram", "stateDiagram\nA"]
    results = run([{"code": code} for code in codes])
    assert [list(result) for result in results] == [KEYS] * 4
    assert [r["language"] for r in results] == ["mermaid-flowchart", "dot", None, "mermaid-state"]
    assert results[0] == {
        "ok": True,
        "language": "mermaid-flowchart",
        "direction": "LR",
        "nodes": [
            {"id": "A", "label": "Mix", "shape": "square"},
            {"id": "B", "label": "B", "shape": None},
        ],
        "links": [
            {"source": "A", "target": "B", "label": "well", "stroke": "normal", "arrow": "point"}
        ],
        "groups": [],
        "skipped": [],
        "error": None,
    }


@pytest.mark.parametrize(
    ("item", "error"),
    [
        ({"code": 5}, "code must be a string, found int"),
        ({"code": None}, "code must be a string, found nothing"),
        ({"code": ["a"]}, "code must be a string, found list"),
        ({"code": float("nan")}, "code must be a string, found float"),
        ({}, "code must be a string, found nothing"),
        ({"code": ""}, "no diagram language recognized"),
        ({"code": "\ud800"}, "no diagram language recognized"),
        ({"code": "flowchart TD"}, "no diagram found"),
    ],
)
@pytest.mark.parametrize("options", [[], ["--language", "auto"]])
def test_what_is_wrong_is_said_and_the_run_goes_on(item, error, options):
    first, second = run([item, {"code": "graph TD\nA-->B"}], *options)
    assert (first["ok"], first["error"], first["nodes"]) == (False, error, [])
    assert second["ok"]


def test_strict_says_line_and_column():
    broken = "digraph {\n a -> ;\n}"
    (result,) = run([{"code": broken}], "--strict")
    assert result["ok"] is False
    assert result["language"] == "dot"
    assert result["error"] == "line 2, column 7: expected a name, found ';'"
    (recovered,) = run([{"code": broken}])
    assert recovered["ok"]
    assert recovered["skipped"] == [
        {"line": 2, "text": "a -> ;", "reason": "expected a name, found ';'"}
    ]


def test_a_valid_empty_diagram_is_fine_in_strict_mode():
    assert run([{"code": "digraph {}"}], "--strict")[0]["ok"]


def test_the_language_can_be_given():
    (result,) = run([{"code": "a -> b"}], "--language", "graphviz")
    assert (result["language"], len(result["links"])) == ("dot", 1)


def test_groups_carry_their_members():
    code = "digraph { subgraph cluster_x { label=X; a } a -> b }"
    assert parse_item(code)["groups"] == [{"id": "cluster_x", "label": "X", "members": ["a"]}]


def test_files_are_read_and_missing_ones_named(tmp_path):
    file = tmp_path / "codes.jsonl"
    file.write_text('{"code": "graph TD; A-->B"}\n\n{"code": "graph TD; B-->C"}\n')
    result = CliRunner().invoke(app, ["parse", "--jsonl", str(file)])
    assert [json.loads(line)["ok"] for line in result.stdout.splitlines()] == [True, True]
    missing = CliRunner().invoke(app, ["parse", "--jsonl", str(tmp_path / "none.jsonl")])
    assert missing.exit_code != 0


@pytest.mark.parametrize("source", ["file", "stdin"])
def test_byte_order_marks_and_line_ends_of_windows_are_read(tmp_path, source):
    lines = '\ufeff{"code": "graph TD; A-->B"}\r\n{"code": "graph TD\\r\\nA-->B"}\r\n'
    file = tmp_path / "codes.jsonl"
    file.write_bytes(lines.encode())
    given = str(file) if source == "file" else "-"
    result = CliRunner().invoke(app, ["parse", "--jsonl", given], input=lines)
    assert [json.loads(line)["ok"] for line in result.stdout.splitlines()] == [True, True]


def test_unknown_languages_are_refused():
    result = CliRunner().invoke(app, ["parse", "--language", "visio", "--jsonl", "-"], input="")
    assert result.exit_code != 0
    assert "unknown diagram language" in result.output


def test_no_heavy_library_is_loaded():
    code = (
        "import sys; from cli.parse import parse_item; parse_item('graph TD; A-->B');"
        "print(sorted({'datasets', 'numpy', 'evaluate', 'pyarrow', 'PIL'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_head_at_the_start_is_named_where_there_is_one():
    (result,) = run([{"code": "graph TD\nA <--> B\nA --> B"}])
    assert [link.get("arrow_start") for link in result["links"]] == ["point", None]
