"""Keeps the proposals that hold up when they are run, and writes them as unconfirmed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from dragoman.bench.workload_check import undecided
from dragoman.databases import Database, Limits
from dragoman.errors import QueryError, Refused

MOST_ROWS = 1000
"""A proposal with more rows is dropped (EGRefine, section V-G)."""

Proposal = tuple[str, str]
"""(question, SQL)."""


@dataclass(frozen=True, slots=True)
class Draft:
    """Proposals that were kept, and how many were dropped for which reason."""

    kept: tuple[Proposal, ...]
    dropped: tuple[tuple[str, int], ...]


def accept(proposals: Iterable[Proposal], database: Database, most: int, seconds: float = 30.0) -> Draft:
    """The first `most` proposals that run, give one to 1,000 rows, are not decided by a tie and repeat no other."""
    kept: list[Proposal] = []
    dropped: Counter[str] = Counter()
    questions: set[str] = set()
    queries: set[str] = set()
    for question, sql in proposals:
        reason = "repeats another" if question.lower() in questions or sql in queries else ""
        reason = reason or _reason(sql, database, Limits(MOST_ROWS, seconds))
        if reason:
            dropped[reason] += 1
            continue
        questions.add(question.lower())
        queries.add(sql)
        kept.append((question, sql))
        if len(kept) == most:
            break
    return Draft(tuple(kept), tuple(sorted(dropped.items())))


def write_draft(draft: Draft, database: str, path: Path) -> None:
    """JSON Lines in the form of a workload, each with `"confirmed": false`: `bench run` leaves such lines out."""
    records = (
        {"id": f"draft-{n}", "database": database, "question": question, "sql": sql, "confirmed": False}
        for n, (question, sql) in enumerate(draft.kept, 1)
    )
    path.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records), encoding="utf-8")


def _reason(sql: str, database: Database, limits: Limits) -> str:
    if not sql:
        return "no query"
    try:
        rows = database.execute(sql, limits)
    except (QueryError, Refused):
        return "does not run"
    if not rows or all(cell is None for row in rows for cell in row):
        return "gives nothing"
    if rows.truncated:
        return f"gives more than {MOST_ROWS} rows"
    return "decided by a tie" if undecided(sql, rows, database, Limits(None, limits.seconds)) else ""
