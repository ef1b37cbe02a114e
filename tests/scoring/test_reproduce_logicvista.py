import csv
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.main import app
from common.errors import UserError
from logicvista.paper import paper
from scoring.model_size import Fit, SizePoint, average_by_size, fit_line, plot
from scoring.reproduce_logicvista import reproduce
from scoring.reproduce_logicvista_report import figure5, summary, to_json, to_markdown

UPSTREAM = os.environ.get("UPSTREAM_DATA")
needs_upstream = pytest.mark.skipif(UPSTREAM is None, reason="UPSTREAM_DATA is not set")

ITEMS = {
    "v1_0": ("Which? Select from A-D", "inductive", ["diagram"], ["a"]),
    "v1_1": ("Which? Select from A-D", "inductive", ["diagram", "ocr"], ["a", "c"]),
    "v1_2": ("Which? Select from 1-5", "deductive", ["ocr"], ["3"]),
    "v1_3": ("", "spatial", ["diagram"], [""]),
    "v1_4": ("Which? Select from A-D", "numerical", ["ocr"], ["b"]),
    "v1_5": ("Which? Select from A-D", "mechanical", ["diagram"], ["d"]),
}
REPLIES = ("A", "C and A", "3", "", "I cannot tell.", "The answer is D.")
LETTERS = (["a"], ["c", "a"], ["3"], ["zzzzz"], ["b"], ["c"])


@pytest.fixture
def release(tmp_path):
    """A small release of the published form, of a model that is not in the paper's tables."""
    return write_release(tmp_path, "MADEUP")


def write_release(folder, model):
    records = {item: {"question": q, "skill": [skill]} for item, (q, skill, _, _) in ITEMS.items()}
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "dataset.json").write_text(json.dumps(records), encoding="utf-8")
    results = folder / "eval" / "results"
    results.mkdir(parents=True)
    names = ["", "id", "reasoning skill", "capability", "true answer"]
    names += [f"{model} answer extracted", f"{model} answer raw", "match?"]
    with (results / f"{model}-accuracy-results.csv").open("w", newline="") as stream:
        out = csv.writer(stream)
        out.writerow(names)
        for number, (item, (_, skill, capabilities, gold)) in enumerate(ITEMS.items()):
            row = [number, item, [skill], capabilities, gold, LETTERS[number], REPLIES[number], 0]
            out.writerow(row)
    answers = folder / "eval" / "answers"
    answers.mkdir()
    replies = {item: {"answer": r} for item, r in zip(ITEMS, REPLIES, strict=True)}
    for name in (model, "ONLY-ANSWERS"):
        (answers / f"{name}-answers.json").write_text(json.dumps(replies), encoding="utf-8")
    return folder


def cells_of(made, model):
    return {cell.column: cell for cell in made.cells if cell.model == model}


def test_cells_from_letters_and_from_own_extraction(release):
    made = reproduce(release)
    cells = cells_of(made, "MADEUP")
    assert {name: (cell.gpt4, cell.own) for name, cell in cells.items()} == {
        "inductive": (100, 100),
        "deductive": (100, 100),
        "numerical": (100, 0),
        "spatial": (0, 0),
        "mechanical": (0, 100),
        "diagram": (50, 75),
        "ocr": (100, pytest.approx(200 / 3)),
    }
    assert all(cell.printed is None and cell.as_expected for cell in cells.values())
    assert {cell.gpt4 for cell in cells_of(made, "ONLY-ANSWERS").values()} == {None}
    (agreement,) = made.agreement
    assert (agreement.n, agreement.same_hit, agreement.same_letters) == (6, 4 / 6, 4 / 6)


def test_a_printed_cell_that_differs_is_unexpected(tmp_path):
    made = reproduce(write_release(tmp_path, "BLIP2"))
    assert not made.as_expected
    assert "BLIP2, inductive: printed 17.76, files 100.00 (unexpected)" in summary(made)
    assert "**unexpected**" in to_markdown(made)
    result = CliRunner().invoke(app, ["reproduce", "logicvista", "--data", str(tmp_path)])
    assert result.exit_code == 1


def test_the_file_called_vicuna_is_read_as_mistral(tmp_path):
    made = reproduce(write_release(tmp_path, "LLAVANEXT-7B-vicuna"))
    with_letters = {cell.model for cell in made.cells if cell.gpt4 is not None}
    assert with_letters == {"LLAVANEXT-7B-mistral"}
    # The answer file of the same name is what it says.
    assert cells_of(made, "LLAVANEXT-7B-vicuna")["inductive"].gpt4 is None


def test_known_exception_counts_as_expected(tmp_path):
    made = reproduce(write_release(tmp_path, "GPT4"))
    cell = cells_of(made, "GPT4")["inductive"]
    assert (cell.printed, cell.known) == (23.36, 22.43)
    assert replace(cell, gpt4=100 * 24 / 107).as_expected
    assert not replace(cell, gpt4=100 * 25 / 107).as_expected


