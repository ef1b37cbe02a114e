import json
import random
from collections import Counter

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from builders.manifest import FileEntry, Manifest
from builders.published.logicvista import load_rows
from cli.main import app
from common.errors import UserError
from logicvista.taxonomy import SKILLS
from metrics.core.mcq import Extraction
from scoring.logicvista import (
    COLUMNS,
    Item,
    chance_level,
    compare,
    item_of_row,
    judge,
    majority_level,
    score,
)
from scoring.logicvista_reasoning import score_reasoning
from scoring.replies import read_replies


def row(number, **changes):
    return {
        "id": f"v1_{number}",
        "options": [{"label": label, "text": ""} for label in "ABCD"],
        "labels": list("ABCD"),
        "question": "",
        "answer": ["ABCD"[number % 4]],
        "skill": tuple(SKILLS)[number % 5],
        "capabilities": (["diagram"], ["ocr"], ["diagram", "ocr"])[number % 3],
        "image_group": f"v1_{number // 2 * 2}",
        "scorable": True,
        "reasoning": f"Figure {number} turns once more.",
    } | changes


UNSCORABLE = row(40, options=[], answer=[], scorable=False, skill="spatial", reasoning="")
ITEMS = [item_of_row(row(number)) for number in range(40)] + [item_of_row(UNSCORABLE)]
GOLD = {item.id: "".join(item.answer) for item in ITEMS if item.scorable}


def exact(reply, choices, _question):
    """Read a reply of bare letters, so that these tests do not hang on the extraction's rules."""
    letters = tuple(letter for letter in reply if letter in choices)
    return Extraction(letters, "bare" if letters else "none", None)


def test_right_replies_score_one_everywhere():
    scores = score(ITEMS, {item: f"The answer is {gold}." for item, gold in GOLD.items()})
    groups = [scores.overall, *scores.skills.values(), *scores.capabilities.values()]
    assert all((group.accuracy, group.low, group.high) == (1, 1, 1) for group in groups)
    assert scores.overall.n == 40
    assert {name: group.n for name, group in scores.skills.items()} == dict.fromkeys(SKILLS, 8)
    assert scores.capabilities["diagram"].n + scores.capabilities["ocr"].n == 40 + 13
    assert scores.skipped == ("v1_40",)


@pytest.mark.parametrize("blank", ["", "  \n", "\u200b"])
def test_blank_replies_score_zero_on_every_item(blank):
    scores = score(ITEMS, {item.id: blank for item in ITEMS})
    assert scores.overall.right == 0
    assert not any(judgement.right for judgement in scores.judgements)
    assert not judge(ITEMS[-1], blank).right


def test_items_without_a_reply_are_wrong_and_counted():
    replies = dict(list(GOLD.items())[:30])
    scores = score(ITEMS, replies, extractor=exact)
    assert scores.overall.right == 30
    assert scores.reasons == {"bare": 30, "no_reply": 10}


def test_scores_count_per_group():
    rng = random.Random(1)
    replies = {item: rng.choice("ABCD") for item in GOLD}
    scores = score(ITEMS, replies, extractor=exact)
    right = Counter()
    for item in ITEMS[:-1]:
        if replies[item.id] in item.answer:
            right.update([item.skill, *item.capabilities, "overall"])
    assert scores.overall.right == right["overall"]
    for name, group in (scores.skills | scores.capabilities).items():
        assert group.right == right[name]
        assert group.accuracy == right[name] / group.n
        assert group.low <= group.accuracy <= group.high


@pytest.mark.parametrize(
    ("answer", "reply", "right"),
    [
        ("AC", "AC", True),
        ("AC", "CA", True),
        ("AC", "A", False),
        ("AC", "ACD", False),
        ("A", "AC", False),
        ("A", "", False),
    ],
)
def test_letter_sets_are_equal_or_not(answer, reply, right):
    item = item_of_row(row(0, answer=list(answer)))
    assert judge(item, reply, exact).right is right


def test_texts_of_options_reach_the_extractor():
    options = [{"label": "A", "text": "red"}, {"label": "B", "text": "blue"}]
    item = item_of_row(row(1, options=options, labels=["A", "B"]))
    assert item.choices == {"A": "red", "B": "blue"}
    assert judge(item, "It is blue.").right


