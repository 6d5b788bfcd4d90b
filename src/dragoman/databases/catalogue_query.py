"""The catalogue queries, one .sql file each, in a folder per engine."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def catalogue_query(engine: str, query: str) -> str:
    """The text of catalogue/<engine>/<query>.sql."""
    return files("dragoman.databases").joinpath("catalogue", engine, f"{query}.sql").read_text(encoding="utf-8")
