"""Which providers there are, and which one a model's name means."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from dragoman.errors import SetupError

FORMS = (
    "embedded, embedded:FILE.gguf, openai:NAME, anthropic:NAME, google:NAME, another provider of pydantic-ai, "
    "recorded:FILE, scripted:FILE, or a NAME with the base URL of an OpenAI-compatible server"
)
"""What a model's name can look like."""

_BY_HAND = ("openai-chat", "openai-responses")


def split_model_name(name: str, base_url: str | None) -> tuple[str, str]:
    """Provider and the provider's name of the model. The provider is "" for an OpenAI-compatible server.

    With a base URL, a first part that is no provider belongs to the name ("qwen3:8b"). Raises `SetupError` naming
    what is possible where the name means no model, or naming the extra where pydantic-ai is not installed.
    """
    provider, separator, rest = name.partition(":")
    if separator and rest and provider in _providers():
        return provider, rest
    if base_url and name:
        _providers()  # without a colon nothing has asked yet whether pydantic-ai is there
        return "", name
    raise SetupError(f"There is no model {name!r}. Name one of: {FORMS}.")


def _providers() -> frozenset[str]:
    """Read from pydantic-ai's folder, without importing it, which takes seconds."""
    found = importlib.util.find_spec("pydantic_ai")
    if found is None or found.origin is None:
        raise SetupError("Hosted models need more packages. Install them with: pip install 'dragoman[hosted]'")
    files = (Path(found.origin).parent / "providers").glob("[a-z]*.py")
    return frozenset((*_BY_HAND, *(file.stem.replace("_", "-") for file in files)))
