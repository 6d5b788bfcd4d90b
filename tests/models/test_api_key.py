"""Where keys come from."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.errors import SetupError
from dragoman.models.api_key import read_api_key

VARIABLES = ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY", "GEMINI_API_KEY", "MISTRAL_API_KEY"]


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in [*VARIABLES, "DRAGOMAN_API_KEY"]:
        monkeypatch.delenv(variable, raising=False)


@pytest.mark.parametrize(
    ("provider", "variable"),
    [
        ("openai", "OPENAI_API_KEY"),
        ("openai-responses", "OPENAI_API_KEY"),
        ("anthropic", "ANTHROPIC_API_KEY"),
        ("google", "GOOGLE_API_KEY"),
    ],
)
def test_a_missing_key_names_its_variable(monkeypatch: pytest.MonkeyPatch, provider: str, variable: str) -> None:
    with pytest.raises(SetupError, match=f"Set the environment variable {variable}"):
        read_api_key(provider, None)
    monkeypatch.setenv(variable, " the-key\n")
    assert read_api_key(provider, None) == "the-key"


def test_other_names_are_looked_up_too(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_api_key("mistral", None) is None
    monkeypatch.setenv("MISTRAL_API_KEY", "m")
    monkeypatch.setenv("GEMINI_API_KEY", "g")
    assert read_api_key("mistral", None) == "m"
    assert read_api_key("google", None) == "g"


def test_a_server_of_this_machine_needs_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-openai")
    assert read_api_key("", "http://localhost:8080/v1") is None
    with pytest.raises(SetupError, match="DRAGOMAN_API_KEY"):
        read_api_key("", "https://models.example.com/v1")
    monkeypatch.setenv("DRAGOMAN_API_KEY", "key-of-the-server")
    assert read_api_key("", "https://models.example.com/v1") == "key-of-the-server"


def test_a_file_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-the-environment")
    file = tmp_path / "key"
    file.write_text("key-of-the-file\n")
    assert read_api_key("openai", None, file) == "key-of-the-file"


@pytest.mark.parametrize("content", [b"", b"\n", b"one-secret\ntwo-secret\n", b"\xff\xfe", "s\u00e9cret".encode()])
def test_a_file_that_holds_no_key_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "key"
    file.write_bytes(content)
    with pytest.raises(SetupError, match="key file") as caught:
        read_api_key("openai", None, file)
    assert "secret" not in str(caught.value)
    with pytest.raises(SetupError, match="Cannot read"):
        read_api_key("openai", None, tmp_path / "none")


def test_a_variable_that_holds_no_key_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "my secret")
    with pytest.raises(SetupError, match="OPENAI_API_KEY must hold a key alone") as caught:
        read_api_key("openai", None)
    assert "secret" not in str(caught.value)
