"""FlowLearn's tables from published replies: small stand-ins, and the real ones where they are."""

import json
import os
import re
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from cli.main import app
from common.errors import UserError
from flowlearn.paper import PrintedCell, paper
from scoring.reproduce_flowlearn import Cell, find_replies, read_replies, reproduce
from scoring.reproduce_flowlearn_report import print_tables, summary, to_json, to_markdown

UPSTREAM = os.environ.get("UPSTREAM_DATA")

CHART = "```mermaid\nflowchart LR\na(one) --> b(two)\n```"
# A model that is right on every second item, in all tasks of the simulated part but one.
REPLIES = {
    "ocr": [("It is one.", "one"), ("two", "one")],
    "Num_Nodes": [("2", "2"), ("3", "2")],
    "Num_Arrows": [("1", "1"), ("3", "1")],
    "Flowchart-isTrue-AtoB": [("true", "true"), ("false", "true")],
    "Flowchart-isFalse-AtoB": [("false", "false"), ("true or false", "false")],
    "Flowchart-to-Description": [("one points to two.", "one points to two.")] * 2,
    "Flowchart-to-Mermaid": [(CHART, CHART), ("nothing", CHART)],
}


def write(folder: Path, model: str = "claude", replies=REPLIES, suffix: str = "") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for task, pairs in replies.items():
        items = {
            f"{index}.jpeg": {"prediction": reply, "reference": gold}
            for index, (reply, gold) in enumerate(pairs)
        }
        path = folder / f"{model}_{task}_2-shot{suffix}.json"
        path.write_text(json.dumps(items), encoding="utf-8")


# --- the printed tables --------------------------------------------------------------------------


def test_the_printed_tables_are_complete():
    sizes = dict.fromkeys((4, 5, 7, 10, 11, 12), 0)
    for cell in paper().cells:
        sizes[cell.table] += 1
        assert cell.model in paper().models
        assert 0 <= cell.printed <= 1 or cell.measure == "median_words"
    assert sizes == {4: 104, 5: 80, 7: 54, 10: 104, 11: 64, 12: 54}
    assert list(paper().titles) == [4, 5, 7, 10, 11, 12]


def test_printed_averages_are_the_means_of_their_rows():
    cells = {(c.table, c.part, c.task, c.measure, c.model): c.printed for c in paper().cells}
    for (table, part, task, measure, model), average in cells.items():
        if measure == "average":
            true, false = (cells[table, part, task, one, model] for one in ("true", "false"))
            assert average == pytest.approx((true + false) / 2, abs=0.0101)


def test_models_with_100_replies_are_printed_alike_in_both_tables():
    def printed(table: int, model: str, measure: str):
        return {
            (c.part, c.task): c.printed
            for c in paper().cells
            if (c.table, c.model, c.measure) == (table, model, measure)
        }

    for model in ("claude", "gpt4v", "step-1v"):
        for measure in ("accuracy", "true", "false", "average"):
            assert printed(4, model, measure) == printed(10, model, measure)
        for measure in ("link_f1", "node_precision"):
            assert printed(7, model, measure) == printed(12, model, measure)


def test_the_bleu_rows_of_table_5_are_swapped_back():
    cells = {(c.table, c.part, c.model): c for c in paper().cells if c.measure == "bleu"}
    for model in ("claude", "gpt4v", "step-1v"):
        for part in ("scientific", "simulated"):
            cell = cells[5, part, model]
            assert cell.expected == cells[11, part, model].printed != cell.printed
            assert "swaps the BLEU rows" in cell.note


