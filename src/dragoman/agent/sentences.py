"""What the agent's machinery says: templates that stand beside the code."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from string import Template


def say(key: str, **words: object) -> str:
    """The sentence of that key in messages.toml, filled in."""
    return Template(_messages()[key]).substitute(words)


def prompt(name: str, **words: object) -> str:
    """The prompt of that name, filled in."""
    return Template(_prompt(name)).substitute(words)


def counted(number: int, noun: str) -> str:
    """`1 row`, `2,000 rows`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


@cache
def _messages() -> dict[str, str]:
    return tomllib.loads(_prompt("messages", "toml"))


@cache
def _prompt(name: str, ending: str = "md") -> str:
    return resources.files("dragoman.agent").joinpath(f"prompts/{name}.{ending}").read_text("utf-8")
