"""DuckDB's catalogue as a `Schema`, in three queries whatever the number of tables."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dragoman.databases.catalogue_query import catalogue_query
from dragoman.databases.nested_paths import nested_paths, split_list
from dragoman.schema import Column, ForeignKey, Schema, Table
from dragoman.schema.schema import TableKind

Fetch = Callable[[str], Sequence[tuple[Any, ...]]]
Place = tuple[str, str]


def duckdb_schema(fetch: Fetch, name: str, files: Mapping[str, tuple[int | None, tuple[str, ...]]]) -> Schema:
    """All tables and views. Temporary views stand in the default schema, in place of the tables that they shadow.

    `files` gives row counts and member files of the views that stand for data files.
    """
    default = str(fetch("SELECT current_schema()")[0][0])
    columns: defaultdict[Place, list[tuple[Any, ...]]] = defaultdict(list)
    for row in fetch(catalogue_query("duckdb", "columns")):
        columns[row[0], row[1]].append(row)
    keys: defaultdict[Place, list[tuple[Any, ...]]] = defaultdict(list)
    for row in fetch(catalogue_query("duckdb", "keys")):
        keys[row[0], row[1]].append(row[2:])
    found: dict[Place, Table] = {}
    for schema, table, kind, comment, rows in sorted(fetch(catalogue_query("duckdb", "tables")), key=lambda r: r[0]):
        place = (schema or default, table)  # temporary views sort first, so a later namesake is the shadowed one
        if place in found:
            continue
        count, members = files.get(table, (rows, ()))
        made = _table(place, columns[schema, table], keys[schema, table])
        sort: TableKind = "external" if members else kind
        found[place] = replace(made, kind=sort, comment=comment or "", rows=count, members=members)
    return Schema(tuple(found[place] for place in sorted(found)), "duckdb", name, default)


def _table(place: Place, columns: Sequence[tuple[Any, ...]], keys: Sequence[tuple[Any, ...]]) -> Table:
    primary: Sequence[str] = next((names for sort, names, _, _ in keys if sort == "PRIMARY KEY"), [])
    return Table(
        place[1],
        tuple(_column(row, primary) for row in columns),
        schema=place[0],
        foreign_keys=tuple(
            ForeignKey(tuple(names), target, tuple(targets))
            for sort, names, target, targets in keys
            if sort == "FOREIGN KEY"
        ),
        unique=tuple(tuple(names) for sort, names, _, _ in keys if sort == "UNIQUE"),
    )


def _column(row: tuple[Any, ...], primary: Sequence[str]) -> Column:
    _, _, name, spelling, nullable, comment, default, generated = row
    return Column(
        name,
        spelling,
        nullable,
        primary.index(name) + 1 if name in primary else 0,
        comment or "",
        None if generated else default,
        generated,
        _labels(spelling),
        nested_paths(spelling),
    )


def _labels(spelling: str) -> tuple[str, ...]:
    enum = re.fullmatch(r"ENUM\((.*)\)(?:\[\d*\])*", spelling, re.DOTALL)
    return tuple(label[1:-1].replace("''", "'") for label in split_list(enum[1])) if enum else ()
