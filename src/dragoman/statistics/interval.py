"""An interval around an estimate, and Wilson's interval for a share."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist


@dataclass(frozen=True, slots=True)
class Interval:
    """`estimate` with its bounds, all in the unit of the data; `level` is the confidence, 0.95 for 95 %."""

    estimate: float
    low: float
    high: float
    level: float = 0.95

    @property
    def excludes_zero(self) -> bool:
        """True where zero lies outside the interval."""
        return self.low > 0 or self.high < 0


def wilson(successes: int, trials: int, level: float = 0.95) -> Interval:
    """Wilson's score interval for a share (Wilson 1927). Without trials it is the whole of [0, 1].

    It takes examples as independent; `cluster_bootstrap` is the one for examples that share a database.
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes in {trials} trials")
    if not trials:
        return Interval(float("nan"), 0.0, 1.0, level)
    z = NormalDist().inv_cdf((1 + level) / 2)
    share = successes / trials
    scale = 1 + z * z / trials
    centre = (share + z * z / (2 * trials)) / scale
    half = z * ((share * (1 - share) + z * z / (4 * trials)) / trials) ** 0.5 / scale
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == trials else min(1.0, centre + half)
    return Interval(share, low, high, level)
