"""Run a query, and where there is a fault let a model mend it, a bounded number of times."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dragoman.models import Choice
from dragoman.solver import Answer, Candidate
from dragoman.sql.extract import Extracted
from dragoman.workflows.stages import Stages, say

FIRST_ROWS = 5
"""Rows in which a NULL counts as a fault."""


@dataclass(frozen=True, slots=True)
class Mending:
    """`prompt` is asked at most `fixes` times: about errors, and about results as these say.

    `on_empty` is about a result without rows, `on_null` about a NULL in the first rows.
    """

    prompt: str
    fixes: int
    on_empty: bool = True
    on_null: bool = False


def mend(stages: Stages, schema: str, sql: str, how: Mending) -> Answer:
    """The last query that ran, else the last one, with all of them as candidates.

    The model in the role corrector is told of each fault. It ends at a result without fault, at a timeout, at a query
    that the user does not let run, and at a reply without another query.
    """
    candidates = [stages.run(sql)]
    for _ in range(how.fixes):
        last = candidates[-1]
        told = fault_of(last, how, stages.values is not None)
        if not told:
            break
        words = {"schema": schema, "draft": stages.fence(last.sql, "query"), "fault": stages.fence(told, "fault")}
        (reply,) = stages.ask("corrector", how.prompt, words)
        mended = read_whole(stages, reply).sql
        stages.note("correct", read=int(bool(mended)), changed=bool(mended) and mended != last.sql)
        if not mended or mended == last.sql:
            break
        candidates.append(stages.run(mended))
    ran = [candidate for candidate in candidates if candidate.rows is not None]
    return replace(stages.answer(ran[-1] if ran else candidates[-1]), candidates=tuple(candidates))


def read_whole(stages: Stages, choice: Choice) -> Extracted:
    """The query in a reply; none in one that was cut off, which may hold half of it."""
    return Extracted("", say("cut")) if choice.finish == "length" else stages.read(choice)


def fault_of(candidate: Candidate, how: Mending, cells: bool) -> str:
    """What is told of a result, "" where there is no fault or none that could be mended.

    Without `cells` it is not the engine's own words, which could hold some.
    """
    if candidate.error is not None:
        code, message = candidate.error.code, candidate.error.message
        return "" if code == "timeout" else message if cells or code != "query" else say("kept")
    if candidate.rows is None:
        return ""
    if how.on_empty and not candidate.rows.rows:
        return say("no_rows")
    if how.on_null and any(cell is None for row in candidate.rows.rows[:FIRST_ROWS] for cell in row):
        return say("null")
    return ""
