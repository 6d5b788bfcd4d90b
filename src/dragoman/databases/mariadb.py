"""MariaDB, and MySQL through the same driver: read-only transactions, statements killed on the server."""

from __future__ import annotations

import contextlib
import hashlib
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from dragoman.databases.catalogue_query import catalogue_query
from dragoman.databases.connection_error import connection_error
from dragoman.databases.database import View
from dragoman.databases.deadline import Deadline
from dragoman.databases.first_word import first_word
from dragoman.databases.json_paths import with_json_paths
from dragoman.databases.mariadb_schema import mariadb_schema
from dragoman.databases.pool import Pool
from dragoman.databases.schema_cache import SchemaCache
from dragoman.databases.url import DatabaseURL, parse_url
from dragoman.errors import QueryError, SetupError
from dragoman.schema import Schema

try:
    import pymysql
    from pymysql.cursors import SSCursor
except ImportError:
    raise SetupError("MariaDB and MySQL need a driver. Install it with: pip install 'dragoman[mysql]'.") from None

from dragoman.databases.dial_mariadb import SQL_MODES, dial_mariadb, product

CONNECT_SECONDS = 10
KILL_SECONDS = 3
GRACE_SECONDS = 0.5  # the server's own limit is for a client that is gone; a live one kills the statement first
BATCH = 500
SAMPLE_SECONDS = 3.0
SCHEMA_SECONDS = 60.0
READING = frozenset({"SELECT", "WITH", "VALUES", "TABLE", "EXPLAIN", "DESCRIBE", "DESC"})
OUT_OF_TIME = frozenset({1969, 3024})
LOST = frozenset({2006, 2013, 2055, 1927})


