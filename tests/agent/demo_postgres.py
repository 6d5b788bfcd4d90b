"""The demo database in PostgreSQL, copied from the SQLite file with its types, keys, comments and views."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from dragoman.databases import Database, connect
from dragoman.demo import build
from dragoman.demo.traffic import EXPERIMENT_MONTH, MONTHS
from dragoman.schema import Schema
from tests.databases.places import postgres_place

TYPES = {"DATETIME": "TIMESTAMP", "JSON": "JSONB"}


class Named:
    """A database under a name of its own, so that a copy with a random name is known by the same one."""

    def __init__(self, database: Database, name: str) -> None:
        self.name = name
        self._database = database

    def __getattr__(self, attribute: str) -> Any:
        return getattr(self._database, attribute)


@contextmanager
def demo_in_postgres(folder: Path) -> Iterator[Any]:
    """A copy, read with the least-privilege login and called "demo", which is dropped afterwards."""
    demo = folder / "demo.sqlite"
    build(demo)
    with postgres_place(folder) as place:
        source = connect(str(demo))
        _copy(demo, source.schema(), place.admin_url)
        source.close()
        database = connect(place.url)
        yield Named(database, "demo")
        database.close()


def _copy(demo: Path, schema: Schema, url: str) -> None:
    with (
        closing(sqlite3.connect(demo)) as lite,
        psycopg.connect(url, options="-c session_replication_role=replica") as connection,
    ):
        connection.execute(_ddl().encode())
        for table in (t for t in schema if t.kind == "table"):
            name = table.name.lower()
            with connection.cursor().copy(sql.SQL("COPY {} FROM STDIN").format(sql.Identifier(name))) as copy:
                for row in lite.execute(f'SELECT * FROM "{table.name}"'):
                    copy.write_row(row)
            _comment(connection, "TABLE", sql.Identifier(name), table.comment)
            for column in table.columns:
                _comment(connection, "COLUMN", sql.Identifier(name, column.name), column.comment)
        connection.execute(_views().encode())
        connection.execute("ANALYZE")


def _comment(connection: psycopg.Connection, kind: str, name: sql.Identifier, text: str) -> None:
    if text:
        connection.execute(sql.SQL("COMMENT ON {} {} IS {}").format(sql.SQL(kind), name, sql.Literal(text)))


def _text(name: str) -> str:
    return files("dragoman.demo").joinpath(name).read_text("utf-8")


def _ddl() -> str:
    events = [_text("events.sql").replace("{month}", month) for month in MONTHS]
    text = "\n".join(
        [_text("schema.sql"), *events, f"ALTER TABLE events_{EXPERIMENT_MONTH} ADD COLUMN experiment TEXT;"]
    )
    for old, new in TYPES.items():
        text = re.sub(rf"(?<=[a-z_] ){old}\b", new, text)
    return text.replace(") WITHOUT ROWID", ")")


def _views() -> str:
    text = _text("views.sql").replace("date(o.ordered_at)", "CAST(o.ordered_at AS DATE)")
    return text.replace("substr(ordered_on, 1, 7)", "to_char(ordered_on, 'YYYY-MM')")
