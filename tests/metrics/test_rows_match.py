from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.databases import Rows
from dragoman.metrics.flags import STRICT, Flags
from dragoman.metrics.near import cover_rows, pair_rows, rows_near
from dragoman.metrics.rows_match import rows_match
from tests.metrics.results import results, rows

all_flags = st.builds(
    Flags,
    row_order=st.booleans(),
    duplicates=st.booleans(),
    column_order=st.booleans(),
    relative=st.sampled_from([0.0, 1e-9, 1e-2]),
    absolute=st.sampled_from([0.0, 1e-6, 0.5]),
    nulls=st.sampled_from(["null", "zero", "empty"]),
    dates=st.sampled_from(["exact", "midnight", "day"]),
)


@given(results(), all_flags)
def test_reflexive_on_complete_results(result: Rows, flags: Flags) -> None:
    assert rows_match(result, result, flags)
    assert rows_match(result, Rows(result.columns, tuple(tuple(row) for row in result.rows)), flags)


@given(results(), results(), all_flags)
def test_symmetric(left: Rows, right: Rows, flags: Flags) -> None:
    assert rows_match(left, right, flags) == rows_match(right, left, flags)


@given(results(), st.randoms(use_true_random=False))
def test_rows_may_change_places_and_nothing_else(result: Rows, chance: random.Random) -> None:
    shuffled = list(result.rows)
    chance.shuffle(shuffled)
    assert rows_match(result, rows(*shuffled, width=len(result.columns)))
    assert not rows_match(result, rows(*shuffled, ("new",) * len(result.columns)))


def test_a_truncated_result_equals_nothing_not_even_itself() -> None:
    cut = rows((1,), truncated=True)
    assert not rows_match(cut, cut)
    assert not rows_match(cut, rows((1,)))
    assert not rows_match(rows((1,)), cut)


BASE = rows(
    (1, "a", None, 0.3, datetime(2020, 1, 1)),
    (2, "b", "x", 0.7, datetime(2020, 1, 2, 3, 4, 5)),
    (2, "b", "x", 0.7, datetime(2020, 1, 2, 3, 4, 5)),
)


def changed(row: int, column: int, value: Any) -> Rows:
    table = [list(cells) for cells in BASE.rows]
    table[row][column] = value
    return rows(*map(tuple, table))


CHANGES: dict[str, tuple[Rows, Flags | None]] = {
    "rows change places": (rows(*reversed(BASE.rows)), None),
    "a row is repeated": (rows(BASE.rows[0], *BASE.rows), Flags(duplicates=False)),
    "a repeated row is lost": (rows(*BASE.rows[:2]), Flags(duplicates=False)),
    "columns change places": (rows(*((b, a, *rest) for a, b, *rest in BASE.rows)), Flags(column_order=False)),
    "float noise": (changed(0, 3, 0.1 + 0.2), None),
    "a small difference": (changed(0, 3, 0.31), Flags(absolute=0.1)),
    "a relative difference": (changed(0, 3, 0.31), Flags(relative=0.1)),
    "NULL is 0": (changed(0, 2, 0), Flags(nulls="zero")),
    "NULL is the empty text": (changed(0, 2, ""), Flags(nulls="empty")),
    "midnight is a date": (changed(0, 4, date(2020, 1, 1)), Flags(dates="midnight")),
    "the hour is lost": (
        rows(*((*row[:4], row[4].replace(hour=0, minute=0, second=0)) for row in BASE.rows)),
        Flags(dates="day"),
    ),
}
LOOSE = {flags for _, flags in CHANGES.values() if flags is not None}
ALSO_ALLOWED = {
    ("midnight is a date", Flags(dates="day")),
    ("a small difference", Flags(relative=0.1)),
    ("a relative difference", Flags(absolute=0.1)),
}


@pytest.mark.parametrize("name", CHANGES)
def test_each_flag_moves_only_what_it_names(name: str) -> None:
    other, needed = CHANGES[name]
    assert rows_match(BASE, other) is (needed is None)
    for flags in LOOSE:
        allowed = needed is None or flags == needed or (name, flags) in ALSO_ALLOWED
        assert rows_match(BASE, other, flags) is allowed, flags


def test_row_order_and_exactness_are_flags_of_the_strict_side() -> None:
    assert not rows_match(BASE, CHANGES["rows change places"][0], Flags(row_order=True))
    assert rows_match(BASE, CHANGES["float noise"][0], Flags(row_order=True))
    exact = Flags(relative=0, absolute=0)
    assert not rows_match(BASE, CHANGES["float noise"][0], exact)
    assert rows_match(BASE, CHANGES["rows change places"][0], exact)


SAME = [(1, 1.0), (1, Decimal("1.00")), (1, True), (0.0, -0.0), (0.5, Decimal("0.50")), (0.1 + 0.2, Decimal("0.3")),
        (float("nan"), Decimal("NaN")), (b"a", bytearray(b"a")), ([1, 2.0], (1.0, 2)),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}), (10**400, Decimal(10) ** 400)]  # fmt: skip
