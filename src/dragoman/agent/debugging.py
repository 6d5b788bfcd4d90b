"""Debugging tasks: a query that does not do what it should, what its user says about it, and checks of a repair.

The form is that of BIRD-Critic (an issue text and its SQL); the checks look at the result alone and are data:

    {"rows": n} {"columns": n}            how many
    {"first": [cells]} {"contains": [cells]}  the first row; some row
    {"near": x}                           the only cell, to 9 digits
    {"total": [i, x]} {"least": [i, x]}   sum and least value of column i, empty cells left out
    {"nulls": [i, n]} {"count": [i, v, n]}  how many cells of column i are empty, and how many are v
    {"unique": [i, ...]}                  no two rows share these columns
    {"between": [i, low, high]}           of all values of column i
    {"sorted": [i, "asc" or "desc"]}
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from importlib import resources
from pathlib import Path
from typing import Any

from dragoman.agent.sentences import prompt
from dragoman.databases import Database, Limits, Rows
from dragoman.errors import QueryError, Refused, SetupError
from dragoman.metrics.rows_match import rows_match
from dragoman.questions import Question

Row = tuple[Any, ...]
TOLERANCE = 1e-9
"""Relative, for sums and single numbers."""


@dataclass(frozen=True, slots=True)
class DebuggingTask:
    """`sql` shows the issue that `issue` tells of; `reference` is a repair. `checks` map a kind to what it asks."""

    id: str
    category: str
    issue: str
    sql: str
    reference: str
    checks: tuple[tuple[str, Any], ...]

    @property
    def question(self) -> Question:
        """The task as it is put to a solver: the query is its evidence."""
        text = prompt("debugging", issue=self.issue).strip()
        return Question(text, f"The query:\n{self.sql}", self.id)


def demo_tasks(dialect: str = "sqlite") -> tuple[DebuggingTask, ...]:
    """The tasks over the demo database, written for `dialect`, "sqlite" or "postgres"."""
    return _tasks(resources.files("dragoman.demo").joinpath("debugging.jsonl").read_text("utf-8"), "demo", dialect)


def read_tasks(path: Path, dialect: str = "sqlite") -> tuple[DebuggingTask, ...]:
    """Tasks from JSON Lines with id, category, issue, sql, reference and checks.

    A line may hold sql and reference for another dialect under its name. Raises `SetupError` naming the line.
    """
    try:
        return _tasks(path.read_text(encoding="utf-8-sig"), str(path), dialect)
    except OSError as error:
        raise SetupError(f"Cannot read the tasks {path}: {error.strerror}. Check the path.") from None
    except UnicodeDecodeError:
        raise SetupError(f"{path} is not UTF-8 text. Save the tasks as UTF-8 JSON Lines.") from None


def problems(task: DebuggingTask, database: Database, sql: str) -> tuple[str, ...]:
    """What is wrong with a repair, in short sentences; none where it passes every check and gives the reference's rows.

    The whole results are compared, without regard to the order of rows, which is a check of its own.
    """
    try:
        rows = database.execute(sql, Limits(rows=None))
    except (QueryError, Refused) as error:
        return (f"It does not run: {error}",)
    found = failed_checks(task, rows)
    if not found and not rows_match(rows, database.execute(task.reference, Limits(rows=None))):
        found = ("The rows are not those of the reference.",)
    return found


def failed_checks(task: DebuggingTask, rows: Rows) -> tuple[str, ...]:
    """The checks that a result does not pass, each as a short sentence."""
    return tuple(
        f"It fails {json.dumps({kind: asked})}." for kind, asked in task.checks if not _passes(kind, asked, rows)
    )


def _passes(kind: str, asked: Any, rows: Rows) -> bool:
    if kind == "rows":
        return bool(len(rows) == asked)
    if kind == "columns":
        return bool(len(rows.columns) == asked)
    if kind == "first":
        return bool(rows.rows) and _same_row(rows.rows[0], asked)
    if kind == "contains":
        return any(_same_row(row, asked) for row in rows)
    if kind == "near":
        return len(rows) == 1 and len(rows.columns) == 1 and _same(rows.rows[0][0], asked)
    columns = asked if kind == "unique" else asked[:1]
    if max(columns) >= len(rows.columns):
        return False
    return _OF_COLUMNS[kind](rows.rows, asked)


def _unique(rows: Sequence[Row], columns: Sequence[int]) -> bool:
    return len({tuple(row[i] for i in columns) for row in rows}) == len(rows)


def _sorted(rows: Sequence[Row], asked: Sequence[Any]) -> bool:
    values = [row[asked[0]] for row in rows]
    return None not in values and values == sorted(values, reverse=asked[1] == "desc")


def _numbers(rows: Sequence[Row], column: int) -> list[float]:
    values = [row[column] for row in rows if row[column] is not None]
    return [float(v) if isinstance(v, (int, float, Decimal)) else math.nan for v in values]


_OF_COLUMNS: dict[str, Callable[[Sequence[Row], Any], bool]] = {
    "unique": _unique,
    "sorted": _sorted,
    "total": lambda rows, asked: _same(sum(_numbers(rows, asked[0])), asked[1]),
    "least": lambda rows, asked: _same(min(_numbers(rows, asked[0]), default=math.nan), asked[1]),
    "nulls": lambda rows, asked: sum(row[asked[0]] is None for row in rows) == asked[1],
    "count": lambda rows, asked: sum(row[asked[0]] == asked[1] for row in rows) == asked[2],
    "between": lambda rows, asked: all(asked[1] <= value <= asked[2] for value in _numbers(rows, asked[0])),
}
KINDS = frozenset({"rows", "columns", "first", "contains", "near", *_OF_COLUMNS})


def _same_row(row: Row, asked: Sequence[Any]) -> bool:
    return len(row) == len(asked) and all(_same(cell, value) for cell, value in zip(row, asked, strict=True))


def _same(cell: Any, value: Any) -> bool:
    if isinstance(cell, (int, float, Decimal)) and isinstance(value, (int, float)):
        return math.isclose(cell, value, rel_tol=TOLERANCE)
    return bool(cell == value)


def _tasks(text: str, where: str, dialect: str) -> tuple[DebuggingTask, ...]:
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    return tuple(_task(line, where, number, dialect) for number, line in lines)


def _task(line: str, where: str, number: int, dialect: str) -> DebuggingTask:
    try:
        record = json.loads(line)
        record = {**record, **record.get(dialect, {})}
        checks = tuple((kind, asked) for check in record["checks"] for kind, asked in check.items())
        unknown = {kind for kind, _ in checks} - KINDS
        if unknown:
            raise ValueError(f"unknown check {min(unknown)}")
        id, category, issue = (str(record[key]) for key in ("id", "category", "issue"))
        return DebuggingTask(id, category, issue, str(record["sql"]), str(record["reference"]), checks)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise SetupError(
            f"{where}, line {number} is not a debugging task with issue, sql, reference and checks ({error}). Mend it."
        ) from None
