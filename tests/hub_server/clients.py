"""The real clients of this process, pointed at a local Hub, with caches of their own."""

import time
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


def point_clients_at(
    server: HubServer, cache: Path, monkeypatch: pytest.MonkeyPatch, patient: bool = False
) -> None:
    """Make `huggingface_hub`, `datasets` and `evaluate` use a server until the test ends.

    Args:
        server: The Hub.
        cache: Folder for all their caches.
        monkeypatch: Of the test.
        patient: Wait between retries and for answers as long as they do by default.
    """
    patches: dict[Any, dict[str, Any]] = {
        constants: {
            "ENDPOINT": server.url,
            "HUGGINGFACE_CO_URL_TEMPLATE": server.url + "/{repo_id}/resolve/{revision}/{filename}",
            "HF_HUB_CACHE": str(cache / "hub"),
        },
        datasets.config: {
            "HF_ENDPOINT": server.url,
            "HUB_DATASETS_URL": server.url + "/datasets/{repo_id}/resolve/{revision}/{path}",
            "HF_DATASETS_CACHE": cache / "datasets",
        },
        evaluate.config: {
            "HF_ENDPOINT": server.url,
            "HUB_EVALUATE_URL": server.url + "/spaces/{path}/resolve/{revision}/{name}",
            "HF_METRICS_CACHE": cache / "metrics",
        },
    }
    for module, names in patches.items():
        for name, value in names.items():
            monkeypatch.setattr(module, name, value)
    if not patient:
        hurried = SimpleNamespace(**vars(time))
        hurried.sleep = lambda seconds: None
        monkeypatch.setattr(_http, "time", hurried)
        monkeypatch.setattr(datasets.config, "STREAMING_READ_RETRY_INTERVAL", 0)
        monkeypatch.setattr(datasets.config, "STREAMING_READ_MAX_RETRIES", 3)
    huggingface_hub.close_session()
