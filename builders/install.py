"""Installing datasets and metrics on this machine, so that their bare names load anywhere.

`load_dataset("flowlearn", …)` and `evaluate.load("mermaid_f1")` look into the caches of their
libraries when neither the working directory nor the Hub has the name. Installing puts finished
entries there, each marked as ours: no list is kept elsewhere, and removing takes only what was
installed.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from builders.card import built_configs
from builders.install_shortcut import add_shortcut, remove_shortcut
from builders.manifest import Manifest, check_files, write_atomically
from builders.metric_folders import metric_version
from common.errors import UserError

_MARK = ".flowlearn-install.json"
_MODULES = Path("evaluate_modules", "metrics")
_METRIC_PREFIX = "evaluate-metric--"


@dataclass(frozen=True, slots=True)
class Installed:
    """Something that is installed.

    Attributes:
        kind: A dataset's config, or a metric.
        name: `flowlearn`, `mermaid_f1`, …
        config: Config of the dataset; empty for metrics.
        version: `N.x`.
        source: The folder that it was installed from.
        digest: Hash of what was installed.
    """

    kind: Literal["dataset", "metric"]
    name: str
    config: str
    version: str
    source: str
    digest: str

    @property
    def title(self) -> str:
        """Name and config, for people."""
        return f"{self.name}, {self.config}" if self.config else self.name


def installed() -> tuple[tuple[Installed, Path], ...]:
    """Return what is installed, and where, by name."""
    found = []
    for mark in _marks():
        try:
            values = json.loads(mark.read_text(encoding="utf-8"))
            found.append((Installed(**values), mark.parent))
        except (OSError, ValueError, TypeError):
            continue  # half removed by someone: not an entry any more
    return tuple(sorted(found, key=lambda item: (item[0].kind, item[0].name, item[0].config)))


def install_dataset(folder: Path, tell: Callable[[str], None]) -> tuple[Installed, ...]:
    """Install every config of a built dataset, in place of any installed before.

    Args:
        folder: The dataset's folder.
        tell: Told of what is being done.

    Raises:
        UserError: Nothing is built, or the data are not what their manifest says.
    """
    manifests = built_configs(folder)
    if not manifests:
        raise UserError(f"{folder / 'data'} holds no built config", "run `make build` first")
    for manifest in manifests:
        check_files(folder / "data" / manifest.config, manifest)
    wanted = [
        Installed("dataset", m.dataset, m.config, m.version, str(folder.resolve()), _data_digest(m))
        for m in manifests
    ]
    for item in wanted:
        tell(f"installing {item.title} {item.version}")
        _install_config(item)
    _remove_others(wanted)
    add_shortcut(manifests[0].dataset)
    return tuple(wanted)


def install_metric(folder: Path, tell: Callable[[str], None]) -> Installed:
    """Install a metric, in place of any version installed before.

    Args:
        folder: The metric's folder.
        tell: Told of what is being done.

    Raises:
        UserError: It does not load or run.
    """
    tell(f"installing {folder.name}")
    version = metric_version(folder)
    files = {path.name: path.read_bytes() for path in sorted(folder.glob("*.py"))}
    digest = hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()
    item = Installed("metric", folder.name, "", version, str(folder.resolve()), digest)
    target = _modules_cache() / _MODULES / f"{_METRIC_PREFIX}{folder.name}" / digest
    # The packages above must be importable: evaluate imports by the path from `evaluate_modules`.
    for package in (target.parents[2], target.parents[1], target.parents[0]):
        package.mkdir(parents=True, exist_ok=True)
        (package / "__init__.py").touch()
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".flowlearn-") as scratch:
        fresh = Path(scratch) / "fresh"
        fresh.mkdir()
        for name, content in files.items():
            (fresh / name).write_bytes(content)
        (fresh / "__init__.py").touch()
        _put(fresh, target, item)
    os.utime(target / f"{folder.name}.py")  # evaluate takes the newest script
    _remove_others([item])
    return item


def remove() -> tuple[Installed, ...]:
    """Remove all that is installed; return what it was."""
    gone = installed()
    for item, place in gone:
        _delete(place)
        if item.kind == "dataset":
            remove_shortcut(item.name)
    return tuple(item for item, _ in gone)


def _data_digest(manifest: Manifest) -> str:
    facts = [manifest.key(), [entry.sha256 for entry in manifest.files.values()]]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def _install_config(item: Installed) -> None:
    """Let `datasets` load the config into a cache of its own, then move the entry into the real."""
    import datasets

    cache = Path(datasets.config.HF_DATASETS_CACHE)
    entry = cache / item.name / item.config / f"{item.version}.0" / item.digest[:16]
    cache.mkdir(parents=True, exist_ok=True)
    if not (entry / _MARK).exists():
        with tempfile.TemporaryDirectory(dir=cache, prefix=".flowlearn-") as scratch:
            datasets.load_dataset(item.source, item.config, cache_dir=scratch)
            made = next(Path(scratch).glob(f"*/{item.config}/*/*/dataset_info.json")).parent
            entry.parent.mkdir(parents=True, exist_ok=True)
            _put(made, entry, item)
    os.utime(entry)  # datasets takes the newest entry


def _put(fresh: Path, target: Path, item: Installed) -> None:
    """Move a finished entry into a cache."""
    text = json.dumps(asdict(item), indent=2) + "\n"
    write_atomically(fresh / _MARK, text.encode())
    if target.exists():
        shutil.rmtree(target)
    fresh.rename(target)


def _remove_others(items: Sequence[Installed]) -> None:
    """Remove what was installed under the same names and is not among these."""
    names = {(item.kind, item.name) for item in items}
    for item, place in installed():
        if (item.kind, item.name) in names and item not in items:
            _delete(place)


def _delete(place: Path) -> None:
    """Delete an entry, and the folders above it that it leaves empty."""
    shutil.rmtree(place)
    bound = {_datasets_cache(), _modules_cache() / _MODULES}
    for folder in place.parents:
        left = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
        if folder in bound or left - {"__init__.py", "__pycache__"}:
            return
        shutil.rmtree(folder)


def _marks() -> Iterator[Path]:
    yield from _datasets_cache().glob(f"*/*/*/*/{_MARK}")
    yield from (_modules_cache() / _MODULES).glob(f"{_METRIC_PREFIX}*/*/{_MARK}")


def _datasets_cache() -> Path:
    import datasets

    return Path(datasets.config.HF_DATASETS_CACHE)


def _modules_cache() -> Path:
    import evaluate

    return Path(evaluate.config.HF_MODULES_CACHE)
