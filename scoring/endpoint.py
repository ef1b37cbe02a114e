"""Asking a language model behind any OpenAI-compatible endpoint, with every reply kept on disk.

The same request is never sent twice: replies are cached by the hash of all that determines them.
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from common.errors import UserError

Message = dict[str, Any]
"""A chat message: `role` and `content`."""


@dataclass(frozen=True)
class Endpoint:
    """A model behind an OpenAI-compatible endpoint.

    Attributes:
        base_url: Where it answers, e.g. `http://127.0.0.1:8000/v1`.
        model: The model's name there.
        cache: Folder of the kept replies; None keeps none.
        temperature: Sampling temperature.
        max_tokens: Longest reply, in tokens.
        timeout: Seconds until a request is given up.
        retries: How often a failed request is repeated, with growing pauses.
        api_key: Key sent along; by default the environment's `OPENAI_API_KEY`.
    """

    base_url: str
    model: str
    cache: Path | None = None
    temperature: float = 0.0
    max_tokens: int = 1024
    timeout: float = 120.0
    retries: int = 5
    api_key: str | None = field(default=None, repr=False)

    def complete(self, messages: Sequence[Message]) -> str:
        """Return the model's reply to a conversation, from the cache where it is kept.

        Raises:
            UserError: The client is not installed, or the endpoint cannot be reached, refuses the
                request, or answers with something that is no chat completion.
        """
        request = {
            "model": self.model,
            "messages": list(messages),
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
        }
        file = self._file(request)
        if file is not None and (kept := _read(file)) is not None:
            return kept
        reply = self._ask(request)
        if file is not None:
            _write(file, {"request": request, "reply": reply})
        return reply

    def _file(self, request: dict[str, Any]) -> Path | None:
        if self.cache is None:
            return None
        content = json.dumps([self.base_url.rstrip("/"), request], sort_keys=True)
        digest = hashlib.sha256(content.encode()).hexdigest()
        return self.cache / digest[:2] / f"{digest}.json"

    @cached_property
    def _client(self) -> Any:
        try:
            from openai import OpenAI
        except ImportError as error:
            raise UserError(
                "asking a model needs the package openai",
                'install the extra: pip install -e ".[infer]"',
            ) from error
        # Local servers want no key, but the client insists on one.
        key = self.api_key or os.environ.get("OPENAI_API_KEY") or "none"
        return OpenAI(
            base_url=self.base_url, api_key=key, timeout=self.timeout, max_retries=self.retries
        )

    def _ask(self, request: dict[str, Any]) -> str:
        client = self._client
        from openai import OpenAIError

        try:
            completion = client.chat.completions.create(**request)
            content = completion.choices[0].message.content
        except OpenAIError as error:
            raise UserError(
                f"{self.base_url}, model {self.model}: {error}",
                "check the URL (it mostly ends in /v1), the model's name and OPENAI_API_KEY",
            ) from error
        except (AttributeError, IndexError, TypeError) as error:
            raise UserError(
                f"{self.base_url} did not answer with a chat completion",
                "check that the URL is that of an OpenAI-compatible API (it mostly ends in /v1)",
            ) from error
        return content if isinstance(content, str) else ""


def _read(file: Path) -> str | None:
    """Return a kept reply; a file that was damaged counts as missing."""
    try:
        reply = json.loads(file.read_text(encoding="utf-8"))["reply"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return reply if isinstance(reply, str) else None


def _write(file: Path, content: dict[str, Any]) -> None:
    """Write aside and rename, so that no half-written reply is ever read."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(
        "w", dir=file.parent, suffix=".part", delete=False, encoding="utf-8"
    ) as aside:
        json.dump(content, aside)
    Path(aside.name).replace(file)