# --- cells ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("task", "measure", "expected", "ours", "difference", "within"),
    [
        ("ocr", "accuracy", 0.44, 0.4449, 0.0, True),
        ("ocr", "accuracy", 0.44, 0.4549, 0.01, True),
        ("ocr", "accuracy", 0.44, 0.4551, 0.02, False),
        ("ocr", "accuracy", 0.44, 0.4251, -0.01, True),
        ("mermaid", "node_f1", 0.28, 0.2949, 0.01, True),
        ("mermaid", "node_f1", 0.28, 0.2951, 0.02, False),
        ("description", "median_words", 98, 98.0, 0.0, True),
        ("description", "median_words", 98, 99.0, 1.0, False),
        ("description", "bertscore", 0.84, None, None, True),
    ],
)
def test_cells_are_compared_as_printed(task, measure, expected, ours, difference, within):
    printed = PrintedCell(4, "simulated", task, measure, "claude", expected, expected)
    cell = Cell(printed, ours)
    assert (cell.difference, cell.is_within) == (difference, within)


# --- finding and reading files -------------------------------------------------------------------


def test_folders_may_have_the_authors_names_or_short_ones(tmp_path):
    write(tmp_path / "repo" / "results" / "SimFlowchart-word")
    write(tmp_path / "repo" / "results" / "SciFlowchart", replies={"ocr": [("a", "a")]})
    found, ignored = find_replies(tmp_path)
    assert {part for part, _, _ in found} == {"scientific", "simulated"}
    assert ignored == []
    write(tmp_path / "short" / "word")
    assert {part for part, _, _ in find_replies(tmp_path / "short")[0]} == {"simulated"}


def test_what_is_not_in_the_tables_is_passed_over_and_said(tmp_path):
    write(tmp_path / "word")
    write(tmp_path / "SimFlowchart-char")
    write(tmp_path / "word", model="idefics-9b-instruct", replies={"ocr": [("a", "a")]})
    found, ignored = find_replies(tmp_path)
    assert len(found) == len(REPLIES)
    assert len(ignored) == len(REPLIES) + 1
    assert any("1 files" in line or "8 files" in line for line in summary(reproduce(tmp_path)))


def test_chain_of_thought_is_a_column_of_its_own(tmp_path):
    code = {"Flowchart-to-Mermaid": REPLIES["Flowchart-to-Mermaid"]}
    write(tmp_path / "word", model="gemini-pro-vision", replies=code, suffix="-cot")
    made = reproduce(tmp_path)
    assert {cell.paper.model for cell in made.cells} == {"gemini-pro-vision-cot"}


def test_two_files_for_the_same_replies_are_refused(tmp_path):
    write(tmp_path / "a" / "word")
    write(tmp_path / "b" / "SimFlowchart-word")
    with pytest.raises(UserError, match="are for the same replies"):
        find_replies(tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not a published result file"),
        ("[1]", "is not a published result file"),
        ('{"a": 1}', "is not a published result file"),
        ('{"a": {"prediction": "x"}}', "is not a published result file"),
        ('{"a": {"prediction": 1, "reference": "x"}}', "some that are no text"),
        ("{}", "holds no replies"),
    ],
)
def test_files_of_another_form_are_refused(tmp_path, text, message):
    path = tmp_path / "file.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=message):
        read_replies(path)


def test_a_folder_without_replies_is_refused(tmp_path):
    with pytest.raises(UserError, match="holds none of the published replies"):
        reproduce(tmp_path)


# --- the whole way on a stand-in -----------------------------------------------------------------


def test_every_task_is_scored_by_its_metric(tmp_path):
    write(tmp_path / "word")
    made = reproduce(tmp_path, quick=True)
    ours = {
        (cell.paper.task, cell.paper.measure): cell.ours
        for cell in made.cells
        if cell.paper.table in (4, 5, 7) and cell.paper.part == "simulated"
    }
    assert ours["ocr", "accuracy"] == 0.5
    assert ours["num_nodes", "accuracy"] == ours["num_arrows", "accuracy"] == 0.5
    assert (ours["a_to_b", "true"], ours["a_to_b", "false"]) == (0.5, 0.5)
    assert ours["mermaid", "node_f1"] == ours["mermaid", "link_recall"] == 0.5
    assert ours["description", "rouge_l"] == pytest.approx(1)
    assert ours["description", "median_words"] == 4
    assert ours["between", "true"] is None
    reasons = {cell.paper.task: cell.reason for cell in made.cells if cell.ours is None}
    assert "Flowchart-isTrue-betweenAB" in reasons["between"]
    assert not made.as_expected
    assert "Step-1V" in made.missing


