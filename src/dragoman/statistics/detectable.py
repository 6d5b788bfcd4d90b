"""What a comparison of two systems on the same examples could have found, whatever it did find."""

from __future__ import annotations

from math import comb

from dragoman.statistics.mcnemar import mcnemar

_STEPS = 40
"""Halvings of the interval in which the difference is sought."""


def least_discordant(alpha: float = 0.05) -> int:
    """Examples that one system alone must get right for McNemar's exact p below `alpha`, if the other has none alone.

    6 at 0.05: fewer discordant examples cannot be significant, however they fall.
    """
    if not 0 < alpha < 1:
        raise ValueError("alpha lies between 0 and 1")
    count = 1
    while mcnemar(0, count) >= alpha:
        count += 1
    return count


def detectable_difference(examples: int, alpha: float = 0.05, power: float = 0.8) -> float | None:
    """The smallest difference of accuracies (0 to 1) that McNemar's exact test finds with `power` on `examples`.

    It assumes the best case, that one system is right wherever the other is; where each has examples of its own, more
    is needed. None where not even a difference of 1 could be found.
    """
    if not 0 < power < 1:
        raise ValueError("power lies between 0 and 1")
    least = least_discordant(alpha)
    if examples < least:
        return None
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if _chance(examples, middle, least) >= power else (middle, high)
    return high


def _chance(examples: int, share: float, least: int) -> float:
    """That at least `least` of the examples are discordant, each with the chance `share`."""
    return 1 - sum(comb(examples, k) * share**k * (1 - share) ** (examples - k) for k in range(least))
