"""Wilson's interval."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.statistics import wilson


def test_a_known_value() -> None:
    """Newcombe (1998), Table I: 81 of 263 gives 0.2553 to 0.3662."""
    interval = wilson(81, 263)
    assert (round(interval.low, 4), round(interval.high, 4)) == (0.2553, 0.3662)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_holds_the_share_and_stays_inside_the_unit(pair: tuple[int, int]) -> None:
    successes, trials = pair
    interval = wilson(successes, trials)
    assert 0 <= interval.low <= interval.estimate == successes / trials <= interval.high <= 1
    mirrored = wilson(trials - successes, trials)
    assert mirrored.low == pytest.approx(1 - interval.high)


def test_without_trials_nothing_is_known() -> None:
    interval = wilson(0, 0)
    assert math.isnan(interval.estimate)
    assert (interval.low, interval.high) == (0, 1)


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="3 successes in 2 trials"):
        wilson(3, 2)
