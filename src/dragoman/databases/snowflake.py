"""Snowflake through its own driver. Written from its documentation; no server to test against was at hand."""

from __future__ import annotations

import contextlib
import hashlib
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from dragoman.databases.catalogue_query import catalogue_query
from dragoman.databases.connection_error import connection_error
from dragoman.databases.database import View
from dragoman.databases.deadline import Deadline
from dragoman.databases.first_word import first_word
from dragoman.databases.pool import Pool
from dragoman.databases.schema_cache import SchemaCache
from dragoman.databases.snowflake_arguments import snowflake_arguments
from dragoman.databases.snowflake_schema import snowflake_schema
from dragoman.databases.url import DatabaseURL, parse_url
from dragoman.errors import QueryError, SetupError
from dragoman.schema import Schema

try:
    import snowflake.connector as driver
except ImportError:
    raise SetupError("Snowflake needs its driver. Install it with: pip install 'dragoman[snowflake]'.") from None

BATCH = 500
GRACE_SECONDS = 1
READING = frozenset({"SELECT", "WITH", "VALUES", "EXPLAIN"})


class SnowflakeEngine:
    """One Snowflake database.

    Untested against a real account: log-in, cancelling, the server's time limit, and the values of semi-structured
    columns (VARIANT, OBJECT and ARRAY arrive as JSON text). Tested: the URL, what is passed to the driver, and the
    schema, from rows as the documentation describes them and against a local stand-in.
    """

    dialect = "snowflake"
    enforced: tuple[str, ...] = (
        "one reading statement",
        "statement timeout",
        "abort at the deadline",
        "rollback after every query",
    )
    gaps: tuple[str, ...] = (
        "Snowflake has no read-only sessions: use a role that may only SELECT",
        "untested against a real account",
    )

    def __init__(self, url: DatabaseURL) -> None:
        """Connects once. Raises `SetupError` if the log-in fails."""
        self.url = url
        self.name = url.database.split("/")[0] or url.host
        self._pool: Pool[Any] = Pool(self._connect, _close, (driver.Error, OSError))
        self._cache = SchemaCache()
        self._give(self._pool.take(_ready))

    def schema(self) -> Schema:
        """Tables and views of the database, read again only when something was altered."""
        return self._cache.get(self._read_schema)

    def fingerprint(self) -> str:
        """A digest of when the tables were altered and of their size."""
        with self._session() as connection, self._translated(None):
            return _digest([str(self.url), _fetch(connection, catalogue_query("snowflake", "mark"))])

    @contextmanager
    def stream(self, sql: str, seconds: float | None) -> Iterator[SnowflakeRows]:
        """Run one query; see `Engine.stream`."""
        if first_word(sql, nested_comments=False) not in READING:
            raise QueryError("Only queries can be run: SELECT, WITH, VALUES or EXPLAIN.")
        with self._session() as connection:
            cursor = connection.cursor()
            running = _Running(cursor)
            deadline = Deadline(seconds, running.abort)
            try:
                with deadline:
                    with self._translated(deadline):
                        if seconds is not None:
                            limit = math.ceil(seconds) + GRACE_SECONDS
                            cursor.execute(f"ALTER SESSION SET STATEMENT_TIMEOUT_IN_SECONDS = {limit}")
                        running.start(sql)
                    yield SnowflakeRows(cursor, lambda: self._translated(deadline))
            finally:
                if deadline.passed:
                    _close(connection)

    def with_views(self, views: Sequence[View]) -> SnowflakeEngine:
        """Not possible with a role that may only read."""
        raise SetupError("Snowflake makes no views for a role that may only read. Create them in the database instead.")

    def close(self) -> None:
        """Close the idle connections; one in use is closed when its query ends."""
        self._pool.close()

    def _read_schema(self, known: str) -> tuple[str, Schema | None]:
        with self._session() as connection:

            def fetch(query: str) -> list[dict[str, Any]]:
                with self._translated(None):
                    return _fetch(connection, query)

            mark = _digest(fetch(catalogue_query("snowflake", "mark")))
            return (mark, None) if mark == known else (mark, snowflake_schema(fetch, self.name))

    @contextmanager
    def _session(self) -> Iterator[Any]:
        try:
            connection = self._pool.take(_ready)
        except SetupError as error:
            raise QueryError(str(error)) from None
        except (driver.Error, OSError) as error:
            raise QueryError(self.url.redact(_message(error))) from None
        try:
            yield connection
        finally:
            self._give(connection)

    def _give(self, connection: Any) -> None:
        try:
            fit = not connection.is_closed()
            if fit:
                connection.rollback()
        except (driver.Error, OSError):
            fit = False
        (self._pool.give if fit else self._pool.discard)(connection)

    def _connect(self) -> Any:
        try:
            return driver.connect(**snowflake_arguments(self.url))
        except (driver.Error, OSError, ValueError, TypeError) as error:
            raise connection_error(self.url, _message(error)) from None

    @contextmanager
    def _translated(self, deadline: Deadline | None) -> Iterator[None]:
        try:
            yield
            if deadline is not None:
                deadline.check()
        except (driver.Error, OSError, UnicodeError, ValueError, OverflowError) as error:
            if deadline is not None and deadline.passed:
                raise deadline.timeout() from None
            raise QueryError(self.url.redact(_message(error))) from None


class SnowflakeRows:
    """An open Snowflake result; iterating yields batches of tuples."""

    def __init__(self, cursor: Any, translated: Callable[[], AbstractContextManager[None]]) -> None:
        self.columns = tuple(str(column[0]) for column in cursor.description or ())
        self._cursor = cursor
        self._translated = translated

    def __iter__(self) -> Iterator[Sequence[tuple[Any, ...]]]:
        while True:
            with self._translated():
                batch = self._cursor.fetchmany(BATCH)
            if not batch:
                return
            yield batch


class _Running:
    """A query that was handed to the server, so that it has an id by which another thread can abort it."""

    def __init__(self, cursor: Any) -> None:
        self._cursor = cursor
        self._id = ""

    def start(self, sql: str) -> None:
        self._cursor.execute_async(sql)
        self._id = str(self._cursor.sfqid)
        self._cursor.get_results_from_sfqid(self._id)
        if self._cursor.description is None:
            self._cursor.fetchmany(0)  # waits for the result, and raises what went wrong

    def abort(self) -> None:
        with contextlib.suppress(driver.Error, OSError):
            self._cursor.connection.cursor().abort_query(self._id)


def open_snowflake(url: str) -> SnowflakeEngine:
    """Open `snowflake://user:password@account/database/schema?warehouse=w&role=r`; options are the driver's."""
    return SnowflakeEngine(parse_url(url))


def _fetch(connection: Any, query: str) -> list[dict[str, Any]]:
    """The rows by column name, in lower case as Snowflake's own catalogue is documented."""
    cursor = connection.cursor()
    cursor.execute(query)
    names = [str(column[0]).lower() for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def _ready(connection: Any) -> None:
    connection.cursor().execute("SELECT 1").fetchall()


def _close(connection: Any) -> None:
    with contextlib.suppress(driver.Error, OSError):
        connection.close()


def _message(error: Exception) -> str:
    return " ".join(str(getattr(error, "raw_msg", None) or error).split()) or type(error).__name__


def _digest(rows: Any) -> str:
    return hashlib.sha256(repr(rows).encode()).hexdigest()
