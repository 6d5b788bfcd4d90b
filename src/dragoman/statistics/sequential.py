"""A test of a share that may be looked at after every trial."""

from __future__ import annotations

from math import comb


def evidence_below(successes: int, trials: int, limit: float) -> float:
    """Evidence that a share is below `limit` (above 0, below 1): 20 and more refute "it is not" at the level of 5 %.

    It is a test martingale, the likelihood of all shares below the limit, equally weighed, over that of the limit
    itself (Robbins 1970; Ville's inequality), so that one may stop at any trial. Without trials it is 1.
    """
    if not 0 <= successes <= trials or not 0 < limit < 1:
        raise ValueError(f"{successes} successes in {trials} trials, limit {limit}")
    failures = trials - successes
    # the integral of p^s (1-p)^f from 0 to the limit, through the tail of the binomial of one trial more
    tail = sum(
        comb(trials + 1, n) * limit**n * (1 - limit) ** (trials + 1 - n) for n in range(successes + 1, trials + 2)
    )
    mean = tail / ((trials + 1) * comb(trials, successes)) / limit
    return mean / (limit**successes * (1 - limit) ** failures)
