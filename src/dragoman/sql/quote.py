"""Identifiers as each dialect wants them written."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources

from dragoman.schema import Schema, Table

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_FOLDS = {"postgres": str.lower, "redshift": str.lower, "snowflake": str.upper, "oracle": str.upper}
_BACKTICK = frozenset(
    {"mysql", "bigquery", "databricks", "spark", "spark2", "hive", "doris", "starrocks", "singlestore"}
)


def quote(name: str, dialect: str) -> str:
    """The name as it is written in SQL of that dialect, in quotes only where it would mean something else without.

    `name` is spelled as the engine reports it, so a name that the engine would fold to another case is quoted, and so
    are reserved words and everything that is not a plain ASCII word. The empty name is quoted too.
    """
    fold = _FOLDS.get(dialect, str)
    plain = _PLAIN.fullmatch(name) is not None and fold(name) == name and name.lower() not in _reserved(dialect)
    return name if plain else quote_always(name, dialect)


def quote_always(name: str, dialect: str) -> str:
    """The name in the quotes of that dialect, whatever characters it holds."""
    if dialect == "tsql":
        return "[" + name.replace("]", "]]") + "]"
    if dialect == "bigquery":
        return "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"
    if dialect == "clickhouse":
        return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
    mark = "`" if dialect in _BACKTICK else '"'
    return mark + name.replace(mark, mark * 2) + mark


def quote_table(table: Table, schema: Schema) -> str:
    """The table's name, qualified by its schema outside the default schema, each part quoted where needed."""
    parts = table.full_name if table.schema != schema.default_schema else (table.name,)
    return ".".join(quote(part, schema.dialect) for part in parts)


@cache
def _reserved(dialect: str) -> frozenset[str]:
    lists = tomllib.loads(resources.files("dragoman.sql").joinpath("words/reserved.toml").read_text(encoding="utf-8"))
    texts = [lists[dialect]] if dialect in lists else list(lists.values())
    return frozenset(word for text in texts for word in text.split())
