"""The one way to a database: read its schema, run one query within limits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from dragoman.schema import Schema


@dataclass(frozen=True, slots=True)
class Limits:
    """What one query may cost. `rows` and `bytes` cap what is kept, `seconds` interrupts the engine.

    None means no cap on that axis. `bytes` counts the canonical size of the values kept. `cost` is what the engine may
    estimate before it starts, in its own unit: planner units on PostgreSQL, bytes read on BigQuery; engines without an
    estimate have no such limit.
    """

    rows: int | None = 1000
    seconds: float | None = 30.0
    bytes: int | None = 64 * 2**20
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Rows:
    """A result: `columns` in order (duplicate names kept), `rows` as tuples of Python values.

    `truncated` is a fact: one row more than the limit was seen, or the byte cap was reached. `enforced` names the
    limits and locks that were in force, for example "read-only connection".
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    truncated: bool = False
    seconds: float = 0.0
    enforced: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True, slots=True)
class View:
    """A view for one session: `name` is the bare name (the engine quotes it), `sql` its SELECT.

    `sql` comes from a tree that Dragoman made, never from a model's text.
    """

    name: str
    sql: str


class RowStream(Protocol):
    """An open result. Iterating yields batches of rows as the engine hands them over."""

    columns: tuple[str, ...]

    def __iter__(self) -> Iterator[Sequence[tuple[Any, ...]]]: ...


class Engine(Protocol):
    """What one kind of database supplies; `GuardedDatabase` puts the guard and the limits in front of it.

    `stream` runs the text as it is, under the engine's own read-only lock, and interrupts it on the engine after
    `seconds`. `enforced` names those locks. Failures are `QueryError` and `QueryTimeout`. Safe to use from several
    threads.
    """

    dialect: str
    name: str
    enforced: tuple[str, ...]

    def schema(self) -> Schema: ...

    def fingerprint(self) -> str:
        """Changes whenever the schema or (as far as the engine can tell cheaply) the data change."""
        ...

    def stream(self, sql: str, seconds: float | None) -> AbstractContextManager[RowStream]: ...

    def with_views(self, views: Sequence[View]) -> Engine:
        """The same database seen through temporary views, made in every session before its locks close.

        A view may shadow a table of the same name. Raises `SetupError` where the engine has no temporary views.
        """
        ...

    def close(self) -> None: ...


@runtime_checkable
class Estimating(Protocol):
    """An engine that can tell what a query will cost without running it."""

    def cost(self, sql: str, seconds: float | None = None) -> float:
        """The estimate, in the engine's own unit. Raises `QueryError` if the query is wrong."""
        ...


class Database(Protocol):
    """A database that answers queries, read only. A refined database is one too.

    `execute` raises `Refused`, `QueryError` or `QueryTimeout`. `stream` gives the whole result without a row cap,
    for digests; it holds a connection until it is closed.
    """

    dialect: str
    name: str

    def schema(self) -> Schema: ...

    def fingerprint(self) -> str: ...

    def execute(self, sql: str, limits: Limits = Limits()) -> Rows: ...

    def stream(self, sql: str, limits: Limits = Limits()) -> AbstractContextManager[RowStream]: ...

    def close(self) -> None: ...


Guard = Callable[[str, Schema, str], None]
"""(sql, schema, dialect) -> None; raises `Refused`."""
