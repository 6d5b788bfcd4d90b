"""submit_final_sql: hand in the answer."""

from __future__ import annotations

from dragoman.agent.desk import Desk, Observation
from dragoman.agent.sentences import say
from dragoman.agent.tools.execute_sql import reason
from dragoman.sql.extract import extract


def submit_final_sql(desk: Desk, sql: str) -> Observation:
    """The query with its rows, or the sentence that was handed in instead of one. The loop decides what it takes."""
    found = extract(sql, desk.schema.dialect)
    if not found.sql:
        return Observation(say("submitted"), reply=sql.strip(), final=True)
    candidate = desk.run(found.sql)
    if candidate.error is not None:
        text = f"{say('returned', code=candidate.error.code)}{reason(desk, candidate.error)}"
        return Observation(text, candidate.error.code, candidate, final=True)
    return Observation(say("submitted"), candidate=candidate, final=True)
