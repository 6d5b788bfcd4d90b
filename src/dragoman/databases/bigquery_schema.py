"""BigQuery's information schemas, one a dataset, as a `Schema`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from dragoman.databases.catalogue_query import catalogue_query
from dragoman.databases.information_schema import KeyColumn, information_schema
from dragoman.errors import QueryError
from dragoman.schema import Schema
from dragoman.sql.quote import quote_always

Fetch = Callable[[str], list[dict[str, Any]]]


def bigquery_schema(fetch: Fetch, project: str, datasets: Sequence[str], name: str) -> Schema:
    """Tables and views in four queries, each over all datasets.

    Descriptions of columns and keys need more than the right to read; without it they are reported in `hidden`. Row
    counts are not read: BigQuery keeps them where a mere reader may not look. Multi-column foreign keys have no
    target columns, as BigQuery does not say which goes with which.
    """
    if not datasets:
        return Schema((), "bigquery", name)
    hidden: list[tuple[str, str]] = []

    def ask(query: str, order: str) -> list[dict[str, Any]]:
        text = catalogue_query("bigquery", query)
        places = [quote_always(project, "bigquery") + "." + quote_always(dataset, "bigquery") for dataset in datasets]
        union = "\nUNION ALL\n".join(text.replace("{dataset}", place) for place in places)
        return fetch(f"{union}\nORDER BY {order}")

    def ask_if_allowed(query: str, order: str) -> list[dict[str, Any]]:
        try:
            return ask(query, order)
        except QueryError as error:
            hidden.append((query, str(error)))
            return []

    tables = ask("tables", "table_schema, table_name")
    for row in tables:
        row["comment"] = _unquoted(row["comment"])
    comments = {
        (row["table_schema"], row["table_name"], row["column_name"]): row["description"]
        for row in ask_if_allowed("descriptions", "table_schema, table_name, column_name")
    }
    columns = ask("columns", "table_schema, table_name, ordinal_position")
    for row in columns:
        row["comment"] = comments.get((row["table_schema"], row["table_name"], row["column_name"]))
    keys = list(_keys(ask_if_allowed("keys", "table_schema, table_name, constraint_name, ordinal_position")))
    default = datasets[0] if len(datasets) == 1 else ""
    return Schema(information_schema(tables, columns, keys), "bigquery", name, default, tuple(hidden))


def _keys(rows: list[dict[str, Any]]) -> Iterator[KeyColumn]:
    found: dict[tuple[str, str, str, str], list[dict[str, Any]]] = {}
    for row in rows:
        place = (row["table_schema"], row["table_name"], row["constraint_name"], row["column_name"])
        found.setdefault(place, []).append(row)
    for (schema, table, key, column), targets in found.items():
        first = targets[0]
        yield KeyColumn(
            schema,
            table,
            key,
            first["constraint_type"],
            column,
            int(first["ordinal_position"]),
            first["target_schema"] or "",
            first["target"] or "",
            (first["target_column"] or "") if len(targets) == 1 else "",
        )


def _unquoted(literal: str | None) -> str:
    """BigQuery gives a description as an SQL literal."""
    if not literal:
        return ""
    try:
        return str(json.loads(literal))
    except ValueError:
        return literal.strip("\"'")
