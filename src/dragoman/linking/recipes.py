"""How each dialect says what models get wrong: arrays, structs, JSON paths, case, sharded tables, NULLs at the end."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType

KINDS = ("array", "values", "struct", "json", "contains", "shards", "nulls_last")
_SAME = {"mariadb": "mysql", "redshift": "postgres", "spark": "databricks"}


def recipes(dialect: str) -> Mapping[str, str]:
    """One SQL statement for each of `KINDS`, from recipes.toml; nothing for a dialect that is not there."""
    return _all().get(_SAME.get(dialect, dialect), MappingProxyType({}))


@cache
def _all() -> Mapping[str, Mapping[str, str]]:
    found = tomllib.loads(resources.files("dragoman.linking").joinpath("recipes.toml").read_text("utf-8"))
    return {dialect: MappingProxyType(statements) for dialect, statements in found.items()}
