"""Loading a published version back from the Hub, as its users will."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from builders.hub_cards import check_dataset_card
from builders.hub_packages import Package
from builders.metric_folders import metric_example, signed_version
from common.errors import UserError


def load_back(repo: str, package: Package, token: str) -> None:
    """Load a tagged version from the Hub and compare it with the package.

    Raises:
        UserError: What comes back is not what was published.
    """
    with tempfile.TemporaryDirectory() as cache, _quiet():
        if package.kind == "dataset":
            _load_dataset(repo, package, token)
        else:
            _load_metric(repo, package, token, Path(cache))


@contextmanager
def _quiet() -> Iterator[None]:
    """Hide the bar that each small file would get."""
    import datasets
    import evaluate

    shown = datasets.is_progress_bar_enabled(), evaluate.logging.is_progress_bar_enabled()
    datasets.disable_progress_bars()
    evaluate.logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown[0]:
            datasets.enable_progress_bars()
        if shown[1]:
            evaluate.logging.enable_progress_bar()


def _load_dataset(repo: str, package: Package, token: str) -> None:
    """Stream each split's first row; the files were compared by their digests before."""
    from datasets import load_dataset

    for config, splits in package.configs.items():
        where = {"revision": package.tag, "token": token}
        check_dataset_card(repo, config, splits, package.version, **where)
        for split in splits:
            rows = load_dataset(repo, config, split=split, streaming=True, **where)
            if set(next(iter(rows))) != set(rows.features):
                raise UserError(f"{repo}, {config}, {split} has other columns than its card")


def _load_metric(repo: str, package: Package, token: str, cache: Path) -> None:
    import evaluate
    from datasets import DownloadConfig

    metric = evaluate.load(
        repo,
        revision=package.tag,
        cache_dir=str(cache),
        download_config=DownloadConfig(cache_dir=cache / "downloads", token=token),
    )
    version = signed_version(metric, metric_example(package.folder))
    if version != package.version:
        raise UserError(f"{repo} signs version {version}, {package.version} was published")