def test_json_has_every_cell(release):
    made = reproduce(release)
    value = to_json(made)
    assert len(value["cells"]) == len(made.cells) == 14
    assert json.loads(json.dumps(value)) == value | {
        "figure5": json.loads(json.dumps(value["figure5"]))
    }


def _damage(release, name, text):
    next(release.rglob(name)).write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("*.csv", "id,capability\n1,2\n", "lacks a column"),
        ("dataset.json", "{", "does not hold the published records"),
        ("dataset.json", "[1]", "does not hold the published records"),
        ("dataset.json", "{}", "is not on the items of dataset.json"),
        ("ONLY*.json", "[1]", "is no object of"),
    ],
)
def test_bad_files(release, name, text, message):
    _damage(release, name, text)
    with pytest.raises(UserError, match=message):
        reproduce(release)


def test_what_cannot_be_read_counts_as_no_answer_and_is_named(release):
    file = next(release.rglob("*.csv"))
    file.write_text(file.read_text().replace("['b'],I", "__import__('os'),I"), encoding="utf-8")
    _damage(release, "ONLY*.json", '{"v1_0": {"answer": "A"}}')
    made = reproduce(release)
    assert made.problems == (
        "MADEUP: unreadable lists in v1_4",
        "ONLY-ANSWERS: no reply to v1_1, v1_2, v1_3, v1_4, v1_5",
    )
    assert cells_of(made, "MADEUP")["numerical"].gpt4 == 0
    assert "not read: MADEUP: unreadable lists in v1_4" in summary(made)


def test_nothing_published(tmp_path):
    with pytest.raises(UserError, match=r"holds no file \*-accuracy-results"):
        reproduce(tmp_path)


@needs_upstream
def test_published_tables_come_out():
    made = reproduce(Path(UPSTREAM or "") / "logicvista")
    compared = [cell for cell in made.cells if cell.gpt4 is not None and cell.printed is not None]
    assert len(compared) == 6 * 7
    assert made.as_expected
    differing = {
        (cell.model, cell.column)
        for cell in compared
        if abs(cell.gpt4 - cell.printed) >= 0.005 + 1e-9
    }
    assert differing == {("GPT4", "inductive")}
    assert sum(row.n for row in made.agreement) == 7 * 448


def test_figure_5_comes_out_of_the_printed_tables():
    for fit, printed in zip(figure5().values(), paper().figure5.values(), strict=True):
        assert fit.slope == pytest.approx(printed.slope, abs=0.005)
        assert fit.intercept == pytest.approx(printed.intercept, abs=0.005)
        assert fit.r_squared == pytest.approx(printed.r_squared, abs=0.01)


def test_printed_tables_are_whole():
    for table in (paper().table3, paper().table4):
        assert list(table.rows) == list(paper().sizes)
        assert {len(row) for row in table.rows.values()} == {len(table.columns)}
        assert all(0 <= value <= 100 for row in table.rows.values() for value in row)
    # A percentage of n items is a fraction of n: a typing error would hardly be one.
    for name, n in (("inductive", 107), ("deductive", 93), ("numerical", 95), ("spatial", 79)):
        column = paper().table3.columns.index(name)
        for row in paper().table3.rows.values():
            hits = round(row[column] * n / 100)
            assert round(100 * hits / n, 2) == row[column]


def test_line_and_band_agree_with_scipy_and_the_textbook():
    from scipy import stats

    x, y = (1.0, 2.0, 3.0, 5.0, 8.0), (2.0, 3.5, 3.0, 6.0, 7.0)
    fit = fit_line(tuple(SizePoint(a, b, 1) for a, b in zip(x, y, strict=True)))
    outside = stats.linregress(x, y)
    assert fit.slope == pytest.approx(outside.slope)
    assert fit.intercept == pytest.approx(outside.intercept)
    assert fit.r_squared == pytest.approx(outside.rvalue**2)
    # At x = 0 the half width is the t quantile times the standard error of the intercept.
    assert fit.band([0.0])[0] == pytest.approx(stats.t.ppf(0.975, 3) * outside.intercept_stderr)


def test_models_of_unknown_size_are_left_out():
    points = average_by_size(paper().table3, {"BLIP2": 3, "instructBLIP-flan-t5-xl": 3})
    assert [(point.size, point.models) for point in points] == [(3, 2)]
    with pytest.raises(ValueError, match="three sizes"):
        fit_line(points)


def test_plot_is_a_picture_of_one_size(tmp_path):
    from PIL import Image

    plot(figure5(), tmp_path / "figure.png")
    with Image.open(tmp_path / "figure.png") as picture:
        assert picture.size == (1125, 750)
        assert len(picture.convert("RGB").getcolors(1 << 20) or ()) > 50
    assert isinstance(figure5()["capabilities"], Fit)
