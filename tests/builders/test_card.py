"""Cards say what the data say, in the forms that the Hub, `datasets` and Croissant read."""

import logging
from pathlib import Path

import mlcroissant
import pytest
import yaml
from datasets import load_dataset
from datasets.info import DatasetInfosDict
from huggingface_hub import DatasetCard
from PIL import Image
from small_dataset import SPLITS, write_small_dataset

from builders.card import for_old_versions, load_texts, write_card
from builders.manifest import Manifest
from common.errors import UserError
from flowlearn.features import SIMULATED
from logicvista.version import DATA_VERSION


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("flowlearn")
    write_small_dataset(folder)
    return folder


def test_metadata_are_those_of_the_data(folder: Path) -> None:
    card = DatasetCard.load(folder / "README.md")
    infos = DatasetInfosDict.from_dataset_card_data(card.data)
    assert infos["simulated"].features == SIMULATED
    assert {k: s.num_examples for k, s in infos["simulated"].splits.items()} == SPLITS
    assert str(infos["simulated"].version) == f"{load_manifest_version(folder)}.0"
    assert card.data.size_categories == ["n<1K"]
    assert card.data.configs[0]["default"]


def load_manifest_version(folder: Path) -> str:
    return yaml.safe_load((folder / "data" / "simulated" / "manifest.json").read_text())["version"]


def test_wrong_counts_in_the_card_are_refused_on_loading(tmp_path: Path) -> None:
    write_small_dataset(tmp_path)
    card = tmp_path / "README.md"
    card.write_text(card.read_text().replace("num_examples: 6", "num_examples: 7"))
    with pytest.raises(Exception, match="train"):
        load_dataset(str(tmp_path), "simulated", cache_dir=str(tmp_path / "cache"))


def test_text_shows_an_example_prompts_licences_canary_and_changelog(folder: Path) -> None:
    text = (folder / "README.md").read_text(encoding="utf-8")
    texts = load_texts("flowlearn")
    for wanted in (
        "![A flowchart](assets/example.jpg)",
        "flowchart TD\na(n9)",
        "| `num_nodes` | How many nodes are in the flowchart? | 2 |",
        "| `simulated` | train | 6 | cc-by-4.0 |",
        texts.canary,
        texts.citation.strip(),
        "- **1.0** (",
    ):
        assert wanted in text
    with Image.open(folder / "assets" / "example.jpg") as picture:
        assert picture.size == (32, 24)


def test_croissant_is_valid_and_gives_the_rows(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        described = mlcroissant.Dataset(str(folder / "croissant.json"))
    assert not described.metadata.ctx.issues.errors
    assert not described.metadata.ctx.issues.warnings
    rows = list(described.records("simulated"))
    assert len(rows) == sum(SPLITS.values())
    row = next(row for row in rows if row["simulated/id"] == b"3")
    assert row["simulated/mermaid"] == b"flowchart TD\na(n3)\nb(x)\na --> b\n"
    assert row["simulated/image"].size == (32, 24)
    assert row["simulated/nodes"][0]["simulated/nodes/box"] == [0.0, 1.5, 10.0, 8.0]


def test_without_the_benchmarks_config_there_is_no_benchmark(folder: Path) -> None:
    assert not (folder / "eval.yaml").exists()


def test_the_card_of_an_import_says_that_it_is_not_redistributed(tmp_path: Path) -> None:
    manifest = Manifest(
        dataset="logicvista",
        config="published",
        version=DATA_VERSION,
        made_by={"gold": "corrected", "missing_images": []},
        features=[],
        not_publishable="Only for research.",
        license="research use only",
    )
    (tmp_path / "data" / "published").mkdir(parents=True)
    manifest.save(tmp_path / "data" / "published")
    text = write_card(tmp_path).read_text(encoding="utf-8")
    assert "**Never redistribute it.** Only for research." in text
    assert "| LLAVA7B | 29.91 |" in text
    assert not (tmp_path / "eval.yaml").exists()


def test_a_version_without_a_changelog_entry_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"changelog of flowlearn has no version 7\.3"):
        write_small_dataset(tmp_path, version="7.3")


def test_nothing_built_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="run `make build` first"):
        write_card(tmp_path)


@pytest.mark.parametrize(
    ("column", "rewritten"),
    [
        ({"name": "a", "list": "string"}, {"name": "a", "sequence": "string"}),
        (
            {"name": "a", "list": "float32", "length": 4},
            {"name": "a", "sequence": "float32", "length": 4},
        ),
        (
            {"name": "a", "list": {"list": "float32", "length": 2}},
            {"name": "a", "sequence": {"sequence": "float32", "length": 2}},
        ),
        (
            {"name": "a", "list": [{"name": "b", "list": "string"}]},
            {"name": "a", "list": [{"name": "b", "sequence": "string"}]},
        ),
        ({"name": "a", "dtype": "image"}, {"name": "a", "dtype": "image"}),
    ],
)
def test_lists_are_written_for_old_versions(column: dict, rewritten: dict) -> None:
    assert for_old_versions(column) == rewritten
