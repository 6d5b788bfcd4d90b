"""Snowflake's information schema and SHOW commands as a `Schema`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dragoman.databases.catalogue_query import catalogue_query
from dragoman.databases.information_schema import KeyColumn, information_schema
from dragoman.errors import QueryError
from dragoman.schema import Schema

Fetch = Callable[[str], list[dict[str, Any]]]


def snowflake_schema(fetch: Fetch, name: str) -> Schema:
    """Tables and views in six queries. What the role may not see Snowflake does not show.

    `fetch` gives rows by column name, in lower case. Keys that cannot be read are reported in `hidden`.
    """
    hidden: list[tuple[str, str]] = []
    keys: list[KeyColumn] = []
    for kind, read in (("PRIMARY", _key), ("UNIQUE", _key), ("IMPORTED", _reference)):
        try:
            keys += [read(row, kind) for row in fetch(f"SHOW {kind} KEYS IN DATABASE")]
        except QueryError as error:
            hidden.append((f"{kind.lower()} keys", str(error)))
    tables = information_schema(
        fetch(catalogue_query("snowflake", "tables")), fetch(catalogue_query("snowflake", "columns")), keys
    )
    default = fetch("SELECT current_schema() AS name")[0]["name"] or ""
    return Schema(tables, "snowflake", name, default, tuple(hidden))


def _key(row: dict[str, Any], kind: str) -> KeyColumn:
    place = (row["schema_name"], row["table_name"])
    name = "PRIMARY KEY" if kind == "PRIMARY" else "UNIQUE"
    return KeyColumn(*place, row["constraint_name"], name, row["column_name"], int(row["key_sequence"]))


def _reference(row: dict[str, Any], _: str) -> KeyColumn:
    return KeyColumn(
        row["fk_schema_name"],
        row["fk_table_name"],
        row["fk_name"],
        "FOREIGN KEY",
        row["fk_column_name"],
        int(row["key_sequence"]),
        row["pk_schema_name"],
        row["pk_table_name"],
        row["pk_column_name"],
    )
