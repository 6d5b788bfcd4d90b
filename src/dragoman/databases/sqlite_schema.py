"""Introspection of SQLite in four catalogue queries, whatever the number of tables."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from dragoman.databases.ddl_comments import column_comments
from dragoman.schema import Column, ForeignKey, Schema, Table

TABLES = """
SELECT m.name, m.type, m.sql FROM sqlite_master AS m LEFT JOIN pragma_table_list AS l
  ON l.name = m.name AND l.schema = 'main'
WHERE m.type IN ('table', 'view') AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND coalesce(l.type, '') <> 'shadow'
ORDER BY m.rowid
"""
TEMP_VIEWS = "SELECT name, type, sql FROM sqlite_temp_master WHERE type = 'view' ORDER BY rowid"
COLUMNS = """
SELECT c.name, c.type, c."notnull", c.pk, c.dflt_value, c.hidden FROM pragma_table_xinfo(?) AS c ORDER BY c.cid
"""
FOREIGN_KEYS = """
SELECT f.id, f."table", f."from", f."to" FROM pragma_foreign_key_list(?) AS f ORDER BY f.id DESC, f.seq
"""
UNIQUE = """
SELECT l.name, i.name FROM pragma_index_list(?) AS l JOIN pragma_index_info(l.name) AS i
WHERE l."unique" AND l.partial = 0 AND l.origin <> 'pk' ORDER BY l.seq, i.seqno
"""


def read_schema(connection: sqlite3.Connection, name: str) -> Schema:
    """The schema of the main database, with temporary views in place of the tables they shadow.

    A view that its own tables no longer support is reported in `hidden`. PRAGMA functions read SQLite's parsed
    schema in memory, so asking once a table costs microseconds.
    """
    tables: list[Table] = []
    hidden: list[tuple[str, str]] = []
    shadows = {row[0].lower(): row for row in connection.execute(TEMP_VIEWS)}
    found = [shadows.pop(row[0].lower(), row) for row in connection.execute(TABLES).fetchall()]
    for table, kind, ddl in [*found, *shadows.values()]:
        try:
            tables.append(_table(connection, table, kind, ddl or ""))
        except sqlite3.Error as error:
            hidden.append((table, str(error)))
    estimates = _estimates(connection)
    resolved = _with_targets(tables)
    return Schema(
        tuple(replace(table, rows=estimates.get(table.name)) for table in resolved),
        "sqlite",
        name,
        hidden=tuple(hidden),
    )


def _table(connection: sqlite3.Connection, name: str, kind: str, ddl: str) -> Table:
    about, comments = column_comments(ddl)
    # hidden: 0 ordinary, 1 the private column of a virtual table, 2 and 3 generated
    columns = tuple(
        Column(
            column,
            type_ or "",
            nullable=not not_null,
            primary_key=key,
            default=default,
            generated=hidden in (2, 3),
            comment=comments.get(column.lower(), ""),
        )
        for column, type_, not_null, key, default, hidden in connection.execute(COLUMNS, (name,))
        if hidden != 1
    )
    keys: dict[int, list[tuple[str, str, str | None]]] = defaultdict(list)
    for number, target, source, target_column in connection.execute(FOREIGN_KEYS, (name,)):
        keys[number].append((target, source, target_column))
    unique: dict[str, list[str]] = defaultdict(list)
    for index, column in connection.execute(UNIQUE, (name,)):
        unique[index].append(column)
    return Table(
        name,
        columns,
        "view" if kind == "view" else "table",
        comment=about,
        foreign_keys=tuple(_foreign_key(parts) for parts in keys.values()),
        unique=tuple(tuple(parts) for parts in unique.values() if None not in parts),
    )


def _foreign_key(parts: list[tuple[str, str, str | None]]) -> ForeignKey:
    targets = tuple(column for _, _, column in parts if column is not None)
    return ForeignKey(tuple(source for _, source, _ in parts), parts[0][0], targets)


def _with_targets(tables: Iterable[Table]) -> list[Table]:
    """Foreign keys whose DDL names no column refer to the target's primary key."""
    tables = list(tables)
    by_name = {table.name.lower(): table for table in tables}

    def resolve(key: ForeignKey) -> ForeignKey:
        target = by_name.get(key.target.lower())
        if target is None:
            return key
        columns = key.target_columns or target.primary_key
        if len(columns) != len(key.columns):
            columns = ()
        spelled = tuple(column.name if (column := target.column(c)) else c for c in columns)
        return replace(key, target=target.name, target_columns=spelled)

    return [replace(t, foreign_keys=tuple(resolve(key) for key in t.foreign_keys)) for t in tables]


def _estimates(connection: sqlite3.Connection) -> dict[str, int]:
    """Row counts that ANALYZE left behind."""
    try:
        rows = connection.execute("SELECT tbl, stat FROM sqlite_stat1").fetchall()
        return {table: int(stat.split()[0]) for table, stat in rows if stat}
    except (sqlite3.Error, ValueError, IndexError):
        return {}
