"""From a name to a model."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from dragoman.errors import BudgetSpent, SetupError
from dragoman.models import Budget, CachedModel, Message, RecordedModel, RetryingModel, ScriptedModel, open_model
from tests.models.chat_server import ChatServer, answer_status

ASK = [Message("user", "how many?")]


@pytest.mark.parametrize("name", ["", "gpt-5", "openai:", "nobody:gpt-5", "recorded", "scripted:", ":x"])
def test_an_unknown_name_lists_what_is_possible(name: str) -> None:
    with pytest.raises(SetupError) as caught:
        open_model(name)
    for form in ("embedded", "openai:NAME", "anthropic:NAME", "google:NAME", "recorded:FILE", "scripted:FILE"):
        assert form in str(caught.value)


def test_a_missing_key_names_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    with pytest.raises(SetupError, match="ANTHROPIC_API_KEY"):
        open_model("anthropic:claude")


def test_a_name_with_a_base_url_is_a_server(server: ChatServer) -> None:
    for name in ("qwen3:8b", "some/model"):
        model = open_model(name, base_url=server.url)
        assert isinstance(model, RetryingModel)
        assert model.local
        assert model.complete(ASK).text == "SELECT 1"
    assert [seen.body["model"] for seen in server.seen] == ["qwen3:8b", "some/model"]


def test_hosted_models_are_retried_cached_and_budgeted(server: ChatServer, tmp_path: Path) -> None:
    server.behaviours.append(answer_status(500, Retry_After="0"))
    budget = Budget(calls=2)
    model = open_model("m", base_url=server.url, cache=tmp_path / "replies.sqlite", budget=budget)
    assert isinstance(model, CachedModel)
    assert [model.complete(ASK).stored for _ in range(3)] == [False, True, True]
    assert len(server.seen) == 2, "every try is a call"
    assert budget.spent[0] == 2
    with pytest.raises(BudgetSpent):
        model.complete([Message("user", "other")])


def test_the_key_reaches_its_server_alone(server: ChatServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-openai")
    monkeypatch.setenv("DRAGOMAN_API_KEY", "key-of-the-server")
    open_model("m", base_url=server.url).complete(ASK)
    open_model("openai:m", base_url=server.url).complete(ASK)
    assert [s.headers["authorization"] for s in server.seen] == ["Bearer key-of-the-server", "Bearer key-of-openai"]


def test_files(tmp_path: Path) -> None:
    script, recording = tmp_path / "script.jsonl", tmp_path / "recording.jsonl"
    script.write_text('"SELECT 1"\n')
    assert open_model(f"scripted:{script}").complete(ASK).text == "SELECT 1"
    RecordedModel(recording, ScriptedModel(["SELECT 2"]), "record").complete(ASK)
    assert open_model(f"recorded:{recording}").complete(ASK).text == "SELECT 2"
    with pytest.raises(SetupError, match="Check the path"):
        open_model(f"recorded:{tmp_path / 'none'}")


def test_importing_the_room_imports_no_client_and_no_runtime() -> None:
    code = (
        "import sys, dragoman.models; from dragoman.models import HostedModel; HostedModel('m', 'http://localhost/v1');"
        "print([m for m in ('pydantic_ai', 'openai', 'anthropic', 'google.genai', 'xllamacpp', 'genai_prices',"
        " 'asyncio') if m in sys.modules])"
    )
    output = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert output.stdout.strip() == "[]"


def test_a_missing_extra_is_named() -> None:
    code = """
import importlib.util, sys
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name in ("pydantic_ai", "xllamacpp") else found(name)
from dragoman.errors import SetupError
from dragoman.models import open_model
for name, address in (("openai:gpt-5", None), ("qwen", "http://localhost:8000/v1"), ("embedded", None)):
    try:
        open_model(name, base_url=address)
    except SetupError as error:
        print(error)
"""
    output = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert output.stdout.count("pip install 'dragoman[hosted]'") == 2
    assert "pip install 'dragoman[embedded]'" in output.stdout
