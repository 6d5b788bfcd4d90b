"""Whether two results are equal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import repeat
from typing import Any, Protocol

from dragoman.metrics.canonical import Column, Row, canonical_column, is_exact
from dragoman.metrics.column_orders import column_orders
from dragoman.metrics.flags import STRICT, Flags, rewrite_column
from dragoman.metrics.near import cover_rows, near, pair_rows


class Result(Protocol):
    """A result: `dragoman.databases.Rows` is one, and so is everything that has these three."""

    @property
    def columns(self) -> tuple[str, ...]: ...

    @property
    def rows(self) -> Sequence[tuple[Any, ...]]: ...

    @property
    def truncated(self) -> bool: ...


def rows_match(left: Result, right: Result, flags: Flags = STRICT) -> bool:
    """Whether two complete results are equal under `flags`; names of columns never matter.

    Symmetric, and reflexive on complete results. A truncated result equals nothing. Not transitive where a tolerance
    applies. Time is linear in the cells for results that are exactly equal, n log n for others, and polynomial in
    the rows that lie closer to each other than the tolerance; without `column_order` the search over permutations
    can be exponential where many columns hold the same values.
    """
    if left.truncated or right.truncated or len(left.columns) != len(right.columns):
        return False
    if flags.duplicates and len(left.rows) != len(right.rows):
        return False
    if not flags.rewrites and _identical(left.rows, right.rows, flags):
        return True
    a, b = _columns(left, flags), _columns(right, flags)
    if flags.column_order:
        return columns_match(a, b, flags)
    return any(columns_match(a, [b[i] for i in order], flags) for order in column_orders(a, b, flags))


def columns_match(left: Sequence[Column], right: Sequence[Column], flags: Flags) -> bool:
    """`rows_match` for canonical columns that stand in the same order."""
    if not flags.duplicates:
        left, right = _distinct(left), _distinct(right)
    if len(left) == 0 or len(left[0]) == 0 or len(right[0]) == 0:
        return len(left) == 0 or len(left[0]) == len(right[0])
    if flags.row_order:
        return all(_column_near(a, b, flags) for a, b in zip(left, right, strict=True))
    pairs = list(zip(left, right, strict=True))
    exact = [not flags.tolerant or (is_exact(a) and is_exact(b)) for a, b in pairs]
    keys = [_rows(side, exact, True) for side in (left, right)]
    if not (_same_multiset(*keys) if flags.duplicates or all(exact) else set(keys[0]) == set(keys[1])):
        return False
    if all(exact):
        return True
    pieces: dict[Row, tuple[list[Row], list[Row]]] = {}
    for side, columns in enumerate((left, right)):
        for key, row in zip(keys[side], _rows(columns, exact, False), strict=True):
            pieces.setdefault(key, ([], []))[side].append(row)
    pair = pair_rows if flags.duplicates else cover_rows
    return all(pair(a, b, flags) for a, b in pieces.values())


def _columns(result: Result, flags: Flags) -> list[Column]:
    columns = list(zip(*result.rows, strict=True)) or [()] * len(result.columns)
    return [rewrite_column(canonical_column(column), flags) for column in columns]


def _distinct(columns: Sequence[Column]) -> Sequence[Column]:
    """The columns without repeated rows, the first of each kept."""
    return list(zip(*dict.fromkeys(zip(*columns, strict=True)), strict=True)) or columns


def _rows(columns: Sequence[Column], exact: Sequence[bool], wanted: bool) -> list[Row]:
    chosen = [column for column, flag in zip(columns, exact, strict=True) if flag is wanted]
    return list(zip(*chosen, strict=True)) if chosen else [()] * len(columns[0])


def _column_near(left: Column, right: Column, flags: Flags) -> bool:
    return left == right or (len(left) == len(right) and all(map(near, left, right, repeat(flags))))


def _identical(left: Sequence[tuple[Any, ...]], right: Sequence[tuple[Any, ...]], flags: Flags) -> bool:
    """The short way for results that are equal as Python sees them; False proves nothing.

    Python's equality never holds where canonical cells differ: it takes numbers by value and keeps kinds apart.
    """
    if left == right:
        return True
    if flags.row_order:
        return False
    try:
        return _same_multiset(left, right)
    except TypeError:
        return False


def _same_multiset(left: Sequence[Row], right: Sequence[Row]) -> bool:
    if len(left) != len(right):
        return False
    counts = Counter(left)
    for row in right:
        count = counts.get(row, 0)
        if count == 0:
            return False
        counts[row] = count - 1
    return True
