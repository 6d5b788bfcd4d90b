"""A few connections, kept for reuse and checked before each use."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from dragoman.errors import QueryError

Connection = TypeVar("Connection")

SIZE = 8
LONGEST_WAIT_SECONDS = 60.0


class Pool(Generic[Connection]):
    """At most `size` connections at a time; a taker waits for a free one.

    Each connection taken must come back through `give` (fit for reuse) or `discard`.
    """

    def __init__(
        self,
        connect: Callable[[], Connection],
        close: Callable[[Connection], None],
        stale: tuple[type[Exception], ...],
        size: int = SIZE,
    ) -> None:
        self._connect, self._close, self._stale = connect, close, stale
        self._free = threading.BoundedSemaphore(size)
        self._lock = threading.Lock()
        self._idle: list[Connection] = []
        self._closed = False

    def take(self, ready: Callable[[Connection], None]) -> Connection:
        """A connection that `ready` has just prepared for a query.

        `ready` also shows whether a connection still lives: an idle one on which it raises one of `stale` is closed
        and replaced, which is the one retry after a server restart. Raises what `connect` raises, and `QueryError`
        if no connection came free for a minute.
        """
        if not self._free.acquire(timeout=LONGEST_WAIT_SECONDS):
            raise QueryError("All connections to the database are in use. Close a result that is still open.")
        try:
            while (connection := self._pop()) is not None:
                try:
                    ready(connection)
                    return connection
                except self._stale:
                    self._close(connection)
            connection = self._connect()
            try:
                ready(connection)
            except BaseException:
                self._close(connection)
                raise
            return connection
        except BaseException:
            self._free.release()
            raise

    def give(self, connection: Connection) -> None:
        """Hand back a connection that can be used again."""
        with self._lock:
            keep = not self._closed
            if keep:
                self._idle.append(connection)
        if not keep:
            self._close(connection)
        self._free.release()

    def discard(self, connection: Connection) -> None:
        """Hand back a connection that must not be used again."""
        self._close(connection)
        self._free.release()

    def close(self) -> None:
        """Close the idle connections; one in use is closed when it comes back."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            self._close(connection)

    def _pop(self) -> Connection | None:
        with self._lock:
            if self._closed:
                raise QueryError("The database has been closed.")
            return self._idle.pop() if self._idle else None
