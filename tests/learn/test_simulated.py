"""Algorithm 1 in a world with noise: what it reaches, and what noise alone reaches."""

from __future__ import annotations

from statistics import fmean, stdev

import pytest

from tests.learn.simulated import Result, simulate

RUNS = 40


@pytest.fixture(scope="module")
def results() -> dict[str, list[Result]]:
    return {arm: [simulate(arm, seed) for seed in range(RUNS)] for arm in ("base", "seeds", "residual", "null")}


@pytest.mark.slow
def test_residual_optimisation_beats_its_seeds_and_repeats_of_one(results: dict[str, list[Result]]) -> None:
    ratio = {arm: fmean(r.ratio for r in found) for arm, found in results.items()}
    assert ratio["residual"] > ratio["seeds"] > ratio["base"]
    assert all(r.ratio <= 1 + 1e-9 for found in results.values() for r in found)


@pytest.mark.slow
def test_the_null_optimiser_gains_nothing(results: dict[str, list[Result]]) -> None:
    gains = [r.gain for r in results["null"]]
    assert gains == [0.0] * RUNS


@pytest.mark.slow
def test_the_gain_is_more_than_noise(results: dict[str, list[Result]]) -> None:
    gains = [r.gain for r in results["residual"]]
    assert fmean(gains) > 2 * stdev(gains) / RUNS**0.5