class MariaDBEngine:
    """One MariaDB database, or all databases of a server if the URL names none (10.6 or later).

    Locks: a statement must begin like a query, the protocol takes one statement only, the transaction is READ ONLY,
    LOCAL INFILE is off. `SELECT ... INTO OUTFILE` and what stored functions reach outside the data no setting can
    stop: use a login without the FILE privilege, as an all-powerful one gets round them. There are no temporary
    views, so `with_views` is refused.

    The session runs in the server's documented default SQL mode, so that quotes and || mean what the dialect says.

    Values: DECIMAL is Decimal, DATETIME and TIMESTAMP are naive datetimes in the session's zone, TIME is a timedelta,
    a date that Python does not have (0000-00-00) is text, JSON is text, BIT, BLOB and geometry are bytes, BOOLEAN is
    an int, UUID is text.

    MySQL differs and is untested: its deadline is MAX_EXECUTION_TIME, which holds for SELECT alone.
    """

    dialect = "mysql"
    enforced: tuple[str, ...] = (
        "read-only transaction",
        "one reading statement",
        "statement timeout",
        "kill at the deadline",
    )
    gaps: tuple[str, ...] = ()

    def __init__(self, url: DatabaseURL) -> None:
        """Connects once. Raises `SetupError` if the server cannot be reached or does not let the login in."""
        self.url = url
        self.name = url.database or url.host
        self._pool: Pool[pymysql.Connection] = Pool(self._connect, _close, (pymysql.Error, OSError))
        self._cache = SchemaCache()
        self._give(self._pool.take(lambda fresh: _begin(fresh, None)))

    def schema(self) -> Schema:
        """Tables and views, read again only when a definition has changed."""
        return self._cache.get(self._read_schema)

    def fingerprint(self) -> str:
        """A digest of the definitions and of what the storage engine says about its data."""
        with self._session(SCHEMA_SECONDS) as connection:
            mark = self._fetch(connection, catalogue_query("mariadb", "mark"))
            data = self._fetch(connection, catalogue_query("mariadb", "data"))
        return _digest([*mark, *data, (self.url.host, self.url.port, self.name)])

    @contextmanager
    def stream(self, sql: str, seconds: float | None) -> Iterator[MariaDBRows]:
        """Run one query; see `Engine.stream`."""
        if first_word(sql, nested_comments=False) not in READING:
            raise QueryError("Only queries can be run: SELECT, WITH, VALUES, TABLE, EXPLAIN or DESCRIBE.")
        with self._session(seconds) as connection:
            deadline = Deadline(seconds, lambda: self._kill(connection))
            cursor = SSCursor(connection)
            try:
                with deadline:
                    with self._translated(deadline):
                        cursor.execute(sql)
                    yield MariaDBRows(cursor, lambda: self._translated(deadline))
            finally:
                # rows not read would have to be read to the end, a kill may be on its way, a lock would stay
                if _forget_unread(cursor) or deadline.passed or "get_lock" in sql.lower():
                    _close(connection)

    def warnings(self) -> tuple[str, ...]:
        """What the login may do that a reader should not, one sentence each; () for a login that only reads."""
        with self._session(SCHEMA_SECONDS) as connection:
            powers = [row[0] for row in self._fetch(connection, catalogue_query("mariadb", "powers"))]
        if not powers:
            return ()
        files = "It may read and write files of the server, which cannot be stopped. " if "FILE" in powers else ""
        shown = ", ".join(powers[:5]) + (f" and {len(powers) - 5} more" if len(powers) > 5 else "")
        return (f"The login has more than SELECT: {shown}. {files}A login with SELECT alone is enough.",)

    def with_views(self, views: Sequence[View]) -> MariaDBEngine:
        """Not possible: MariaDB has no temporary views."""
        raise SetupError("MariaDB has no temporary views. Create the views in the database, or refine another engine.")

    def close(self) -> None:
        """Close the idle connections; one in use is closed when its query ends."""
        self._pool.close()

    def _read_schema(self, known: str) -> tuple[str, Schema | None]:
        with self._session(SCHEMA_SECONDS) as connection:
            mark = _digest(self._fetch(connection, catalogue_query("mariadb", "mark")))
            if mark == known:
                return mark, None

            def fetch(query: str) -> list[tuple[Any, ...]]:
                return self._fetch(connection, query)

            found = mariadb_schema(fetch, self.name, self.url.database, product(connection) == "MariaDB")
        return mark, with_json_paths(found, self._sample)

    def _sample(self, query: str) -> list[tuple[Any, ...]]:
        with self.stream(query, SAMPLE_SECONDS) as stream:
            return [row for batch in stream for row in batch]

    @contextmanager
    def _session(self, seconds: float | None) -> Iterator[pymysql.Connection]:
        try:
            connection = self._pool.take(lambda found: _begin(found, seconds))
        except SetupError as error:
            raise QueryError(str(error)) from None
        except (pymysql.Error, OSError) as error:
            raise QueryError(self._message(error)) from None
        try:
            yield connection
        finally:
            self._give(connection)

    def _give(self, connection: pymysql.Connection) -> None:
        """Back to the pool after a rollback, or closed if anything about it is doubtful."""
        try:
            fit = connection.open
            if fit:
                connection.query("ROLLBACK")
        except (pymysql.Error, OSError):
            fit = False
        (self._pool.give if fit else self._pool.discard)(connection)

    def _fetch(self, connection: pymysql.Connection, query: str) -> list[tuple[Any, ...]]:
        with self._translated(None), connection.cursor() as cursor:
            cursor.execute(query, {"database": self.url.database})
            return list(cursor.fetchall())

    def _connect(self) -> pymysql.Connection:
        try:
            connection = dial_mariadb(self.url, CONNECT_SECONDS)
        except (pymysql.Error, OSError, RuntimeError) as error:
            raise connection_error(self.url, self._message(error)) from None
        try:
            connection.dragoman_timeout = None
            connection.query(f"SET SESSION sql_mode = '{SQL_MODES[product(connection)]}'")
            connection.query("SET SESSION TRANSACTION READ ONLY")
        except (pymysql.Error, OSError) as error:
            _close(connection)
            raise SetupError(f"Cannot prepare a session on {self.url}: {self._message(error)}.") from None
        return connection

    def _kill(self, connection: pymysql.Connection) -> None:
        """End the statement on the server; if that fails, the connection."""
        try:
            other = dial_mariadb(self.url, KILL_SECONDS)
            try:
                other.query(f"KILL QUERY {int(connection.thread_id())}")
            finally:
                _close(other)
        except (pymysql.Error, OSError, SetupError):
            with contextlib.suppress(OSError, AttributeError):
                connection._sock.shutdown(socket.SHUT_RDWR)

    @contextmanager
    def _translated(self, deadline: Deadline | None) -> Iterator[None]:
        """PyMySQL's exceptions as ours."""
        try:
            yield
            if deadline is not None:
                deadline.check()  # a killed SLEEP or BENCHMARK gives a row, not an error
        except (pymysql.Error, OSError, UnicodeError, ValueError, OverflowError) as error:
            if deadline is not None and (deadline.passed or _code(error) in OUT_OF_TIME):
                raise deadline.timeout() from None
            raise QueryError(self._message(error)) from None

    def _message(self, error: Exception) -> str:
        if _code(error) in LOST:
            return f"The connection to {self.url} was lost. Check that the server runs, and ask again"
        text = str(error.args[1]) if isinstance(error, pymysql.Error) and len(error.args) > 1 else str(error)
        return self.url.redact(" ".join(text.split())) or type(error).__name__


