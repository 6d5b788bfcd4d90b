"""Results whose columns may stand in another order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dragoman.metrics.canonical import Column
from dragoman.metrics.columns_match import columns_match
from dragoman.metrics.flags import Flags


def any_column_order(left: Sequence[Column], right: Sequence[Column], flags: Flags) -> bool:
    """Whether two results of canonical columns are equal under one permutation of the columns of `right`.

    Columns are placed one after the other, and only where the columns placed so far are equal as a result; columns
    with the same value in every row are not tried in each other's place. Many different columns that hold the same
    values can still make the search long.
    """
    if columns_match(left, right, flags):
        return True
    free = replace(flags, row_order=False)
    fits = [[j for j, there in enumerate(right) if columns_match([here], [there], free)] for here in left]
    alike = [next(i for i, column in enumerate(right) if column == other) for other in right]
    stack: list[tuple[int, ...]] = [()]
    while stack:
        chosen = stack.pop()
        if chosen and not columns_match(left[: len(chosen)], [right[i] for i in chosen], flags):
            continue
        if len(chosen) == len(left):
            return True
        open_columns = [i for i in fits[len(chosen)] if i not in chosen]
        stack += [(*chosen, i) for i in reversed(list({alike[i]: i for i in reversed(open_columns)}.values()))]
    return False
