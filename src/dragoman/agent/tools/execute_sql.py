"""execute_sql: run one query that only reads, and see its first rows."""

from __future__ import annotations

from dragoman.agent.desk import Desk, Observation
from dragoman.agent.result_text import result_text
from dragoman.agent.sentences import counted, say
from dragoman.databases import Rows
from dragoman.solver import Failure
from dragoman.sql.extract import extract


def execute_sql(desk: Desk, sql: str) -> Observation:
    """Rows within the limits of the desk, or the error with the nearest existing names, as data."""
    candidate = desk.run(extract(sql, desk.schema.dialect).sql if "```" in sql else sql)
    if candidate.error is not None:
        key = "refused" if candidate.error.code in ("refused", "unreadable") else "failed"
        text = f"{say(key, code=candidate.error.code)}{reason(desk, candidate.error)}"
        return Observation(text, candidate.error.code, candidate)
    if candidate.rows is None:
        return Observation(say("held"), "held", candidate)
    return Observation(_rows_text(desk, candidate.rows), "ok" if candidate.rows.rows else "empty", candidate)


def reason(desk: Desk, error: Failure) -> str:
    """Why a query did not run, on lines of its own. The engine's words are data, and may quote cells."""
    if error.code == "query" and not desk.toolbox.values:
        return ""
    return f"\n{desk.fence(error.message[: desk.limits.observation], 'error')}"


def _rows_text(desk: Desk, rows: Rows) -> str:
    number = f"{'at least ' if rows.truncated else ''}{counted(len(rows), 'row')}"
    columns = counted(len(rows.columns), "column")
    if not desk.toolbox.values:
        names = desk.fence(", ".join(rows.columns), "columns")
        return f"{say('ran_unseen', rows=number, columns=columns)}\n{names}"
    if not rows.rows:
        return say("no_rows")
    text, shown = result_text(rows, desk.limits.rows, desk.limits.cell, desk.limits.observation)
    if shown < len(rows) or rows.truncated:
        head = say("ran_cut", shown=f"{shown:,}", rows=number, columns=columns)
    else:
        head = say("ran", rows=number, columns=columns)
    return f"{head}\n{desk.fence(text, 'result')}"
