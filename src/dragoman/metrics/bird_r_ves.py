"""BIRD's reward-based valid efficiency score (R-VES), as the mini-dev evaluation computes it.

Source: the evaluation published with BIRD mini-dev. Flaws kept: wall-clock times on whatever machine this is; times
without any variance drop every sample and score 0; a wrong gold query makes the answer wrong.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from statistics import fmean, pstdev

from dragoman.databases.database import Database
from dragoman.metrics.bird_execution import bird_execution
from dragoman.metrics.case import UNLIMITED, Case, Outcome

RUNS = 100


def bird_r_ves(case: Case) -> Outcome:
    """The square root of the reward: 0 where the result is wrong, about 1.118 where it is right and twice as fast.

    The mean over examples times 100 is the published score. `case.published["runs"]` may lower the number of timed
    runs of each query, 100 by default, prediction and gold by turns.
    """
    outcome = bird_execution(case)
    if not outcome.correct:
        return outcome
    predicted, gold = [], []
    for _ in range(int(case.published.get("runs", RUNS))):
        predicted.append(_seconds(case.database, case.sql))
        gold.append(_seconds(case.database, case.example.sql))
    ratio = time_ratio(gold, predicted)
    if ratio is None:
        return Outcome(0.0, "All timings were equal, and the published rule then scores 0.", right=True)
    return Outcome(math.sqrt(reward(ratio)), f"Gold takes {ratio:.2f} times as long.", right=True)


def time_ratio(gold: Sequence[float], predicted: Sequence[float]) -> float | None:
    """Mean of gold time by predicted time without samples 3 or more standard deviations off; None if none is left."""
    ratios = [g / p for g, p in zip(gold, predicted, strict=True) if p > 0]
    if not ratios:
        return None
    mean, deviation = fmean(ratios), pstdev(ratios)
    kept = [ratio for ratio in ratios if abs(ratio - mean) < 3 * deviation]
    return fmean(kept) if kept else None


def reward(ratio: float) -> float:
    """1.25 from a ratio of 2 on, 1 from 1, 0.75 from 0.5, 0.5 from 0.25, else 0.25."""
    for least, given in ((2.0, 1.25), (1.0, 1.0), (0.5, 0.75), (0.25, 0.5)):
        if ratio >= least:
            return given
    return 0.25


def _seconds(database: Database, sql: str) -> float:
    started = time.perf_counter()
    database.execute(sql, UNLIMITED)
    return time.perf_counter() - started
