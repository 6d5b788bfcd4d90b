"""Gradient boosted trees for yes and no, small enough to be a JSON file, in plain Python."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp, isfinite, log
from typing import Any

Row = Sequence[float | None]
"""Features in a fixed order, None where one is unknown."""


@dataclass(frozen=True, slots=True)
class Split:
    """Rows whose `feature` is known and above `threshold` go to `above`, all others to `below`."""

    feature: int
    threshold: float
    below: Split | float
    above: Split | float


@dataclass(frozen=True, slots=True)
class Boosted:
    """A sum of trees over a start, in log odds. Called with a row it gives a probability."""

    start: float
    trees: tuple[Split | float, ...]

    def __call__(self, row: Row) -> float:
        return _probability(self.start + sum(_leaf(tree, row) for tree in self.trees))

    def record(self) -> dict[str, Any]:
        """JSON values; `read_boosted` gives it back."""
        return {"start": self.start, "trees": [_record(tree) for tree in self.trees]}


def read_boosted(record: dict[str, Any], width: int) -> Boosted:
    """Trees over rows of `width` features. Raises KeyError, TypeError or ValueError where the record is none."""
    return Boosted(_number(record["start"]), tuple(_read(tree, width) for tree in record["trees"]))


@dataclass(frozen=True, slots=True)
class Boosting:
    """`rounds` trees of at most `depth` splits in a row, each taken `rate` of the way.

    Thresholds lie between `bins` equal parts of a feature's values; a leaf holds at least `least` rows; `ridge` draws
    leaves towards nothing.
    """

    rounds: int = 120
    rate: float = 0.1
    depth: int = 2
    bins: int = 16
    least: int = 20
    ridge: float = 5.0


def boosted(rows: Sequence[Row], right: Sequence[bool], how: Boosting = Boosting()) -> Boosted:
    """Trees fitted to the log loss by Newton steps (Friedman 2001; Chen and Guestrin 2016). Nothing is random."""
    if not rows:
        raise ValueError("nothing to fit")
    cuts = [_cuts([row[f] for row in rows], how.bins) for f in range(len(rows[0]))]
    binned = [[_bin(row[f], cut) for row in rows] for f, cut in enumerate(cuts)]
    prior = (sum(right) + 1) / (len(right) + 2)
    start = log(prior / (1 - prior))
    totals = [start] * len(rows)
    trees: list[Split | float] = []
    for _ in range(how.rounds):
        chances = [_probability(total) for total in totals]
        slopes = [y - p for y, p in zip(right, chances, strict=True)]
        grower = _Grower(binned, cuts, slopes, [p * (1 - p) for p in chances], how)
        trees.append(grower.grow(range(len(rows)), how.depth))
        for place, step in grower.steps.items():
            totals[place] += step
    return Boosted(start, tuple(trees))


class _Grower:
    """Grows one tree; `steps` then holds what the tree adds to each row."""

    def __init__(
        self,
        binned: list[list[int]],
        cuts: list[list[float]],
        slopes: list[float],
        bends: list[float],
        how: Boosting,
    ) -> None:
        self.steps: dict[int, float] = {}
        self._binned, self._cuts, self._slopes, self._bends, self._how = binned, cuts, slopes, bends, how

    def grow(self, places: Sequence[int], depth: int) -> Split | float:
        slope, bend = sum(self._slopes[p] for p in places), sum(self._bends[p] for p in places)
        best = self._best(places, slope, bend) if depth else None
        if best is None:
            leaf = self._how.rate * slope / (bend + self._how.ridge)
            self.steps.update(dict.fromkeys(places, leaf))
            return leaf
        feature, upto = best
        column = self._binned[feature]
        below = [p for p in places if column[p] <= upto]
        above = [p for p in places if column[p] > upto]
        threshold = self._cuts[feature][upto]
        return Split(feature, threshold, self.grow(below, depth - 1), self.grow(above, depth - 1))

    def _best(self, places: Sequence[int], slope: float, bend: float) -> tuple[int, int] | None:
        """(feature, last bin below) of the split that gains most, None where none gains."""
        ridge = self._how.ridge
        best, found = slope * slope / (bend + ridge) + 1e-9, None
        for feature, cut in enumerate(self._cuts):
            slopes, bends, sizes = [0.0] * (len(cut) + 1), [0.0] * (len(cut) + 1), [0] * (len(cut) + 1)
            column = self._binned[feature]
            for p in places:
                b = column[p]
                slopes[b] += self._slopes[p]
                bends[b] += self._bends[p]
                sizes[b] += 1
            below_slope = below_bend = 0.0
            below = 0
            for b in range(len(cut)):
                below_slope, below_bend, below = below_slope + slopes[b], below_bend + bends[b], below + sizes[b]
                if below < self._how.least or len(places) - below < self._how.least:
                    continue
                above_slope, above_bend = slope - below_slope, bend - below_bend
                gain = below_slope**2 / (below_bend + ridge) + above_slope**2 / (above_bend + ridge)
                if gain > best:
                    best, found = gain, (feature, b)
        return found


def _cuts(values: Sequence[float | None], bins: int) -> list[float]:
    """Thresholds in ascending order; below the first lie unknown values alone."""
    known = sorted(value for value in values if value is not None)
    if not known:
        return []
    lowest = known[0] - 1.0
    wanted = [known[len(known) * part // bins] for part in range(1, bins)]
    distinct = sorted(set(known))
    between = {value: (value + after) / 2 for value, after in pairwise(distinct)}
    middle = sorted({between[value] for value in wanted if value in between} | set(list(between.values())[:1]))
    return [lowest, *middle] if len(known) < len(values) else middle


def _bin(value: float | None, cuts: list[float]) -> int:
    """How many thresholds lie below the value; 0 where it is unknown."""
    return 0 if value is None else bisect_left(cuts, value)


def _leaf(tree: Split | float, row: Row) -> float:
    while isinstance(tree, Split):
        value = row[tree.feature]
        tree = tree.above if value is not None and value > tree.threshold else tree.below
    return tree


def _probability(odds: float) -> float:
    """The probability of log odds, without overflow."""
    return 1 / (1 + exp(-odds)) if odds >= 0 else exp(odds) / (1 + exp(odds))


def _record(tree: Split | float) -> Any:
    if not isinstance(tree, Split):
        return round(tree, 6)
    return [tree.feature, round(tree.threshold, 6), _record(tree.below), _record(tree.above)]


def _read(record: Any, width: int) -> Split | float:
    if not isinstance(record, list):
        return _number(record)
    feature, threshold, below, above = record
    if feature not in range(width):
        raise ValueError(f"no feature {feature}")
    return Split(int(feature), _number(threshold), _read(below, width), _read(above, width))


def _number(value: Any) -> float:
    if not isfinite(value):
        raise ValueError(value)
    return float(value)
