"""Arrow tables hold the values that the database gave."""

from __future__ import annotations

import datetime
import uuid
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.databases import Rows
from dragoman.databases.arrow import to_arrow
from dragoman.databases.values import to_text

pytest.importorskip("pyarrow", reason="the extra arrow is not installed")

ZONED = datetime.datetime(2025, 2, 28, 1, 2, 3, 4, datetime.UTC)
EXACT: list[list[Any]] = [
    [1, None, -(2**63)],
    [1.5, float("inf"), None],
    ["", None, "größe"],
    [b"\x00\xff", None],
    [True, None, False],
    [Decimal("12345678901234567890.10"), None, Decimal("-0.01")],
    [datetime.date(2025, 2, 28), None],
    [datetime.datetime(2025, 2, 28, 1, 2, 3, 4), None],
    [ZONED, None],
    [datetime.timedelta(days=1, microseconds=5), None],
    [[1, 2], None, []],
    [{"a": 1, "b": "x"}, None],
    [None, None],
    [],
]
MIXED: list[list[Any]] = [[1, "a"], [2**70, 1.5], [True, 2], ["f\udcfcr"], [b"x", "x"]]


@pytest.mark.parametrize("values", EXACT)
def test_values_of_one_type_keep_it(values: list[Any]) -> None:
    table = to_arrow(Rows(("a", "a"), tuple((v, v) for v in values), truncated=True))
    assert table.column_names == ["a", "a_2"]
    assert table.column("a").to_pylist() == values
    assert table.schema.metadata == {b"dragoman.truncated": b"true"}
    assert table.field("a").metadata is None


@pytest.mark.parametrize("values", [*MIXED, [uuid.UUID(int=1), None, "x"]])
def test_values_without_a_common_type_become_text_and_say_so(values: list[Any]) -> None:
    table = to_arrow(Rows(("a",), tuple((v,) for v in values)))
    assert table.column("a").to_pylist() == [None if v is None else to_text(v) for v in values]
    assert table.field("a").metadata == {b"dragoman.text": b"mixed"}


CELLS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.binary(), st.decimals(allow_nan=False)
)


@given(st.lists(CELLS, max_size=6))
def test_no_column_is_refused_and_no_value_rounded(values: list[Any]) -> None:
    table = to_arrow(Rows(("a",), tuple((v,) for v in values)))
    after = table.column("a").to_pylist()
    if table.field("a").metadata is None:
        pairs = zip(values, after, strict=True)
        assert all(a == b or (a != a and b != b) for a, b in pairs)
    else:
        assert after == [None if v is None else to_text(v) for v in values]
