from __future__ import annotations

from math import comb, fsum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.statistics import detectable_difference, least_discordant, mcnemar


def test_six_examples_are_the_least() -> None:
    assert least_discordant() == 6
    assert least_discordant(0.01) == 8


@given(st.floats(0.0001, 0.9))
def test_the_least_is_significant_and_one_fewer_is_not(alpha: float) -> None:
    least = least_discordant(alpha)
    assert mcnemar(0, least) < alpha
    assert least == 1 or mcnemar(0, least - 1) >= alpha


def test_more_examples_find_smaller_differences() -> None:
    found = [detectable_difference(examples) for examples in (6, 12, 100, 500)]
    assert found[0] == pytest.approx(0.8 ** (1 / 6))
    assert found == sorted((share for share in found if share is not None), reverse=True)
    assert detectable_difference(5) is None


@given(st.integers(6, 200), st.floats(0.1, 0.9))
def test_the_difference_has_the_power_asked_for(examples: int, power: float) -> None:
    share = detectable_difference(examples, power=power)
    assert share is not None
    chances = [comb(examples, k) * share**k * (1 - share) ** (examples - k) for k in range(6, examples + 1)]
    assert fsum(chances) == pytest.approx(power, abs=1e-6)


def test_shares_are_shares() -> None:
    with pytest.raises(ValueError, match="alpha"):
        least_discordant(1)
    with pytest.raises(ValueError, match="power"):
        detectable_difference(10, power=0)