DIFFERENT = [(1, "1"), (None, 0), (None, ""), (None, "None"), (None, False), ("a", "A"), ("a", b"a"), ("é", "e\u0301"),
             (10**10, 10**10 + 1), (date(2020, 1, 1), datetime(2020, 1, 1)), (date(2020, 1, 1), "2020-01-01"),
             (float("inf"), 10**400), (float("inf"), float("-inf")), (float("nan"), None), ([1], [1, 1]), ([], None),
             (1e9 + 2.5, 1e9), (0.3, 0.300002), (Decimal("1E+400"), float("inf"))]  # fmt: skip


@pytest.mark.parametrize(("left", "right"), SAME)
def test_one_value_in_two_forms(left: Any, right: Any) -> None:
    assert rows_match(rows((left,)), rows((right,)))
    assert rows_match(rows((left,)), rows((right,)), Flags(row_order=True))


@pytest.mark.parametrize(("left", "right"), DIFFERENT)
def test_values_that_only_look_alike(left: Any, right: Any) -> None:
    assert not rows_match(rows((left,)), rows((right,)))
    assert not rows_match(rows((right,)), rows((left,)), Flags(row_order=True))


def test_results_without_rows_still_have_columns() -> None:
    assert rows_match(rows(width=2), rows(width=2))
    assert not rows_match(rows(width=1), rows(width=2))
    assert not rows_match(rows(width=1), rows((None,)), Flags(duplicates=False))


def test_columns_change_places_for_the_whole_result_not_row_by_row() -> None:
    free = Flags(column_order=False)
    assert rows_match(rows((1, 2), (3, 4)), rows((2, 1), (4, 3)), free)
    assert not rows_match(rows((1, 2), (3, 4)), rows((2, 1), (3, 4)), free)
    assert not rows_match(rows((1, "a"), (2, "b")), rows(("b", 1), ("a", 2)), free)


def test_alike_columns_do_not_multiply_the_search() -> None:
    wide = rows(*(tuple(row for _ in range(20)) for row in range(3)))
    other = rows(*((*row[:-1], 7) for row in wide.rows))
    assert rows_match(wide, rows(*reversed(wide.rows)), Flags(column_order=False))
    assert not rows_match(wide, other, Flags(column_order=False))


def test_columns_of_the_same_values_do_not_multiply_the_search() -> None:
    chance = random.Random(1)
    columns = [[int(i < 15) for i in range(30)] for _ in range(12)]
    for column in columns:
        chance.shuffle(column)
    order = list(range(12))
    chance.shuffle(order)
    left, right = rows(*zip(*columns, strict=True)), rows(*zip(*(columns[i] for i in order), strict=True))
    assert rows_match(left, right, Flags(column_order=False))
    swapped = [*right.rows[:-2], (*right.rows[-1][:6], *right.rows[-2][6:]), (*right.rows[-2][:6], *right.rows[-1][6:])]
    assert not rows_match(left, rows(*swapped), Flags(column_order=False))


close = st.sampled_from([0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0]).map(lambda x: x + 0.25)


@st.composite
def crowds(draw: st.DrawFn) -> tuple[list[tuple[float, ...]], list[tuple[float, ...]]]:
    width, count = draw(st.integers(1, 2)), draw(st.integers(0, 5))
    side = st.lists(st.tuples(*[close] * width), min_size=count, max_size=count)
    return draw(side), draw(side)


@given(crowds(), st.sampled_from([0.0, 0.5, 1.0]))
@settings(max_examples=300)
def test_pairing_within_a_tolerance_equals_trying_every_pairing(sides: Any, absolute: float) -> None:
    left, right = sides
    flags = Flags(relative=0, absolute=absolute)
    tried = any(all(map(lambda a, b: rows_near(a, b, flags), left, order)) for order in permutations(right))
    assert pair_rows(left, right, flags) is tried
    covered = all(any(rows_near(a, b, flags) for b in right) for a in left) and all(
        any(rows_near(a, b, flags) for a in left) for b in right
    )
    assert cover_rows(left, right, flags) is covered


def test_equal_values_on_both_sides_of_a_rounding_border_are_paired() -> None:
    below, above = 0.4999999, 0.5000001
    assert rows_match(rows((below, "x"), (7.5, "y")), rows((7.5, "y"), (above, "x")))
    crossed = rows((1.5, 2.5 + 1e-7), (1.5 + 1e-7, 2.5))
    assert rows_match(crossed, rows((1.5, 2.5), (1.5 + 1e-7, 2.5 + 1e-7)))


def test_a_near_row_is_not_used_up_by_its_equal() -> None:
    flags = replace(STRICT, relative=0, absolute=1.0)
    assert rows_match(rows((0.5,), (1.25,)), rows((1.25,), (2.0,)), flags)
    assert not rows_match(rows((0.5,), (1.25,)), rows((1.75,), (3.0,)), flags)


def test_many_rows_inside_one_tolerance_stay_quick() -> None:
    tiny = [(i * 1e-9 + 1e-10, i % 2) for i in range(5000)]
    moved: Callable[[float], Rows] = lambda by: rows(*((value + by, side) for value, side in tiny))  # noqa: E731
    assert rows_match(rows(*tiny), moved(1e-8))
    assert not rows_match(rows(*tiny), moved(2e-5))
