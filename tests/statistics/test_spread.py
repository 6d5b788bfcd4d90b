"""Spread over repeats."""

import pytest

from dragoman.statistics import spread


def test_sample_standard_deviation() -> None:
    found = spread([0.5, 0.6, 0.7])
    assert (found.repeats, found.low, found.high) == (3, 0.5, 0.7)
    assert found.mean == pytest.approx(0.6)
    assert found.sd == pytest.approx(0.1)


def test_one_repeat_has_no_deviation() -> None:
    assert spread([0.5]).sd is None
    with pytest.raises(ValueError, match="no scores"):
        spread([])
