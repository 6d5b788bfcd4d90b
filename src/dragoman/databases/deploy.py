"""The only writer: views that people asked for, created or dropped through a write URL of their own."""

from __future__ import annotations

import importlib
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote, unquote

from dragoman.databases.database import View
from dragoman.databases.url import parse_url
from dragoman.errors import DragomanError, SetupError
from dragoman.sql.quote import quote_always

Action = Literal["apply", "drop"]
Step = tuple[str, str]
"""A statement, and the one that undoes it ("" if nothing does)."""
Run = Callable[[str, Sequence[Step]], None]

NAMESPACES = frozenset({"postgres", "duckdb", "snowflake", "tsql", "redshift"})
"""Dialects with schemas that can be created beside the tables."""


@dataclass(frozen=True, slots=True)
class Placing:
    """How views are placed. With `invoker` whoever queries them needs the rights to the tables behind, where the engine
    would else lend the owner's (PostgreSQL 15 and later, MariaDB). With `own_schema` nothing but these views is in the
    schema, and dropping them drops it too; with `in_place` the schema is there and stays. `remarks` are COMMENT
    statements that follow the views.
    """

    invoker: bool = False
    own_schema: bool = False
    in_place: bool = False
    remarks: tuple[str, ...] = ()


def deploy(
    write_url: str, views: Sequence[View], action: Action, schema: str = "", placing: Placing = Placing()
) -> str:
    """Create the views, or drop them, and give the script that was run.

    `schema` is where they stand, created if it is absent; "" is the default one. Nothing that exists is replaced: a
    name that is taken is an error, and then no view is left behind, by one transaction or, where the engine commits
    every view by itself (MariaDB), by dropping those made so far. Raises `SetupError` with the engine's own words.
    """
    dialect, run = _writer(write_url)
    steps = _steps(views, action, dialect, schema, placing)
    try:
        run(write_url, steps)
    except DragomanError:
        raise
    except Exception as error:  # the driver's own exceptions, whichever driver it is
        reason = " ".join(str(error.args[-1] if error.args else error).split())
        secretless = parse_url(write_url).redact(reason) if "://" in write_url else reason
        if action == "drop":
            told = f"The views could not be dropped, and none was: {secretless}. `dragoman schema` shows what is there."
        else:
            told = f"The views could not be written, and none was: {secretless}. Check the login and --schema."
        raise SetupError(told) from None
    return _script(steps)


def deploy_script(
    views: Sequence[View], action: Action, dialect: str, schema: str = "", placing: Placing = Placing()
) -> str:
    """What `deploy` would run, for a dry run or for someone who may write."""
    return _script(_steps(views, action, dialect, schema, placing))


def _script(steps: Sequence[Step]) -> str:
    return "".join(f"{statement};\n" for statement, _ in steps)


def _steps(views: Sequence[View], action: Action, dialect: str, schema: str, placing: Placing) -> list[Step]:
    quoted = quote_always(schema, dialect)
    names = [(quoted + "." if schema else "") + quote_always(view.name, dialect) for view in views]
    spaced = bool(schema) and (dialect in NAMESPACES or dialect == "mysql")
    if action == "drop":
        gone = [(f"DROP VIEW {name}", "") for name in reversed(names)]
        # MariaDB's DROP DATABASE asks nothing and takes all that is inside, so there the empty one stays
        return [*gone, (f"DROP SCHEMA {quoted}", "")] if spaced and placing.own_schema and dialect != "mysql" else gone
    before = " SQL SECURITY INVOKER" if placing.invoker and dialect == "mysql" else ""
    after = " WITH (security_invoker = true)" if placing.invoker and dialect == "postgres" else ""
    made = [
        (f"CREATE{before} VIEW {name}{after} AS {view.sql}", f"DROP VIEW {name}")
        for name, view in zip(names, views, strict=True)
    ]
    first = [(f"CREATE SCHEMA IF NOT EXISTS {quoted}", "")] if spaced and not placing.in_place else []
    return [*first, *made, *((remark, "") for remark in placing.remarks)]


def _writer(url: str) -> tuple[str, Run]:
    """Dialect and writer for a URL, or for the path of a file."""
    if "://" in url:
        scheme = parse_url(url).scheme.partition("+")[0]
    else:
        scheme = "duckdb" if Path(url).suffix.lower() in (".duckdb", ".ddb") else "sqlite"
    if scheme not in WRITERS:
        raise SetupError(f"Views cannot be written to {scheme}:// databases. Run the script of a dry run there.")
    return WRITERS[scheme]


def _sqlite(url: str, steps: Sequence[Step]) -> None:
    with closing(sqlite3.connect(f"file:{quote(_path(url))}?mode=rw", uri=True, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        for statement, _ in steps:
            connection.execute(statement)
        connection.execute("COMMIT")


def _duckdb(url: str, steps: Sequence[Step]) -> None:
    duckdb = _driver("duckdb", "duckdb")
    if not Path(_path(url)).exists():
        raise SetupError(f"There is no file {_path(url)}. Check the write URL.")
    with closing(duckdb.connect(_path(url))) as connection:
        connection.execute("BEGIN")
        for statement, _ in steps:
            connection.execute(statement)
        connection.execute("COMMIT")


def _postgres(url: str, steps: Sequence[Step]) -> None:
    psycopg = _driver("psycopg", "postgres")
    target = parse_url(url)
    parts = {"host": target.host, "port": target.port, "user": target.user, "dbname": target.database}
    given = {key: value for key, value in parts.items() if value}
    with psycopg.connect(**given, password=target.password or None, **target.options) as connection:
        for statement, _ in steps:
            connection.execute(statement.encode())


def _mariadb(url: str, steps: Sequence[Step]) -> None:
    pymysql = _driver("pymysql", "mysql")
    target = parse_url(url)
    connection = _driver("dragoman.databases.dial_mariadb", "mysql").dial_mariadb(target, 60.0)
    undo: list[str] = []
    with closing(connection), connection.cursor() as cursor:
        try:
            for statement, opposite in steps:
                cursor.execute(statement)
                undo.append(opposite)
        except pymysql.Error:
            for opposite in filter(None, reversed(undo)):
                cursor.execute(opposite)
            raise


def _path(url: str) -> str:
    if "://" not in url:
        return str(Path(url).expanduser())
    return unquote(url.partition("://")[2].removeprefix("/"))


def _driver(module: str, extra: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        raise SetupError(f"Writing there needs a driver. Install it with: pip install 'dragoman[{extra}]'.") from None


WRITERS: dict[str, tuple[str, Run]] = {
    "sqlite": ("sqlite", _sqlite),
    "duckdb": ("duckdb", _duckdb),
    "postgresql": ("postgres", _postgres),
    "postgres": ("postgres", _postgres),
    "mariadb": ("mysql", _mariadb),
    "mysql": ("mysql", _mariadb),
}
"""URL scheme -> dialect and writer."""
