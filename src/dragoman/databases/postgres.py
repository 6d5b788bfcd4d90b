"""PostgreSQL: every query is one SELECT behind a cursor, in a read-only transaction that is always rolled back."""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from dragoman.databases.catalogue_query import catalogue_query
from dragoman.databases.connection_error import connection_error
from dragoman.databases.database import View
from dragoman.databases.deadline import Deadline
from dragoman.databases.first_word import first_word
from dragoman.databases.json_paths import with_json_paths
from dragoman.databases.pool import Pool
from dragoman.databases.postgres_schema import postgres_schema
from dragoman.databases.schema_cache import SchemaCache
from dragoman.databases.url import DatabaseURL, parse_url
from dragoman.errors import QueryError, SetupError
from dragoman.schema import Schema
from dragoman.sql.quote import quote_always

try:
    import psycopg
    from psycopg.conninfo import make_conninfo
except ImportError:
    raise SetupError("PostgreSQL needs its driver. Install it with: pip install 'dragoman[postgres]'.") from None

from dragoman.databases.postgres_rows import Cursor, PostgresRows
from dragoman.databases.postgres_values import register_values

DEFAULTS = {
    "connect_timeout": "10",
    "application_name": "dragoman",
    "client_encoding": "UTF8",
    "keepalives_idle": "30",
    "keepalives_interval": "10",
    "keepalives_count": "3",
    "tcp_user_timeout": "60000",
}
CANCEL_SECONDS = 3.0
LONGEST_PAUSE_SECONDS = 300
SAMPLE_SECONDS = 3.0
SCHEMA_SECONDS = 60.0

Connection = psycopg.Connection[tuple[Any, ...]]


class PostgresEngine:
    """One PostgreSQL database (12 or later).

    Locks: DECLARE CURSOR takes a query only (no SET, COMMIT, DML in a WITH), the extended protocol takes one
    statement only, and the transaction is READ ONLY and has taken its snapshot before the query, so it cannot be
    made writable. It is rolled back, so settings and large objects do not outlive it; advisory locks are released.
    A cursor rules parallel plans out. What an all-powerful login reaches by functions no setting can stop: use a
    login that may only SELECT.
    """

    dialect = "postgres"
    enforced: tuple[str, ...] = (
        "read-only transaction",
        "one SELECT behind a cursor",
        "statement timeout",
        "cancel at the deadline",
    )
    gaps: tuple[str, ...] = ()

    def __init__(self, url: DatabaseURL, views: Sequence[View] = ()) -> None:
        """Connects once. Raises `SetupError` if the server cannot be reached or does not let the login in."""
        self.url = url
        self.name = url.database or url.user
        self._views = tuple(views)
        self._end = b"ROLLBACK"
        self._pool: Pool[Connection] = Pool(self._connect, _close, (psycopg.Error,))
        self._cache = SchemaCache()
        connection = self._pool.take(lambda fresh: _begin(fresh, None))
        self.name = connection.info.dbname
        self._give(connection)

    def schema(self) -> Schema:
        """Tables and views, read again only when the catalogue has changed."""
        return self._cache.get(self._read_schema)

    def fingerprint(self) -> str:
        """A digest of the catalogue and of the counts of rows written, which the server reports about 1 s late."""
        with self._session() as connection:
            mark = _fetch(connection, catalogue_query("postgres", "mark"))
            data = _fetch(connection, catalogue_query("postgres", "data"))
        place = (self.url.host, self.url.port, self.name)
        return _digest([*mark, *data, place, *((v.name, v.sql) for v in self._views)])

    @contextmanager
    def stream(self, sql: str, seconds: float | None) -> Iterator[PostgresRows]:
        """Run one query; see `Engine.stream`."""
        with self._session(seconds) as connection:
            deadline = Deadline(seconds, lambda: _cancel(connection))
            try:
                with deadline:
                    with self._translated(deadline):
                        cursor = _open(connection, sql)
                    with _closing(cursor):
                        yield PostgresRows(cursor, lambda: self._translated(deadline))
            finally:
                if deadline.passed:  # the cancel may still be on its way: this connection must not be used again
                    _close(connection)

    def cost(self, sql: str, seconds: float | None = None) -> float:
        """The planner's estimate for a query, in its own units (1 is about one page read in sequence)."""
        if first_word(sql) == "EXPLAIN":
            return 0.0
        with self.stream(f"EXPLAIN (FORMAT JSON) {sql}", seconds) as stream:
            plan = json.loads("".join(row[0] for batch in stream for row in batch))
        return float(plan[0]["Plan"]["Total Cost"])

    def warnings(self) -> tuple[str, ...]:
        """What the login may do that a reader should not, one sentence each; () for a login that only reads."""
        with self._session() as connection:
            superuser, roles, files, writable = _fetch(connection, catalogue_query("postgres", "powers"))[0]
        if superuser:
            return ("The login is a superuser: functions that read and write files of the server cannot be stopped.",)
        found = []
        if roles:
            found.append("The login may make roles or databases, replicate, or go round row security.")
        if files:
            found.append("The login may read or write files of the server, or run programs there.")
        if writable:
            found.append(f"The login may write to {writable} tables; a login that may only SELECT is enough.")
        return tuple(found)

    def with_views(self, views: Sequence[View]) -> PostgresEngine:
        """The same database with temporary views in every session. The login needs the TEMP privilege."""
        return PostgresEngine(self.url, (*self._views, *views))

    def close(self) -> None:
        """Close the idle connections; one in use is closed when its query ends."""
        self._pool.close()

    def _read_schema(self, known: str) -> tuple[str, Schema | None]:
        with self._session() as connection:
            mark = _digest(_fetch(connection, catalogue_query("postgres", "mark")))
            if mark == known:
                return mark, None
            found = postgres_schema(lambda query: _fetch(connection, query), self.name)
        return mark, with_json_paths(found, self._sample)

    def _sample(self, query: str) -> list[tuple[Any, ...]]:
        with self.stream(query, SAMPLE_SECONDS) as stream:
            return [row for batch in stream for row in batch]

    @contextmanager
    def _session(self, seconds: float | None = SCHEMA_SECONDS) -> Iterator[Connection]:
        try:
            connection = self._pool.take(lambda found: _begin(found, seconds))
        except SetupError as error:
            raise QueryError(str(error)) from None
        except psycopg.Error as error:
            raise QueryError(self.url.redact(_message(error))) from None
        try:
            with self._translated(None):
                yield connection
        finally:
            self._give(connection)

    def _give(self, connection: Connection) -> None:
        """Back to the pool after a rollback, or closed if anything about it is doubtful."""
        try:
            fit = not connection.closed
            if fit:
                connection.execute(self._end)
        except psycopg.Error:
            fit = False
        (self._pool.give if fit else self._pool.discard)(connection)

    def _connect(self) -> Connection:
        url = self.url
        parts = {"host": url.host, "port": url.port, "user": url.user, "password": url.password, "dbname": url.database}
        given = {key: value for key, value in parts.items() if value} | dict(url.options)
        try:
            target = make_conninfo(**{**DEFAULTS, **given})
            connection = psycopg.connect(target, autocommit=True, prepare_threshold=None)
        except psycopg.Error as error:
            raise connection_error(url, _message(error)) from None
        try:
            register_values(connection)
            for view in self._views:
                connection.execute(f"CREATE TEMP VIEW {quote_always(view.name, 'postgres')} AS {view.sql}".encode())
            connection.execute("SET default_transaction_read_only = on")
            connection.execute("SET cursor_tuple_fraction = 1")
            unlock = "SELECT has_function_privilege('pg_catalog.pg_advisory_unlock_all()', 'EXECUTE')"
            if connection.execute(unlock.encode()).fetchall() == [(True,)]:
                self._end = b"ROLLBACK; SELECT pg_advisory_unlock_all()"
        except psycopg.Error as error:
            connection.close()
            raise SetupError(f"Cannot prepare a session on {url}: {url.redact(_message(error))}.") from None
        return connection

    @contextmanager
    def _translated(self, deadline: Deadline | None) -> Iterator[None]:
        """psycopg's exceptions as ours."""
        try:
            yield
            if deadline is not None:
                deadline.check()  # a cancel between two batches meets no statement
        except psycopg.errors.QueryCanceled as error:
            if deadline is not None and (deadline.passed or "statement timeout" in str(error)):
                raise deadline.timeout() from None
            raise QueryError(f"The server cancelled the query: {_message(error)}.") from None
        except (psycopg.Error, UnicodeError, OverflowError) as error:
            if deadline is not None and deadline.passed:
                raise deadline.timeout() from None
            raise QueryError(self.url.redact(_message(error))) from None


