"""Replies kept in one SQLite file, shared by threads and processes.

Each reply is one statement in write-ahead mode, so that a process killed at any point leaves a whole file. Nothing
that happens to the file stops a run: a damaged file is set aside under a new name and a fresh one is made; a folder
that cannot be written, a full disk or a lock that does not end mean no cache. Each is a `RuntimeWarning`. The file
holds replies and hashes of requests, neither prompts nor keys.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import threading
import warnings
import zlib
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from pathlib import Path

from dragoman.errors import DragomanError, SetupError
from dragoman.models.model import Reply
from dragoman.models.request import reply_from_record, reply_to_record

_APPLICATION = 0x44726167
_VERSION = 1
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_BUSY_SECONDS = 30.0
_TABLE = """
    CREATE TABLE IF NOT EXISTS replies (
        key TEXT PRIMARY KEY, model TEXT NOT NULL, reply TEXT NOT NULL, checksum INTEGER NOT NULL
    ) WITHOUT ROWID
"""


class ReplyCache:
    """The replies in the file `path`, which is made on first use. Safe to use from several threads."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._process = os.getpid()
        self._inode: int | None = None
        self._off = False
        self._running: dict[str, Future[Reply]] = {}

    def get(self, key: str) -> Reply | None:
        """The reply as it was paid, its cost included, with `stored` set; None if there is none that can be read."""
        rows = self._run("SELECT reply, checksum FROM replies WHERE key = ?", (key,))
        if not rows:
            return None
        text, checksum = rows[0]
        try:
            if zlib.crc32(text.encode()) != checksum:
                return None
            reply = reply_from_record(json.loads(text))
        except (ValueError, KeyError, TypeError, AttributeError):
            return None
        return Reply(reply.choices, reply.usage, reply.cost, reply.seconds, stored=True)

    def put(self, key: str, model: str, reply: Reply) -> None:
        """Keep a reply. A readable one that is already there is replaced."""
        text = json.dumps(reply_to_record(reply))
        values = (key, model, text, zlib.crc32(text.encode()))
        self._run("INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?)", values)

    def get_or_pay(self, key: str, model: str, pay: Callable[[], Reply]) -> tuple[Reply, bool]:
        """The kept reply, or else the one that `pay` gives, which is kept; and whether this call paid it.

        Threads that ask for the same key at the same time wait for the first of them and share its reply or error.
        """
        while True:
            with self._lock:
                running = self._running.get(key)
                mine: Future[Reply] | None = None
                if running is None:
                    mine = self._running[key] = Future()
            if running is not None:
                try:
                    return running.result(), False
                except CancelledError:
                    continue
            if mine is not None:
                return self._pay(key, model, pay, mine)

    def close(self) -> None:
        """Close the file. It opens again on the next use."""
        with self._lock:
            if self._connection is not None and self._process == os.getpid():
                self._connection.close()
            self._connection = None

    def _pay(self, key: str, model: str, pay: Callable[[], Reply], future: Future[Reply]) -> tuple[Reply, bool]:
        paid = False
        try:
            reply = self.get(key)
            if reply is None:
                reply, paid = pay(), True
                if reply.choices:
                    self.put(key, model, reply)
        except DragomanError as error:
            future.set_exception(error)
            raise
        except BaseException:
            future.cancel()
            raise
        else:
            future.set_result(reply)
            return reply, paid
        finally:
            with self._lock:
                del self._running[key]

    def _run(self, sql: str, values: tuple[object, ...]) -> list[tuple[str, int]]:
        with self._lock:
            for mended in (False, True):
                if self._off:
                    break
                try:
                    return self._opened().execute(sql, values).fetchall()
                except (sqlite3.Error, OSError) as error:
                    code = getattr(error, "sqlite_errorcode", None)
                    if code is not None and code & 0xFF in _DAMAGED and not mended:
                        self._set_aside()
                    else:
                        self._give_up(error)
            return []

    def _opened(self) -> sqlite3.Connection:
        if self._connection is not None and self._process == os.getpid():
            return self._connection
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._process = os.getpid()
        self._inode = self.path.stat().st_ino if self.path.exists() else None
        connection = sqlite3.connect(self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        try:
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        self._connection = connection
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        empty = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
        if (application, version) != (_APPLICATION, _VERSION) and not empty:
            raise SetupError(f"{self.path} is not a reply cache of this version. Choose another path for the cache.")
        with contextlib.suppress(sqlite3.OperationalError):  # another process is switching it on, or it cannot be had
            connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(_TABLE)
        connection.execute(f"PRAGMA application_id = {_APPLICATION}")
        connection.execute(f"PRAGMA user_version = {_VERSION}")
        connection.execute("COMMIT")

    def _set_aside(self) -> None:
        self.close()
        if not self.path.exists() or (self._inode is not None and self.path.stat().st_ino != self._inode):
            return  # another process has set it aside already
        number = 1
        while (aside := self.path.with_name(f"{self.path.name}.damaged-{number}")).exists():
            number += 1
        for suffix in ("-wal", "-shm", ""):
            with contextlib.suppress(FileNotFoundError):
                os.replace(f"{self.path}{suffix}", f"{aside}{suffix}")
        warnings.warn(
            f"The reply cache {self.path} is damaged. It was set aside as {aside.name} and a fresh one was begun.",
            RuntimeWarning,
            stacklevel=2,
        )

    def _give_up(self, error: Exception) -> None:
        self.close()
        self._off = True
        warnings.warn(
            f"The reply cache {self.path} cannot be used ({error}), so replies are not kept. Check its folder.",
            RuntimeWarning,
            stacklevel=2,
        )
