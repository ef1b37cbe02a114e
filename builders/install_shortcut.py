"""A shortcut past an unreachable Hub, for bare names of installed datasets.

Before `datasets` looks into its own cache, it asks the Hub for the card of a name and, where that
fails, asks again for 23 seconds (far longer where requests hang). A copy in the Hub client's cache
ends that at once: the client takes the card from there, `datasets` then finds the loading script
beside it, which it never runs, and goes on to what is installed. Where the Hub answers, it says
that there is no such name, and the copy is not looked at.
"""

from __future__ import annotations

import shutil
from pathlib import Path

_WHY = "Put here by `flowlearn install`, which says why in builders/install_shortcut.py."
_MARK = "flowlearn-install"
_COMMIT = "f10e1ea2" * 5


def add_shortcut(name: str) -> None:
    """Make a dataset's bare name load fast without the Hub; a real copy of it is left alone."""
    folder = _folder(name)
    if folder.exists() and not (folder / _MARK).exists():
        return
    snapshot = folder / "snapshots" / _COMMIT
    snapshot.mkdir(parents=True, exist_ok=True)
    (folder / "refs").mkdir(exist_ok=True)
    (folder / _MARK).write_text(f"{_WHY}\n", encoding="utf-8")
    (snapshot / "README.md").write_text(f"{_WHY}\n", encoding="utf-8")
    (snapshot / f"{name}.py").write_text(f"# {_WHY}\n", encoding="utf-8")
    # No line end: the client takes the whole text for a name.
    (folder / "refs" / "main").write_text(_COMMIT, encoding="utf-8")


def remove_shortcut(name: str) -> None:
    """Remove what `add_shortcut` made."""
    folder = _folder(name)
    if (folder / _MARK).exists():
        shutil.rmtree(folder)


def _folder(name: str) -> Path:
    from huggingface_hub import constants

    return Path(constants.HF_HUB_CACHE) / f"datasets--{name}"
