"""One probe query: what it found or why it failed, and the step that tells of it."""

from __future__ import annotations

import time
from typing import Any

from dragoman.databases import Database, Limits, Rows
from dragoman.errors import QueryError, Refused
from dragoman.solver import Step


def probe(database: Database, sql: str, rows: int, seconds: float) -> tuple[Rows | str, Step]:
    """At most `rows` rows found within `seconds`, or what the guard or the engine says of the query."""
    started = time.monotonic()
    found: Rows | str
    try:
        found = database.execute(sql, Limits(rows, seconds))
        text, data = sql, dict[str, Any](rows=len(found), truncated=found.truncated)
    except (QueryError, Refused) as error:
        found = text = str(error)
        data = {"failed": error.code, "sql": sql}
    return found, Step("execute", text, data=data, seconds=time.monotonic() - started)
