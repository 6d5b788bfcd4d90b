"""Any other database for which SQLAlchemy has a dialect: it works, and says what it cannot enforce."""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from dragoman.databases.connection_error import connection_error
from dragoman.databases.database import View
from dragoman.databases.deadline import Deadline
from dragoman.databases.first_word import first_word
from dragoman.databases.schema_cache import SchemaCache
from dragoman.databases.url import DatabaseURL, parse_url
from dragoman.errors import QueryError, SetupError
from dragoman.schema import Schema

try:
    import sqlalchemy
    from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError
except ImportError:
    raise SetupError("This database needs SQLAlchemy. Install it with: pip install 'dragoman[sqlalchemy]'.") from None

from dragoman.databases.generic_schema import generic_schema

BATCH = 500
SCHEMA_SECONDS = 300.0
READING = frozenset({"SELECT", "WITH", "VALUES", "TABLE", "EXPLAIN"})
READ_ONLY = {
    "oracle": "SET TRANSACTION READ ONLY",
    "cockroachdb": "SET TRANSACTION READ ONLY",
    "sqlite": "PRAGMA query_only = ON",
}
"""SQLAlchemy's name of a dialect -> what makes its session or transaction read only."""
DIALECTS = {
    "postgresql": "postgres", "cockroachdb": "postgres", "mariadb": "mysql", "mssql": "tsql", "awsathena": "athena",
    "clickhousedb": "clickhouse", "teradatasql": "teradata", "exa": "exasol", "singlestoredb": "singlestore",
}  # fmt: skip
"""SQLAlchemy's name of a dialect -> sqlglot's, where they differ."""


class GenericEngine:
    """One database through SQLAlchemy's pool (with pre-ping) and the driver's own cursor.

    `enforced` names what holds here, `gaps` what does not: which of them depends on the driver. Every transaction is
    rolled back. The schema is read again after five minutes at the earliest, and the fingerprint follows it; no
    change of the data is noticed. Values are the driver's own.

    Tested with SQLite's driver alone.
    """

    def __init__(self, url: DatabaseURL, text: str) -> None:
        """Connects once. Raises `SetupError` if SQLAlchemy knows no such dialect or the connection fails."""
        self.url = url
        try:
            self._engine = sqlalchemy.create_engine(text, pool_pre_ping=True, hide_parameters=True)
        except (ArgumentError, NoSuchModuleError, ImportError) as error:
            raise SetupError(
                f"No engine is known for {url.scheme}:// URLs ({url.redact(str(error))}). "
                "Install SQLAlchemy's dialect and its driver for this database."
            ) from None
        name = self._engine.dialect.name
        self.dialect = DIALECTS.get(name, name)
        self.name = url.database.rsplit("/", 1)[-1] or url.host or name
        self._read_only = READ_ONLY.get(name)
        self._cache = SchemaCache()
        self._read_at = 0.0
        self._closed = False
        self.enforced, self.gaps = self._try_out()

    def schema(self) -> Schema:
        """What SQLAlchemy's inspector finds."""
        return self._cache.get(self._read_schema)

    def fingerprint(self) -> str:
        """A digest of the place and of the schema."""
        return hashlib.sha256(repr((str(self.url), self.schema())).encode("utf-8", "surrogatepass")).hexdigest()

    @contextmanager
    def stream(self, sql: str, seconds: float | None) -> Iterator[GenericRows]:
        """Run one query; see `Engine.stream`."""
        if not {first_word(sql), first_word(sql, nested_comments=False)} <= READING:
            raise QueryError("Only queries can be run: SELECT, WITH, VALUES, TABLE or EXPLAIN.")
        if self._closed:
            raise QueryError("The database has been closed.")
        with self._translated(None):
            connection = self._engine.raw_connection()
        try:
            cursor = connection.cursor()
            deadline = Deadline(seconds, lambda: _interrupt(cursor, connection.dbapi_connection))
            try:
                with deadline:
                    with self._translated(deadline):
                        if self._read_only:
                            cursor.execute(self._read_only)
                        cursor.execute(sql)
                    yield GenericRows(cursor, lambda: self._translated(deadline))
            finally:
                with contextlib.suppress(Exception):  # a driver may refuse to close what was interrupted
                    cursor.close()
                if deadline.passed:
                    connection.invalidate()
        finally:
            connection.close()

    def with_views(self, views: Sequence[View]) -> GenericEngine:
        """Not possible: SQLAlchemy knows no temporary views."""
        raise SetupError("Temporary views are not known for this database. Create the views in it instead.")

    def close(self) -> None:
        """Close the pool's connections."""
        self._closed = True
        self._engine.dispose()

    def _read_schema(self, known: str) -> tuple[str, Schema | None]:
        now = time.monotonic()
        if known and now < self._read_at + SCHEMA_SECONDS:
            return known, None
        with self._translated(None):
            found = generic_schema(sqlalchemy.inspect(self._engine), self.dialect, self.name)
        self._read_at = now
        return "read", found

    def _try_out(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        try:
            connection = self._engine.raw_connection()
        except Exception as error:  # drivers raise what they like; this is the one place where all of it is theirs
            raise connection_error(self.url, str(error.__cause__ or error)) from None
        enforced, gaps = ["rollback after every query"], []
        try:
            cursor = connection.cursor()
            if _canceller(cursor, connection.dbapi_connection):
                enforced.append("cancel at the deadline")
            else:
                gaps.append("the driver cannot cancel: a query that is past its deadline goes on on the server")
            cursor.close()
        finally:
            connection.close()
        if self._read_only:
            enforced.append("read-only transaction")
        else:
            gaps.append("no read-only transaction is known: use a login that may only read")
        gaps.append("the server itself sets no time limit")
        return tuple(enforced), tuple(gaps)

    @contextmanager
    def _translated(self, deadline: Deadline | None) -> Iterator[None]:
        """SQLAlchemy's and the driver's exceptions as ours."""
        driver = self._engine.dialect.dbapi
        kinds = (SQLAlchemyError, OSError, UnicodeError, ValueError, OverflowError, driver.Error if driver else OSError)
        try:
            yield
            if deadline is not None:
                deadline.check()
        except kinds as error:
            if deadline is not None and deadline.passed:
                raise deadline.timeout() from None
            raise QueryError(self.url.redact(" ".join(str(error).split())) or type(error).__name__) from None


class GenericRows:
    """An open result of a driver's cursor; iterating yields batches of tuples."""

    def __init__(self, cursor: Any, translated: Callable[[], AbstractContextManager[None]]) -> None:
        if cursor.description is None:
            raise QueryError("The statement gave no result. Only queries can be run.")
        self.columns = tuple(str(column[0]) for column in cursor.description)
        self._cursor = cursor
        self._translated = translated

    def __iter__(self) -> Iterator[Sequence[tuple[Any, ...]]]:
        while True:
            with self._translated():
                batch = [tuple(row) for row in self._cursor.fetchmany(BATCH)]
            if not batch:
                return
            yield batch


def open_generic(url: str) -> GenericEngine:
    """Open any URL that SQLAlchemy understands."""
    return GenericEngine(parse_url(url), url)


def _canceller(cursor: Any, connection: Any) -> Callable[[], object] | None:
    for owner in (cursor, connection):
        for name in ("cancel", "interrupt"):
            method = getattr(owner, name, None)
            if callable(method):
                found: Callable[[], object] = method
                return found
    return None


def _interrupt(cursor: Any, connection: Any) -> None:
    cancel = _canceller(cursor, connection)
    if cancel is not None:
        with contextlib.suppress(Exception):  # it runs in a thread of its own, where nobody could catch it
            cancel()
