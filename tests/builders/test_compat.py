"""Built folders load alike in old and new versions of `datasets` (`make compat`, not by default).

Each version gets an environment of its own, see `environments`.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from environments import python_with
from small_dataset import write_small_dataset

from builders.card import built_configs

ROOT = Path(__file__).resolve().parents[2]
# Old versions do not say which versions of their own dependencies are too new for them.
REQUIREMENTS = {
    "2.14.7": ("datasets==2.14.7", "pyarrow<15", "numpy<2", "fsspec<2024", "huggingface-hub<0.24"),
    "2.19.2": ("datasets==2.19.2", "pyarrow<17", "numpy<2", "huggingface-hub<0.24"),
    "3.6": ("datasets==3.6.0",),
    "4.0": ("datasets==4.0.0",),
    "newest": ("datasets",),
}
LOAD = """
import hashlib, json, sys
import datasets

folder, config, cache = sys.argv[1:]
loaded = datasets.load_dataset(folder, config, cache_dir=cache)
told = {}
for split, rows in loaded.items():
    first = rows[0]
    picture = first.pop("image")
    text = json.dumps(first, sort_keys=True, default=str)
    told[split] = {
        "rows": len(rows),
        "type": str(rows.features.type),
        "first": hashlib.sha256(text.encode()).hexdigest(),
        "picture": [type(picture).__name__, picture.size],
        "version": str(rows.info.version),
    }
print(json.dumps(told))
"""

pytestmark = pytest.mark.skipif("COMPAT" not in os.environ, reason="run by `make compat`")


@pytest.fixture(scope="module", params=["small", "built"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    if request.param == "built":
        if not built_configs(ROOT / "flowlearn"):
            pytest.skip("nothing built: run `make demo` first")
        return ROOT / "flowlearn"
    folder = tmp_path_factory.mktemp("small") / "flowlearn"
    write_small_dataset(folder)
    return folder


def load_in(python: str, folder: Path, config: str, cache: Path) -> dict[str, Any]:
    environment = os.environ | {"HF_HOME": str(cache), "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [python, "-c", LOAD, str(folder), config, str(cache / "datasets")],
        env=environment,
        cwd=cache,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


@pytest.mark.parametrize("version", REQUIREMENTS)
def test_old_and_new_versions_load_the_same(version: str, folder: Path, tmp_path: Path) -> None:
    for manifest in built_configs(folder):
        caches = [tmp_path / manifest.config / name for name in ("that", "this")]
        for place in caches:
            place.mkdir(parents=True)
        there = load_in(
            python_with(version, ("pillow", *REQUIREMENTS[version])),
            folder,
            manifest.config,
            caches[0],
        )
        here = load_in(sys.executable, folder, manifest.config, caches[1])
        assert there == here
        counts = {split: rows for split, (rows, _) in manifest.splits().items()}
        assert {split: told["rows"] for split, told in there.items()} == counts
        assert all(told["version"] == f"{manifest.version}.0" for told in there.values())
