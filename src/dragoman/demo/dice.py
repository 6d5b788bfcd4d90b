"""Random draws that come out the same on every platform and Python version."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from random import Random
from typing import Generic, TypeVar

_Item = TypeVar("_Item")


class Bag(Generic[_Item]):
    """Items with whole-number weights, ready for `Dice.weighted`."""

    def __init__(self, *weighted: tuple[_Item, int]) -> None:
        self.items = [item for item, _ in weighted]
        self.thresholds = list(accumulate(weight for _, weight in weighted))


class Dice:
    """Draws made from `Random.random()` and exact arithmetic alone.

    Python promises the same sequence of `random()` for a seed in every version, and of no other method.
    """

    def __init__(self, seed: int) -> None:
        self._next = Random(seed).random

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        return self._next() < probability

    def below(self, stop: int) -> int:
        """An integer in [0, stop), all equally likely."""
        return int(self._next() * stop)

    def between(self, low: int, high: int) -> int:
        """An integer in [low, high], all equally likely."""
        return low + int(self._next() * (high - low + 1))

    def low(self, stop: int) -> int:
        """An integer in [0, stop), small ones more likely: the square of an even draw."""
        draw = self._next()
        return int(draw * draw * stop)

    def pick(self, items: Sequence[_Item]) -> _Item:
        """One item, all equally likely."""
        return items[int(self._next() * len(items))]

    def weighted(self, bag: Bag[_Item]) -> _Item:
        """One item of the bag, as likely as its weight says."""
        return bag.items[bisect_right(bag.thresholds, int(self._next() * bag.thresholds[-1]))]

    def shuffled(self, items: Iterable[_Item]) -> list[_Item]:
        """The items in a random order."""
        return [item for _, _, item in sorted((self._next(), place, item) for place, item in enumerate(items))]
