"""Pools for tests: queries that run on a real database, or classes made by hand."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.databases import Database, Limits, Rows
from dragoman.ensemble import Comparison, Judge, Judgement, Pool
from dragoman.errors import QueryError
from dragoman.questions import Question
from dragoman.solver import Answer, Draw, Failure, Solver, Step

ASKED = Question("How many?")


def saying(database: Database, queries: Sequence[str], limits: Limits = Limits()) -> Solver:
    """A solver that gives the query of its sample and runs it."""

    def solve(question: Question, draw: Draw) -> Answer:
        sql = queries[draw.sample % len(queries)]
        try:
            return Answer(sql, database.execute(sql, limits), steps=(Step("execute", sql),))
        except QueryError as error:
            return Answer(sql, error=Failure(error.code, str(error)), steps=(Step("execute", sql),))

    return solve


def pool_of_classes(*groups: int | None) -> Pool:
    """A pool whose candidates are of these classes; candidate n's query is `SELECT n`."""
    answers = tuple(
        Answer(f"SELECT {place}", error=Failure("query", "no"))
        if group is None
        else Answer(f"SELECT {place}", Rows(("x",), ((group,),)))
        for place, group in enumerate(groups)
    )
    return Pool(ASKED, Draw(), answers, groups, ("",) * len(groups), "sqlite")


def preferring(*favoured: int) -> Judge:
    """A judge that prefers results which come earlier in `favoured`, whatever the order it sees them in."""

    def judge(compared: Comparison) -> Judgement:
        first, second = (favoured.index(value(side)) for side in (compared.first, compared.second))
        return Judgement("first" if first < second else "second")

    return judge


def value(answer: Answer) -> int:
    """The one cell of an answer of `pool_of_classes`."""
    assert answer.rows is not None
    return int(answer.rows.rows[0][0])
