"""Results for tests: made by hand, and drawn."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from dragoman.databases import Rows


def rows(*given: tuple[Any, ...], width: int = 0, truncated: bool = False) -> Rows:
    """A result with columns c0, c1, .. and these rows."""
    count = len(given[0]) if given else width
    return Rows(tuple(f"c{i}" for i in range(count)), tuple(given), truncated)


cells = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.integers(),
    st.sampled_from([0.5, 0.1 + 0.2, 0.3, 1.0, -0.0, 1e-7, 2e-7, 1e300, float("inf"), float("nan")]),
    st.floats(),
    st.decimals(allow_nan=False, allow_infinity=False, places=3, min_value=-10, max_value=10),
    st.sampled_from([Decimal("0.3"), Decimal("NaN"), Decimal("1E+400"), Decimal("0.12345678901234567890123456789")]),
    st.text(max_size=3),
    st.sampled_from(["1", "None", "", "2020-01-01", "é", "e\u0301", "\udcff"]),
    st.binary(max_size=3),
    st.sampled_from([date(2020, 1, 1), datetime(2020, 1, 1), datetime(2020, 1, 1, 5)]),
    st.uuids(),
    st.lists(st.integers(0, 2) | st.floats(0, 1), max_size=2),
    st.dictionaries(st.sampled_from("ab"), st.integers(0, 2), max_size=2),
)


@st.composite
def results(draw: st.DrawFn, most_rows: int = 5) -> Rows:
    """A complete result of up to three columns."""
    width = draw(st.integers(1, 3))
    return rows(*draw(st.lists(st.tuples(*[cells] * width), max_size=most_rows)), width=width)
