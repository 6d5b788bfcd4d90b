"""What a rule is given, and what it gives back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from dragoman.databases.database import Database, Limits, Rows
from dragoman.errors import QueryError
from dragoman.metrics.digest import Digest, digest_query
from dragoman.metrics.gold import GoldCache
from dragoman.questions import Example


@dataclass(frozen=True)
class Case:
    """One predicted query on trial.

    neighbours  further databases of the same schema with other contents, on which the query must be right too
    published   what a data set publishes beside the gold SQL: results, columns that count, test code; each rule
                that needs it says which keys it reads
    allow_code  whether test code that came with a data set may run
    """

    example: Example
    sql: str
    database: Database
    gold: GoldCache = field(default_factory=GoldCache)
    neighbours: tuple[Database, ...] = ()
    published: Mapping[str, Any] = field(default_factory=dict)
    allow_code: bool = False

    @cached_property
    def predicted(self) -> Digest:
        """The whole result of the predicted query, run once. Raises `Refused`, `QueryError` or `QueryTimeout`."""
        return digest_query(self.database, self.sql, self.gold.bound)

    def predicted_rows(self) -> Rows:
        """All rows of the predicted query. Raises as `predicted`, and `QueryError` where they are too many."""
        kept = self.predicted.kept
        if kept is None:
            raise QueryError(f"The result is larger than {self.gold.bound.keep} bytes.")
        return kept

    @property
    def golds(self) -> tuple[str, ...]:
        """Every gold query, any of which is right."""
        return (self.example.sql, *self.example.alternatives)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a rule says: its score, None where it cannot tell. `detail` is one sentence on why.

    `right` tells whether the answer is right where the score alone does not: a reward for speed may be below 1.
    """

    score: float | None
    detail: str = ""
    right: bool | None = None

    @property
    def correct(self) -> bool:
        """Whether the answer is right: `right`, else a full score."""
        return self.right if self.right is not None else self.score is not None and self.score >= 1


Rule: TypeAlias = Callable[[Case], Outcome]
"""Raises `GoldFailed` where the gold query fails, and what the database raises where the predicted query does."""

UNLIMITED = Limits(rows=None, seconds=30.0, bytes=None)
