"""MariaDB's (and MySQL's) information schema as a `Schema`, in four or five queries whatever the number of tables."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from dragoman.databases.catalogue_query import catalogue_query
from dragoman.databases.nested_paths import split_list
from dragoman.schema import Column, ForeignKey, Schema, Table

Fetch = Callable[[str], Sequence[tuple[Any, ...]]]
Place = tuple[str, str]


def mariadb_schema(fetch: Fetch, name: str, database: str, mariadb: bool = True) -> Schema:
    """The tables of `database`, or of all databases that the account may read if it is "".

    What MariaDB does not show to an account (whole databases and tables without any privilege) cannot be reported
    as hidden; tables that it shows but does not let the account read, and broken views, are. `mariadb` is False for
    MySQL, which has a type for JSON.
    """
    columns = _grouped(fetch(catalogue_query("mariadb", "columns")))
    keys = _grouped(fetch(catalogue_query("mariadb", "keys")))
    foreign = _grouped(fetch(catalogue_query("mariadb", "foreign_keys")))
    found = fetch(catalogue_query("mariadb", "tables"))
    parts: defaultdict[Place, list[tuple[Any, ...]]] = defaultdict(list)
    if any("partitioned" in (row[5] or "") for row in found):
        parts = _grouped(fetch(catalogue_query("mariadb", "partitions")))
    documents = set(fetch(catalogue_query("mariadb", "json_columns"))) if mariadb else set()
    tables: list[Table] = []
    hidden: list[tuple[str, str]] = []
    for row in found:
        place = (row[0], row[1])
        shown = [column for column in columns[place] if "select" in column[6].split(",")]
        closed = [column for column in columns[place] if column not in shown]
        shown = [(c[0], "json" if (*place, c[0]) in documents else c[1], *c[2:]) for c in shown]
        if "VIEW" in row[2] and "references invalid" in (row[3] or ""):
            hidden.append((".".join(place), row[3]))
        elif not shown:
            hidden.append((".".join(place), "no SELECT privilege"))
        else:
            tables.append(_table(row, shown, keys[place], foreign[place], [part[0] for part in parts[place]]))
            hidden += [(".".join((*place, column[0])), "no SELECT privilege") for column in closed]
    return Schema(tuple(tables), "mysql", name, database, tuple(hidden))


def _table(
    row: tuple[Any, ...],
    columns: Sequence[tuple[Any, ...]],
    keys: Sequence[tuple[Any, ...]],
    foreign_keys: Sequence[tuple[Any, ...]],
    members: Sequence[str],
) -> Table:
    schema, name, kind, comment, rows, _ = row
    indexes: defaultdict[str, list[str | None]] = defaultdict(list)
    for index, column in keys:
        indexes[index].append(column)
    primary = indexes.pop("PRIMARY", [])
    return Table(
        name,
        tuple(_column(column, primary) for column in columns),
        "view" if "VIEW" in kind else "table",
        schema,
        "" if "VIEW" in kind else comment or "",
        _foreign_keys(schema, foreign_keys),
        tuple(tuple(filter(None, key)) for key in indexes.values() if None not in key),
        rows,
        tuple(members),
    )


def _foreign_keys(schema: str, rows: Sequence[tuple[Any, ...]]) -> tuple[ForeignKey, ...]:
    keys: defaultdict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for row in rows:
        keys[row[0]].append(row[1:])
    return tuple(
        ForeignKey(
            tuple(row[0] for row in key),
            key[0][2],
            tuple(row[3] for row in key),
            "" if key[0][1] == schema else key[0][1],
        )
        for key in keys.values()
    )


def _column(row: tuple[Any, ...], primary: Sequence[str | None]) -> Column:
    name, spelling, nullable, comment, default, extra, _ = row
    generated = "GENERATED" in extra.upper() and "DEFAULT_GENERATED" not in extra.upper()
    enum = re.fullmatch(r"(?:enum|set)\((.*)\)", spelling, re.DOTALL | re.IGNORECASE)
    labels = tuple(label[1:-1].replace("''", "'") for label in split_list(enum[1])) if enum else ()
    return Column(
        name,
        spelling,
        nullable == "YES",
        primary.index(name) + 1 if name in primary else 0,
        comment or "",
        None if generated or default in (None, "NULL") else default,
        generated,
        labels,
    )


def _grouped(rows: Sequence[tuple[Any, ...]]) -> defaultdict[Place, list[tuple[Any, ...]]]:
    found: defaultdict[Place, list[tuple[Any, ...]]] = defaultdict(list)
    for row in rows:
        found[row[0], row[1]].append(row[2:])
    return found
