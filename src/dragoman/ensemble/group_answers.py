"""Which answers to a question give the same result."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from dragoman.databases import Database
from dragoman.ensemble.row_orders import divide_by_order
from dragoman.errors import QueryError
from dragoman.metrics import Bound, Digest, digest_query, group_results
from dragoman.metrics.rows_match import Result
from dragoman.solver import Answer

WHOLE = Bound(seconds=30.0)
"""What may be spent on comparing results that were cut for display, the seconds for all of one question together."""


def group_answers(answers: Sequence[Answer], database: Database) -> tuple[int | None, ...]:
    """Number the classes of equal results from 0, in the order of their first members; None without a result.

    A result that was cut for display is compared by the digest of the whole, which is read once for each query; where
    that cannot be read in time, answers with the same query stand together, apart from all others. Equal rows of
    queries that ask for different orders are different results.
    """
    cut = cut_for_display(answers)
    first = [cut[answer.sql] if _is_cut(answer) else place for place, answer in enumerate(answers)]
    ends = time.monotonic() + WHOLE.seconds
    results = [
        _whole(answer, database, ends) if first[place] == place else None for place, answer in enumerate(answers)
    ]
    groups = group_results(results)
    same = [groups[place] for place in first]
    whole = [results[place] for place in first]
    return divide_by_order(same, whole, [answer.sql for answer in answers], database.dialect)


def cut_for_display(answers: Sequence[Answer]) -> dict[str, int]:
    """The queries whose results were cut, and are read again to be compared, with the place of the first answer."""
    return {answer.sql: place for place, answer in reversed(list(enumerate(answers))) if _is_cut(answer)}


def _is_cut(answer: Answer) -> bool:
    return answer.rows is not None and answer.rows.truncated


def _whole(answer: Answer, database: Database, ends: float) -> Result | Digest | None:
    left = ends - time.monotonic()
    if not _is_cut(answer) or left <= 0:
        return answer.rows
    try:
        return digest_query(database, answer.sql, replace(WHOLE, seconds=left))
    except QueryError:
        return answer.rows
