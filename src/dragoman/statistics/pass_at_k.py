"""What a pool of candidates is worth: Pass@k, its curve, candidate density."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import comb

Pool = tuple[int, int]
"""(correct candidates, candidates) of one example."""


def pass_at_k(correct: int, samples: int, k: int) -> float:
    """Chance that k of `samples` candidates, drawn without replacement, hold a correct one.

    1 - C(samples - correct, k) / C(samples, k) (Chen et al. 2021, equation 1), with 1 <= k <= samples.
    """
    if not 0 <= correct <= samples or not 1 <= k <= samples:
        raise ValueError(f"Pass@{k} of {correct} correct among {samples}")
    return 1 - comb(samples - correct, k) / comb(samples, k)


def mean_pass_at_k(pools: Sequence[Pool], k: int) -> float:
    """Pass@k averaged over examples. Pools with fewer than k candidates count with all they have; empty ones as 0."""
    if not pools:
        return float("nan")
    return sum(pass_at_k(correct, samples, min(k, samples)) if samples else 0.0 for correct, samples in pools) / len(
        pools
    )


def pass_curve(pools: Sequence[Pool]) -> tuple[float, ...]:
    """Pass@1, Pass@2, ... up to the size of the largest pool."""
    largest = max((samples for _, samples in pools), default=0)
    return tuple(mean_pass_at_k(pools, k) for k in range(1, largest + 1))


def samples_to_reach(pools: Sequence[Pool], target: float) -> int | None:
    """The smallest k whose Pass@k is at least `target`; None where even the whole pool stays below it."""
    curve = pass_curve(pools)
    return next((k for k, value in enumerate(curve, 1) if value >= target - 1e-12), None)


def density(correct: Iterable[int], samples: int) -> dict[tuple[int, int], float]:
    """Share of examples by number of correct candidates, in the bins of `density_bins`: (first, last) -> 0 to 1."""
    counts = list(correct)
    return {
        (first, last): sum(first <= count <= last for count in counts) / len(counts) if counts else float("nan")
        for first, last in density_bins(samples)
    }


def density_bins(samples: int) -> tuple[tuple[int, int], ...]:
    """0, 1, and three bins up to `samples`; for 8 candidates 0, 1, 2-3, 4-5, 6-8 (DivSkill-SQL, Table 9)."""
    edges = sorted({0, min(1, samples), 3 * samples // 8, 5 * samples // 8, samples})
    return tuple((0 if i == 0 else edges[i - 1] + 1, edge) for i, edge in enumerate(edges))
