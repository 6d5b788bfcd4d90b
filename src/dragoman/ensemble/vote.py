"""Majority vote by result: the largest class of candidates whose queries give the same rows wins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from dragoman.databases import Database
from dragoman.ensemble.candidates import candidates, draws
from dragoman.ensemble.ensemble import ensemble
from dragoman.ensemble.entrants import Gather
from dragoman.ensemble.pool import Choice, Pool
from dragoman.questions import Question
from dragoman.solver import Answer, Draw, Solver, Step


@dataclass(frozen=True, slots=True)
class Voting:
    """How many candidates are drawn: the first as asked for, the others at `temperature`, in `workers` threads."""

    candidates: int = 7
    temperature: float = 0.7
    workers: int = 1


def vote(solver: Solver, database: Database, how: Voting) -> Solver:
    """A solver that draws several answers of `solver` and keeps the one that wins the vote, with its `share`."""
    return ensemble(samples(solver, how), database, by_vote)


def samples(solver: Solver, how: Voting) -> Gather:
    """Several answers of one solver."""

    def gather(question: Question, draw: Draw) -> tuple[Answer, ...]:
        return candidates(solver, question, draws(draw, how.candidates, how.temperature), how.workers)

    return gather


def by_vote(pool: Pool) -> Choice:
    """The first candidate of the largest class; of equally large ones that of the class that was found first.

    Failed candidates are set apart, and those without rows stand back behind those with some.
    """
    place = elect(pool.answers, pool.groups)
    group = pool.groups[place]
    votes = 0 if group is None else pool.groups.count(group)
    data = {"candidates": len(pool.answers), "classes": len(pool.classes), "votes": votes}
    return Choice(place, (Step("vote", data=data),))


def elect(drawn: Sequence[Answer], groups: Sequence[int | None]) -> int:
    """The index of the candidate that wins the vote.

    Where none has a result it is the first, those last that name what is not in the schema.
    """
    votes = Counter(group for group in groups if group is not None)

    def rank(index: int) -> tuple[bool, bool, bool, int, int]:
        group, rows, error = groups[index], drawn[index].rows, drawn[index].error
        unresolved = error is not None and error.code == "unresolved"
        return (group is None, unresolved, not rows, -votes[group] if group is not None else 0, index)

    return min(range(len(drawn)), key=rank)
