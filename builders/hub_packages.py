"""What is published: repositories as folders, checked and staged exactly as they will stand."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from builders.card import built_configs, write_card
from builders.hub_cards import check_dataset_card, check_space_card
from builders.manifest import MANIFEST, Manifest, check_files
from builders.metric_folders import copy_metric, metric_version
from common.errors import UserError

NEVER_PUBLISHED = frozenset({("logicvista", "published")})
"""Configs whose licence forbids it, whatever their manifest says."""

MAX_ROW_GROUP_BYTES = 100 * 10**6


@dataclass(frozen=True, slots=True)
class Package:
    """One repository of the Hub, staged on disk.

    Attributes:
        kind: A dataset, or a metric's Space.
        name: Name of the repository without its namespace.
        version: `N.x`.
        folder: Exactly what the repository will hold.
        digests: Ids of the contents by path, as the Hub keeps them: `(git sha1, sha256)`.
        configs: Names of the configs and their splits with rows; empty for metrics.
        left_out: Configs that must not be published, with the reason.
    """

    kind: Literal["dataset", "space"]
    name: str
    version: str
    folder: Path
    digests: Mapping[str, tuple[str, str]]
    configs: Mapping[str, Mapping[str, int]]
    left_out: Mapping[str, str]

    @property
    def tag(self) -> str:
        """The tag of the version."""
        return f"v{self.version}"

    def owns(self, path: str) -> bool:
        """Tell whether a file of the repository is ours to delete when it is stale."""
        return path.startswith("data/") if self.kind == "dataset" else path.endswith(".py")

    def fixed(self, path: str) -> bool:
        """Tell whether a file may never change under one version; texts about it may."""
        return path.endswith(".parquet") if self.kind == "dataset" else path.endswith(".py")


def publishable(folder: Path) -> bool:
    """Tell whether a dataset's folder holds a config that may be published."""
    return any(not _why_not(manifest) for manifest in built_configs(folder))


def stage_dataset(source: Path, into: Path) -> Package:
    """Check a built dataset and stage what may be published of it.

    Args:
        source: The dataset's folder.
        into: Folder of the staged repository.

    Raises:
        UserError: Nothing is built, the data are not what the manifests say, the configs are of
            several versions, or none of them may be published.
    """
    manifests = built_configs(source)
    if not manifests:
        raise UserError(f"{source / 'data'} holds no built config", "run `make build` first")
    left_out = {m.config: reason for m in manifests if (reason := _why_not(m))}
    kept = [manifest for manifest in manifests if manifest.config not in left_out]
    name = manifests[0].dataset
    if not kept:
        reasons = "\n".join(f"  {config}: {reason}" for config, reason in left_out.items())
        raise UserError(f"nothing of {name} may be published:\n{reasons}")
    versions = {manifest.version for manifest in kept}
    if len(versions) > 1:
        told = ", ".join(f"{manifest.config} {manifest.version}" for manifest in kept)
        raise UserError(
            f"{name} was built in several versions: {told}", "build the older ones anew"
        )
    for manifest in kept:
        _stage_config(source, manifest, into)
    write_card(into)
    version = versions.pop()
    configs = {m.config: {split: rows for split, (rows, _) in m.splits().items()} for m in kept}
    for config, splits in configs.items():
        check_dataset_card(str(into), config, splits, version)
    return Package("dataset", name, version, into, _digests(into), configs, left_out)


def stage_metric(source: Path, into: Path) -> Package:
    """Stage a metric, tried on its own example.

    Raises:
        UserError: It does not load, run or sign its results, or its card is not of its version.
    """
    copy_metric(source, into)
    version = metric_version(into)
    check_space_card(into, version)
    return Package("space", source.name, version, into, _digests(into), {}, {})


def _why_not(manifest: Manifest) -> str:
    if manifest.not_publishable:
        return manifest.not_publishable
    if (manifest.dataset, manifest.config) in NEVER_PUBLISHED:
        return "its licence forbids it"
    return ""


def _stage_config(source: Path, manifest: Manifest, into: Path) -> None:
    """Check the files of a config and link them."""
    data = source / "data" / manifest.config
    staged = into / "data" / manifest.config
    check_files(data, manifest)
    for name in manifest.files:
        _check_row_groups(data / name)
    staged.mkdir(parents=True)
    for name in (*manifest.files, MANIFEST):
        (staged / name).symlink_to((data / name).resolve())


def _check_row_groups(path: Path) -> None:
    """Refuse what the Hub's viewer refuses."""
    import pyarrow.parquet as pq

    parquet = pq.read_metadata(path)
    largest = max(parquet.row_group(i).total_byte_size for i in range(parquet.num_row_groups))
    if largest > MAX_ROW_GROUP_BYTES:
        raise UserError(
            f"{path} has a row group of {largest >> 20} MiB, the Hub's viewer takes 100 MB",
            "build the config again with the current version of the project",
        )


def _digests(folder: Path) -> dict[str, tuple[str, str]]:
    return {path.relative_to(folder).as_posix(): _both(path) for path in _files(folder)}


def _files(folder: Path) -> Iterator[Path]:
    yield from (path for path in sorted(folder.rglob("*")) if path.is_file())


def _both(path: Path) -> tuple[str, str]:
    """Return git's id of a file's content and its SHA-256."""
    git, sha256 = hashlib.sha1(b"blob %d\0" % path.stat().st_size), hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            git.update(block)
            sha256.update(block)
    return git.hexdigest(), sha256.hexdigest()


def stage_all(
    datasets: Sequence[Path], metrics: Sequence[Path], into: Path, tell: Callable[[str], None]
) -> tuple[Package, ...]:
    """Check and stage datasets and metrics.

    Args:
        datasets: Folders of datasets.
        metrics: Folders of metrics.
        into: Where to stage.
        tell: Told of what is being checked.

    Raises:
        UserError: One of them cannot be published as it is.
    """
    packages = []
    for folder in datasets:
        tell(f"checking {folder.name}")
        packages.append(stage_dataset(folder, into / "datasets" / folder.name))
    for folder in metrics:
        tell(f"checking {folder.name}")
        packages.append(stage_metric(folder, into / "metrics" / folder.name))
    return tuple(packages)
