"""How much a score moves between repeats of the same run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev


@dataclass(frozen=True, slots=True)
class Spread:
    """`sd` is the sample standard deviation (n - 1), None for fewer than two repeats."""

    repeats: int
    mean: float
    sd: float | None
    low: float
    high: float


def spread(scores: Sequence[float]) -> Spread:
    """Mean, standard deviation and range of at least one score."""
    if not scores:
        raise ValueError("no scores")
    sd = stdev(scores) if len(scores) > 1 else None
    return Spread(len(scores), fmean(scores), sd, min(scores), max(scores))
