"""Cards of metrics are what their templates render: facts from the modules, output of real runs."""

import json
import os
from pathlib import Path

import evaluate
import pytest

from builders.card_templates import TEMPLATES, environment
from builders.doctests import as_doctest
from builders.metric_card import metric_facts, render_metric_card
from builders.metric_folders import METRICS, metric_names
from builders.module_docs import Entry, check_arguments, check_results, read_sections
from builders.paper_tables import flowlearn_table, mean_table
from common.errors import UserError
from scoring.card_values import METRICS as METRICS_OF_TASKS
from scoring.card_values import card_values

UPSTREAM = os.environ.get("UPSTREAM_DATA")
each_metric = pytest.mark.parametrize("name", metric_names())


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluate.config, "HF_EVALUATE_OFFLINE", True)


@each_metric
def test_the_card_is_what_its_template_renders(name: str) -> None:
    card = (METRICS / name / "README.md").read_text(encoding="utf-8")
    assert card == render_metric_card(METRICS / name), "run `make cards`"


def test_every_template_has_a_metric() -> None:
    assert {path.name.split(".")[0] for path in TEMPLATES.glob("metrics/*")} == set(metric_names())


def test_a_metric_without_a_template_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"other\.md\.j2 is missing"):
        render_metric_card(tmp_path / "other")


def test_facts_are_those_of_the_module() -> None:
    facts = metric_facts(METRICS / "count_accuracy")
    assert facts["signature"].endswith(f"|version:{facts['version']}")
    documented = {name: entry for entry in facts["arguments"] for name in entry.names}
    assert documented["strip_think"].default == "True"
    assert "pan2024flowlearn" in facts["citation"]


def compute(predictions: list[str], mode: str = "paper", rest: tuple[str, ...] = ("a",)) -> None:
    """Stand for a module's `_compute`."""


@pytest.mark.parametrize(
    ("docs", "problem"),
    [
        ("mode (str, default 'lenient'): x", "mode is documented with the default 'lenient'"),
        ("mode (str): x", "mode is documented with the default none"),
        ("other (str): x", "differ in mode, other"),
        ("", "differ in mode"),
    ],
)
def test_untrue_arguments_are_told(docs: str, problem: str) -> None:
    both = f"Args:\n    predictions (list): x\n    rest (list, default ['a']): x\n    {docs}\n"
    with pytest.raises(UserError, match=problem):
        check_arguments(read_sections(both)["Args"], compute, ["predictions"])


def test_true_arguments_pass() -> None:
    docs = "Args:\n    predictions (list): x\n    mode (str, default 'paper'): x,\n        y\n"
    entries = read_sections(docs + "    rest (list, default ['a']): x\n")["Args"]
    check_arguments(entries, compute, ["predictions"])
    assert entries[1] == Entry(("mode",), "str", "x, y", "'paper'")


def test_untrue_results_are_told() -> None:
    entries = read_sections("Returns:\n    recall, f1 (float): x\n")["Returns"]
    check_results(entries, {"recall": 1.0, "f1": 1.0})
    with pytest.raises(UserError, match="results and those of the code differ in f1, f2"):
        check_results(entries, {"recall": 1.0, "f2": 1.0})


def test_an_entry_of_another_form_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"expected 'name \(type\): text', got 'mode: x'"):
        read_sections("Args:\n    mode: x\n")


def test_examples_show_what_they_print(tmp_path: Path) -> None:
    code = (
        "import os\nfor n in (1, 2):\n    print(n)\n\nos.getcwd()\nNone\n'''a\nb'''\nprint('\\n')"
    )
    assert as_doctest(code, tmp_path).splitlines() == [
        ">>> import os",
        *(">>> for n in (1, 2):", "...     print(n)", "1", "2"),
        *(">>> os.getcwd()", repr(str(tmp_path))),
        ">>> None",
        *(">>> '''a", "... b'''", repr("a\nb")),
        *(">>> print('\\n')", "<BLANKLINE>", "<BLANKLINE>"),
    ]
    assert Path.cwd() != tmp_path


