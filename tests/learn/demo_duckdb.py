"""The demo database in DuckDB, copied from the SQLite file with its types, keys, comments and views."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import duckdb
import pyarrow as pa

from dragoman.databases import connect
from dragoman.schema import Table

TYPES = {"DATETIME": "TIMESTAMP", "NUMERIC": "DECIMAL(18, 2)"}
GROUPS = {"o.order_id": "o.customer_id, o.status, o.ordered_at, o.shipping_cents", "p.product_id": "p.name"}
"""What DuckDB wants to be grouped by as well, since it does not ask which column decides the others."""


def copy_to_duckdb(demo: Path, path: Path) -> None:
    """Write the demo database in the SQLite file `demo` to a DuckDB file at `path`."""
    source = connect(str(demo))
    tables = [table for table in source.schema() if table.kind == "table"]
    source.close()
    with closing(sqlite3.connect(demo)) as lite, duckdb.connect(str(path)) as connection:
        for name, ddl in _made(lite, "table"):
            connection.execute(_in_types(ddl))
            _fill(connection, name, ddl, lite)
        for table in tables:
            _comment(connection, table)
        for _, ddl in _made(lite, "view"):
            connection.execute(_in_words(ddl))


def _made(lite: sqlite3.Connection, kind: str) -> list[tuple[str, str]]:
    """(name, DDL) of all tables or views, none before one that it refers to."""
    return lite.execute("SELECT name, sql FROM sqlite_master WHERE type = ? ORDER BY rowid", [kind]).fetchall()


def _fill(connection: duckdb.DuckDBPyConnection, name: str, ddl: str, lite: sqlite3.Connection) -> None:
    """The rows, which DuckDB casts to the types of the columns."""
    cursor = lite.execute(f'SELECT * FROM "{name}"')
    names = [column[0] for column in cursor.description]
    connection.register("copied", pa.table(dict(zip(names, map(pa.array, zip(*cursor, strict=True)), strict=True))))
    for whose in _one_after_another(connection, name, ddl):
        connection.execute(f'INSERT INTO "{name}" SELECT * FROM copied WHERE {whose}')
    connection.unregister("copied")


def _one_after_another(connection: duckdb.DuckDBPyConnection, name: str, ddl: str) -> Iterator[str]:
    """Conditions that part the rows, so that none refers to a row of its own part, as DuckDB asks."""
    own = re.search(rf"(\w+) INTEGER REFERENCES {name} \((\w+)\)", ddl)
    if own is None:
        yield "TRUE"
        return
    parent, key = own.groups()
    there = f'(SELECT {key} FROM "{name}")'
    yield f"{parent} IS NULL"
    while connection.execute(f"SELECT 1 FROM copied WHERE {key} NOT IN {there}").fetchone():
        yield f"{key} NOT IN {there} AND {parent} IN {there}"


def _comment(connection: duckdb.DuckDBPyConnection, table: Table) -> None:
    places = [("TABLE", f'"{table.name}"', table.comment)]
    places += [("COLUMN", f'"{table.name}"."{column.name}"', column.comment) for column in table.columns]
    for kind, name, text in places:
        if text:
            quoted = text.replace("'", "''")
            connection.execute(f"COMMENT ON {kind} {name} IS '{quoted}'")


def _in_types(ddl: str) -> str:
    for old, new in TYPES.items():
        ddl = re.sub(rf"(?<=[a-z_] ){old}\b(?! ?\()", new, ddl)
    return ddl.replace(") WITHOUT ROWID", ")")


def _in_words(ddl: str) -> str:
    ddl = ddl.replace("date(o.ordered_at)", "CAST(o.ordered_at AS DATE)")
    ddl = ddl.replace("substr(ordered_on, 1, 7)", "strftime(ordered_on, '%Y-%m')")
    for old, new in GROUPS.items():
        ddl = ddl.replace(f"GROUP BY {old}", f"GROUP BY {old}, {new}")
    return ddl
