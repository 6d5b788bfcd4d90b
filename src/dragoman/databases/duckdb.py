"""DuckDB: a database file, or Parquet, CSV and JSON files, read only and locked in."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import unquote

from dragoman.databases.database import View
from dragoman.databases.deadline import Deadline
from dragoman.databases.duckdb_files import READERS, FileView, file_views
from dragoman.databases.duckdb_schema import duckdb_schema
from dragoman.databases.interruptible import Abandoned, interruptible
from dragoman.databases.json_paths import with_json_paths
from dragoman.errors import QueryError, SetupError
from dragoman.schema import Schema
from dragoman.sql.quote import quote_always

try:
    import duckdb
except ImportError:
    raise SetupError("DuckDB and data files need DuckDB. Install it with: pip install 'dragoman[duckdb]'.") from None

from dragoman.databases.duckdb_statement import check_statement, qualify
from dragoman.databases.duckdb_values import exact_rows, execute_exactly

_Result = TypeVar("_Result")

BATCH = 500
SAMPLE_SECONDS = 3.0
INTERRUPT_AGAIN = 0.1
"""Seconds; an interrupt between two statements is forgotten."""
NO_EXTENSIONS: dict[str, str | bool | int | float | list[str]] = {
    "allow_community_extensions": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_persistent_secrets": "false",
}
LOCKED = {"enable_external_access": "false", "lock_configuration": "true"}


class DuckDBEngine:
    """One DuckDB file, or data files seen as views of one in-memory database.

    Locks: one statement, of a type that reads; a file is opened read only; no access to other files, the network or
    extensions; a locked configuration. Each query has a connection of its own, so nothing temporary outlives it.

    Values are DuckDB's own in Python, except: an interval is an exact timedelta, or text where it has months; a
    TIMESTAMP_NS is text, as Python has no nanoseconds; a BIGNUM is an int. Not faithful in DuckDB's own client: an
    infinite date or time arrives as the last one that Python has, an interval with months inside a list or struct
    as 30 days each, and NaN, UNION and BIT as DuckDB gives them.
    """

    dialect = "duckdb"
    enforced: tuple[str, ...] = (
        "read-only connection",
        "one reading statement",
        "external access off",
        "locked configuration",
        "interrupt at the deadline",
    )
    gaps: tuple[str, ...] = ()

    def __init__(self, path: Path, views: Sequence[View] = ()) -> None:
        """Raises `SetupError` if there is nothing at `path`, or nothing that DuckDB can read."""
        self.path = path
        self.name = path.stem or path.resolve().name
        self._views = tuple(views)
        self._selects: dict[View, str] = {}
        self._lock = threading.Lock()
        self._files: dict[str, tuple[int | None, tuple[str, ...]]] = {}
        self._known: tuple[str, Schema] | None = None
        self._root: duckdb.DuckDBPyConnection | None = self._open()
        self._opened = self.fingerprint()
        self._session().close()

    def schema(self) -> Schema:
        """Tables and views, read again (and files looked for again) only when a file has changed."""
        with self._lock:
            fingerprint = self.fingerprint()
            if self._known is None or self._known[0] != fingerprint:
                if self._opened != fingerprint and self._root is not None:
                    self._root.close()
                    self._root, self._opened = self._open(), fingerprint
                session = self._session()
                try:
                    found = duckdb_schema(lambda query: session.execute(query).fetchall(), self.name, self._files)
                except duckdb.Error as error:
                    raise QueryError(_message(error)) from None
                finally:
                    session.close()
                self._known = (fingerprint, with_json_paths(found, self._sample))
            return self._known[1]

    def fingerprint(self) -> str:
        """A digest of place, size and time of every file."""
        files = [self.path, self.path.with_name(self.path.name + ".wal")] if self._is_database() else self._data_files()
        parts = [str(self.path.resolve()), *map(repr, self._views)]
        for file in files:
            with contextlib.suppress(OSError):
                found = file.stat()
                parts.append(f"{file}:{found.st_ino}:{found.st_size}:{found.st_mtime_ns}")
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()

    @contextmanager
    def stream(self, sql: str, seconds: float | None) -> Iterator[DuckDBRows]:
        """Run one query; see `Engine.stream`."""
        session = self._session()
        deadline = Deadline(seconds, lambda: _interrupt(session), again=INTERRUPT_AGAIN)
        call = _Call(session, deadline)
        try:
            with deadline:
                types = call(lambda: _start(session, sql, deadline))
                yield DuckDBRows(session, types, call)
        finally:
            if not call.abandoned:
                session.close()

    def with_views(self, views: Sequence[View]) -> DuckDBEngine:
        """The same data with temporary views in every session."""
        return DuckDBEngine(self.path, (*self._views, *views))

    def close(self) -> None:
        """Close the database; queries in progress end with their own connection."""
        with self._lock:
            root, self._root = self._root, None
        if root is not None:
            try:
                root.close()
            except duckdb.Error:  # busy with another call; it ends with its last session
                return

    def _sample(self, query: str) -> list[tuple[Any, ...]]:
        with self.stream(query, SAMPLE_SECONDS) as stream:
            return [row for batch in stream for row in batch]

    def _session(self) -> duckdb.DuckDBPyConnection:
        root = self._root
        if root is None:
            raise QueryError(f"The database {self.name} has been closed.")
        session = root.cursor()
        try:
            for view in self._views:
                if view not in self._selects:
                    self._selects[view] = qualify(session, view.sql)
                session.execute(f"CREATE TEMP VIEW {quote_always(view.name, 'duckdb')} AS {self._selects[view]}")
        except duckdb.Error as error:
            session.close()
            raise SetupError(f"Cannot make a view on {self.path}: {_message(error)}") from None
        return session

    def _is_database(self) -> bool:
        return self.path.suffix.lower() not in READERS and not self.path.is_dir()

    def _data_files(self) -> list[Path]:
        return [file for view in file_views(self.path) for file in view.files]

    def _open(self) -> duckdb.DuckDBPyConnection:
        try:
            if self._is_database():
                _check_file(self.path)
                return duckdb.connect(str(self.path), read_only=True, config={**NO_EXTENSIONS, **LOCKED})
            views = file_views(self.path)
            spill = os.path.join(tempfile.gettempdir(), f"dragoman-duckdb-{os.getpid()}")
            connection = duckdb.connect(":memory:", config={**NO_EXTENSIONS, "temp_directory": spill})
            self._files = {view.name: _make(connection, view) for view in views}
            allowed = ", ".join("'" + str(file).replace("'", "''") + "'" for view in views for file in view.files)
            connection.execute(f"SET allowed_paths = [{allowed}]")
            for setting, value in LOCKED.items():
                connection.execute(f"SET {setting} = {value}")
            return connection
        except duckdb.Error as error:
            raise SetupError(_unreadable(self.path, error)) from None


class DuckDBRows:
    """An open DuckDB result; iterating yields batches of tuples."""

    def __init__(self, session: duckdb.DuckDBPyConnection, types: Sequence[str], call: _Call) -> None:
        self.columns = tuple(column[0] for column in session.description or ())
        self._types = types
        self._session = session
        self._call = call

    def __iter__(self) -> Iterator[Sequence[tuple[Any, ...]]]:
        while True:
            batch = self._call(lambda: self._session.fetchmany(BATCH))
            if not batch:
                return
            yield exact_rows(batch, self._types)


class _Call:
    """Calls into a session, within the deadline of its query.

    DuckDB looks for interrupts between the pieces of its work, and one piece may be a function that makes a list of a
    hundred million values. Such a call is left behind, and closes the session when it ends: `abandoned` is True then.
    """

    def __init__(self, session: duckdb.DuckDBPyConnection, deadline: Deadline) -> None:
        self.abandoned = False
        self._session = session
        self._deadline = deadline

    def __call__(self, call: Callable[[], _Result]) -> _Result:
        interrupt = self._session.interrupt
        with _translated(self._deadline):
            try:
                return interruptible(call, interrupt, self._deadline.left, self._session.close)
            except Abandoned as left:
                self.abandoned = True
                if left.by_user:
                    raise KeyboardInterrupt from left
                raise self._deadline.timeout() from left


def open_duckdb(url: str) -> DuckDBEngine:
    """Open `duckdb:///relative.duckdb`, `duckdb:////absolute.duckdb`, or a path of a file or folder."""
    path = unquote(url.removeprefix("duckdb://").removeprefix("/")) if url.startswith("duckdb:") else url
    if not path or path == ":memory:":
        raise SetupError("A DuckDB URL needs a path, for example duckdb:///shop.duckdb.")
    return DuckDBEngine(Path(path).expanduser())


def _start(session: duckdb.DuckDBPyConnection, sql: str, deadline: Deadline) -> list[str]:
    """Check the query, run it, and give the types of its columns."""
    check_statement(session, sql)
    deadline.check()
    return execute_exactly(session, sql)


def _interrupt(session: duckdb.DuckDBPyConnection) -> None:
    with contextlib.suppress(duckdb.Error):  # it has just been closed
        session.interrupt()


def _make(connection: duckdb.DuckDBPyConnection, view: FileView) -> tuple[int | None, tuple[str, ...]]:
    """Create the view of some files; gives its row count, where the files say so themselves, and its members."""
    connection.execute(f"CREATE VIEW {quote_always(view.name, 'duckdb')} AS {view.select}")
    rows = None
    if view.suffix == ".parquet":
        paths = [str(file) for file in view.files]
        counted = connection.execute("SELECT sum(num_rows)::BIGINT FROM parquet_file_metadata(?)", [paths]).fetchone()
        rows = counted[0] if counted else None
    return rows, tuple(file.name for file in view.files)


def _check_file(path: Path) -> None:
    if not path.exists():
        raise SetupError(f"There is no file {path}. Check the path given with --db.")
    if path.stat().st_size == 0:
        raise SetupError(f"{path} is empty. Give a DuckDB file that has tables.")


@contextmanager
def _translated(deadline: Deadline) -> Iterator[None]:
    """DuckDB's exceptions as ours."""
    try:
        yield
        deadline.check()
    except duckdb.InterruptException:
        raise deadline.timeout() from None
    except (duckdb.Error, UnicodeError, ValueError, OverflowError, MemoryError, RuntimeError) as error:
        if deadline.passed:
            raise deadline.timeout() from None
        raise QueryError(_message(error)) from None


def _message(error: BaseException) -> str:
    """DuckDB's sentence and its suggestions, without the picture of the line."""
    text = str(error).split("\n\nLINE ")[0]
    return " ".join(text.split()) or type(error).__name__


def _unreadable(path: Path, error: duckdb.Error) -> str:
    if "lock" in str(error).lower():
        return f"{path} is in use by another process that writes to it. Close that process, or read a copy."
    return f"Cannot read {path} with DuckDB ({_message(error)}). It may be damaged or of another version."
