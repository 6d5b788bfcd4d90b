"""A model that never pays twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.models import (
    CachedModel,
    Choice,
    HostedModel,
    Message,
    Reply,
    ReplyCache,
    ScriptedModel,
    Settings,
    ToolCall,
    Usage,
)
from tests.models.chat_server import ChatServer

ASK = [Message("user", "how many?")]
PAID = Reply((Choice("SELECT 1", (ToolCall("1", "t", "{"),), (("SELECT", -0.5),), "stop"),), Usage(1, 10, 2), 0.25, 3.0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "replies.sqlite"


def test_a_stored_reply_costs_nothing_and_keeps_its_usage(path: Path) -> None:
    assert CachedModel(ScriptedModel([PAID]), path).complete(ASK) == PAID
    model = CachedModel(ScriptedModel([]), path)
    assert model.complete(ASK) == Reply(PAID.choices, PAID.usage, 0.0, 0.0, stored=True)
    assert model.saved == 0.25
    assert model.original_cost(ASK) == 0.25
    assert model.original_cost([Message("user", "other")]) is None


def test_an_unknown_cost_stays_unknown(path: Path) -> None:
    model = CachedModel(ScriptedModel([Reply((Choice("a"),), cost=None)]), path)
    model.complete(ASK)
    assert model.complete(ASK).cost == 0.0
    assert model.original_cost(ASK) is None


def test_samples_are_paid_one_by_one_and_shared_between_requests(path: Path) -> None:
    inner = ScriptedModel(["a", "b", "c", "d"])
    model = CachedModel(inner, path)
    assert [c.text for c in model.complete(ASK, settings=Settings(n=2)).choices] == ["a", "b"]
    assert [c.text for c in model.complete(ASK, settings=Settings(n=3)).choices] == ["a", "b", "c"]
    assert model.complete(ASK, settings=Settings(sample=1)).text == "b"
    assert len(inner.requests) == 3


def test_what_was_paid_stays_when_a_later_sample_fails(path: Path) -> None:
    with pytest.raises(RuntimeError):
        CachedModel(ScriptedModel(["a", RuntimeError("crash")]), path).complete(ASK, settings=Settings(n=2))
    assert CachedModel(ScriptedModel([]), path).complete(ASK).text == "a"


def test_a_stored_reply_is_shown_too(path: Path) -> None:
    heard: list[str] = []
    model = CachedModel(ScriptedModel(["SELECT 1 "]), path)
    model.complete(ASK, on_text=heard.append)
    model.complete(ASK, on_text=heard.append)
    assert "".join(heard) == "SELECT 1 SELECT 1 "


def test_models_and_parameters_do_not_mix(path: Path) -> None:
    cache = ReplyCache(path)
    CachedModel(ScriptedModel(["a"], name="one"), cache).complete(ASK)
    assert CachedModel(ScriptedModel(["b"], name="other"), cache).complete(ASK).text == "b"
    third = ScriptedModel(["c"], name="one")
    third.parameters = {"reasoning": "high"}  # type: ignore[attr-defined]
    assert CachedModel(third, cache).complete(ASK).text == "c"


def test_servers_do_not_mix_and_keys_are_not_kept(path: Path, server: ChatServer) -> None:
    key = "secret-key-0123456789"
    CachedModel(HostedModel("m", server.url, key), path).complete(ASK)
    CachedModel(HostedModel("m", server.url, "another-key"), path).complete(ASK)
    assert len(server.seen) == 1, "the key is no part of a request"
    CachedModel(HostedModel("m", server.root, key), path).complete(ASK)
    assert len(server.seen) == 2, "the address is"
    kept = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert b"SELECT 1" in kept
    assert key.encode() not in kept
    assert b"how many" not in kept
