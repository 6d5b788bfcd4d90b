"""The bootstrap over databases."""

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.statistics import cluster_bootstrap, paired_cluster_bootstrap, quantile

VALUES = st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=1, max_size=40)


@given(VALUES, st.integers(1, 6))
def test_the_estimate_is_the_mean_and_lies_inside_the_range(values: list[float], clusters: int) -> None:
    names = [i % clusters for i in range(len(values))]
    interval = cluster_bootstrap(values, names, Random(0), resamples=50)
    assert interval.estimate == pytest.approx(sum(values) / len(values))
    assert min(values) - 1e-9 <= interval.low <= interval.high <= max(values) + 1e-9


def test_the_same_seed_gives_the_same_interval() -> None:
    source = Random(1)
    values = [source.random() for _ in range(60)]
    names = [i // 6 for i in range(60)]
    first, second = (cluster_bootstrap(values, names, Random(7), resamples=500) for _ in range(2))
    assert first == second
    assert first != cluster_bootstrap(values, names, Random(8), resamples=500)


def test_examples_that_move_together_widen_the_interval() -> None:
    """Ten databases, each all right or all wrong, say less than a hundred independent examples."""
    values = [float(i // 10 % 2) for i in range(100)]
    clustered = cluster_bootstrap(values, [i // 10 for i in range(100)], Random(1), resamples=2000)
    single = cluster_bootstrap(values, range(100), Random(1), resamples=2000)
    assert clustered.high - clustered.low > 2.5 * (single.high - single.low)


def test_one_database_falls_back_to_its_examples() -> None:
    values = [1.0, 0.0] * 50
    one = cluster_bootstrap(values, ["shop"] * 100, Random(3), resamples=500)
    assert one == cluster_bootstrap(values, range(100), Random(3), resamples=500)
    assert one.low < 0.5 < one.high


def test_paired_takes_b_minus_a() -> None:
    a, b = [0.0, 0.0, 1.0, 0.0] * 10, [1.0, 1.0, 1.0, 0.0] * 10
    interval = paired_cluster_bootstrap(a, b, [i // 4 for i in range(40)], Random(0), resamples=200)
    assert interval.estimate == pytest.approx(0.5)
    assert interval.excludes_zero


def test_coverage_of_the_true_mean() -> None:
    """Of 200 sets drawn from a fair coin in 30 clusters about 95 % of the intervals hold one half."""
    random = Random(11)
    held = 0
    for _ in range(200):
        values = [float(random.random() < 0.5) for _ in range(150)]
        interval = cluster_bootstrap(values, [i // 5 for i in range(150)], random, resamples=200)
        held += interval.low <= 0.5 <= interval.high
    assert 175 <= held <= 199


def test_nothing_to_resample() -> None:
    assert math.isnan(cluster_bootstrap([], [], Random(0)).low)
    with pytest.raises(ValueError, match="2 values in 1 clusters"):
        cluster_bootstrap([1.0, 2.0], ["a"], Random(0))


def test_quantiles_interpolate() -> None:
    assert quantile([1.0, 2.0, 4.0], 0.75) == 3.0
    assert quantile([5.0], 0.3) == 5.0
