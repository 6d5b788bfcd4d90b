"""Coverage of a pool of skills: the chance that at least one of them answers (DivSkill-SQL, section 3.2).

A world is the known chance `p[s][x]` (0 to 1) that skill s answers question x right in one run.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import prod

World = Sequence[Sequence[float]]


def coverage(pool: Sequence[int], world: World) -> float:
    """Mean over questions of 1 - prod(1 - p[s][x]) for the skills `pool`, each run once; 0 for an empty pool."""
    questions = len(world[0]) if world else 0
    if not questions:
        return 0.0
    return sum(1 - prod(1 - world[s][x] for s in pool) for x in range(questions)) / questions


def greedy_pool(world: World, size: int) -> tuple[int, ...]:
    """`size` skills, each the one that adds most coverage to those before it; the first of equally good ones.

    Coverage is monotone and submodular, so the result reaches at least (1 - 1/e) of `best_pool` (Nemhauser et al.
    1978; DivSkill-SQL, Theorem 1).
    """
    pool: tuple[int, ...] = ()
    for _ in range(min(size, len(world))):
        others = [s for s in range(len(world)) if s not in pool]
        pool += (max(others, key=lambda s: coverage((*pool, s), world)),)
    return pool


def best_pool(world: World, size: int) -> tuple[int, ...]:
    """The `size` skills of most coverage, by trying all; for small worlds."""
    return max(combinations(range(len(world)), min(size, len(world))), key=lambda pool: coverage(pool, world))
