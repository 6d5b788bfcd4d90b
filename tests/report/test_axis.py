"""Ticks."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.report.axis import ticks

ENDS = st.floats(-1e9, 1e9).map(lambda value: round(value, 6))


@given(ENDS, st.floats(1e-6, 1e9), st.integers(3, 10))
def test_ticks_cover_the_range_evenly(low: float, width: float, most: int) -> None:
    high = low + width
    found = ticks(low, high, most)
    assert 2 <= len(found) <= most + 1
    slack = 1e-6 * max(abs(low), abs(high), 1)
    assert found[0] <= low + slack
    assert found[-1] >= high - slack
    gaps = [after - before for before, after in pairwise(found)]
    assert max(gaps) == pytest.approx(min(gaps), rel=1e-3, abs=slack)


def test_round_numbers() -> None:
    assert ticks(0, 1) == (0, 0.2, 0.4, 0.6, 0.8, 1)
    assert ticks(1, 8) == (0, 2, 4, 6, 8)
    assert ticks(0, 0) == (0, 0.2, 0.4, 0.6, 0.8, 1)
    assert ticks(3, 3)[0] <= 3 <= ticks(3, 3)[-1]
