"""Majority vote by result: the largest class of candidates whose queries give the same rows wins."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from dragoman.databases import Database
from dragoman.ensemble.candidates import candidates, draws
from dragoman.errors import QueryError
from dragoman.metrics import Bound, Digest, digest_query, group_results
from dragoman.metrics.rows_match import Result
from dragoman.questions import Question
from dragoman.solver import Answer, Candidate, Draw, Solver, Step

WHOLE = Bound(seconds=30.0)
"""What may be spent on comparing a result that was cut for display."""


@dataclass(frozen=True, slots=True)
class Voting:
    """How many candidates are drawn: the first as asked for, the others at `temperature`, in `workers` threads."""

    candidates: int = 7
    temperature: float = 0.7
    workers: int = 1


def vote(solver: Solver, database: Database, how: Voting) -> Solver:
    """A solver that draws several answers of `solver` and keeps one.

    Failed candidates are set apart, and those without rows stand back behind those with some. The answer is the first
    candidate of the largest class; of equally large ones the class that was found first wins. `Answer.share` is the
    size of that class over all candidates drawn.
    """

    def solve(question: Question, draw: Draw) -> Answer:
        started = time.monotonic()
        drawn = candidates(solver, question, draws(draw, how.candidates, how.temperature), how.workers)
        groups = group_results([whole(answer, database) for answer in drawn])
        chosen = elect(drawn, groups)
        votes = Counter(group for group in groups if group is not None)
        size = 0 if (won := groups[chosen]) is None else votes[won]
        told = Step("vote", data={"candidates": len(drawn), "classes": len(votes), "votes": size})
        return replace(
            drawn[chosen],
            candidates=tuple(_candidate(answer, group) for answer, group in zip(drawn, groups, strict=True)),
            steps=(*(step for answer in drawn for step in answer.steps), told),
            share=size / len(drawn),
            seconds=time.monotonic() - started,
        )

    return solve


def elect(drawn: Sequence[Answer], groups: Sequence[int | None]) -> int:
    """The index of the candidate that wins the vote; the first one where none has a result."""
    votes = Counter(group for group in groups if group is not None)

    def rank(index: int) -> tuple[bool, bool, int, int]:
        group, rows = groups[index], drawn[index].rows
        return (group is None, not rows, -votes[group] if group is not None else 0, index)

    return min(range(len(drawn)), key=rank)


def whole(answer: Answer, database: Database) -> Result | Digest | None:
    """What a candidate is compared by: its rows, or the digest of the whole result where they were cut."""
    if answer.rows is not None and answer.rows.truncated:
        try:
            return digest_query(database, answer.sql, WHOLE)
        except QueryError:  # it cannot be read whole: comparable with nothing, it stands alone
            return answer.rows
    return answer.rows


def _candidate(answer: Answer, group: int | None) -> Candidate:
    return Candidate(answer.sql, answer.rows, answer.error, group)
