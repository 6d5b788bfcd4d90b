"""Statistics of scores: tests, intervals, Pass@k, calibration. Pure functions; randomness is an argument."""

from dragoman.statistics.calibration import (
    Bin,
    Isotonic,
    accuracy_at,
    area_under_risk,
    calibration_error,
    isotonic,
    reliability,
    risk_coverage,
)
from dragoman.statistics.cluster_bootstrap import cluster_bootstrap, paired_cluster_bootstrap, quantile
from dragoman.statistics.detectable import detectable_difference, least_discordant
from dragoman.statistics.interval import Interval, wilson
from dragoman.statistics.mcnemar import mcnemar
from dragoman.statistics.pass_at_k import (
    Pool,
    density,
    density_bins,
    mean_pass_at_k,
    pass_at_k,
    pass_curve,
    samples_to_reach,
)
from dragoman.statistics.recovery import recovery
from dragoman.statistics.sequence_similarity import pair_similarities, similarity, similarity_matrix
from dragoman.statistics.sequential import evidence_below
from dragoman.statistics.spread import Spread, spread

__all__ = [
    "Bin",
    "Interval",
    "Isotonic",
    "Pool",
    "Spread",
    "accuracy_at",
    "area_under_risk",
    "calibration_error",
    "cluster_bootstrap",
    "density",
    "density_bins",
    "detectable_difference",
    "evidence_below",
    "isotonic",
    "least_discordant",
    "mcnemar",
    "mean_pass_at_k",
    "pair_similarities",
    "paired_cluster_bootstrap",
    "pass_at_k",
    "pass_curve",
    "quantile",
    "recovery",
    "reliability",
    "risk_coverage",
    "samples_to_reach",
    "similarity",
    "similarity_matrix",
    "spread",
    "wilson",
]
