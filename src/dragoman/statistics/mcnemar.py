"""McNemar's exact test for two systems on the same examples."""

from __future__ import annotations

from math import comb


def mcnemar(only_a: int, only_b: int) -> float:
    """Two-sided exact p-value, from the examples that only one of the two got right (McNemar 1947).

    Under the hypothesis of no difference each discordant example is a fair coin. No discordant example gives 1.
    """
    if only_a < 0 or only_b < 0:
        raise ValueError("counts cannot be negative")
    discordant = only_a + only_b
    tail = sum(comb(discordant, count) for count in range(min(only_a, only_b) + 1))
    return min(1.0, 2 * tail / (1 << discordant))
