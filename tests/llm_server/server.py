"""An OpenAI-compatible server on this machine that gives replies from a script."""

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Step = str | int | dict[str, Any]
"""A reply's text; a status to fail with; or a whole body to answer with."""


@dataclass
class Script:
    """What the server gives, and what it was asked.

    Attributes:
        steps: One a request; the last is given again for any further request.
        requests: Bodies of the requests so far.
        url: Base URL of the API.
    """

    steps: Sequence[Step]
    requests: list[dict[str, Any]] = field(default_factory=list)
    url: str = ""

    def next_step(self) -> Step:
        return self.steps[min(len(self.requests), len(self.steps)) - 1]


def completion(text: str) -> dict[str, Any]:
    """Return a chat completion's body."""
    message = {"role": "assistant", "content": text}
    return {
        "id": "scripted",
        "object": "chat.completion",
        "created": 0,
        "model": "scripted",
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
    }


@contextmanager
def scripted_server(*steps: Step) -> Iterator[Script]:
    """Serve the steps at a free port of 127.0.0.1."""
    script = Script(steps)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            script.requests.append(
                {"path": self.path, **json.loads(self.rfile.read(length).decode())}
            )
            step = script.next_step()
            status = step if isinstance(step, int) else 200
            body = completion(step) if isinstance(step, str) else step
            if isinstance(body, int):
                body = {"error": {"message": f"scripted failure {step}"}}
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            if status == 429:
                self.send_header("Retry-After", "0.01")
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    script.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield script
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
