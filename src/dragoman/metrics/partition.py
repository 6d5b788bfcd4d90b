"""Large results in parts that can be compared one after the other, so that their working memory stays small."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Any

from dragoman.metrics.canonical import UNCHANGED
from dragoman.metrics.flags import Flags

PART = 50_000
"""Rows of a part, about."""

Rows = Sequence[tuple[Any, ...]]


def partition(left: Rows, right: Rows, flags: Flags) -> Iterator[tuple[Rows, Rows]]:
    """Parts of the two sides: rows that may match are in the same part, by the hash of what must be equal in them.

    Results that are small, ordered, or without a column that is compared exactly come back whole.
    """
    count = max(len(left), len(right)) // PART + 1
    exact = [] if count == 1 or flags.row_order or flags.rewrites else _plain_columns(left, right)
    if not exact:
        yield left, right
        return
    sides = [_parts(side, itemgetter(*exact), count) for side in (left, right)]
    yield from zip(*sides, strict=True)


def _plain_columns(left: Rows, right: Rows) -> list[int]:
    """Columns with nothing but texts, whole numbers, bytes and NULL, which are all compared exactly."""
    width = len(left[0]) if left else 0
    sides = (left, right)
    return [i for i in range(width) if all(UNCHANGED.issuperset(map(type, map(itemgetter(i), s))) for s in sides)]


def _parts(rows: Rows, key: itemgetter[Any], count: int) -> list[list[tuple[Any, ...]]]:
    parts: list[list[tuple[Any, ...]]] = [[] for _ in range(count)]
    for row in rows:
        parts[hash(key(row)) % count].append(row)
    return parts
