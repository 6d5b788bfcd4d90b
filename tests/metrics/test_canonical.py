from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from enum import IntEnum, StrEnum

from hypothesis import given
from hypothesis import strategies as st

from dragoman.metrics.canonical import canonical, canonical_column, canonical_row, encode, is_exact
from tests.metrics.results import cells


@given(st.tuples(cells, cells), st.tuples(cells, cells))
def test_bytes_are_equal_where_canonical_rows_are(left: tuple[object, ...], right: tuple[object, ...]) -> None:
    a, b = canonical_row(left), canonical_row(right)
    assert (encode(a) == encode(b)) is (a == b)


@given(cells)
def test_canonical_cells_are_their_own_canonical_form_and_hashable(value: object) -> None:
    cell = canonical(value)
    hash(cell)
    if not isinstance(cell, tuple):
        assert canonical(cell) == cell


def test_bytes_do_not_depend_on_how_a_text_came_to_be() -> None:
    text = "".join(["ab", "c"])
    assert encode(("abc", "abc")) == encode((text, "".join(list("abc"))))


def test_instants_are_compared_in_utc_and_wall_clocks_are_not_instants() -> None:
    noon = datetime(2020, 1, 1, 12, tzinfo=UTC)
    assert canonical(noon) == canonical(noon.astimezone(timezone(timedelta(hours=5))))
    assert canonical(noon) != canonical(noon.replace(tzinfo=None))
    canonical(datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=5))))


def test_decimals_keep_every_digit() -> None:
    long = Decimal("0.1234567890123456789012345678901234567891")
    assert canonical(long) != canonical(long + Decimal("1e-40"))
    assert encode((canonical(long),)) == encode((canonical(Decimal(str(long) + "00")),))


def test_subclasses_and_unknown_types() -> None:
    class Colour(StrEnum):
        RED = "red"

    class Size(IntEnum):
        BIG = 3

    assert canonical(Colour.RED) == "red"
    assert canonical(Size.BIG) == 3
    assert canonical(3 + 4j) == ("complex", "(3+4j)")


def test_a_column_of_plain_values_is_not_copied() -> None:
    column = (1, "a", None, b"x")
    assert canonical_column(column) is column
    assert is_exact(column)
    assert is_exact(canonical_column((1.0, Decimal("2.00"))))
    assert not is_exact(canonical_column((1, 0.5)))
    assert not is_exact(canonical_column(([1, 0.5],)))
