"""A running Chromium."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import sync_playwright

from builders.toolchain import chromium_path, driver_version
from common.errors import UserError

_HEAP_MB = 96


@contextmanager
def launch(arguments: Sequence[str]) -> Iterator[Chromium]:
    """Start a Chromium, and stop it in the end.

    Args:
        arguments: Its command-line switches.

    Raises:
        UserError: Playwright's driver or Chromium does not start.
    """
    program = chromium_path()
    try:
        with _small_heap():
            playwright = sync_playwright().start()
    except Exception:
        driver_version()  # says why, where it can be told
        raise
    try:
        try:
            chromium = playwright.chromium.launch(executable_path=program, args=list(arguments))
        except PlaywrightError as error:
            raise UserError(
                f"Chromium at {program} does not start: {error.message.splitlines()[0]}",
                "run `flowlearn doctor`",
            ) from error
        try:
            yield chromium
        finally:
            chromium.close()
    finally:
        playwright.stop()


@contextmanager
def _small_heap() -> Iterator[None]:
    """Start Node with a small heap: on a large machine it collects no garbage before gigabytes."""
    options = os.environ.get("NODE_OPTIONS")
    os.environ["NODE_OPTIONS"] = f"{options or ''} --max-old-space-size={_HEAP_MB}".strip()
    try:
        yield
    finally:
        if options is None:
            del os.environ["NODE_OPTIONS"]
        else:
            os.environ["NODE_OPTIONS"] = options
