"""Calibration of confidences."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.statistics import (
    accuracy_at,
    area_under_risk,
    calibration_error,
    isotonic,
    reliability,
    risk_coverage,
)

SCORED = st.lists(st.tuples(st.sampled_from([i / 16 for i in range(17)]), st.booleans()), min_size=1, max_size=60)


@given(SCORED, st.integers(1, 12))
def test_bins_part_the_examples_without_splitting_ties(pairs: list[tuple[float, bool]], bins: int) -> None:
    confidences, correct = [c for c, _ in pairs], [r for _, r in pairs]
    found = reliability(confidences, correct, bins)
    assert len(found) <= bins
    assert sum(b.size for b in found) == len(pairs)
    assert [b.confidence for b in found] == sorted(b.confidence for b in found)
    assert sum(b.size * b.accuracy for b in found) == pytest.approx(sum(correct))


def test_bins_of_equal_mass() -> None:
    found = reliability([i / 100 for i in range(100)], [True] * 100)
    assert [b.size for b in found] == [10] * 10


def test_calibration_error_by_hand() -> None:
    assert calibration_error([0.9, 0.9, 0.1, 0.1], [True, True, False, False], 2) == pytest.approx(0.1)
    assert calibration_error([1.0, 1.0], [False, False]) == 1
    assert math.isnan(calibration_error([], []))


def test_risk_coverage_by_hand() -> None:
    points = risk_coverage([0.9, 0.5, 0.5, 0.1], [True, True, False, False])
    assert points == ((0.25, 0.0), (0.75, 1 / 3), (1.0, 0.5))
    assert area_under_risk(points) == pytest.approx(0.5 / 3 + 0.125)


@given(SCORED)
def test_full_coverage_has_the_overall_risk(pairs: list[tuple[float, bool]]) -> None:
    points = risk_coverage([c for c, _ in pairs], [r for _, r in pairs])
    coverage, risk = points[-1]
    assert coverage == 1
    assert risk == pytest.approx(sum(not r for _, r in pairs) / len(pairs))


@given(SCORED)
def test_isotonic_is_monotone_and_keeps_the_mean(pairs: list[tuple[float, bool]]) -> None:
    scores, correct = [s for s, _ in pairs], [r for _, r in pairs]
    fit = isotonic(scores, correct)
    fitted = [fit(s) for s in sorted(scores)]
    assert fitted == sorted(fitted)
    assert sum(fit(s) for s in scores) == pytest.approx(sum(correct))
    assert fit(-1) == fit.values[0]
    assert fit(2) == fit.values[-1]


@given(SCORED, st.lists(st.floats(0, 1), min_size=17, max_size=17))
def test_no_monotone_map_fits_better(pairs: list[tuple[float, bool]], steps: list[float]) -> None:
    fit = isotonic([s for s, _ in pairs], [r for _, r in pairs])
    rival = sorted(steps)
    ours = sum((fit(s) - r) ** 2 for s, r in pairs)
    theirs = sum((rival[int(s * 16)] - r) ** 2 for s, r in pairs)
    assert ours <= theirs + 1e-9


def test_isotonic_by_hand() -> None:
    fit = isotonic([0.1, 0.2, 0.3, 0.4], [False, True, False, True])
    assert (fit(0.1), fit(0.2), fit(0.3), fit(0.4)) == (0, 0.5, 0.5, 1)
    assert fit(0.35) == pytest.approx(0.75)


@given(SCORED, st.integers(1, 30), st.sampled_from([0.0, 0.5]))
def test_blocks_keep_an_isotonic_fit_from_chasing_single_examples(
    pairs: list[tuple[float, bool]], least: int, prior: float
) -> None:
    scores, correct = [s for s, _ in pairs], [r for _, r in pairs]
    fit = isotonic(scores, correct, least, prior)
    assert list(fit.values) == sorted(fit.values)
    assert len(fit.scores) <= max(1, len(pairs) // least)
    if prior:
        assert all(0 < value < 1 for value in fit.values)


def test_accuracy_among_the_most_confident_half() -> None:
    assert accuracy_at([0.9, 0.8, 0.2, 0.1], [True, True, False, False], 0.5) == 1.0
    assert accuracy_at([0.9, 0.8, 0.2, 0.1], [False, True, True, False], 0.25) == 0.0
    assert accuracy_at([0.5] * 4, [True, False, True, False], 0.5) == 0.5  # equal confidences: the mean
    assert accuracy_at([0.9, 0.5, 0.5, 0.5], [True, False, False, True], 0.5) == pytest.approx((1 + 1 / 3) / 2)
    assert math.isnan(accuracy_at([], [], 0.5))
