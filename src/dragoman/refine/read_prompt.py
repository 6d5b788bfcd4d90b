"""The prompts of this room, filled in."""

from __future__ import annotations

from importlib import resources
from string import Template


def read_prompt(name: str, /, **values: object) -> str:
    """The prompt `prompts/<name>.md` with `$name` replaced by the value of that name; every name must be given."""
    text = resources.files("dragoman.refine").joinpath(f"prompts/{name}.md").read_text("utf-8")
    return Template(text.strip()).substitute(values)
