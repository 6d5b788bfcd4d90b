"""Finds what is wrong with a workload before it judges anybody."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from dragoman.bench.dataset import Dataset
from dragoman.databases import Database, Limits, Rows
from dragoman.errors import QueryError, Refused, Unreadable
from dragoman.metrics.order import window
from dragoman.questions import Example
from dragoman.sql.outer_order import outer_order

Kind = Literal["gold fails", "decided by a tie", "duplicate", "empty result"]

SERIOUS: tuple[Kind, ...] = ("gold fails", "decided by a tie", "duplicate")
"""An empty result alone is only worth a look: two wrong queries agree on it easily."""

MOST_ROWS = 1_000_000


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with one example; `detail` is a sentence."""

    id: str
    kind: Kind
    detail: str


def check_workload(dataset: Dataset, seconds: float = 30.0) -> tuple[Problem, ...]:
    """Problems in the order of the examples: every gold query runs, none is decided by a tie, no question comes twice.

    `seconds` bounds each query. Raises `SetupError` where a database cannot be opened.
    """
    opened: dict[str, Database] = {}
    seen: dict[tuple[str, str], str] = {}
    problems: list[Problem] = []
    try:
        for example in dataset.examples:
            if example.database not in opened:
                opened[example.database] = dataset.open(example.database)
            key = (example.database, _folded(example))
            first = seen.setdefault(key, example.question.id)
            if first != example.question.id:
                detail = f"The same question as {first}, about the same database."
                problems.append(Problem(example.question.id, "duplicate", detail))
            for sql in (example.sql, *example.alternatives) if example.sql else ():
                problems += check_gold(example.question.id, sql, opened[example.database], Limits(MOST_ROWS, seconds))
    finally:
        for database in opened.values():
            database.close()
    return tuple(problems)


def check_gold(name: str, sql: str, database: Database, limits: Limits) -> Iterator[Problem]:
    """Problems of one gold query."""
    try:
        rows = database.execute(sql, limits)
    except (QueryError, Refused) as error:
        yield Problem(name, "gold fails", str(error))
        return
    if not rows:
        yield Problem(name, "empty result", "The gold query returns no row.")
    reason = undecided(sql, rows, database, limits)
    if reason:
        yield Problem(name, "decided by a tie", reason)


def undecided(sql: str, rows: Rows, database: Database, limits: Limits) -> str:
    """Why a LIMIT leaves the result of `sql` open, "" where it does not.

    It does where rows that differ stand tied, or in no order at all, on both sides of the cut.
    """
    try:
        order = outer_order(sql, database.dialect)
        if not order.unlimited:
            return ""
        everything = database.execute(order.with_keys or order.unlimited, limits)
    except (Unreadable, QueryError, Refused):
        return ""
    whole = window(everything, order, len(rows.columns))
    if whole is None or not whole.cuts_tie:
        return ""
    for border in {whole.start, whole.stop} - {0, len(whole.rows)}:
        tied = {row for row, tie in zip(whole.rows, whole.ties, strict=True) if tie == whole.ties[border]}
        if len(tied) > 1 and whole.ties[border - 1] == whole.ties[border]:
            how = "tied in ORDER BY" if order.ordered else "in no order, for there is no ORDER BY"
            return f"The LIMIT chooses among {len(tied)} different rows that stand {how}."
    return ""


def _folded(example: Example) -> str:
    return " ".join(example.question.text.lower().split()).rstrip("?.! ")