def _stated(*counts):
    return [Item("x", {}, count, frozenset("A"), "spatial", (), "x") for count in counts]


@pytest.mark.parametrize(
    ("counts", "chance"),
    [((2, 4), 0.375), ((5, 0, 0), 0.2), ((0,), None), ((), None)],
)
def test_chance_counts_only_stated_options(counts, chance):
    assert chance_level(_stated(*counts)) == chance


def test_published_option_counts_give_the_chance_level_of_the_errata():
    counts = [3] * 89 + [4] * 143 + [5] * 167 + [6] * 2 + [9] + [0] * 46
    assert chance_level(_stated(*counts)) == pytest.approx(0.247, abs=5e-4)


def test_majority():
    items = [item_of_row(row(0, answer=list(answer))) for answer in ("A", "B", "AB", "BA", "AB")]
    assert majority_level(items) == 3 / 5


def test_intervals_are_seeded_and_clustered_by_picture():
    replies = {f"v1_{number}": GOLD[f"v1_{number}"] for number in range(0, 40, 4)}
    replies |= {f"v1_{n + 1}": GOLD[f"v1_{n + 1}"] for n in range(0, 40, 4)}
    clustered = score(ITEMS, replies, extractor=exact).overall
    alone = [item_of_row(row(number, image_group=f"v1_{number}")) for number in range(40)]
    independent = score(alone, replies, extractor=exact).overall
    assert score(ITEMS, replies, extractor=exact).overall == clustered
    assert clustered.accuracy == independent.accuracy == 0.5
    # The two items of each picture are always right or wrong together.
    assert clustered.high - clustered.low > 1.2 * (independent.high - independent.low)


def test_compare_is_paired():
    first = score(ITEMS, GOLD, extractor=exact)
    second = score(ITEMS, dict(list(GOLD.items())[:36]), extractor=exact)
    differences = compare(ITEMS, first, second)
    assert set(differences) == {"overall", *SKILLS}
    assert differences["overall"].estimate == pytest.approx(0.1)
    assert differences["overall"].low >= 0
    assert compare(ITEMS, first, first)["overall"].estimate == 0
    backwards = compare(ITEMS, second, first)["overall"]
    assert backwards.estimate == pytest.approx(-0.1)


def test_signature_names_what_can_change_the_score():
    scores = score(ITEMS, GOLD, extractor=exact, extractor_name="exact", gold="as published")
    assert scores.signature == (
        "logicvista|data:1.0|gold:as published|extractor:exact|n:40|resamples:1000|seed:0"
        "|version:1.0"
    )


def test_bad_input():
    with pytest.raises(ValueError, match="unknown items: v2_0"):
        score(ITEMS, {"v2_0": "A"})
    with pytest.raises(ValueError, match="no item is scorable"):
        score(ITEMS[-1:], {})
    other = score(ITEMS[:10], {}, extractor=exact)
    with pytest.raises(ValueError, match="different items"):
        compare(ITEMS, score(ITEMS, {}, extractor=exact), other)


@pytest.fixture
def folder(tmp_path):
    config = tmp_path / "logicvista" / "data" / "published"
    config.mkdir(parents=True)
    rows = [row(number) for number in range(40)] + [UNSCORABLE]
    pq.write_table(pa.Table.from_pylist(rows), config / "test.parquet")
    files = {"test.parquet": FileEntry("test", len(rows), 0, 0, "")}
    made_by = {"gold": "corrected"}
    Manifest("logicvista", "published", "1.0", made_by, [], files).save(config)
    return tmp_path / "logicvista"


def test_items_come_from_the_imported_folder(folder, tmp_path):
    rows, gold = load_rows(folder, COLUMNS)
    assert ([item_of_row(row) for row in rows], gold) == (ITEMS, "corrected")
    with pytest.raises(UserError, match="holds no imported data"):
        load_rows(tmp_path / "elsewhere", COLUMNS)


def _jsonl(file, replies):
    lines = [json.dumps({"id": item, "reply": reply}) for item, reply in replies.items()]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(file)


