"""The answers that one is chosen from, and how a choice becomes the answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from dragoman.databases import Database
from dragoman.ensemble.group_answers import group_answers
from dragoman.ensemble.row_orders import is_ordered
from dragoman.ensemble.signals import Signals, signals_of
from dragoman.questions import Question
from dragoman.solver import Answer, Candidate, Draw, Failure, Step


@dataclass(frozen=True, slots=True)
class Class:
    """Candidates with equal results: their places in the pool in order, and the place of the one that stands for all.

    That is one with an ORDER BY where any has one, of those the one with the shortest query, of equally long ones the
    first.
    """

    members: tuple[int, ...]
    standing: int

    @property
    def size(self) -> int:
        return len(self.members)


@dataclass(frozen=True, slots=True)
class Pool:
    """Answers to one question in the order of their solvers, each with the number of its class, None if it failed.

    `sources` names the solver of each answer, "" where it has no name. Queries are of `dialect`.
    """

    question: Question
    draw: Draw
    answers: tuple[Answer, ...]
    groups: tuple[int | None, ...]
    sources: tuple[str, ...]
    dialect: str

    @property
    def classes(self) -> tuple[Class, ...]:
        """Classes by their numbers."""
        members: dict[int, list[int]] = {}
        for place, group in enumerate(self.groups):
            if group is not None:
                members.setdefault(group, []).append(place)
        return tuple(Class(tuple(found), min(found, key=self._rank)) for _, found in sorted(members.items()))

    @property
    def signals(self) -> tuple[Signals, ...]:
        """What can be told of each candidate."""
        return tuple(map(signals_of, candidates_of(self)))

    def length(self, place: int) -> int:
        """Characters of a candidate's query, spaces between words counted once."""
        return len(" ".join(self.answers[place].sql.split()))

    def _rank(self, place: int) -> tuple[bool, int, int]:
        return not is_ordered(self.answers[place].sql, self.dialect), self.length(place), place


@dataclass(frozen=True, slots=True)
class Choice:
    """The place of the chosen candidate, and the steps that choosing it took."""

    place: int
    steps: tuple[Step, ...] = ()


Select = Callable[[Pool], Choice]
"""Chooses from a pool with at least one answer."""


def pool_of(
    question: Question, draw: Draw, answers: Sequence[Answer], database: Database, sources: Sequence[str] = ()
) -> Pool:
    """The pool of these answers, grouped by result on `database`. Nameless where `sources` is empty."""
    names = tuple(sources) or ("",) * len(answers)
    return Pool(question, draw, tuple(answers), group_answers(answers, database), names, database.dialect)


def settle(pool: Pool, choice: Choice) -> Answer:
    """The chosen answer with all candidates, the steps of all solvers and of the choice, and its class's share.

    A query with a name that is not in the schema is no answer: where nothing better was chosen, the answer says so.
    """
    group = pool.groups[choice.place]
    size = 0 if group is None else pool.groups.count(group)
    return replace(
        _resolved(pool.answers[choice.place], len(pool.answers)),
        candidates=candidates_of(pool),
        steps=(*(step for answer in pool.answers for step in answer.steps), *choice.steps),
        share=size / len(pool.answers),
    )


def candidates_of(pool: Pool) -> tuple[Candidate, ...]:
    """Every answer of a pool as a candidate of its class."""
    return tuple(map(_candidate, pool.answers, pool.groups, pool.sources))


def _resolved(answer: Answer, count: int) -> Answer:
    if answer.error is None or answer.error.code != "unresolved":
        return answer
    return replace(
        answer, sql="", error=Failure("unresolved", f"None of {count} candidates can be run. {answer.error.message}")
    )


def _candidate(answer: Answer, group: int | None, source: str) -> Candidate:
    """What the solver itself said of the query that it chose, with the class of this pool."""
    for own in answer.candidates:
        if own.sql == answer.sql and own.rows is answer.rows:
            return replace(own, group=group, source=source or own.source)
    return Candidate(answer.sql, answer.rows, answer.error, group, source)
