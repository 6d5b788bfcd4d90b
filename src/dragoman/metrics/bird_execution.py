"""BIRD's execution accuracy, as its public evaluation computes it.

Source: Li et al., "Can LLM Already Serve as A Database Interface? A BIg Bench for Large-Scale Database Grounded
Text-to-SQLs", NeurIPS 2023, and the evaluation published with it. Flaws kept: duplicates and row order do not count,
columns must stand in the gold order, floats must be equal to the last digit, text that is not UTF-8 and a gold query
that fails make the answer wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dragoman.metrics.case import Case, Outcome
from dragoman.metrics.gold import GoldFailed
from dragoman.metrics.undecodable import has_undecodable


def bird_execution(case: Case) -> Outcome:
    """1 if both results are the same set of rows. Only the first gold query counts."""
    try:
        gold = case.gold.rows(case.database, case.example.sql)
    except GoldFailed as error:
        return Outcome(0.0, str(error))
    predicted = case.predicted_rows()
    return Outcome(float(results_match(gold.rows, predicted.rows)))


def results_match(gold: Sequence[tuple[Any, ...]], predicted: Sequence[tuple[Any, ...]]) -> bool:
    """Whether the rows are the same set, as Python compares them. What would raise there is wrong here."""
    if has_undecodable(gold) or has_undecodable(predicted):
        return False
    try:
        return set(gold) == set(predicted)
    except TypeError:
        return False