def test_command_prints_n_skipped_and_the_comparison(folder, tmp_path):
    good = _jsonl(tmp_path / "good.jsonl", {item: f"({gold})" for item, gold in GOLD.items()})
    poor = tmp_path / "poor.json"
    poor.write_text(json.dumps({item: {"answer": "A"} for item in GOLD}), encoding="utf-8")
    arguments = ["score", "logicvista", good, "--data", str(folder), "--against", str(poor)]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    lines = [line.split() for line in result.output.splitlines()]
    assert [line[1:4] for line in lines if line[:1] == ["overall"]][:2] == [
        ["40", "40", "100.00"],
        ["40", "10", "25.00"],
    ]
    assert "skipped as not scorable: v1_40" in result.output
    assert "+75.00" in result.output
    made = json.loads(CliRunner().invoke(app, [*arguments, "--json"]).output)
    assert made["scores"][0]["overall"]["accuracy"] == 1
    assert made["differences"]["overall"]["estimate"] == 0.75


def test_reasoning_is_compared_where_there_is_any(folder, tmp_path):
    same = {item.id: item.reasoning for item in ITEMS if item.reasoning}
    made = score_reasoning(ITEMS, same, measures=["bleu", "rouge_l"], resamples=50)
    assert (made.n, made.skipped) == (40, ("v1_40",))
    assert made.similarity.bleu == pytest.approx(1)
    assert made.similarity.rouge_l == 1
    assert made.similarity.intervals["rouge_l"].units == 20
    half = score_reasoning(ITEMS, dict(list(same.items())[:20]), measures=["rouge_l"])
    assert (half.similarity.rouge_l, half.similarity.empty) == (0.5, 20)
    with pytest.raises(ValueError, match="nothing to score"):
        score_reasoning(ITEMS[-1:], {})
    file = _jsonl(tmp_path / "replies.jsonl", same)
    arguments = ["score", "logicvista", file, "--data", str(folder), "--reasoning"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    assert "reasoning, 40 items; 1 have no human reasoning" in result.output


def test_a_judge_grades_from_the_command_line(folder, tmp_path, serve):
    script = serve('{"why": "Same rule.", "grade": 3}')
    file = _jsonl(tmp_path / "replies.jsonl", {item: f"({gold})" for item, gold in GOLD.items()})
    arguments = ["score", "logicvista", file, "--data", str(folder)]
    arguments += ["--judge-base-url", script.url, "--judge-model", "m"]
    arguments += ["--llm-cache", str(tmp_path / "cache")]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    assert "judged reasoning, 40 items; 1 have no human reasoning" in result.output
    assert "grade       75.00  [75.00, 75.00]" in result.output
    asked = len(script.requests)
    judged = json.loads(CliRunner().invoke(app, [*arguments, "--json"]).output)["judge"]
    assert (judged[0]["n"], judged[0]["score"]["estimate"]) == (40, 0.75)
    assert len(script.requests) == asked  # the replies were kept
    alone = CliRunner().invoke(app, [*arguments[:5], "--judge-model", "m"])
    assert alone.exit_code == 2
    assert "go together" in alone.output


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A\n", "line 1: no id and reply"),
        ('{"id": "v1_0"}\n', "line 1: no id and reply"),
        ('{"id": "v1_0", "reply": 3}\n', "must be texts"),
        ('{"id": "v1_0", "reply": "A"}\n{"id": "v1_0", "reply": "B"}\n', "second reply to v1_0"),
        ('{"v1_0": {"reply": "A"}}\n', "no id and reply"),
        ("[]", "no id and reply"),
    ],
)
def test_bad_reply_files(tmp_path, text, message):
    file = tmp_path / "replies.jsonl"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=message):
        read_replies(file)


def test_reply_files_of_both_forms(tmp_path):
    file = tmp_path / "replies"
    _jsonl(file, {"v1_0": "A\u2028B", "v1_1": None})
    assert read_replies(file) == {"v1_0": "A\u2028B", "v1_1": ""}
    file.write_text('{"v1_0": {"answer": "A", "reasoning": "none"}}', encoding="utf-8")
    assert read_replies(file) == {"v1_0": "A"}
    with pytest.raises(UserError, match="cannot read"):
        read_replies(tmp_path / "nothing")
