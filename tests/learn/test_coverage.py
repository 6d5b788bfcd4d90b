"""The theorem where it holds: greedy reaches (1 - 1/e) of the best pool."""

from __future__ import annotations

import random
from math import e

import pytest

from dragoman.learn.coverage import best_pool, coverage, greedy_pool


@pytest.mark.parametrize("seed", range(200))
def test_greedy_reaches_its_share_of_the_best(seed: int) -> None:
    order = random.Random(seed)
    skills, questions, size = order.randint(3, 8), order.randint(4, 20), order.randint(1, 4)
    world = [[order.random() ** order.choice((1, 4, 12)) for _ in range(questions)] for _ in range(skills)]
    found, best = greedy_pool(world, size), best_pool(world, size)
    assert coverage(found, world) >= (1 - 1 / e) * coverage(best, world) - 1e-12
    assert len(set(found)) == min(size, skills)


def test_repeats_of_one_skill_count() -> None:
    assert coverage((0, 0), [[0.5]]) == 0.75
    assert coverage((), [[0.5]]) == 0.0
