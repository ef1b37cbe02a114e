"""The endpoint client, against a real HTTP server with scripted replies."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from llm_server.server import Script

from common.errors import UserError
from scoring.endpoint import Endpoint

Serve = Callable[..., Script]
HELLO = [{"role": "user", "content": "Hello?"}]


def test_asks_with_the_real_client(serve: Serve) -> None:
    script = serve("Hi.")
    assert Endpoint(script.url, "m", temperature=0.5, max_tokens=7).complete(HELLO) == "Hi."
    (request,) = script.requests
    assert request == {
        "path": "/v1/chat/completions",
        "model": "m",
        "messages": HELLO,
        "temperature": 0.5,
        "max_tokens": 7,
    }


@pytest.mark.parametrize("status", [429, 500, 503])
def test_repeats_what_failed_for_a_while(serve: Serve, status: int) -> None:
    script = serve(status, status, "late")
    assert Endpoint(script.url, "m", retries=2).complete(HELLO) == "late"
    assert len(script.requests) == 3


def test_gives_up_with_what_to_do(serve: Serve) -> None:
    script = serve(500)
    with pytest.raises(UserError, match=r"model m: .*scripted failure[\s\S]*/v1"):
        Endpoint(script.url, "m", retries=1).complete(HELLO)
    assert len(script.requests) == 2


def test_does_not_repeat_what_is_refused(serve: Serve) -> None:
    script = serve(401)
    with pytest.raises(UserError, match="scripted failure 401"):
        Endpoint(script.url, "m").complete(HELLO)
    assert len(script.requests) == 1


def test_nobody_answers() -> None:
    with pytest.raises(UserError, match="check the URL"):
        Endpoint("http://127.0.0.1:9/v1", "m", retries=0).complete(HELLO)


@pytest.mark.parametrize("body", [{"choices": []}, {"choices": None}, {"hello": "world"}])
def test_answer_is_no_completion(serve: Serve, body: dict[str, object]) -> None:
    with pytest.raises(UserError, match="did not answer with a chat completion"):
        Endpoint(serve(body).url, "m").complete(HELLO)


def test_empty_content_is_an_empty_reply(serve: Serve) -> None:
    body = {"choices": [{"index": 0, "finish_reason": "stop", "message": {"content": None}}]}
    assert Endpoint(serve(body).url, "m").complete(HELLO) == ""


def test_the_same_request_is_sent_once(serve: Serve, tmp_path: Path) -> None:
    script = serve("first", "second")
    one = Endpoint(script.url, "m", cache=tmp_path)
    assert [one.complete(HELLO), one.complete(HELLO)] == ["first", "first"]
    # A new process finds it too.
    assert Endpoint(script.url, "m", cache=tmp_path).complete(HELLO) == "first"
    assert len(script.requests) == 1
    (file,) = tmp_path.rglob("*.json")
    assert json.loads(file.read_text())["request"]["messages"] == HELLO
    assert not list(tmp_path.rglob("*.part"))


@pytest.mark.parametrize("change", [{"model": "n"}, {"temperature": 1.0}, {"max_tokens": 3}])
def test_whatever_changes_the_reply_is_another_request(
    serve: Serve, tmp_path: Path, change: dict[str, object]
) -> None:
    script = serve("first", "second")
    options = {"model": "m", "cache": tmp_path}
    assert Endpoint(script.url, **options).complete(HELLO) == "first"  # type: ignore[arg-type]
    changed = Endpoint(script.url, **{**options, **change})  # type: ignore[arg-type]
    assert changed.complete(HELLO) == "second"


def test_a_damaged_cache_file_is_asked_again(serve: Serve, tmp_path: Path) -> None:
    script = serve("first", "second")
    endpoint = Endpoint(script.url, "m", cache=tmp_path)
    endpoint.complete(HELLO)
    (file,) = tmp_path.rglob("*.json")
    file.write_text('{"reply": ')
    assert endpoint.complete(HELLO) == "second"
    assert json.loads(file.read_text())["reply"] == "second"


def test_failures_are_not_kept(serve: Serve, tmp_path: Path) -> None:
    script = serve(401, "fine")
    endpoint = Endpoint(script.url, "m", cache=tmp_path)
    with pytest.raises(UserError):
        endpoint.complete(HELLO)
    assert endpoint.complete(HELLO) == "fine"


def test_the_key_is_not_shown() -> None:
    assert "secret" not in repr(Endpoint("http://x/v1", "m", api_key="secret"))


def test_without_the_client(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(UserError, match=r"\[infer\]"):
        Endpoint("http://127.0.0.1:9/v1", "m").complete(HELLO)
