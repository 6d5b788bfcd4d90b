"""How names of the schema are spelt in prompts, grammars and completions of the SQL adapter."""

from __future__ import annotations

from functools import cache

from dragoman.sql.quote import quote


@cache
def written(name: str) -> str:
    """The name in lower case, in double quotes where SQLite would read it as something else without them."""
    return quote(name.lower(), "sqlite")