class MariaDBRows:
    """An open MariaDB result, read as the server sends it; iterating yields batches of tuples."""

    def __init__(self, cursor: SSCursor, translated: Callable[[], AbstractContextManager[None]]) -> None:
        if cursor.description is None:
            raise QueryError("The statement gave no result. Only queries can be run.")
        self.columns = tuple(column[0] for column in cursor.description)
        self._cursor = cursor
        self._translated = translated

    def __iter__(self) -> Iterator[Sequence[tuple[Any, ...]]]:
        while True:
            with self._translated():
                batch = self._cursor.fetchmany(BATCH)
            if not batch:
                return
            yield batch


def open_mariadb(url: str) -> MariaDBEngine:
    """Open `mariadb://user:password@host:port/database?ssl-mode=REQUIRED`, or the same with mysql://."""
    return MariaDBEngine(parse_url(url))


def _begin(connection: Any, seconds: float | None) -> None:
    """Set the server's own time limit if it has changed, and open the transaction; a dead connection shows here."""
    connection._read_timeout = CONNECT_SECONDS
    limit = 0.0 if seconds is None else seconds + GRACE_SECONDS
    if connection.dragoman_timeout != limit:
        mariadb = product(connection) == "MariaDB"
        setting = f"max_statement_time = {limit:.3f}" if mariadb else f"max_execution_time = {int(limit * 1000)}"
        connection.query(f"SET SESSION {setting}")
        connection.dragoman_timeout = limit
    connection.query("START TRANSACTION READ ONLY")
    connection._read_timeout = None  # from here on the deadline ends the wait


def _forget_unread(cursor: SSCursor) -> bool:
    """Whether rows are left; PyMySQL is then kept from reading them all when it closes."""
    result, cursor.connection = cursor._result, None
    unread = result is not None and result.unbuffered_active
    if unread:
        result.unbuffered_active = False
    return bool(unread)


def _code(error: Exception) -> int:
    return error.args[0] if isinstance(error, pymysql.Error) and error.args and isinstance(error.args[0], int) else 0


def _close(connection: pymysql.Connection) -> None:
    with contextlib.suppress(pymysql.Error, OSError):
        connection.close()


def _digest(rows: Sequence[Any]) -> str:
    return hashlib.sha256(repr(rows).encode()).hexdigest()
