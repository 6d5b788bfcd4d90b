"""SQLite: opened read only, with an authorizer that lets nothing but reading through."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from dragoman.databases.database import View
from dragoman.databases.sqlite_schema import read_schema
from dragoman.errors import QueryError, QueryTimeout, SetupError
from dragoman.schema import Schema

BATCH = 500
STEPS_BETWEEN_CHECKS = 2000
LONGEST_VALUE = 64 * 2**20

ALLOWED_ACTIONS = frozenset(
    {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
)
# Table functions, which SQLite sets up at their first use with a statement that the authorizer would deny.
BUILT_IN_TABLES = ("json_each", "json_tree")
# Functions that some builds of SQLite carry and that reach outside the data.
DENIED_FUNCTIONS = frozenset(
    {"load_extension", "readfile", "writefile", "edit", "fts3_tokenizer", "fsdir", "lsmode", "sqlar_uncompress"}
)


class SQLiteEngine:
    """One SQLite file. Connections are opened on demand, kept for reuse, and shared by no two queries at a time.

    Text that is not UTF-8 is kept without loss (undecodable bytes as lone surrogates, PEP 383). SQLite knows no
    dates, decimals or booleans: values arrive as int, float, str, bytes or None, as they are stored.
    """

    dialect = "sqlite"
    enforced: tuple[str, ...] = ("read-only connection", "authorizer", "interrupt at the deadline")

    def __init__(self, path: Path, views: Sequence[View] = ()) -> None:
        """Raises `SetupError` if the file is absent, empty, unreadable or not a SQLite database."""
        self.path = path
        self.name = path.stem
        self._views = tuple(views)
        self._idle: list[sqlite3.Connection] = []
        self._lock = threading.Lock()
        self._closed = False
        self._schema: tuple[str, Schema] | None = None
        check_file(path)
        self._release(self._connect())

    def schema(self) -> Schema:
        """Tables and views, read again only when the file has changed."""
        fingerprint = self.fingerprint()
        if self._schema is None or self._schema[0] != fingerprint:
            connection = self._connect(locked=False)
            try:
                self._schema = (fingerprint, read_schema(connection, self.name))
            except sqlite3.Error as error:
                raise SetupError(_unreadable(self.path, error)) from None
            finally:
                connection.close()
        return self._schema[1]

    def fingerprint(self) -> str:
        """A digest of place, size and time of the file and of its write-ahead log."""
        parts = [str(self.path.resolve()), *map(repr, self._views)]
        for path in (self.path, self.path.with_name(self.path.name + "-wal")):
            try:
                found = path.stat()
                parts.append(f"{found.st_ino}:{found.st_size}:{found.st_mtime_ns}")
            except FileNotFoundError:
                parts.append("")
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()

    @contextmanager
    def stream(self, sql: str, seconds: float | None) -> Iterator[SQLiteRows]:
        """Run one statement; see `Engine.stream`."""
        connection = self._acquire()
        deadline = Deadline(seconds)
        connection.set_progress_handler(deadline.passed, STEPS_BETWEEN_CHECKS)
        try:
            with _translated(deadline):
                cursor = connection.execute(sql)
            yield SQLiteRows(cursor, deadline)
        finally:
            connection.set_progress_handler(None, 0)
            self._release(connection)

    def with_views(self, views: Sequence[View]) -> SQLiteEngine:
        """The same file seen through temporary views; they shadow tables of the same name."""
        return SQLiteEngine(self.path, (*self._views, *views))

    def close(self) -> None:
        """Close the idle connections; one in use is closed when its query ends."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _acquire(self) -> sqlite3.Connection:
        with self._lock:
            if self._closed:
                raise QueryError(f"The database {self.name} has been closed.")
            if self._idle:
                return self._idle.pop()
        return self._connect()

    def _release(self, connection: sqlite3.Connection) -> None:
        with self._lock:
            if not self._closed:
                self._idle.append(connection)
                return
        connection.close()

    def _connect(self, locked: bool = True) -> sqlite3.Connection:
        try:
            connection = sqlite3.connect(
                _uri(self.path), uri=True, check_same_thread=False, isolation_level=None, cached_statements=0
            )
            connection.text_factory = _decode
            connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()
            for view in self._views:
                connection.execute(f'CREATE TEMP VIEW "{view.name.replace(chr(34), chr(34) * 2)}" AS {view.sql}')
        except sqlite3.Error as error:
            raise SetupError(_unreadable(self.path, error)) from None
        if locked:
            for function in BUILT_IN_TABLES:
                with suppress(sqlite3.OperationalError):  # a build without it
                    connection.execute(f"SELECT 1 FROM {function}('[]')").fetchall()
            connection.execute("PRAGMA query_only = ON")
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
            connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
            connection.set_authorizer(_authorize)
        return connection


