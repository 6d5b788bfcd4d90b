"""From a URL or a path to a database."""

from __future__ import annotations

import importlib
import re
from functools import partial
from pathlib import Path

from dragoman.databases.database import Database, Engine
from dragoman.databases.guarded_database import GuardedDatabase
from dragoman.databases.query_log import QueryLog
from dragoman.errors import SetupError
from dragoman.sql.access import AccessPolicy
from dragoman.sql.guard import guard

ENGINES: dict[str, str] = {
    "sqlite": "dragoman.databases.sqlite:open_sqlite",
    "postgresql": "dragoman.databases.postgres:open_postgres",
    "postgres": "dragoman.databases.postgres:open_postgres",
    "mariadb": "dragoman.databases.mariadb:open_mariadb",
    "mysql": "dragoman.databases.mariadb:open_mariadb",
    "duckdb": "dragoman.databases.duckdb:open_duckdb",
    "snowflake": "dragoman.databases.snowflake:open_snowflake",
    "bigquery": "dragoman.databases.bigquery:open_bigquery",
}
"""URL scheme -> "module:function" that takes the URL and gives an `Engine`. Any import path works."""

_LIKE_LOGIN = re.compile(r"\S:[^\s/]*@|^[A-Za-z][\w+.-]*:/\S*@")
"""A user and a password where a path was expected; it must not be shown."""

OTHER = "dragoman.databases.generic:open_generic"
"""For every other scheme: whatever SQLAlchemy knows."""

SUFFIXES: dict[str, str] = {
    **dict.fromkeys((".sqlite", ".sqlite3", ".db", ".db3"), "sqlite"),
    **dict.fromkeys((".duckdb", ".ddb", ".parquet", ".csv", ".tsv", ".json", ".jsonl", ".ndjson"), "duckdb"),
}
"""Endings of files that need no URL. A folder of data files needs none either."""


def connect(url: str, access: AccessPolicy | None = None, log: QueryLog | None = None) -> Database:
    """Open the database that `url` (or a path) names, read only, behind the guard.

    `access` narrows what is shown and what may be read; every query is written to `log`.

    Raises `SetupError` for a URL nobody knows, a file that is absent or not a database, a server that does not
    answer; the sentence names the next step and never shows a password.
    """
    return GuardedDatabase(open_engine(url), partial(guard, allow=access), access, log)


def open_engine(url: str) -> Engine:
    """The engine alone, without the guard: for introspection and for tests of the engine's own lock."""
    url = url.strip()
    if _LIKE_LOGIN.search(url) and not re.match(r"[A-Za-z][\w+.-]*://", url):
        raise SetupError("This looks like a database URL without its scheme. Write scheme://user:password@host/db.")
    scheme = _scheme(url)
    module, _, function = ENGINES.get(scheme.partition("+")[0], OTHER).partition(":")
    opened: Engine = getattr(importlib.import_module(module), function)(url)
    return opened


def _scheme(url: str) -> str:
    match = re.match(r"([A-Za-z][A-Za-z0-9+.-]*)://", url)
    if match:
        return match[1].lower()
    path = Path(url).expanduser()
    if path.is_dir():
        return "duckdb"
    return _by_content(path) or SUFFIXES.get(path.suffix.lower(), "sqlite")


def _by_content(path: Path) -> str:
    """The engine of a database file by its first bytes, whatever its name; "" if they say nothing."""
    try:
        with path.open("rb") as file:
            head = file.read(16)
    except OSError:
        return ""
    return "sqlite" if head == b"SQLite format 3\0" else "duckdb" if head[8:12] == b"DUCK" else ""
