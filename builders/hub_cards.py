"""Cards as the Hub and the libraries read them: checked before and after publishing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from common.errors import UserError


def check_dataset_card(
    source: str, config: str, splits: Mapping[str, int], version: str, **where: Any
) -> None:
    """Check that `datasets` takes from a card what was built.

    Args:
        source: The dataset's folder, or its repository.
        config: Name of the config.
        splits: Rows by split.
        version: `N.x`.
        **where: Further arguments of `load_dataset_builder`, e.g. `revision`.

    Raises:
        UserError: It takes something else.
    """
    from datasets import load_dataset_builder

    info = load_dataset_builder(source, config, **where).info
    found = {name: split.num_examples for name, split in (info.splits or {}).items()}
    if found != dict(splits):
        raise UserError(f"the card of {source} says {found} rows for {config}, not {dict(splits)}")
    if str(info.version) != f"{version}.0":
        raise UserError(f"the card of {source} says version {info.version}, not {version}.0")


def check_space_card(folder: Path, version: str) -> None:
    """Check that a Space would start from its card, and that the card is that of its version.

    Args:
        folder: The Space.
        version: `N.x` of the metric.

    Raises:
        UserError: The card has no settings for a Gradio app whose file is there, or does not say
            the version.
    """
    card = folder / "README.md"
    mend = "see metrics/README.md"
    try:
        text = card.read_text(encoding="utf-8")
        block = re.match(r"---\n(.*?\n)---\n", text, re.DOTALL)
        settings = yaml.safe_load(block[1]) if block else None
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise UserError(f"{card} cannot be read: {error}", mend) from error
    if not isinstance(settings, dict) or settings.get("sdk") != "gradio":
        raise UserError(f"{card} has no settings of a Gradio Space", mend)
    if not (folder / str(settings.get("app_file"))).is_file():
        raise UserError(f"{card} names an `app_file` that is not there", mend)
    if not re.search(rf"^Version {re.escape(version)}:", text, re.MULTILINE):
        raise UserError(f"{card} does not say version {version}", "run `flowlearn cards`")
