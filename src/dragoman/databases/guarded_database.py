"""The guard and the limits in front of any engine: the only path on which a query reaches a database."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from dragoman.databases.database import Engine, Guard, Limits, Rows, RowStream
from dragoman.schema import Schema


class GuardedDatabase:
    """An engine behind the read-only guard. Satisfies `Database`."""

    def __init__(self, engine: Engine, guard: Guard) -> None:
        self.engine = engine
        self.guard = guard
        self.dialect = engine.dialect
        self.name = engine.name

    def __repr__(self) -> str:
        return f"GuardedDatabase({self.name!r}, {self.dialect!r})"

    def schema(self) -> Schema:
        return self.engine.schema()

    def fingerprint(self) -> str:
        return self.engine.fingerprint()

    def execute(self, sql: str, limits: Limits = Limits()) -> Rows:
        """Run one query and keep what the limits allow; see `Database`."""
        started = time.monotonic()
        with self.stream(sql, limits) as stream:
            rows, truncated = _collect(stream, limits)
            columns = stream.columns
        enforced = ("guard", *self.engine.enforced, *_named(limits))
        return Rows(columns, rows, truncated, time.monotonic() - started, enforced)

    @contextmanager
    def stream(self, sql: str, limits: Limits = Limits()) -> Iterator[RowStream]:
        """Run one query and hand over all its rows in batches; only `limits.seconds` applies."""
        self.guard(sql, self.schema(), self.dialect)
        opened: AbstractContextManager[RowStream] = self.engine.stream(sql, limits.seconds)
        with opened as rows:
            yield rows

    def close(self) -> None:
        self.engine.close()


def size(value: Any) -> int:
    """Bytes that a value takes in canonical form, near enough for a cap."""
    if isinstance(value, (str, bytes)):
        return len(value) + 4
    if isinstance(value, (list, tuple)):
        return 4 + sum(map(size, value))
    if isinstance(value, dict):
        return 4 + sum(size(key) + size(item) for key, item in value.items())
    return 8


def _collect(stream: RowStream, limits: Limits) -> tuple[tuple[tuple[Any, ...], ...], bool]:
    kept: list[tuple[Any, ...]] = []
    total = 0
    for batch in stream:
        for row in batch:
            if limits.rows is not None and len(kept) >= limits.rows:
                return tuple(kept), True
            total += sum(map(size, row))
            if limits.bytes is not None and total > limits.bytes:
                return tuple(kept), True
            kept.append(row)
    return tuple(kept), False


def _named(limits: Limits) -> tuple[str, ...]:
    parts = []
    if limits.seconds is not None:
        parts.append(f"{limits.seconds:g} s")
    if limits.rows is not None:
        parts.append(f"{limits.rows} rows")
    if limits.bytes is not None:
        parts.append(f"{limits.bytes} bytes")
    return tuple(parts)
