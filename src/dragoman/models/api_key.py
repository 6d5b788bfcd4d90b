"""Where the key of a provider comes from: an environment variable, or a file."""

from __future__ import annotations

import os
from pathlib import Path

from dragoman.errors import SetupError
from dragoman.models.base_url import is_loopback

SERVER_KEY = "DRAGOMAN_API_KEY"
"""The variable for servers that are named by their base URL alone."""

_VARIABLES = {
    "": (SERVER_KEY,),
    "google": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    "openai-chat": ("OPENAI_API_KEY",),
    "openai-responses": ("OPENAI_API_KEY",),
}
_REQUIRED = ("", "openai", "openai-chat", "openai-responses", "anthropic", "google")


def read_api_key(provider: str, base_url: str | None, file: Path | None = None) -> str | None:
    """The key for a provider ("" for an OpenAI-compatible server), from `file` or else from the environment.

    None where the server is on this machine, or where the provider may do without. Raises `SetupError` naming the
    variable where a key is missing, or the variable or file that holds no key.
    """
    if file is not None:
        return _read(file)
    variables = _VARIABLES.get(provider, (f"{provider.upper().replace('-', '_')}_API_KEY",))
    for variable in variables:
        if key := os.environ.get(variable, "").strip():
            return _checked(key, f"The environment variable {variable}")
    if provider in _REQUIRED and not (base_url and is_loopback(base_url)):
        what = f"The provider {provider}" if provider else f"The server {base_url}"
        raise SetupError(f"{what} needs a key. Set the environment variable {variables[0]}.")
    return None


def _read(file: Path) -> str:
    try:
        key = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        raise SetupError(f"Cannot read the key file {file}. Check its path and that it may be read.") from None
    return _checked(key, f"The key file {file}")


def _checked(key: str, source: str) -> str:
    if not key or not key.isascii() or not key.isprintable() or " " in key:
        raise SetupError(f"{source} must hold a key alone, without spaces, line breaks or accents. Mend it.")
    return key
