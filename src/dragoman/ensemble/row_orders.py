"""Queries that ask for an order of their rows, and classes of equal results that they divide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from dragoman.databases import Rows
from dragoman.errors import Unreadable
from dragoman.metrics import STRICT, Digest, rows_match
from dragoman.metrics.rows_match import Result
from dragoman.sql.outer_order import OuterOrder, outer_order

_IN_ORDER = replace(STRICT, row_order=True)


def is_ordered(sql: str, dialect: str) -> bool:
    """Whether the outermost query has an ORDER BY; not where it cannot be read."""
    return _order(sql, dialect).ordered


def first_ordered(places: Sequence[int], queries: Sequence[str], dialect: str) -> int:
    """The first of these places whose query has an ORDER BY; without any the first."""
    return min(places, key=lambda place: (not is_ordered(queries[place], dialect), place))


def divide_by_order(
    groups: Sequence[int | None], results: Sequence[Result | Digest | None], queries: Sequence[str], dialect: str
) -> tuple[int | None, ...]:
    """Divide classes of equal results, numbered in `groups`, where their queries ask for different orders of the rows.

    Two queries agree where the rows of one stand in the order that the other asks for; rows that are equal in all keys
    of an ORDER BY may stand in any order. A query without ORDER BY agrees with every order, and goes with the one that
    most ask for, of equally many with the first. Classes are numbered in the order of their first members.
    """
    divided: list[tuple[int, int] | None] = [None if group is None else (group, 0) for group in groups]
    for group in {group for group in groups if group is not None}:
        members = [place for place, other in enumerate(groups) if other == group]
        ordered = [place for place in members if is_ordered(queries[place], dialect)]
        part = _parts([(results[place], _order(queries[place], dialect)) for place in ordered])
        usual = max(part, key=part.count, default=0)
        found = dict(zip(ordered, part, strict=True))
        for place in members:
            divided[place] = group, found.get(place, usual)
    numbers: dict[tuple[int, int], int] = {}
    return tuple(None if key is None else numbers.setdefault(key, len(numbers)) for key in divided)


def _parts(ordered: Sequence[tuple[Result | Digest | None, OuterOrder]]) -> list[int]:
    """For each result the number of the first part whose first result it agrees with."""
    firsts: list[tuple[Result | Digest | None, OuterOrder]] = []
    parts = []
    for result, order in ordered:
        fits = (
            n for n, (other, own) in enumerate(firsts) if _agree(result, other, order) or _agree(result, other, own)
        )
        number = next(fits, len(firsts))
        if number == len(firsts):
            firsts.append((result, order))
        parts.append(number)
    return parts


def _agree(one: Result | Digest | None, other: Result | Digest | None, order: OuterOrder) -> bool:
    """Whether two results with the same rows show the same values of the sort keys one after the other."""
    if isinstance(one, Digest) and isinstance(other, Digest) and one.ordered == other.ordered:
        return True
    kept = [side.kept if isinstance(side, Digest) else side for side in (one, other)]
    if kept[0] is None or kept[1] is None:
        return False
    left, right = (_sorted_by(side, order) for side in kept if side is not None)
    return rows_match(left, right, _IN_ORDER)


def _sorted_by(result: Result, order: OuterOrder) -> Result:
    """The columns that show the sort keys; the whole result where any key is not shown."""
    places = [key for key in order.keys if isinstance(key, int)]
    if len(places) < len(order.keys):
        return result
    return Rows(tuple(result.columns[p] for p in places), tuple(tuple(row[p] for p in places) for row in result.rows))


@lru_cache(maxsize=20_000)
def _order(sql: str, dialect: str) -> OuterOrder:
    try:
        return outer_order(sql, dialect)
    except Unreadable:
        return OuterOrder()
