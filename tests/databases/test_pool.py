"""The pool: reuse, one retry on stale connections, a bound, and nothing left open."""

from __future__ import annotations

import threading
import time

import pytest

from dragoman.databases.deadline import Deadline
from dragoman.databases.pool import Pool
from dragoman.errors import QueryError, QueryTimeout, SetupError


class Line:
    """A connection that can be cut."""

    def __init__(self) -> None:
        self.alive = self.open = True


class Server:
    """Connections made so far, and whether new ones can be made."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.up = True

    def connect(self) -> Line:
        if not self.up:
            raise SetupError("away")
        self.lines.append(Line())
        return self.lines[-1]

    def pool(self, size: int = 8) -> Pool[Line]:
        return Pool(self.connect, lambda line: setattr(line, "open", False), (ConnectionError,), size)


def ready(line: Line) -> None:
    if not line.alive:
        raise ConnectionError


def test_a_connection_is_reused_and_a_stale_one_replaced_once() -> None:
    server = Server()
    pool = server.pool()
    first = pool.take(ready)
    pool.give(first)
    assert pool.take(ready) is first
    second = pool.take(ready)
    pool.give(first)
    pool.give(second)
    first.alive = second.alive = False
    third = pool.take(ready)
    assert third not in (first, second)
    assert (first.open, second.open, third.open) == (False, False, True)
    server.up = False
    third.alive = False
    pool.give(third)
    with pytest.raises(SetupError):
        pool.take(ready)
    server.up = True
    assert pool.take(ready).open


def test_failures_use_no_place_up_and_close_leaves_nothing() -> None:
    server = Server()
    pool = server.pool(size=1)

    def broken(line: Line) -> None:
        raise QueryError("no")

    for _ in range(3):
        with pytest.raises(QueryError):
            pool.take(broken)
    line = pool.take(ready)
    waiting = threading.Thread(target=lambda: pool.give(pool.take(ready)))
    waiting.start()
    pool.give(line)
    waiting.join(10)
    assert not waiting.is_alive()
    line = pool.take(ready)
    pool.close()
    pool.give(line)
    assert not any(line.open for line in server.lines)
    with pytest.raises(QueryError):
        pool.take(ready)


def test_a_deadline_fires_once_and_never_after_its_context() -> None:
    fired: list[int] = []
    with Deadline(0.01, lambda: fired.append(1)) as deadline:
        while not deadline.passed:
            time.sleep(0.005)
    assert fired == [1]
    with pytest.raises(QueryTimeout, match=r"0\.01 s"):
        deadline.check()
    running = set(threading.enumerate())
    with Deadline(3600.0, lambda: fired.append(2)) as late:
        late.check()
    assert set(threading.enumerate()) <= running
    with Deadline(None, lambda: fired.append(3)) as never:
        never.check()
    assert fired == [1]
