"""Providers that cannot be connected to, each with one sentence that names the next step."""

from __future__ import annotations

import importlib.util

import pytest

from dragoman.errors import SetupError
from dragoman.models import HostedModel, Message

ASK = [Message("user", "How many singers?")]


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("OPENROUTER_API_KEY", "AZURE_OPENAI_ENDPOINT", "OLLAMA_BASE_URL", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(variable, raising=False)


@pytest.mark.parametrize(
    ("model", "variable"),
    [
        ("anthropic:m", "ANTHROPIC_API_KEY"),
        ("openrouter:m", "OPENROUTER_API_KEY"),
        ("azure:m", "AZURE_OPENAI_ENDPOINT"),
        ("ollama:m", "OLLAMA_BASE_URL"),
    ],
)
def test_what_is_missing_in_the_environment_is_named(model: str, variable: str) -> None:
    with pytest.raises(SetupError, match=f"needs the environment variable {variable}"):
        HostedModel(model).complete(ASK)


def test_a_provider_without_its_package_names_it() -> None:
    if importlib.util.find_spec("groq"):
        pytest.skip("the package of this provider is installed")
    with pytest.raises(SetupError, match=r"pip install 'pydantic-ai-slim\[groq\]'"):
        HostedModel("groq:m", None, "key").complete(ASK)


def test_a_provider_with_an_address_of_its_own_takes_no_other() -> None:
    with pytest.raises(SetupError, match="deepseek takes no base URL"):
        HostedModel("deepseek:m", "http://127.0.0.1:9/v1", "key").complete(ASK)
