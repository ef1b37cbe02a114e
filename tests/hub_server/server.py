"""A local Hub for the real clients: HTTP around `routes`, with faults on demand."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from hub_server.faults import Faults
from hub_server.routes import Hub, Request, Response, answer, decoded
from hub_server.store import NotFoundError, RefusedError
from hub_server.xet import XetStore

TOKEN = "hf_localtesttoken"
"""The token of `tester`, who may also write into the organisation `lab`."""

_NO_ROUTE = "unknown"


@dataclass(frozen=True)
class Seen:
    """A request that the server got.

    Attributes:
        route: Name of its route.
        method: `GET`, `POST`, …
        path: Path of its URL.
        sent: Bytes of its body.
    """

    route: str
    method: str
    path: str
    sent: int


class HubServer:
    """A Hub on this machine; use as a context manager.

    Args:
        folder: Where Xet uploads are kept.
        regular_only: Take every file as a regular one, in the commit itself.
        hang_seconds: How long a hanging request gets no answer.
    """

    def __init__(self, folder: Path, regular_only: bool = False, hang_seconds: float = 30) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.hub = Hub(XetStore(folder), {"tester": ["tester", "lab"]}, regular_only)
        self.faults = Faults()
        self.seen: list[Seen] = []
        self._hang = hang_seconds
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._routes = [
            (name, method, re.compile(pattern), act)
            for name, method, pattern, act in self.hub.routes()
        ]
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        self.url = self.hub.url = f"http://127.0.0.1:{self._http.server_address[1]}"

    def __enter__(self) -> HubServer:
        serve = self._http.serve_forever
        threading.Thread(target=serve, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._http.shutdown()
        self._http.server_close()

    def route_names(self) -> list[str]:
        """Return the names of all routes."""
        return list(dict.fromkeys(name for name, *_ in self._routes))

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            timeout = 60

            def log_message(self, format: str, *args: Any) -> None:
                """Say nothing: `seen` keeps the requests."""

            def handle_any(self) -> None:
                server._serve(self)

            do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = handle_any  # noqa: N815

        return Handler

    def _serve(self, http: BaseHTTPRequestHandler) -> None:
        path = urlsplit(http.path).path
        name, act, parts = self._find(http.command, path)
        with self._lock:
            fault = self.faults.next(name)
        if fault == "refuse":
            http.close_connection = True
            return
        body = _read_body(http)
        with self._lock:
            self.seen.append(Seen(name, http.command, path, len(body)))
        if fault == "hang":
            self._stop.wait(self._hang)
            http.close_connection = True
            return
        if fault == "error":
            response = answer({"error": "Internal trouble, try later"}, 503)
        else:
            user = "tester" if http.headers.get("Authorization") == f"Bearer {TOKEN}" else ""
            with self._lock:
                response = _act(act, Request(http.command, http.path, body, user), parts)
        try:
            _send(http, response, cut=fault == "cut")
        except ConnectionError:
            http.close_connection = True  # the client did not wait for it

    def _find(self, method: str, path: str) -> tuple[str, Any, dict[str, str]]:
        method = "GET" if method == "HEAD" else method
        for name, wanted, pattern, act in self._routes:
            if method == wanted and (match := pattern.fullmatch(path)):
                return name, act, decoded(match.groupdict())
        return _NO_ROUTE, None, {}


def _read_body(http: BaseHTTPRequestHandler) -> bytes:
    if http.headers.get("Transfer-Encoding") != "chunked":
        return http.rfile.read(int(http.headers.get("Content-Length", 0)))
    parts = []
    while size := int(http.rfile.readline(), 16):
        parts.append(http.rfile.read(size))
        http.rfile.readline()
    http.rfile.readline()
    return b"".join(parts)


def _act(act: Callable[..., Response] | None, request: Request, parts: dict[str, str]) -> Response:
    if act is None:
        return answer({"error": "no such route"}, 404)
    try:
        return act(request, **parts)
    except NotFoundError as error:
        # Without a token, the Hub does not tell missing repositories from hidden ones.
        hidden = error.code == "RepoNotFound" and not request.user
        return answer({"error": error.code}, 401 if hidden else 404, {"X-Error-Code": error.code})
    except RefusedError as error:
        return answer({"error": error.message}, error.status)


def _send(http: BaseHTTPRequestHandler, response: Response, cut: bool) -> None:
    body, status = response.body, response.status
    wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", http.headers.get("Range", ""))
    headers = dict(response.headers)
    if wanted and status == 200:
        start, end = int(wanted[1]), min(int(wanted[2] or len(body)), len(body) - 1)
        headers["Content-Range"] = f"bytes {start}-{end}/{len(body)}"
        body, status = body[start : end + 1], 206
    http.send_response(status)
    for key, value in {
        "Accept-Ranges": "bytes",
        **headers,
        "Content-Length": str(len(body)),
    }.items():
        http.send_header(key, value)
    if cut:
        http.close_connection = True
        if not body or http.command == "HEAD":
            http.flush_headers()
            return
        body = body[: len(body) // 2]
    http.end_headers()
    if http.command != "HEAD":
        http.wfile.write(body)
