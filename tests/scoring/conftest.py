"""Fixtures of the scoring tests."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from llm_server.server import Script, scripted_server


@pytest.fixture
def serve() -> Iterator[Callable[..., Script]]:
    """Start an OpenAI-compatible server that gives scripted replies; it ends with the test."""
    with ExitStack() as stack:
        yield lambda *steps: stack.enter_context(scripted_server(*steps))
