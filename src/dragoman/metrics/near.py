"""Numbers within a tolerance, and multisets of rows that can be paired within it.

A tolerance is not transitive, so rows cannot be rounded into buckets: two equal values may fall on either side of any
boundary. Rows are paired instead. A row of one side may be paired with a row of the other if all their cells are near;
two results are equal if every row finds a partner of its own, which is a perfect matching in a bipartite graph. The
graph falls apart into small pieces at every gap that is wider than the tolerance, so that this stays fast.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import repeat
from math import inf, isclose

from dragoman.metrics.canonical import Cell, Row, is_inexact, is_number
from dragoman.metrics.flags import Flags

_INFINITE = frozenset({inf, -inf})


def near(left: Cell, right: Cell, flags: Flags) -> bool:
    """Whether two canonical cells are equal, numbers within the tolerance. Symmetric and reflexive."""
    if left == right:
        return True
    if type(left) is float and type(right) is float:
        return isclose(left, right, rel_tol=flags.relative, abs_tol=flags.absolute)
    if type(left) is tuple and type(right) is tuple:
        return len(left) == len(right) and all(near(a, b, flags) for a, b in zip(left, right, strict=True))
    if not (is_number(left) and is_number(right) and (is_inexact(left) or is_inexact(right))):
        return False
    return _near_numbers(left, right, flags)


def rows_near(left: Row, right: Row, flags: Flags) -> bool:
    """Whether two canonical rows are near in every cell."""
    return len(left) == len(right) and all(near(a, b, flags) for a, b in zip(left, right, strict=True))


def pair_rows(left: Sequence[Row], right: Sequence[Row], flags: Flags) -> bool:
    """Whether every row of one side can be given a near row of the other, each used once."""
    if len(left) != len(right):
        return False
    if len(left) == 1:
        return rows_near(left[0], right[0], flags)
    return all(_pairs(a, b, flags) for a, b in _pieces(left, right, flags))


def cover_rows(left: Sequence[Row], right: Sequence[Row], flags: Flags) -> bool:
    """Whether every row of either side has a near row on the other, which may serve several."""
    return all(
        all(any(rows_near(a, b, flags) for b in rights) for a in lefts)
        and all(any(rows_near(a, b, flags) for a in lefts) for b in rights)
        for lefts, rights in _pieces(left, right, flags)
    )


def _near_numbers(left: Cell, right: Cell, flags: Flags) -> bool:
    try:
        return isclose(left, right, rel_tol=flags.relative, abs_tol=flags.absolute)
    except OverflowError:  # a whole number too large for a float
        if left in _INFINITE or right in _INFINITE:
            return False
        a, b = Decimal(left), Decimal(right)
        return abs(a - b) <= Decimal(flags.relative) * max(abs(a), abs(b))


def _pieces(left: Sequence[Row], right: Sequence[Row], flags: Flags) -> list[tuple[list[Row], list[Row]]]:
    """Split both sides into pieces such that no row of one piece is near a row of another."""
    pieces: list[tuple[list[Row], list[Row]]] = [(list(left), list(right))]
    width = max(map(len, (*left[:1], *right[:1])), default=0)
    for column in range(width):
        pieces = [piece for whole in pieces for piece in _split(*whole, column, flags)]
    return pieces


def _split(left: list[Row], right: list[Row], column: int, flags: Flags) -> list[tuple[list[Row], list[Row]]]:
    """Split at the gaps of one column: numbers in order of size, everything else by equality."""
    if len(left) + len(right) <= 2:
        return [(left, right)]
    numbers: list[tuple[Cell, int, Row]] = []
    others: dict[object, tuple[list[Row], list[Row]]] = {}
    for side, rows in enumerate((left, right)):
        for row in rows:
            cell = row[column]
            if is_number(cell):
                numbers.append((cell, side, row))
            else:
                key = cell if type(cell) is not tuple else (cell[0], len(cell))
                others.setdefault((type(cell), key), ([], []))[side].append(row)
    numbers.sort(key=lambda item: item[0])
    pieces = list(others.values())
    exact = not any(is_inexact(cell) for cell, _, _ in numbers)
    previous: Cell = None
    for cell, side, row in numbers:
        if previous is None or (cell != previous and (exact or not _near_numbers(cell, previous, flags))):
            pieces.append(([], []))
        pieces[-1][side].append(row)
        previous = cell
    return pieces


def _pairs(left: list[Row], right: list[Row], flags: Flags) -> bool:
    if len(left) != len(right):
        return False
    if all(rows_near(a, b, flags) for a, b in zip(left, right, strict=True)):
        return True
    if len(left) == 1 or not all(map(_columns_pair, zip(*left, strict=True), zip(*right, strict=True), repeat(flags))):
        return False
    return _perfect_matching([[j for j, b in enumerate(right) if rows_near(a, b, flags)] for a in left])


def _columns_pair(left: Row, right: Row, flags: Flags) -> bool:
    """Whether the numbers of one column can be paired: in order of size, for if any pairing exists then this one."""
    numbers = [sorted(filter(is_number, side)) for side in (left, right)]
    if len(numbers[0]) != len(numbers[1]):
        return False
    return all(a == b or _near_numbers(a, b, flags) for a, b in zip(*numbers, strict=True))


def _perfect_matching(partners: list[list[int]]) -> bool:
    """Whether all left nodes can be matched; Kuhn's augmenting paths without recursion."""
    owner: dict[int, int] = {}
    for start in range(len(partners)):
        came_from: dict[int, int] = {}
        stack = [start]
        free = None
        while stack and free is None:
            node = stack.pop()
            for partner in partners[node]:
                if partner in came_from:
                    continue
                came_from[partner] = node
                if partner not in owner:
                    free = partner
                    break
                stack.append(owner[partner])
        if free is None:
            return False
        _augment(owner, came_from, free, start)
    return True


def _augment(owner: dict[int, int], came_from: dict[int, int], free: int, start: int) -> None:
    held = {node: partner for partner, node in owner.items()}
    partner = free
    while True:
        node = came_from[partner]
        owner[partner] = node
        if node == start:
            return
        partner = held[node]
