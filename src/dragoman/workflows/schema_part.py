"""The part of a schema that a model chose, and what it wrote to choose it."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from dragoman.schema import ForeignKey, Schema, Table
from dragoman.sql.extract import without_thoughts

FullName = tuple[str, ...]
Chosen = Mapping[FullName, tuple[str, ...]]
"""Columns by the full name of their table, in the order in which they were chosen; () names the table alone."""

_KEPT_WHOLE = ("keep_all", "*", "all")


def schema_part(schema: Schema, chosen: Mapping[FullName, Collection[str] | None], keys: bool = True) -> Schema:
    """The chosen tables with the chosen columns, all of them for None, in the schema's order.

    The columns of foreign keys between chosen tables stay, at both ends, and with `keys` primary keys too. Foreign
    keys that lead elsewhere are left out.
    """
    inside = [table for table in schema if table.full_name in chosen]
    kept = {table.full_name: set(_wanted(table, chosen[table.full_name], keys)) for table in inside}
    for table in inside:
        for key, target in _inner_keys(schema, table, kept):
            kept[table.full_name].update(key.columns)
            kept[target.full_name].update(key.target_columns)
    return replace(
        schema,
        tables=tuple(
            replace(
                table,
                columns=tuple(c for c in table.columns if c.name in kept[table.full_name]),
                foreign_keys=tuple(key for key, _ in _inner_keys(schema, table, kept)),
            )
            for table in inside
        ),
    )


def read_tables(text: str, schema: Schema) -> tuple[FullName, ...]:
    """The tables that a reply lists, in order and once each, names that are not there left out.

    Read is the last JSON list, list under "tables", or object with tables as its keys, in which there is one.
    """
    for value in json_values(text):
        listed = value.get("tables", list(value)) if isinstance(value, dict) else value
        if isinstance(listed, list) and (tables := _tables(schema, listed)):
            return tuple(dict.fromkeys(table.full_name for table in tables))
    return ()


def read_columns(text: str, schema: Schema) -> Chosen:
    """The columns that a reply names by table, names that are not there left out.

    Read is the last JSON object with {"table": ["column", ..]}, also below "tables", with "keep_all" for every column,
    or with lists of "table.column"; tables of such columns count as chosen.
    """
    for value in json_values(text):
        found: dict[FullName, dict[str, None]] = {}
        for name, item in _entries(value, schema) if isinstance(value, dict) else ():
            table = _table(schema, name)
            if table is None:
                table, item = _owner(schema, name)
            if table is not None:
                found.setdefault(table.full_name, {}).update(dict.fromkeys(_columns(table, item)))
        if found:
            return {name: tuple(columns) for name, columns in found.items()}
    return {}


def json_values(text: str) -> list[Any]:
    """The JSON objects and lists in a reply, whatever stands around them, the last first."""
    text = without_thoughts(text)
    decoder = json.JSONDecoder(strict=False)
    found: list[Any] = []
    position = 0
    while position < len(text):
        if text[position] in "{[":
            try:
                value, position = decoder.raw_decode(text, position)
                found.append(value)
                continue
            except (ValueError, RecursionError):
                pass
        position += 1
    return found[::-1]


def _entries(value: Mapping[str, Any], schema: Schema) -> Iterator[tuple[str, Any]]:
    """(table, columns) or (table.column, nothing) of everything in the object, whatever it calls its lists."""
    for name, item in value.items():
        if _table(schema, name) is not None:
            yield name, item
        elif isinstance(item, dict):
            yield from _entries(item, schema)
        elif isinstance(item, list):
            yield from ((text, []) for text in item if isinstance(text, str))


def _owner(schema: Schema, name: str) -> tuple[Table | None, list[str]]:
    """The table of "table.column", and the column."""
    owner, dot, column = name.strip().rpartition(".")
    return (_table(schema, owner) if dot else None), [column]


def _columns(table: Table, item: Any) -> Iterator[str]:
    if isinstance(item, str) and item.strip().lower() in _KEPT_WHOLE:
        yield from (column.name for column in table.columns)
    elif isinstance(item, dict):
        for inner in item.values():
            yield from _columns(table, inner)
    elif isinstance(item, list):
        for name in item:
            column = table.column(_bare(name.rpartition(".")[2])) if isinstance(name, str) else None
            if column is None and isinstance(name, str):
                column = table.column(_bare(name)) or table.column(_bare(name).split(".")[0])
            if column is not None:
                yield column.name


def _tables(schema: Schema, names: Iterable[Any]) -> list[Table]:
    found = (_table(schema, name) for name in names if isinstance(name, str))
    return [table for table in found if table is not None]


def _table(schema: Schema, name: str) -> Table | None:
    """The table of that name; what stands before the last dot is passed over where it names no namespace."""
    namespace, _, bare = (_bare(part) for part in name.strip().rpartition("."))
    known = namespace.lower() in {table.schema.lower() for table in schema}
    return schema.table(_bare(name)) or (schema.table(bare, namespace if known else "") if namespace else None)


def _bare(name: str) -> str:
    return name.strip().strip('`"[]')


def _wanted(table: Table, columns: Collection[str] | None, keys: bool) -> Iterator[str]:
    yield from (c.name for c in table.columns if columns is None or c.name in columns or (keys and c.primary_key))


def _inner_keys(schema: Schema, table: Table, inside: Collection[FullName]) -> Iterator[tuple[ForeignKey, Table]]:
    for key in table.foreign_keys:
        target = schema.table(key.target, key.target_schema or table.schema)
        if target is not None and target.full_name in inside:
            yield key, target
