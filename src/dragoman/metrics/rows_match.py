"""Whether two results are equal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Protocol

from dragoman.metrics.any_column_order import any_column_order
from dragoman.metrics.canonical import canonical
from dragoman.metrics.columns_match import columns_match, columns_of
from dragoman.metrics.flags import STRICT, Flags
from dragoman.metrics.near import near
from dragoman.metrics.partition import partition

RawRow = tuple[Any, ...]


class Result(Protocol):
    """A result: `dragoman.databases.Rows` is one, and so is everything that has these three."""

    @property
    def columns(self) -> tuple[str, ...]: ...

    @property
    def rows(self) -> Sequence[RawRow]: ...

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
    if left.rows == right.rows:
        return True
    if flags.column_order and not flags.rewrites and not flags.row_order:
        decided = _decided(left.rows, right.rows, flags)
        if decided is not None:
            return decided
    if flags.column_order:
        parts = partition(left.rows, right.rows, flags)
        width = len(left.columns)
        return all(columns_match(columns_of(a, width, flags), columns_of(b, width, flags), flags) for a, b in parts)
    a, b = (columns_of(side.rows, len(side.columns), flags) for side in (left, right))
    return any_column_order(a, b, flags)


def _decided(left: Sequence[RawRow], right: Sequence[RawRow], flags: Flags) -> bool | None:
    """The short way, on rows as they come: True if they are equal as Python sees them, False if some row has no match.

    Python's equality never holds where canonical cells differ: it takes numbers by value and keeps kinds apart.
    """
    try:
        counts = Counter(left)
        for row in right:
            count = counts.get(row, 0)
            if count == 0 and (flags.duplicates or row not in counts):
                return None if _has_match(row, left, flags) else False
            counts[row] = count - 1
    except TypeError:  # lists and structs have no hash
        return None
    return True if flags.duplicates else None


def _has_match(row: RawRow, others: Sequence[RawRow], flags: Flags) -> bool:
    """Whether any row of the other side is near this one; texts, which are compared exactly, are looked at first."""
    texts = [(i, cell) for i, cell in enumerate(row) if type(cell) is str]
    rest = [(i, canonical(cell)) for i, cell in enumerate(row) if type(cell) is not str]
    return any(
        all(other[i] == cell for i, cell in texts) and all(near(cell, canonical(other[i]), flags) for i, cell in rest)
        for other in others
    )
