"""The comparison of Spider 2.0-Lite and -Snow, as its public evaluation does it.

Source: Lei et al., "Spider 2.0: Evaluating Language Models on Real-World Enterprise Text-to-SQL Workflows", ICLR 2025,
and the evaluation suite published with it (after the fix of October 2025). Flaws kept: every gold column that counts
must equal some predicted column, but each column is sorted on its own, so that rows need not belong together and one
predicted column may serve twice; columns are sorted as text, which can pull nearly equal numbers apart; NULL becomes
0; the absolute tolerance is 0.01; both results pass through CSV, which turns "007" into 7 and "NA" into NULL.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from dragoman.databases.database import Rows
from dragoman.metrics.case import Case, Outcome
from dragoman.metrics.csv_column import csv_column

TOLERANCE = 1e-2

Columns = Sequence[int] | Sequence[Sequence[int]]


def spider2(case: Case) -> Outcome:
    """1 if the result matches any gold result.

    `case.published` may hold "results", the published gold results as `Rows` (else the gold queries are run),
    "condition_cols", the gold columns that count (all by default; one list for each gold result, or one for all) and
    "ignore_order", true by default as it is for every published example.
    """
    published = case.published
    golds = published.get("results") or [case.gold.rows(case.database, sql) for sql in case.golds]
    predicted = case.predicted_rows()
    try:
        columns = _per_gold(published.get("condition_cols") or (), len(golds))
        ignore_order = bool(published.get("ignore_order", True))
        right = any(tables_match(gold, predicted, columns[i], ignore_order) for i, gold in enumerate(golds))
    except IndexError:
        return Outcome(0.0, "There are fewer lists of condition columns than gold results.")
    return Outcome(float(right))


def tables_match(gold: Rows, predicted: Rows, condition_cols: Sequence[int] = (), ignore_order: bool = True) -> bool:
    """Whether every gold column that counts equals some predicted column."""
    wanted, found = _columns(gold), _columns(predicted)
    chosen = [wanted[i] for i in condition_cols] if condition_cols else wanted
    return all(any(vectors_match(column, other, ignore_order) for other in found) for column in chosen)


def vectors_match(gold: Sequence[Any], predicted: Sequence[Any], ignore_order: bool = True) -> bool:
    """Whether two columns, as CSV gives them back, hold the same values."""
    left, right = [_filled(cell) for cell in gold], [_filled(cell) for cell in predicted]
    if ignore_order:
        left.sort(key=_sort_key)
        right.sort(key=_sort_key)
    return len(left) == len(right) and all(map(_cells_match, left, right))


def _cells_match(left: Any, right: Any) -> bool:
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return math.isclose(float(left), float(right), abs_tol=TOLERANCE)
    return bool(left == right)


def _filled(cell: Any) -> Any:
    return 0 if cell is None else cell


def _sort_key(cell: Any) -> tuple[str, bool]:
    return str(cell), isinstance(cell, (int, float))


def _columns(table: Rows) -> list[list[Any]]:
    return [csv_column([row[i] for row in table.rows]) for i in range(len(table.columns))]


def _per_gold(columns: Columns, golds: int) -> Sequence[Sequence[int]]:
    nested = [column for column in columns if not isinstance(column, int)]
    flat = [column for column in columns if isinstance(column, int)]
    return nested if nested else [flat] * golds
