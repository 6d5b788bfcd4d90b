"""Whether two results are equal, column by column where that is exact and row by row where a tolerance applies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import repeat
from typing import Any

from dragoman.metrics.canonical import Column, Row, canonical_column, is_exact
from dragoman.metrics.flags import Flags, rewrite_column
from dragoman.metrics.near import cover_rows, near, pair_rows


def columns_of(rows: Sequence[tuple[Any, ...]], width: int, flags: Flags) -> list[Column]:
    """The canonical columns of a result as `flags` want them read."""
    columns = list(zip(*rows, strict=True)) or [()] * width
    return [rewrite_column(canonical_column(column), flags) for column in columns]


def columns_match(left: Sequence[Column], right: Sequence[Column], flags: Flags) -> bool:
    """Whether two results are equal whose canonical columns stand in the same order."""
    if not flags.duplicates:
        left, right = _distinct(left), _distinct(right)
    if len(left) == 0 or len(left[0]) == 0 or len(right[0]) == 0:
        return len(left) == 0 or len(left[0]) == len(right[0])
    if flags.row_order:
        return all(_column_near(a, b, flags) for a, b in zip(left, right, strict=True))
    pairs = list(zip(left, right, strict=True))
    exact = [not flags.tolerant or (is_exact(a) and is_exact(b)) for a, b in pairs]
    keys = _rows(left, exact), _rows(right, exact)
    if flags.duplicates or all(exact):
        same = len(keys[0]) == len(keys[1]) and Counter(keys[0]) == Counter(keys[1])
    else:
        same = set(keys[0]) == set(keys[1])
    if not same or all(exact):
        return same
    return _inexact_match(keys, [pair for pair, flag in zip(pairs, exact, strict=True) if not flag], flags)


def _inexact_match(keys: tuple[list[Row], list[Row]], pairs: list[tuple[Column, Column]], flags: Flags) -> bool:
    """Whether the columns to which a tolerance applies agree among the rows with equal keys."""
    places = {key: i for i, key in enumerate(keys[0])}
    if len(places) == len(keys[0]) == len(keys[1]):
        order = [places[key] for key in keys[1]]
        return all(_column_near([a[i] for i in order], b, flags) for a, b in pairs)
    pieces: dict[Row, tuple[list[Row], list[Row]]] = {key: ([], []) for key in places}
    for side in (0, 1):
        for key, row in zip(keys[side], zip(*(pair[side] for pair in pairs), strict=True), strict=True):
            pieces[key][side].append(row)
    match = pair_rows if flags.duplicates else cover_rows
    return all(match(a, b, flags) for a, b in pieces.values())


def _distinct(columns: Sequence[Column]) -> Sequence[Column]:
    """The columns without repeated rows, the first of each kept."""
    return list(zip(*dict.fromkeys(zip(*columns, strict=True)), strict=True)) or columns


def _rows(columns: Sequence[Column], exact: Sequence[bool]) -> list[Row]:
    chosen = [column for column, flag in zip(columns, exact, strict=True) if flag]
    return list(zip(*chosen, strict=True)) if chosen else [()] * len(columns[0])


def _column_near(left: Sequence[Any], right: Sequence[Any], flags: Flags) -> bool:
    return len(left) == len(right) and all(map(near, left, right, repeat(flags)))
