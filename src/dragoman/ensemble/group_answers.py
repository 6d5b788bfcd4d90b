"""Which answers to a question give the same result."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.databases import Database
from dragoman.errors import QueryError
from dragoman.metrics import Bound, Digest, digest_query, group_results
from dragoman.metrics.rows_match import Result
from dragoman.solver import Answer

WHOLE = Bound(seconds=30.0)
"""What may be spent on comparing a result that was cut for display."""


def group_answers(answers: Sequence[Answer], database: Database) -> tuple[int | None, ...]:
    """Number the classes of equal results from 0, in the order of their first members; None without a result.

    A result that was cut for display is compared by the digest of the whole; where that cannot be read, it stands
    alone.
    """
    return group_results([_whole(answer, database) for answer in answers])


def _whole(answer: Answer, database: Database) -> Result | Digest | None:
    if answer.rows is not None and answer.rows.truncated:
        try:
            return digest_query(database, answer.sql, WHOLE)
        except QueryError:
            return answer.rows
    return answer.rows
