"""BIRD's soft F1, as the mini-dev evaluation computes it.

Source: the evaluation published with BIRD mini-dev. Flaws kept: repeated rows are dropped and the remaining ones
compared by position, so that one row too many shifts all others; inside a row only membership counts, so that
swapped columns are right and a repeated value is counted twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from dragoman.metrics.case import Case, Outcome
from dragoman.metrics.gold import GoldFailed


def bird_soft_f1(case: Case) -> Outcome:
    """The F1 of cells between 0 and 1. Only the first gold query counts; if it fails the score is 0."""
    try:
        gold = case.gold.rows(case.database, case.example.sql)
    except GoldFailed as error:
        return Outcome(0.0, str(error))
    predicted = case.predicted_rows()
    try:
        return Outcome(soft_f1(gold.rows, predicted.rows))
    except TypeError as error:
        return Outcome(0.0, f"Cells that cannot be hashed cannot be compared by this rule ({error}).")


def soft_f1(gold: Sequence[tuple[Any, ...]], predicted: Sequence[tuple[Any, ...]]) -> float:
    """The F1 of two results: each row counts as one, shared out over the columns of its gold row."""
    if not gold and not predicted:
        return 1.0
    hits = extra = missed = 0.0
    for wanted, found in zip_longest(dict.fromkeys(gold), dict.fromkeys(predicted)):
        if wanted is None:
            extra += 1
        elif found is None:
            missed += 1
        else:
            width = len(wanted)
            hits += sum(cell in wanted for cell in found) / width
            extra += sum(cell not in wanted for cell in found) / width
            missed += sum(cell not in found for cell in wanted) / width
    precision = hits / (hits + extra) if hits + extra else 0.0
    recall = hits / (hits + missed) if hits + missed else 0.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