def test_tables_10_to_12_take_the_first_hundred(tmp_path):
    write(tmp_path / "word", replies={"ocr": [("one", "one")] * 100 + [("two", "one")] * 100})
    ours = {cell.paper.table: cell.ours for cell in reproduce(tmp_path).cells if cell.ours}
    assert ours == {4: 0.5, 10: 1.0}


def test_reports_hold_every_cell(tmp_path):
    write(tmp_path / "word")
    made = reproduce(tmp_path, quick=True)
    plain = to_json(made)
    assert json.loads(json.dumps(plain)) == plain
    assert len(plain["cells"]) == len(made.cells)
    for cell in plain["cells"]:
        assert bool(cell["signature"]) or cell["ours"] is None
    markdown = to_markdown(made)
    assert "| simulated ocr accuracy | 0.83 0.50 -0.33 ! |" in markdown
    assert "0.02* 1.00" in markdown
    console = Console(record=True, width=200, file=open(os.devnull, "w"))  # noqa: SIM115
    print_tables(made, console)
    printed = console.export_text()
    for number in paper().titles:
        assert f"Table {number}:" in printed
    assert "beyond: table 4, Claude, simulated ocr accuracy" in printed


def test_the_command_exits_with_1_where_cells_are_off(tmp_path):
    write(tmp_path / "word")
    command = ["reproduce", "flowlearn", "--data", str(tmp_path), "--quick"]
    result = CliRunner().invoke(app, [*command, "--json"])
    assert result.exit_code == 1
    assert json.loads(result.stdout)["as_expected"] is False
    assert "Table 7: Flowchart to Mermaid" in CliRunner().invoke(app, command).stdout


# --- the published replies -----------------------------------------------------------------------

needs_upstream = pytest.mark.skipif(not UPSTREAM, reason="UPSTREAM_DATA is not set")


@pytest.fixture(scope="module")
def published():
    return reproduce(Path(str(UPSTREAM)) / "flowlearn", quick=True)


@needs_upstream
def test_every_published_cell_comes_out_within_a_hundredth(published):
    computed = [cell for cell in published.cells if cell.ours is not None]
    assert len(computed) == 192
    off = [cell for cell in computed if abs(cell.difference) > 0.01 + 1e-9]
    assert off == []
    assert sum(cell.difference == 0 for cell in computed) >= 160
    assert published.as_expected


@needs_upstream
def test_only_the_model_based_measures_are_left_out_of_the_quick_run(published):
    left_out = {cell.paper.measure for cell in published.cells if cell.ours is None}
    assert left_out == {"bertscore", "sbert"}


@needs_upstream
def test_median_word_counts_come_out_exactly(published):
    medians = [cell for cell in published.cells if cell.paper.measure == "median_words"]
    assert len(medians) == 8
    assert all(cell.difference == 0 for cell in medians)


@needs_upstream
def test_sentence_similarity_of_the_published_descriptions(tmp_path):
    folder = tmp_path / "word"
    folder.mkdir()
    name = "claude_Flowchart-to-Description_2-shot.json"
    source = Path(str(UPSTREAM)) / "flowlearn" / "results" / "word" / name
    (folder / name).symlink_to(source)
    cells = [c for c in reproduce(tmp_path).cells if c.paper.measure == "sbert" and c.ours]
    assert [cell.paper.table for cell in cells] == [5, 11]
    assert all(cell.difference == 0 for cell in cells)
    assert all(re.search(r"sbert:all-MiniLM-L6-v2\|", cell.signature) for cell in cells)
