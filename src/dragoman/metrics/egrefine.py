"""The comparison with gold in EGRefine's verification phase and evaluation, as its reference implementation does it.

Source: the reference implementation of "EGRefine" (execution-grounded schema refinement), query executor. Flaws kept:
row order, duplicates and LIMIT ties do not count; where the sets of rows differ, the cells of each row are compared
as sorted text, so that swapped cells are right and NULL equals the text None; a gold query that fails makes the answer
wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dragoman.metrics.case import Case, Outcome
from dragoman.metrics.gold import GoldFailed
from dragoman.metrics.undecodable import has_undecodable


def egrefine(case: Case) -> Outcome:
    """1 if both results match. Only the first gold query counts."""
    try:
        gold = case.gold.rows(case.database, case.example.sql)
    except GoldFailed as error:
        return Outcome(0.0, str(error))
    return Outcome(float(results_match(gold.rows, case.predicted_rows().rows)))


def results_match(gold: Sequence[tuple[Any, ...]], predicted: Sequence[tuple[Any, ...]]) -> bool:
    """Whether the sets of rows are equal, or else the sets of rows with their cells as sorted text."""
    if has_undecodable(gold) or has_undecodable(predicted):
        return False
    try:
        if set(gold) == set(predicted):
            return True
    except TypeError:
        return False
    return _texts(gold) == _texts(predicted)


def _texts(rows: Sequence[tuple[Any, ...]]) -> set[tuple[str, ...]]:
    return {tuple(sorted(map(str, row))) for row in rows}
