"""The candidates that an answer was chosen from, and what the judge said of them."""

from __future__ import annotations

from typing import Any

from rich.console import Console

from dragoman.apps.options import Format
from dragoman.apps.show import printable
from dragoman.databases.values import to_markdown
from dragoman.report import Column, Report, Section, Table
from dragoman.report import show as show_report
from dragoman.solver import Answer, Candidate, Step

LONGEST = 200
"""Characters of a query in the table; JSON has the whole."""


def show_candidates(answer: Answer, form: Format, out: Console) -> None:
    """Write the candidates and judgements as tables; nothing where results are CSV or JSON (see the records)."""
    kept = next((n for n, c in enumerate(answer.candidates, 1) if c.sql == answer.sql and c.rows is answer.rows), 0)
    columns = ("", "From", "Class", "Rows", "Query")
    rows = [
        (f"{n} (kept)" if n == kept else str(n), c.source, _class(c), _outcome(c), _cut(c.sql))
        for n, c in enumerate(answer.candidates, 1)
    ]
    judged = [(str(s.data["first"] + 1), str(s.data["second"] + 1), str(s.data["winner"])) for s in judgements(answer)]
    judges = ("First", "Second", "Winner")
    if form is Format.markdown:
        out.out(f"\n{to_markdown(columns, rows)}")
        if judged:
            out.out(f"\n{to_markdown(judges, judged)}")
    elif form is Format.table:
        tables = [Table("", tuple(map(Column, columns)), tuple(rows))]
        if judged:
            tables.append(Table("Judgements", tuple(map(Column, judges)), tuple(judged)))
        show_report(Report("", "", (Section("Candidates", tuple(tables)),)), out)


def candidate_records(answer: Answer) -> dict[str, Any]:
    """`candidates` and `judgements` as JSON values; see docs/reference/json.md."""
    return {
        "candidates": [
            {
                "sql": c.sql or None,
                "source": c.source or None,
                "class": c.group,
                "row_count": None if c.rows is None else len(c.rows),
                "truncated": None if c.rows is None else c.rows.truncated,
                "error": {"code": c.error.code, "message": c.error.message} if c.error else None,
                "actions": list(c.actions),
            }
            for c in answer.candidates
        ],
        "judgements": [
            {"first": s.data["first"], "second": s.data["second"], "winner": s.data["winner"], "reply": s.text}
            for s in judgements(answer)
        ],
    }


def judgements(answer: Answer) -> list[Step]:
    """The steps in which two candidates were compared."""
    return [step for step in answer.steps if step.kind == "judge" and "winner" in step.data]


def _class(candidate: Candidate) -> str:
    return "" if candidate.group is None else str(candidate.group + 1)


def _outcome(candidate: Candidate) -> str:
    if candidate.error:
        return candidate.error.code
    if candidate.rows is None:
        return "not run" if candidate.sql else "no query"
    return f"{'over ' if candidate.rows.truncated else ''}{len(candidate.rows):,}"


def _cut(sql: str) -> str:
    line = printable(" ".join(sql.split()))
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}..."
