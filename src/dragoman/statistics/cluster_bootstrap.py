"""Percentile bootstrap that resamples whole clusters: examples that share a database are not independent."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import ceil, floor
from random import Random

from dragoman.statistics.interval import Interval


def cluster_bootstrap(
    values: Sequence[float],
    clusters: Sequence[Hashable],
    random: Random,
    resamples: int = 10_000,
    level: float = 0.95,
) -> Interval:
    """Interval for the mean of `values`; `clusters[i]` names the cluster of `values[i]`.

    Clusters are drawn with replacement, each bringing all of its values, so that the mean is one over examples.
    Where all values lie in one cluster the single values are resampled. No values: nan with nan bounds.
    """
    if len(values) != len(clusters):
        raise ValueError(f"{len(values)} values in {len(clusters)} clusters")
    if not values:
        return Interval(float("nan"), float("nan"), float("nan"), level)
    totals = _totals(values, clusters)
    estimate = sum(total for total, _ in totals) / len(values)
    means = []
    for _ in range(resamples):
        drawn = random.choices(totals, k=len(totals))
        means.append(sum(total for total, _ in drawn) / sum(size for _, size in drawn))
    means.sort()
    return Interval(estimate, quantile(means, (1 - level) / 2), quantile(means, (1 + level) / 2), level)


def paired_cluster_bootstrap(
    a: Sequence[float],
    b: Sequence[float],
    clusters: Sequence[Hashable],
    random: Random,
    resamples: int = 10_000,
    level: float = 0.95,
) -> Interval:
    """Interval for the mean of b - a over the same examples, drawn by cluster as in `cluster_bootstrap`."""
    differences = [second - first for first, second in zip(a, b, strict=True)]
    return cluster_bootstrap(differences, clusters, random, resamples, level)


def quantile(ordered: Sequence[float], share: float) -> float:
    """The quantile of values in ascending order, interpolated linearly between neighbours. `share` is 0 to 1."""
    position = share * (len(ordered) - 1)
    below, above = floor(position), ceil(position)
    return ordered[below] + (ordered[above] - ordered[below]) * (position - below)


def _totals(values: Sequence[float], clusters: Sequence[Hashable]) -> list[tuple[float, int]]:
    """(sum, size) per cluster in order of first appearance; per value where there is one cluster only."""
    gathered: dict[Hashable, list[float]] = {}
    for value, cluster in zip(values, clusters, strict=True):
        gathered.setdefault(cluster, []).append(value)
    if len(gathered) == 1:
        return [(value, 1) for value in values]
    return [(sum(members), len(members)) for members in gathered.values()]
