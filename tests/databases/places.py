"""One database of each engine, made for a test: how to write to it, how to read it, and what runs there."""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import psycopg
import pymysql

from dragoman.databases.connect import open_engine
from dragoman.databases.database import Engine
from dragoman.databases.url import DatabaseURL, parse_url
from tests.databases.servers import mariadb_urls, postgres_urls


@dataclass(frozen=True)
class Place:
    """A database of `engine`. `url` is the least-privilege login's, `admin_url` the all-powerful one's.

    `write` runs statements as the owner, `ask` gives the rows of one (on servers). `running` lists the statements that
    the reader's sessions run on the server, `sessions` counts these sessions; both are empty for engines inside the
    process. `endless` is a query that takes far longer than a minute.
    """

    engine: str
    url: str
    admin_url: str
    write: Callable[[Iterable[str]], None]
    endless: str
    ask: Callable[[str], list[tuple[Any, ...]]] = field(default=lambda sql: [])
    running: Callable[[], list[str]] = field(default=list)
    sessions: Callable[[], int] = field(default=lambda: 0)

    def open(self) -> Engine:
        """A fresh engine with the least-privilege login and without the guard."""
        return open_engine(self.url)


@contextmanager
def sqlite_place(folder: Path) -> Iterator[Place]:
    path = folder / "shop.sqlite"

    def write(statements: Iterable[str]) -> None:
        connection = sqlite3.connect(path)
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        connection.close()

    write(["CREATE TABLE made (a INTEGER)", "DROP TABLE made"])
    endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"
    yield Place("sqlite", str(path), str(path), write, endless)


@contextmanager
def duckdb_place(folder: Path) -> Iterator[Place]:
    path = folder / "shop.duckdb"

    def write(statements: Iterable[str]) -> None:
        with duckdb.connect(str(path)) as connection:
            for statement in statements:
                connection.execute(statement)

    write([])
    yield Place("duckdb", str(path), str(path), write, "SELECT count(*) FROM range(1000000) a, range(1000000) b")


@contextmanager
def postgres_place(_: Path) -> Iterator[Place]:
    reader, admin = (parse_url(url) for url in postgres_urls())
    name = f"dragoman_{uuid.uuid4().hex[:12]}"

    def execute(statements: Iterable[str], database: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(_url(admin, database), autocommit=True) as connection:
            cursor = connection.cursor()
            for statement in statements:
                cursor.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def write(statements: Iterable[str]) -> None:
        execute(statements, name)

    sessions = f"FROM pg_stat_activity WHERE usename = 'dragoman_reader' AND datname = '{name}'"
    execute([f"CREATE DATABASE {name}"], "dragoman")
    write(["ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO dragoman_reader"])
    try:
        yield Place(
            "postgres",
            _url(reader, name),
            _url(admin, name),
            write,
            "SELECT count(*) FROM generate_series(1, 1000000) AS a, generate_series(1, 1000000) AS b",
            lambda sql: execute([sql], name),
            lambda: [row[0] for row in execute([f"SELECT query {sessions} AND state = 'active'"], "dragoman")],
            lambda: len(execute([f"SELECT pid {sessions}"], "dragoman")),
        )
    finally:
        execute([f"DROP DATABASE {name} WITH (FORCE)"], "dragoman")


@contextmanager
def mariadb_place(_: Path) -> Iterator[Place]:
    reader, admin = (parse_url(url) for url in mariadb_urls())
    name = f"dragoman_{uuid.uuid4().hex[:12]}"

    def execute(statements: Iterable[str], database: str | None) -> list[tuple[Any, ...]]:
        connection = pymysql.connect(
            host=admin.host, port=int(admin.port), user=admin.user, password=admin.password, database=database,
            autocommit=True, charset="utf8mb4",
        )  # fmt: skip
        with connection, connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)
            return list(cursor.fetchall())

    def write(statements: Iterable[str]) -> None:
        execute(statements, name)

    sessions = f"FROM information_schema.processlist WHERE user = 'dragoman_reader' AND db = '{name}'"
    execute([f"CREATE DATABASE {name} CHARACTER SET utf8mb4"], None)
    try:
        yield Place(
            "mariadb",
            _url(reader, name),
            _url(admin, name),
            write,
            "SELECT count(*) FROM seq_1_to_1000000 AS a, seq_1_to_1000000 AS b",
            lambda sql: execute([sql], name),
            lambda: [row[0] for row in execute([f"SELECT info {sessions} AND command = 'Query'"], None)],
            lambda: len(execute([f"SELECT id {sessions}"], None)),
        )
    finally:
        execute([f"DROP DATABASE {name}"], None)


PLACES = {"sqlite": sqlite_place, "duckdb": duckdb_place, "postgres": postgres_place, "mariadb": mariadb_place}


def _url(url: DatabaseURL, database: str) -> str:
    login = f"{url.user}:{url.password}" if url.password else url.user
    place = f"{url.host}:{url.port}" if url.port else url.host
    options = "?" + "&".join(f"{key}={value}" for key, value in url.options.items()) if url.options else ""
    return f"{url.scheme}://{login}@{place}/{database}{options}"
