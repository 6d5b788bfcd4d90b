"""Rows of an information schema, by name, as tables. For the engines whose catalogues share that shape."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from dragoman.databases.nested_paths import nested_paths
from dragoman.schema import Column, ForeignKey, Table
from dragoman.schema.schema import TableKind

Place = tuple[str, str]

KINDS: dict[str, TableKind] = {
    "VIEW": "view",
    "MATERIALIZED VIEW": "materialized view",
    "EXTERNAL TABLE": "external",
    "EXTERNAL": "external",
}


@dataclass(frozen=True, slots=True)
class KeyColumn:
    """One column of a key. `kind` is "PRIMARY KEY", "UNIQUE" or "FOREIGN KEY"; the target is for the last alone."""

    schema: str
    table: str
    key: str
    kind: str
    column: str
    position: int
    target_schema: str = ""
    target: str = ""
    target_column: str = ""


def information_schema(
    tables: Iterable[Mapping[str, Any]], columns: Iterable[Mapping[str, Any]], keys: Iterable[KeyColumn]
) -> tuple[Table, ...]:
    """Tables in the order of `tables`.

    `tables` have table_schema, table_name, table_type, comment and row_count; `columns`, in order, have table_schema,
    table_name, column_name, data_type, is_nullable, comment and column_default.
    """
    by_table: defaultdict[Place, list[Mapping[str, Any]]] = defaultdict(list)
    for row in columns:
        by_table[row["table_schema"], row["table_name"]].append(row)
    grouped: defaultdict[Place, defaultdict[tuple[str, str], list[KeyColumn]]] = defaultdict(lambda: defaultdict(list))
    for part in sorted(keys, key=lambda part: part.position):
        grouped[part.schema, part.table][part.kind, part.key].append(part)
    return tuple(_table(row, by_table, grouped[row["table_schema"], row["table_name"]]) for row in tables)


def _table(
    row: Mapping[str, Any],
    columns: Mapping[Place, list[Mapping[str, Any]]],
    keys: Mapping[tuple[str, str], list[KeyColumn]],
) -> Table:
    schema, name = row["table_schema"], row["table_name"]
    of_kind: defaultdict[str, list[list[KeyColumn]]] = defaultdict(list)
    for (kind, _), parts in keys.items():
        of_kind[kind].append(parts)
    primary = [part.column for parts in of_kind["PRIMARY KEY"] for part in parts]
    rows = row.get("row_count")
    return Table(
        name,
        tuple(_column(column, primary) for column in columns.get((schema, name), ())),
        KINDS.get(str(row["table_type"]).upper(), "table"),
        schema,
        row.get("comment") or "",
        tuple(_foreign_key(schema, parts) for parts in of_kind["FOREIGN KEY"]),
        tuple(tuple(part.column for part in parts) for parts in of_kind["UNIQUE"]),
        None if rows is None else int(rows),
    )


def _foreign_key(schema: str, parts: list[KeyColumn]) -> ForeignKey:
    targets = tuple(part.target_column for part in parts)
    there = parts[0].target_schema
    return ForeignKey(
        tuple(part.column for part in parts),
        parts[0].target,
        targets if all(targets) else (),
        "" if there == schema else there,
    )


def _column(row: Mapping[str, Any], primary: list[str]) -> Column:
    name, spelling = row["column_name"], str(row["data_type"])
    default = row.get("column_default")
    return Column(
        name,
        spelling,
        str(row["is_nullable"]).upper() != "NO",
        primary.index(name) + 1 if name in primary else 0,
        row.get("comment") or "",
        None if default in (None, "NULL") else str(default),
        nested=nested_paths(spelling),
    )
