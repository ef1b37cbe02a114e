"""The real clients of this process, pointed at a local Hub, with caches of their own."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import datasets
import evaluate
import huggingface_hub
import pytest
from hub_server.server import HubServer
from huggingface_hub import constants
from huggingface_hub.utils import _http


@contextmanager
def clients_at(server: HubServer, cache: Path) -> Iterator[None]:
    """Make `huggingface_hub`, `datasets` and `evaluate` use a server, without waiting for retries.

    Args:
        server: The Hub.
        cache: Folder for all their caches.
    """
    hurried = SimpleNamespace(**vars(time))
    hurried.sleep = lambda seconds: None
    patches: dict[Any, dict[str, Any]] = {
        constants: {
            "ENDPOINT": server.url,
            "HUGGINGFACE_CO_URL_TEMPLATE": server.url + "/{repo_id}/resolve/{revision}/{filename}",
            "HF_HUB_CACHE": str(cache / "hub"),
        },
        _http: {"time": hurried},
        datasets.config: {
            "HF_ENDPOINT": server.url,
            "HUB_DATASETS_URL": server.url + "/datasets/{repo_id}/resolve/{revision}/{path}",
            "HF_DATASETS_CACHE": cache / "datasets",
            "STREAMING_READ_RETRY_INTERVAL": 0,
            "STREAMING_READ_MAX_RETRIES": 3,
        },
        evaluate.config: {
            "HF_ENDPOINT": server.url,
            "HUB_EVALUATE_URL": server.url + "/spaces/{path}/resolve/{revision}/{name}",
            "HF_METRICS_CACHE": cache / "metrics",
        },
    }
    with pytest.MonkeyPatch.context() as monkeypatch:
        for module, names in patches.items():
            for name, value in names.items():
                monkeypatch.setattr(module, name, value)
        huggingface_hub.close_session()
        yield
    # Publishing sets a client with a time limit of its own.
    huggingface_hub.set_client_factory(_http.default_client_factory)
