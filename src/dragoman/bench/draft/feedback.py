"""What people say of answers goes into the workload, from where `learn` and `refine` take it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dragoman.bench.ledger import read_ledger, replace_ledger
from dragoman.databases import Database, Limits
from dragoman.errors import QueryError, Refused, SetupError
from dragoman.questions import Question


def record_feedback(question: Question, answered: str, said: str, database: Database, workload: Path) -> dict[str, Any]:
    """Add a line to the workload and give it back.

    `answered` is the query that was the answer. "right" confirms it. A query, which must run, corrects it. "wrong"
    leaves a draft that counts for nothing until somebody gives its SQL ("confirmed": false). What was said before of
    the same question over the same database gives way. Raises `SetupError` for a query that does not run, for no
    query to confirm, and for a file that is no JSON Lines.
    """
    verdict = said.strip().lower()
    if verdict == "right" and not answered:
        raise SetupError("The last answer has no SQL to confirm. Give the right query with --feedback SQL.")
    sql = {"right": answered, "wrong": ""}.get(verdict, said.strip())
    if sql:
        _check(sql, database)
    asked = hashlib.sha256(f"{database.name}\n{question.text}".encode())
    line = {
        "id": f"asked-{asked.hexdigest()[:8]}",
        "database": database.name,
        "question": question.text,
        **({"evidence": question.evidence} if question.evidence else {}),
        "sql": sql,
        "confirmed": bool(sql),
        "feedback": verdict if verdict in ("right", "wrong") else "corrected",
        **({"rejected": answered} if verdict != "right" and answered else {}),
    }
    _replace(line, workload)
    return line


def _check(sql: str, database: Database) -> None:
    try:
        database.execute(sql, Limits(rows=1))
    except (QueryError, Refused) as error:
        raise SetupError(f"This query does not run: {error} Nothing was written; mend it and give it again.") from None


def _replace(line: Mapping[str, Any], workload: Path) -> None:
    workload.parent.mkdir(parents=True, exist_ok=True)
    replace_ledger(workload, [*(old for old in read_ledger(workload) if old.get("id") != line["id"]), line])
