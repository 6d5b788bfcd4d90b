"""Several answers in, one out: any way to gather them with any way to choose."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from dragoman.databases import Database
from dragoman.ensemble.entrants import Gather
from dragoman.ensemble.pool import Select, pool_of, settle
from dragoman.questions import Question
from dragoman.solver import Answer, Draw, Solver


def ensemble(gather: Gather, database: Database, select: Select, names: Sequence[str] = ()) -> Solver:
    """A solver that gathers answers, groups them by their results on `database` and keeps the one that `select` says.

    The answer holds every candidate with its class and, in `names`' order, the name of its solver; its steps are those
    of all candidates and then those of the choice.
    """

    def solve(question: Question, draw: Draw) -> Answer:
        started = time.monotonic()
        pool = pool_of(question, draw, gather(question, draw), database, names)
        return replace(settle(pool, select(pool)), seconds=time.monotonic() - started)

    return solve
