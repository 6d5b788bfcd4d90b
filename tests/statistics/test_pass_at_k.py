"""Pass@k and candidate density."""

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.statistics import density, density_bins, mean_pass_at_k, pass_at_k, pass_curve, samples_to_reach

CHASE = [0] * 129 + [1] * 37 + [2] * 60 + [4] * 62 + [6] * 259
DIVSKILL = [0] * 116 + [1] * 38 + [2] * 58 + [4] * 68 + [6] * 267


@pytest.mark.parametrize(
    ("counts", "shares", "pass_at_8"),
    [
        (CHASE, (23.58, 6.76, 10.97, 11.33, 47.35), 76.42),
        (DIVSKILL, (21.21, 6.95, 10.60, 12.43, 48.81), 78.79),
    ],
)
def test_table_9(counts: list[int], shares: tuple[float, ...], pass_at_8: float) -> None:
    """DivSkill-SQL, Table 9: Pass@8 is one minus the share of instances without a correct candidate."""
    found = density(counts, 8)
    assert tuple(found) == ((0, 0), (1, 1), (2, 3), (4, 5), (6, 8))
    assert tuple(round(100 * share, 2) for share in found.values()) == shares
    assert round(100 * mean_pass_at_k([(c, 8) for c in counts], 8), 2) == pass_at_8
    assert round(100 * (1 - found[0, 0]), 2) == pass_at_8


@given(st.integers(1, 8).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n), st.integers(1, n))))
def test_equals_counting_all_subsets(case: tuple[int, int, int]) -> None:
    correct, samples, k = case
    subsets = list(combinations([i < correct for i in range(samples)], k))
    assert pass_at_k(correct, samples, k) == pytest.approx(sum(map(any, subsets)) / len(subsets))


@given(st.lists(st.integers(0, 8), min_size=1, max_size=20))
def test_the_curve_rises_from_mean_accuracy_to_any_correct(counts: list[int]) -> None:
    curve = pass_curve([(c, 8) for c in counts])
    assert len(curve) == 8
    assert curve[0] == pytest.approx(sum(counts) / (8 * len(counts)))
    assert curve[-1] == pytest.approx(sum(c > 0 for c in counts) / len(counts))
    assert all(later >= earlier - 1e-12 for earlier, later in pairwise(curve))


@given(st.lists(st.integers(0, 16), min_size=1, max_size=20), st.floats(0, 1))
def test_samples_to_reach_is_the_first_k(counts: list[int], target: float) -> None:
    pools = [(c, 16) for c in counts]
    found = samples_to_reach(pools, target)
    if found is None:
        assert mean_pass_at_k(pools, 16) < target
    else:
        assert mean_pass_at_k(pools, found) >= target - 1e-9
        assert found == 1 or mean_pass_at_k(pools, found - 1) < target


def test_small_and_empty_pools() -> None:
    assert mean_pass_at_k([(1, 1), (0, 0)], 4) == 0.5
    assert pass_curve([]) == ()
    assert samples_to_reach([(0, 4)], 0.1) is None
    with pytest.raises(ValueError, match="Pass@9"):
        pass_at_k(1, 8, 9)


@given(st.integers(1, 64))
def test_bins_part_the_counts(samples: int) -> None:
    assert [n for first, last in density_bins(samples) for n in range(first, last + 1)] == list(range(samples + 1))
