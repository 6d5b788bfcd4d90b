"""Evidence that may be looked at after every trial."""

from __future__ import annotations

from random import Random

import pytest

from dragoman.statistics import evidence_below


@pytest.mark.parametrize(("successes", "trials"), [(0, 0), (0, 7), (2, 9), (5, 5)])
def test_it_is_the_mean_likelihood_ratio(successes: int, trials: int) -> None:
    steps, limit = 20_000, 0.1
    shares = [(n + 0.5) * limit / steps for n in range(steps)]
    mean = sum(p**successes * (1 - p) ** (trials - successes) for p in shares) / steps
    expected = mean / (limit**successes * (1 - limit) ** (trials - successes))
    assert evidence_below(successes, trials, limit) == pytest.approx(expected, rel=1e-6)


def test_it_rarely_errs_however_often_one_looks() -> None:
    random, errors = Random(0), 0
    for _ in range(400):
        right = 0
        for trial in range(1, 121):
            right += random.random() < 0.1
            if evidence_below(right, trial, 0.1) >= 20:
                errors += 1
                break
    assert errors <= 0.05 * 400


def test_what_is_no_count_is_refused() -> None:
    with pytest.raises(ValueError, match="3 successes in 2 trials"):
        evidence_below(3, 2, 0.1)