def test_an_error_is_shown_only_where_it_is_expected(tmp_path: Path) -> None:
    shown = as_doctest("int('a')", tmp_path, raises="ValueError")
    assert "ValueError: invalid literal" in shown
    with pytest.raises(ValueError, match="invalid literal"):
        as_doctest("int('a')", tmp_path)
    with pytest.raises(ValueError, match="does not raise KeyError"):
        as_doctest("1", tmp_path, raises="KeyError")


def test_tables_show_what_the_replies_give_and_why_print_differs() -> None:
    table = flowlearn_table(4, {"A to B": "simulated/a_to_b/true"})
    assert "| | Claude† | GPT-4V† | Step-1V† | Gemini Pro Vision |" in table
    assert "| A to B | 0.18 | 0.15 | 0.41 | 0.16 | 0.85 | 0.16\\* | 0.04 | 0.55 |" in table
    assert "- \\*: The published replies give 0.16; print says 0.11." in table
    with pytest.raises(ValueError, match="table 4 of FlowLearn has no row simulated/x/y"):
        flowlearn_table(4, {"x": "simulated/x/y"})


def test_means_of_the_reference_free_paper_are_those_of_its_text() -> None:
    """Section 4.2 prints the averages of its tables (but of Table 3 an MAE of 0.295)."""
    path = METRICS / "reference_free_paper.json"
    tables = {n: table["rows"] for n, table in json.loads(path.read_text())["tables"].items()}
    columns = {"r": "pearson", "tau": "kendall", "RMSE": "rmse", "MAE": "mae"}
    recall = mean_table([tables["1"], tables["3"]], "reader", {"F1": "ocr_f1", **columns})
    assert "| Gemini 1.5 Pro | 0.986 | 0.967 | 0.886 | 1.367 | 0.294 |" in recall
    precision = mean_table([tables["4"]], "verifier", columns)
    assert "| Gemini 2.5 Pro | 0.910 | 0.746 | 3.992 | 1.855 |" in precision
    rows = [{**row, "all": "all"} for row in tables["5"]]
    assert "| all | 0.939 | 0.794 | 2.418 | 1.122 |" in mean_table([rows], "all", columns)


def test_studies_are_shown_where_there_are_any() -> None:
    template = environment().from_string(
        '{% from "validation.j2" import validated %}{{ validated(studies, measures) }}'
    )
    measures = {"edges": "edge_recall"}
    assert template.render(studies={}, measures=measures).strip() == ""
    study = {
        "reader": "rapidocr|x",
        "charts": 3,
        "ocr_f1": 0.9,
        "ve": {"all": {"f1": 0.8, "fpr": 0.1, "fnr": None}},
        "agreements": {
            "edge_recall": {"all": {"pearson": 0.7, "kendall": 0.6, "rmse": 1.25, "mae": 0.5}}
        },
    }
    lines = template.render(studies={"rich": study, "word": study}, measures=measures).splitlines()
    rest = "`rapidocr\\|x` | 0.900 | 0.800 | 0.100 | – | edges | 0.700 | 0.600 | 1.250 | 0.500 |"
    assert lines[-2:] == [f"| {name} | 3 | {rest}" for name in ("rich", "word")]


def test_values_of_published_replies_are_of_all_metrics() -> None:
    values = json.loads((METRICS / "published_replies.json").read_text(encoding="utf-8"))
    assert set(values["flowlearn"]) == set(METRICS_OF_TASKS.values())


@pytest.mark.skipif(UPSTREAM is None, reason="UPSTREAM_DATA is not set")
def test_values_of_published_replies_are_measured_again() -> None:
    values = json.loads((METRICS / "published_replies.json").read_text(encoding="utf-8"))
    folder = Path(str(UPSTREAM))
    measured = card_values(folder / "flowlearn", folder / "logicvista", quick=True)
    for made in (values, measured):
        # Sentence similarity takes minutes.
        del made["flowlearn"]["description_similarity"]
    assert measured == values