def open_sqlite(url: str) -> SQLiteEngine:
    """Open `sqlite:///relative.db`, `sqlite:////absolute.db` or a path."""
    path = unquote(url.removeprefix("sqlite://").removeprefix("/")) if url.startswith("sqlite:") else url
    if not path or path == ":memory:":
        raise SetupError("A SQLite URL needs a path, for example sqlite:///shop.db.")
    return SQLiteEngine(Path(path).expanduser())


class SQLiteRows:
    """An open SQLite result; iterating yields batches of tuples."""

    def __init__(self, cursor: sqlite3.Cursor, deadline: Deadline) -> None:
        self.columns = tuple(description[0] for description in cursor.description or ())
        self._cursor = cursor
        self._deadline = deadline

    def __iter__(self) -> Iterator[Sequence[tuple[Any, ...]]]:
        while True:
            with _translated(self._deadline):
                batch = self._cursor.fetchmany(BATCH)
            if self._deadline.passed():  # a single function may run past it where SQLite does not look
                raise QueryTimeout(f"The query ran longer than {self._deadline.seconds:g} s.")
            if not batch:
                return
            yield batch


class Deadline:
    """A point in time that a query must not outlast; None seconds is never."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self._end = None if seconds is None else time.monotonic() + seconds

    def passed(self) -> bool:
        """True once the time is over; SQLite then interrupts the statement."""
        return self._end is not None and time.monotonic() > self._end


def check_file(path: Path) -> None:
    """Raise `SetupError` unless `path` is a file that looks like a SQLite database."""
    try:
        if path.is_dir():
            raise SetupError(f"{path} is a folder. Give the path of a SQLite file.")
        with path.open("rb") as file:
            head = file.read(16)
    except FileNotFoundError:
        raise SetupError(f"There is no file {path}. Check the path given with --db.") from None
    except OSError as error:
        raise SetupError(f"Cannot open {path}: {error.strerror}. Check the path and its permissions.") from None
    if not head:
        raise SetupError(f"{path} is empty. Give a SQLite file that has tables.")
    if head != b"SQLite format 3\0":
        raise SetupError(f"{path} is not a SQLite database, or it is encrypted. Give an unencrypted SQLite file.")


def _uri(path: Path) -> str:
    """Read-only URI. A file left in WAL mode without a log can only be read in a locked folder as immutable."""
    uri = f"file:{quote(str(path.resolve()))}?mode=ro"
    with path.open("rb") as file:
        wal_mode = file.read(19)[18:19] == b"\x02"
    log = path.with_name(path.name + "-wal")
    if wal_mode and not (log.exists() and log.stat().st_size) and not _writable(path.parent):
        uri += "&immutable=1"
    return uri


def _writable(folder: Path) -> bool:
    return os.access(folder, os.W_OK)


def _decode(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _authorize(action: int, first: str | None, second: str | None, database: str | None, trigger: str | None) -> int:
    if action not in ALLOWED_ACTIONS:
        return sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in DENIED_FUNCTIONS:
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK


@contextmanager
def _translated(deadline: Deadline) -> Iterator[None]:
    """SQLite's exceptions as ours."""
    try:
        yield
    except (sqlite3.Error, sqlite3.Warning, UnicodeEncodeError, ValueError, OverflowError, MemoryError) as error:
        if isinstance(error, sqlite3.OperationalError) and str(error) == "interrupted":
            if not deadline.passed():
                raise KeyboardInterrupt from None  # SQLite swallowed it when it called back
            raise QueryTimeout(f"The query ran longer than {deadline.seconds:g} s and was interrupted.") from None
        raise QueryError(str(error) or type(error).__name__) from None


def _unreadable(path: Path, error: sqlite3.Error) -> str:
    return f"Cannot read {path} as a SQLite database ({error}). It may be damaged, encrypted or locked."
