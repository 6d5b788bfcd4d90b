"""Servers that misbehave: every request ends as `provider_errors` says, and no secret is told."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from typing import Any

import pytest

from dragoman.errors import BudgetSpent, DragomanError, ModelError, ModelUnavailable, SetupError
from dragoman.models import Backoff, HostedModel, Message, OnText, Reply, RetryingModel
from tests.models.chat_server import (
    Behaviour,
    ChatServer,
    Handler,
    answer_status,
    close_in_stream,
    cut,
    cut_in_stream,
    hang,
    say,
)

ASK = [Message("user", "How many singers?")]
KEY = "secret-key-0123456789"
LISTENERS = [None, lambda text: None]
EMPTY = '{"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": []}'


def hosted(server: ChatServer, timeout: float = 20.0) -> HostedModel:
    return HostedModel("some-model", server.url, KEY, timeout)


@pytest.mark.parametrize("listen", LISTENERS, ids=["whole", "streamed"])
@pytest.mark.parametrize(
    ("status", "kind", "words"),
    [
        (400, ModelError, "rejected the request"),
        (401, SetupError, "refused the key"),
        (402, BudgetSpent, "no credit"),
        (403, SetupError, "refused the key"),
        (404, SetupError, "was not found"),
        (408, ModelUnavailable, ""),
        (413, ModelError, ""),
        (422, ModelError, "rejected the request"),
        (429, ModelUnavailable, "status 429"),
        (500, ModelUnavailable, "status 500"),
        (502, ModelUnavailable, "status 502"),
        (503, ModelUnavailable, "status 503"),
        (529, ModelUnavailable, "status 529"),
    ],
)
def test_statuses(
    server: ChatServer, status: int, kind: type[DragomanError], words: str, listen: OnText | None
) -> None:
    server.behaviours.append(answer_status(status, '{"error": {"message": "The reason."}}'))
    with pytest.raises(DragomanError) as caught:
        hosted(server).complete(ASK, on_text=listen)
    assert type(caught.value) is kind
    assert words in str(caught.value)
    assert "some-model at http://127.0.0.1" in str(caught.value)
    assert status == 408 or "The reason" in str(caught.value)
    assert len(server.seen) == 1, "the client's own retries are off"


@pytest.mark.parametrize("listen", LISTENERS, ids=["whole", "streamed"])
@pytest.mark.parametrize(
    "behaviour",
    [
        answer_status(200, "{not json"),
        answer_status(200, ""),
        answer_status(200, "<html>Welcome</html>", Content_Type="text/html"),
        answer_status(200, "[]"),
        answer_status(200, "null"),
        answer_status(200, "{}"),
        answer_status(200, EMPTY),
        answer_status(200, '{"choices": [{"message": 5}]}'),
        answer_status(200, '{"error": {"message": "overloaded"}}'),
        answer_status(200, "data: {not json\n\n", Content_Type="text/event-stream"),
        answer_status(200, "data: [DONE]\n\n", Content_Type="text/event-stream"),
        cut,
    ],
)
def test_replies_that_cannot_be_read(server: ChatServer, behaviour: Behaviour, listen: OnText | None) -> None:
    server.behaviours.append(behaviour)
    with pytest.raises(ModelUnavailable, match="some-model at http"):
        hosted(server).complete(ASK, on_text=listen)


@pytest.mark.parametrize("listen", LISTENERS, ids=["whole", "streamed"])
def test_a_hang_ends_with_the_timeout(server: ChatServer, listen: OnText | None) -> None:
    server.behaviours.append(hang)
    with pytest.raises(ModelUnavailable, match="did not answer in time"):
        hosted(server, timeout=0.2).complete(ASK, on_text=listen)


def test_a_hang_in_a_stream_ends_with_the_timeout(server: ChatServer) -> None:
    server.behaviours.append(say("one two three", pause=30.0))
    heard: list[str] = []
    with pytest.raises(ModelUnavailable, match="did not answer in time"):
        hosted(server, timeout=0.5).complete(ASK, on_text=heard.append)
    assert heard == ["one "]


def test_a_slow_stream_is_heard_to_its_end(server: ChatServer) -> None:
    server.behaviours.append(say("one two three", pause=0.1))
    assert hosted(server).complete(ASK, on_text=lambda text: None).text == "one two three"


def test_the_deadline_ends_a_stream_that_never_does(server: ChatServer) -> None:
    server.behaviours.append(say("word " * 1000, pause=0.05))
    model = HostedModel("some-model", server.url, KEY, timeout=20.0, deadline=0.5)
    with pytest.raises(ModelUnavailable, match="did not answer in time"):
        model.complete(ASK, on_text=lambda text: None)


@pytest.mark.parametrize("broken", [cut_in_stream("SELECT one two"), close_in_stream("SELECT one two")])
def test_a_stream_that_breaks_is_no_reply(server: ChatServer, broken: Behaviour) -> None:
    server.behaviours.append(broken)
    heard: list[str] = []
    with pytest.raises(ModelUnavailable):
        hosted(server).complete(ASK, on_text=heard.append)
    assert "".join(heard).startswith("SELECT")


@pytest.mark.parametrize("name", ["anthropic:claude-sonnet-4-6", "google:gemini-2.5-flash"])
def test_other_providers_break_in_the_same_way(server: ChatServer, name: str) -> None:
    model = HostedModel(name, server.root, KEY, timeout=20.0)
    breaks: list[tuple[Behaviour, type[DragomanError]]] = [
        (answer_status(500), ModelUnavailable),
        (answer_status(429, Retry_After="3"), ModelUnavailable),
        (answer_status(200, "{not json"), ModelUnavailable),
        (cut, ModelUnavailable),
        (answer_status(401), SetupError),
        (answer_status(404), SetupError),
    ]
    for listen in LISTENERS:
        for behaviour, kind in breaks:
            server.behaviours.append(behaviour)
            with pytest.raises(DragomanError) as caught:
                model.complete(ASK, on_text=listen)
            assert type(caught.value) is kind, caught.value
    assert len(server.seen) == 2 * len(breaks)


def test_retries_mend_what_passes(server: ChatServer) -> None:
    waits: list[float] = []
    model = RetryingModel(hosted(server), Backoff(first=0.01), sleep=waits.append)
    passing: list[Behaviour] = [answer_status(429, Retry_After="7"), answer_status(500), cut]
    server.behaviours += passing
    assert model.complete(ASK).text == "SELECT 1"
    assert len(server.seen) == 4
    assert waits[0] == 7.0
    server.behaviours += [answer_status(200, "{not json")] * 4
    with pytest.raises(ModelUnavailable, match=r"cannot be read .* Tried 4 times"):
        model.complete(ASK)


def test_a_broken_stream_is_mended_without_repeating_itself(server: ChatServer) -> None:
    server.behaviours += [cut_in_stream("SELECT one"), say("SELECT one two")]
    heard: list[str] = []
    reply = RetryingModel(hosted(server), Backoff(first=0.001)).complete(ASK, on_text=heard.append)
    assert reply.text == "".join(heard) == "SELECT one two"


def test_nobody_listens() -> None:
    for address in ("http://127.0.0.1:9/v1", "http://no-such-host.invalid/v1"):
        with pytest.raises(SetupError, match=r"Cannot connect to m at http.* Check the base URL"):
            HostedModel("m", address, timeout=5.0).complete(ASK)


def test_a_server_that_goes_away_may_come_back(server: ChatServer) -> None:
    def answer_and_close(handler: Handler, body: dict[str, Any]) -> None:
        say()(handler, body)
        handler.close_connection = True

    server.behaviours.append(answer_and_close)
    model = hosted(server)
    model.complete(ASK)
    server.http.shutdown()
    server.http.server_close()
    with pytest.raises(ModelUnavailable, match="was lost"):
        model.complete(ASK)


def complaints(server: ChatServer) -> list[Callable[[], Reply]]:
    """Requests that end in an error whose body repeats the key, whole, in part, or masked."""
    bodies = [
        f'{{"error": {{"message": "Incorrect API key provided: {KEY}."}}}}',
        f'{{"error": {{"message": "Bad header Authorization: Bearer {KEY}"}}}}',
        f"plain text {KEY[:12]} and {KEY[4:]}",
        '{"error": "sk-abcdef************wxyz is wrong"}',
    ]
    for body in bodies:
        for status in (400, 401, 429, 500):
            server.behaviours.append(answer_status(status, body))
    return [lambda: hosted(server).complete(ASK)] * len(server.behaviours)


def test_no_error_and_no_log_tells_the_key(server: ChatServer, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    for complain in complaints(server):
        try:
            complain()
        except DragomanError as error:
            told = f"{error!r} {error} {error.__cause__} {''.join(traceback.format_exception(error))}"
        assert KEY[:8] not in told
        assert KEY[-8:] not in told
        assert "wxyz" not in told
    assert all(seen.headers["authorization"] == f"Bearer {KEY}" for seen in server.seen)
    logged = "\n".join(str(record.__dict__) for record in caplog.records)
    assert KEY not in logged
