"""Every folder under metrics/ is an evaluate module that stands alone."""

import ast
import doctest
import inspect
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import evaluate
import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = sorted(
    folder for folder in (ROOT / "metrics").iterdir() if (folder / f"{folder.name}.py").is_file()
)
each_folder = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
SECTIONS = (
    *("Metric Description", "How to Use", "Inputs", "Output Values", "Values from Popular Papers"),
    *("Examples", "Limitations and Bias", "Citation"),
)
# Import names that differ from the names of their packages.
PACKAGES = {"yaml": "pyyaml", "PIL": "pillow", "sklearn": "scikit-learn"}


def imports(path: Path) -> tuple[set[str], set[str]]:
    """Return the siblings and the other top-level modules that a file imports at its top level."""
    siblings, others = set(), set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.level:
            assert node.level == 1, f"{path}: only siblings may be imported"
            siblings.add(str(node.module))
        elif isinstance(node, ast.ImportFrom):
            others.add(str(node.module).split(".")[0])
        elif isinstance(node, ast.Import):
            others.update(name.name.split(".")[0] for name in node.names)
    return siblings, others


def needed(folder: Path) -> tuple[set[str], set[str]]:
    """Return the siblings that a metric needs, directly or not, and the outside modules."""
    siblings, others = imports(folder / f"{folder.name}.py")
    waiting = list(siblings)
    while waiting:
        more, outside = imports(folder / f"{waiting.pop()}.py")
        others |= outside
        waiting += more - siblings
        siblings |= more
    return siblings, others


def load(folder: Path, **options: Any) -> Any:
    return evaluate.load(f"metrics/{folder.name}", **options)


@pytest.fixture(autouse=True)
def at_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(evaluate.config, "HF_EVALUATE_OFFLINE", True)


def test_there_are_metrics() -> None:
    assert "tf_accuracy" in {folder.name for folder in FOLDERS}


@each_folder
def test_links_resolve_into_core(folder: Path) -> None:
    siblings, _ = needed(folder)
    for name in siblings:
        link = folder / f"{name}.py"
        if link.is_symlink():
            assert os.readlink(link) == f"../core/{name}.py"
        assert link.is_file()
    links = {path.stem for path in folder.glob("*.py") if path.is_symlink()}
    assert links - siblings <= {"space_app"}, "links that nothing imports"


@each_folder
def test_script_names_every_sibling_it_needs(folder: Path) -> None:
    siblings, _ = needed(folder)
    named, _ = imports(folder / f"{folder.name}.py")
    assert siblings == named, "evaluate copies only the siblings that the script imports itself"
    from_evaluate = {
        name
        for kind, name, *_ in evaluate.loading.get_imports(str(folder / f"{folder.name}.py"))
        if kind == "internal"
    }
    assert from_evaluate == named


@each_folder
def test_examples_run(folder: Path) -> None:
    metric = load(folder)
    card = (folder / "README.md").read_text(encoding="utf-8")
    for name, text in [("docstring", metric.inputs_description), ("card", card)]:
        test = doctest.DocTestParser().get_doctest(text, {}, f"{folder.name} {name}", None, None)
        assert test.examples, f"no example in the {name}"
        assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test).failed == 0


@each_folder
def test_card_has_the_sections_and_the_space_settings(folder: Path) -> None:
    card = (folder / "README.md").read_text(encoding="utf-8")
    _, front, text = card.split("---\n", 2)
    settings = yaml.safe_load(front)
    assert settings["title"] == folder.name
    assert settings["sdk"] == "gradio"
    assert str(settings["sdk_version"]).startswith("6.")
    assert settings["app_file"] == "app.py"
    assert {"evaluate", "metric"} <= set(settings["tags"])
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    assert titles[0] == folder.name
    assert [section for section in SECTIONS if section not in titles] == []


@each_folder
def test_requirements_name_what_is_imported(folder: Path) -> None:
    text = (folder / "requirements.txt").read_text(encoding="utf-8")
    named = {re.split(r"[^\w.-]", line)[0].lower() for line in text.splitlines() if line.strip()}
    _, outside = needed(folder)
    wanted = {PACKAGES.get(name, name) for name in outside - sys.stdlib_module_names}
    assert {name.replace("_", "-") for name in wanted} <= named


@each_folder
def test_compute_takes_named_options_only(folder: Path) -> None:
    parameters = inspect.signature(load(folder)._compute).parameters
    assert all(parameter.kind is not parameter.VAR_KEYWORD for parameter in parameters.values())
    assert next(iter(parameters)) == "predictions"


