"""Permutations of columns under which two results might be equal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dragoman.metrics.canonical import Column
from dragoman.metrics.flags import Flags
from dragoman.metrics.near import cover_rows, pair_rows


def column_orders(left: Sequence[Column], right: Sequence[Column], flags: Flags) -> Iterator[tuple[int, ...]]:
    """Yield orders of the columns of `right` in which each holds the same values as its partner in `left`.

    The order as it stands comes first. Columns with the same value in every row are not tried in each other's place.
    """
    yield tuple(range(len(right)))
    match = pair_rows if flags.duplicates else cover_rows
    fits = [[j for j, there in enumerate(right) if match(_cells(here), _cells(there), flags)] for here in left]
    first_alike = [next(i for i, column in enumerate(right) if column == other) for other in right]
    yield from _orders(fits, first_alike, ())


def _cells(column: Column) -> list[Column]:
    return [(cell,) for cell in column]


def _orders(fits: Sequence[Sequence[int]], alike: Sequence[int], chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    if len(chosen) == len(fits):
        yield chosen
        return
    tried: set[int] = set()
    for column in fits[len(chosen)]:
        if column not in chosen and alike[column] not in tried:
            tried.add(alike[column])
            yield from _orders(fits, alike, (*chosen, column))
