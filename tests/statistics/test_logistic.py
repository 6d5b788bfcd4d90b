from __future__ import annotations

from random import Random

import pytest

from dragoman.statistics.logistic import Logistic, logistic


def test_it_finds_the_weights_that_made_the_data() -> None:
    random, true = Random(0), Logistic((2.0, -1.0), 0.5)
    rows = [[random.gauss(0, 1), random.gauss(3, 2)] for _ in range(5000)]
    right = [random.random() < true(row) for row in rows]
    found = logistic(rows, right)
    assert found.weights == pytest.approx(true.weights, abs=0.2)
    assert found.constant == pytest.approx(true.constant, abs=0.3)


def test_the_mean_probability_is_the_share_that_is_right() -> None:
    random = Random(1)
    rows = [[random.random(), 1.0] for _ in range(200)]
    right = [random.random() < 0.3 for _ in rows]
    found = logistic(rows, right)
    assert sum(map(found, rows)) / 200 == pytest.approx(sum(right) / 200, abs=1e-4)
    assert found.weights[1] == 0.0


def test_what_can_be_told_apart_without_error_stays_finite() -> None:
    found = logistic([[0.0], [0.0], [1.0], [1.0]], [False, False, True, True])
    assert 0 < found([0.0]) < 0.5 < found([1.0]) < 1


@pytest.mark.parametrize("right", [[True] * 3, [False] * 3])
def test_one_verdict_alone(right: list[bool]) -> None:
    assert abs(logistic([[0.0], [1.0], [2.0]], right)([1.0]) - right[0]) < 0.01
    with pytest.raises(ValueError, match="nothing"):
        logistic([], [])