@each_folder
def test_app_compiles(folder: Path) -> None:
    compile((folder / "app.py").read_text(encoding="utf-8"), "app.py", "exec")


def app_example(folder: Path) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the items and the options that the folder's app begins with."""
    tree = ast.parse((folder / "app.py").read_text(encoding="utf-8"))
    call = next(
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "make_app"
    )
    given = {word.arg: ast.literal_eval(word.value) for word in call.keywords}
    return given["example"], given["options"]


@each_folder
def test_result_is_plain_and_signed(folder: Path) -> None:
    items, options = app_example(folder)
    columns = {name: [item[name] for item in items] for name in items[0]}
    result = load(folder).compute(**columns, **options)
    assert result["signature"].startswith(f"{folder.name}|")
    assert re.search(r"\|version:\d+\.\d+$", result["signature"])
    assert_plain(result)


def assert_plain(value: object) -> None:
    if isinstance(value, dict):
        assert all(type(key) is str for key in value)
        for item in value.values():
            assert_plain(item)
    elif isinstance(value, list):
        for item in value:
            assert_plain(item)
    else:
        assert type(value) in (str, int, float, bool, type(None))


@each_folder
def test_batches_equal_one_call(folder: Path) -> None:
    items, options = app_example(folder)
    columns = {name: [item[name] for item in items] for name in items[0]}
    whole = load(folder).compute(**columns, **options)
    metric = load(folder)
    for item in items:
        metric.add_batch(**{name: [value] for name, value in item.items()})
    assert metric.compute(**options) == whole
    combined = evaluate.combine([load(folder)])
    combined.add_batch(**columns)
    assert combined.evaluation_modules[0].compute(**options) == whole


@each_folder
def test_bad_inputs_are_named(folder: Path) -> None:
    items, _ = app_example(folder)
    columns = {name: [item[name] for item in items] for name in items[0]}
    metric = load(folder)
    with pytest.raises(ValueError, match="predictions: expected a list, got one str"):
        metric.compute(**columns | {"predictions": "true"})
    with pytest.raises(ValueError, match=r"predictions\[0\]: expected .* got 1j"):
        metric.compute(**columns | {"predictions": [1j] * len(items)})
    with pytest.raises(ValueError, match="differ in length"):
        metric.compute(**columns | {"predictions": columns["predictions"] * 2})
    with pytest.raises(ValueError, match="no predictions"):
        metric.compute(**{name: [] for name in columns})


@each_folder
def test_missing_replies_and_lone_surrogates_are_scored(folder: Path) -> None:
    items, options = app_example(folder)
    if not isinstance(items[0]["predictions"], str):
        pytest.skip("predictions are no replies")
    columns = {name: [item[name] for item in items] for name in items[0]}
    odd = [None, float("nan"), "\ud800", ""]
    batch = {name: column[:1] * len(odd) for name, column in columns.items()}
    result = load(folder).compute(**batch | {"predictions": odd}, **options)
    assert json.loads(json.dumps(result)) == result


SCRIPT = """
import json, sys, evaluate
process, jobs = json.loads(sys.argv[1])
results = {}
for path, name, columns, options in jobs:
    metric = evaluate.load(path, num_process=2, process_id=process, experiment_id="two")
    metric.add_batch(**columns)
    results[name] = metric.compute(**options)
print(json.dumps(results))
"""


def test_two_processes_with_copies_elsewhere_equal_one_call(tmp_path: Path) -> None:
    """Prove in one pair of processes, which take seconds to start, that all folders stand alone."""
    jobs: tuple[list[Any], list[Any]] = ([], [])
    wholes = {}
    for folder in FOLDERS:
        copy = tmp_path / "elsewhere" / folder.name
        shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("__pycache__"))
        assert not any(path.is_symlink() for path in copy.iterdir())
        items, options = app_example(folder)
        assert len(items) > 1
        columns = {name: [item[name] for item in items] for name in items[0]}
        wholes[folder.name] = json.loads(json.dumps(load(folder).compute(**columns, **options)))
        for process, half in enumerate([items[:1], items[1:]]):
            columns = {name: [item[name] for item in half] for name in items[0]}
            jobs[process].append((str(copy), folder.name, columns, options))
    environment = os.environ | {"HF_HOME": str(tmp_path / "hf"), "HF_EVALUATE_OFFLINE": "1"}
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", SCRIPT, json.dumps([process, jobs[process]])],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        for process in (0, 1)
    ]
    first, second = (process.communicate(timeout=300)[0] for process in processes)
    assert json.loads(first) == wholes
    assert set(json.loads(second).values()) == {None}
