import json
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from scipy.stats import kendalltau, pearsonr
from typer.testing import CliRunner

from cli.main import app
from metrics.core.elements import Elements, read_elements
from metrics.core.precision_ve import Confusion
from scoring.corruption import corrupt, misspell
from scoring.validate_reference_free import ReadChart, Scored, agreement_of, score_chart, study
from scoring.validate_report import plot, to_json, to_markdown
from vision.arrows import Arrow
from vision.shapes import Shape
from vision.verifier import Scene

CODE = "flowchart TD\na[mix] -->|well| b[bake]\nb --> c[cool]\nc --> d[serve]\na --> d"


def perfectly_read(code: str = CODE, name: str = "a.png") -> ReadChart:
    gold = read_elements(code, "lenient")
    names = [text for (text,) in gold.nodes]
    shapes = tuple(
        Shape(text, (0, 0, 1, 1), np.zeros((1, 1, 2), np.int32), 1, np.zeros(3, np.int16))
        for text in names
    )
    arrows = tuple(Arrow(names.index(s), names.index(t), label) for s, t, label in gold.links)
    labels = tuple(label for *_, label in gold.links if label)
    return ReadChart(name, gold, (*names, *labels), Scene(shapes, arrows=arrows, free=labels))


def test_no_corruption_at_rate_zero() -> None:
    gold = read_elements(CODE, "lenient")
    made = corrupt(gold, 0.0, "seed")
    assert (made.nodes, made.links) == (gold.nodes, gold.links)


def test_corruption_is_reproducible_and_changes_much_at_rate_one() -> None:
    gold = read_elements(CODE, "lenient")
    made = [corrupt(gold, 1.0, f"seed {number}") for number in range(40)]
    assert made == [corrupt(gold, 1.0, f"seed {number}") for number in range(40)]
    assert all((item.nodes, item.links) != (gold.nodes, gold.links) for item in made)
    assert len({item.nodes for item in made}) > 20


@settings(deadline=None)
@given(st.text(alphabet="abc ", min_size=1, max_size=30), st.integers())
def test_misspelling_stays_close(text: str, seed: int) -> None:
    made = misspell(text, random.Random(seed))
    assert made
    assert abs(len(made) - len(text)) <= max(1, len(text) // 10)


def test_perfect_reading_gives_the_truth() -> None:
    chart = perfectly_read()
    for rate in (0.0, 0.3, 0.8):
        scored = score_chart(chart, corrupt(chart.gold, rate, f"seed {rate}"))
        assert scored.estimated["recall"] == scored.actual["recall"]
        assert scored.estimated["edge_recall"] == scored.actual["edge_recall"]
        if rate == 0:
            assert scored.estimated == scored.actual == dict.fromkeys(scored.actual, 1.0)


def test_agreement_equals_scipy() -> None:
    rng = np.random.default_rng(0)
    truth = rng.uniform(size=30)
    estimate = np.clip(truth + rng.normal(0, 0.1, 30), 0, 1)
    items = [
        Scored({"f1": float(e)}, {"f1": float(t)}, Confusion())
        for e, t in zip(estimate, truth, strict=True)
    ]
    found = agreement_of([*items, Scored({"f1": None}, {"f1": 1.0}, Confusion())], "f1")
    assert found.n == 30
    assert found.pearson == pytest.approx(pearsonr(estimate, truth).statistic)
    assert found.kendall == pytest.approx(kendalltau(estimate, truth).statistic)
    assert found.rmse == pytest.approx(100 * np.sqrt(((estimate - truth) ** 2).mean()))
    assert found.mae == pytest.approx(100 * np.abs(estimate - truth).mean())


def test_agreement_without_variation_has_no_coefficient() -> None:
    items = [Scored({"f1": 1.0}, {"f1": 0.9}, Confusion())] * 3
    found = agreement_of(items, "f1")
    assert (found.pearson, found.kendall) == (None, None)
    assert found.mae == pytest.approx(10)
    assert agreement_of([], "f1").n == 0


def test_study_and_report(tmp_path: Path) -> None:
    charts = [perfectly_read(name=f"{number}.png") for number in range(12)]
    made = study(charts, "perfect", {"model": {"3.png": CODE, "4.png": "flowchart TD\na[mix]"}})
    assert made.ocr_f1 == made.ocr_f1_exact == 1.0
    assert made.agreements["recall"]["all"].pearson == pytest.approx(1.0)
    assert made.agreements["recall"]["model"].n == 2
    assert list(made.ve) == ["slight", "medium", "severe", "model", "all"]
    json.dumps(to_json(made))
    text = to_markdown(made)
    assert "| severe | 12 |" in text
    assert text.count("\n## ") == 6
    plot(made, tmp_path / "figure.png")
    assert Image.open(tmp_path / "figure.png").size[0] > 500


def test_no_charts() -> None:
    with pytest.raises(ValueError, match="no charts"):
        study([], "x")


def test_command(tmp_path: Path) -> None:
    Image.new("RGB", (60, 40), "white").save(tmp_path / "a.png")
    (tmp_path / "charts.jsonl").write_text(json.dumps({"image": "a.png", "mermaid": CODE}))
    (tmp_path / "texts.json").write_text(json.dumps({"a.png": ["mix", "bake", "cool"]}))
    (tmp_path / "replies.json").write_text(json.dumps({"a.png": {"prediction": CODE}}))
    arguments = ["validate", "reference-free", str(tmp_path / "charts.jsonl")]
    arguments += ["--out", str(tmp_path / "out"), "--engine", f"file:{tmp_path / 'texts.json'}"]
    summary = tmp_path / "cards" / "made.json"
    more = ["--replies", f"m={tmp_path / 'replies.json'}", "--summary", str(summary)]
    result = CliRunner().invoke(app, [*arguments, *more])
    assert result.exit_code == 0, result.output
    assert "| m | 1 |" in (tmp_path / "out" / "reference_free.md").read_text()
    whole = json.loads((tmp_path / "out" / "reference_free.json").read_text())
    assert whole["charts"] == len(whole.pop("scored")["m"]) == 1
    assert json.loads(summary.read_text()) == whole
    wrong = CliRunner().invoke(app, [*arguments, "--replies", "m"])
    assert wrong.exit_code == 2


def test_processes_change_nothing(tmp_path: Path) -> None:
    names = ["a.png", "b.png", "c.png"]
    for name in names:
        Image.new("RGB", (60, 40), "white").save(tmp_path / name)
    charts = "".join(json.dumps({"image": name, "mermaid": CODE}) + "\n" for name in names)
    (tmp_path / "charts.jsonl").write_text(charts)
    texts = {name: [{"text": "mix", "box": [0, 0, 40, 20]}] for name in names}
    (tmp_path / "texts.json").write_text(json.dumps(texts))
    arguments = ["validate", "reference-free", str(tmp_path / "charts.jsonl")]
    arguments += ["--engine", f"file:{tmp_path / 'texts.json'}"]
    for jobs in ("1", "2"):
        more = ["--jobs", jobs, "--out", str(tmp_path / jobs)]
        result = CliRunner().invoke(app, [*arguments, *more])
        assert result.exit_code == 0, result.output
    made = [(tmp_path / jobs / "reference_free.json").read_bytes() for jobs in ("1", "2")]
    assert made[0] == made[1]


def test_empty_generation_is_undefined_not_zero() -> None:
    scored = score_chart(perfectly_read(), Elements(reading="empty"))
    assert scored.estimated["recall"] == 0.0
    assert scored.estimated["precision"] is None
    assert scored.estimated["f1"] is None
