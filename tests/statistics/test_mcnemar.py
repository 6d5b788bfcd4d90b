"""McNemar's exact test."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.statistics import mcnemar

COUNTS = st.integers(0, 300)


@pytest.mark.parametrize(("only_a", "only_b", "p"), [(47, 24, 0.0086), (29, 16, 0.0725), (39, 19, 0.0119)])
def test_published_values_follow_from_their_counts(only_a: int, only_b: int, p: float) -> None:
    """DivSkill-SQL, Table 11."""
    assert round(mcnemar(only_a, only_b), 4) == p


@given(COUNTS, COUNTS)
def test_symmetric_and_a_probability(a: int, b: int) -> None:
    assert 0 < mcnemar(a, b) == mcnemar(b, a) <= 1


@given(COUNTS)
def test_equal_counts_show_nothing(a: int) -> None:
    assert mcnemar(a, a) == 1


def test_small_cases_by_hand() -> None:
    assert mcnemar(0, 0) == 1
    assert mcnemar(0, 5) == pytest.approx(2 / 32)
    assert mcnemar(1, 5) == pytest.approx(2 * 7 / 64)


def test_negative_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        mcnemar(-1, 3)