def open_postgres(url: str) -> PostgresEngine:
    """Open `postgresql://user:password@host:port/database?sslmode=require`; options are libpq's."""
    return PostgresEngine(parse_url(url))


def _open(connection: Connection, sql: str) -> Cursor:
    if first_word(sql) == "EXPLAIN":  # not for cursors; the binary format needs the extended protocol
        return connection.execute(sql.encode(), binary=True)
    return connection.cursor(name="dragoman", scrollable=False).execute(sql.encode())


@contextmanager
def _closing(cursor: Cursor) -> Iterator[None]:
    try:
        yield
    finally:
        with contextlib.suppress(psycopg.Error):
            cursor.close()


def _begin(connection: Connection, seconds: float | None) -> None:
    """Open the transaction and take its snapshot; after it, SET TRANSACTION READ WRITE is an error."""
    limit = 0 if seconds is None else max(1, math.ceil(seconds * 1000))
    connection.execute(
        f"BEGIN READ ONLY; SET LOCAL statement_timeout = {limit}; "
        f"SET LOCAL idle_in_transaction_session_timeout = '{LONGEST_PAUSE_SECONDS}s'; SELECT 1".encode()
    )


def _fetch(connection: Connection, query: str) -> list[tuple[Any, ...]]:
    return connection.execute(query.encode()).fetchall()


def _cancel(connection: Connection) -> None:
    """End the statement on the server; if the server cannot be reached, end our wait for it."""
    try:
        connection.cancel_safe(timeout=CANCEL_SECONDS)
    except (psycopg.Error, OSError):
        with contextlib.suppress(psycopg.Error, OSError), socket.socket(fileno=os.dup(connection.fileno())) as line:
            line.shutdown(socket.SHUT_RDWR)


def _close(connection: Connection) -> None:
    with contextlib.suppress(psycopg.Error):
        connection.close()


def _digest(rows: Sequence[Any]) -> str:
    return hashlib.sha256(repr(rows).encode()).hexdigest()


def _message(error: Exception) -> str:
    """The server's own sentence, with its hint."""
    diagnosis = getattr(error, "diag", None)
    text = (diagnosis and diagnosis.message_primary) or str(error) or type(error).__name__
    hint = diagnosis and diagnosis.message_hint
    return " ".join(text.split()) + (f" ({hint})" if hint else "")
