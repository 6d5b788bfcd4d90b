"""The guard and the limits in front of any engine: the only path on which a query reaches a database."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from dragoman.databases.database import Engine, Estimating, Guard, Limits, Rows, RowStream
from dragoman.databases.query_log import QueryLog
from dragoman.errors import DragomanError, Refused
from dragoman.schema import Schema
from dragoman.sql.access import AccessPolicy
from dragoman.sql.statements import first_statement


class GuardedDatabase:
    """An engine behind the read-only guard. Satisfies `Database`.

    `access` narrows the schema that is shown; `guard` must know it too, and gets the whole schema. Every query, run
    or refused, is written to `log` if there is one.
    """

    def __init__(
        self, engine: Engine, guard: Guard, access: AccessPolicy | None = None, log: QueryLog | None = None
    ) -> None:
        self.engine = engine
        self.guard = guard
        self.access = access
        self.log = log
        self.dialect = engine.dialect
        self.name = engine.name
        self._visible: tuple[Schema, Schema] | None = None

    def __repr__(self) -> str:
        return f"GuardedDatabase({self.name!r}, {self.dialect!r})"

    def schema(self) -> Schema:
        """What may be seen: the engine's schema, without what `access` denies."""
        whole = self.engine.schema()
        if self.access is None:
            return whole
        if self._visible is None or self._visible[0] is not whole:
            self._visible = (whole, self.access.visible(whole))
        return self._visible[1]

    def fingerprint(self) -> str:
        return self.engine.fingerprint()

    def execute(self, sql: str, limits: Limits = Limits()) -> Rows:
        """Run one query and keep what the limits allow; see `Database`."""
        started = time.monotonic()
        with self._recorded(sql, limits) as record:
            with self._open(sql, limits) as stream:
                rows, truncated = _collect(stream, limits)
                columns = stream.columns
            record |= {"rows": len(rows), "truncated": truncated, "result": rows}
        enforced = ("guard", *self.engine.enforced, *_named(limits, self.engine))
        return Rows(columns, rows, truncated, time.monotonic() - started, enforced)

    @contextmanager
    def stream(self, sql: str, limits: Limits = Limits()) -> Iterator[RowStream]:
        """Run one query and hand over all its rows in batches; only `limits.seconds` and `limits.cost` apply."""
        with self._recorded(sql, limits), self._open(sql, limits) as rows:
            yield rows

    def warnings(self) -> tuple[str, ...]:
        """What `doctor` should say: what the login may do that a reader should not, and what cannot be enforced."""
        gaps = (f"Not enforced by this engine: {gap}." for gap in getattr(self.engine, "gaps", ()))
        return (*getattr(self.engine, "warnings", tuple)(), *gaps)

    def close(self) -> None:
        self.engine.close()

    @contextmanager
    def _open(self, sql: str, limits: Limits) -> Iterator[RowStream]:
        self.guard(sql, self.engine.schema(), self.dialect)
        sql = first_statement(sql, self.dialect)
        if limits.cost is not None and isinstance(self.engine, Estimating):
            estimate = self.engine.cost(sql, limits.seconds)
            if estimate > limits.cost:
                raise Refused(f"The engine estimates a cost of {estimate:g}, and the limit is {limits.cost:g}.")
        with self.engine.stream(sql, limits.seconds) as rows:
            yield rows

    @contextmanager
    def _recorded(self, sql: str, limits: Limits) -> Iterator[dict[str, Any]]:
        started = time.monotonic()
        record: dict[str, Any] = {"verdict": "ran", "reason": "", "rows": None, "truncated": None, "result": None}
        try:
            yield record
        except DragomanError as error:
            record |= {"verdict": error.code, "reason": str(error)}
            raise
        finally:
            if self.log is not None:
                about = {"database": self.name, "sql": sql, "seconds": round(time.monotonic() - started, 6)}
                result = record.pop("result")
                self.log.write({**about, **record, "limits": asdict(limits)}, result)


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


def _named(limits: Limits, engine: Engine) -> tuple[str, ...]:
    parts = []
    if limits.seconds is not None:
        parts.append(f"{limits.seconds:g} s")
    if limits.rows is not None:
        parts.append(f"{limits.rows} rows")
    if limits.bytes is not None:
        parts.append(f"{limits.bytes >> 20} MiB" if limits.bytes % 2**20 == 0 else f"{limits.bytes} bytes")
    if limits.cost is not None and isinstance(engine, Estimating):
        parts.append(f"estimated cost {limits.cost:g}")
    return tuple(parts)
