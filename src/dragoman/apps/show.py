"""Answers and results on the terminal, as JSON, CSV and Markdown."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.measure import Measurement
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from dragoman.apps.options import Format
from dragoman.databases.database import Rows
from dragoman.databases.values import readable, to_csv, to_json, to_markdown, to_text, unique_names
from dragoman.models import Spent
from dragoman.solver import Answer

WIDEST = 100_000
NARROWEST = 8
"""Characters a column needs to be read at all."""


def console() -> Console:
    """Standard output; plain text of full width where it is no terminal."""
    return Console(soft_wrap=not (sys.stdout and sys.stdout.isatty()), highlight=False)


def show_rows(rows: Rows, form: Format, out: Console) -> None:
    """Write a result. Truncated and empty results are marked alike in every format for people."""
    if form is Format.json:
        out.out(json.dumps(rows_record(rows), ensure_ascii=False))
    elif form is Format.csv:
        out.out(to_csv(rows.columns, rows.rows), end="")
        _warn_if_truncated(rows)
    elif form is Format.markdown:
        out.out(to_markdown(rows.columns, rows.rows) + f"\n{count_line(rows)}")
    else:
        out.print(table(rows, out) if _fits(rows, out) else records(rows))
        out.print(Text(count_line(rows), style="dim"))


def show_answer(answer: Answer, about: Mapping[str, Any], form: Format, out: Console) -> None:
    """Write an answer: SQL, rows, and what it took. `about` holds question, database, method, model and by_role."""
    if form is Format.json:
        out.out(json.dumps(answer_record(answer, about), ensure_ascii=False))
        return
    if form is Format.csv:
        if answer.rows is not None:
            show_rows(answer.rows, form, out)
        return
    if answer.text:
        out.print(Text(readable(answer.text)))
    if answer.sql:
        show_sql(answer.sql, form, out)
    if answer.rows is not None:
        show_rows(answer.rows, form, out)
    footer = footer_line(answer, about)
    out.print(Text(footer, style="dim")) if form is Format.table else out.out(f"\n{footer}")


def show_sql(sql: str, form: Format, out: Console) -> None:
    """The query, highlighted on a terminal."""
    if form is Format.markdown:
        out.out(f"```sql\n{sql}\n```\n")
    elif out.is_terminal:
        out.print(Syntax(sql, "sql", word_wrap=True, background_color="default"))
    else:
        out.out(sql)


def rows_record(rows: Rows) -> dict[str, Any]:
    """The JSON record of a result; see docs/reference/json.md."""
    return {
        "columns": list(unique_names(rows.columns)),
        "rows": [[to_json(value) for value in row] for row in rows],
        "row_count": len(rows),
        "truncated": rows.truncated,
        "query_seconds": round(rows.seconds, 4),
        "enforced": list(rows.enforced),
    }


def answer_record(answer: Answer, about: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON record of an answer; see docs/reference/json.md."""
    nothing = {"columns": None, "rows": None, "row_count": None, "truncated": None, "query_seconds": None}
    return {
        **about,
        "sql": answer.sql or None,
        "text": readable(answer.text) or None,
        **({**nothing, "enforced": []} if answer.rows is None else rows_record(answer.rows)),
        "error": {"code": answer.error.code, "message": answer.error.message} if answer.error else None,
        "share": answer.share,
        "confidence": answer.confidence,
        "seconds": round(answer.seconds, 3),
        "usage": asdict(answer.usage),
        "cost": answer.cost,
    }


def spent_record(spent: Spent) -> dict[str, Any]:
    """The JSON record of what a role used."""
    return {"usage": asdict(spent.usage), "stored": asdict(spent.stored), "cost": spent.cost}


def table(rows: Rows, out: Console) -> Table:
    """A terminal table; numbers to the right, NULL dimmed so that it differs from the text."""
    drawn = Table(show_edge=False, pad_edge=False, header_style="bold")
    for index, name in enumerate(unique_names(rows.columns)):
        numeric = all(isinstance(row[index], (int, float, type(None))) for row in rows)
        drawn.add_column(Text(readable(name)), justify="right" if numeric and len(rows) else "left", overflow="fold")
    for row in rows:
        drawn.add_row(*(Text(printable(to_text(v)), style="dim" if v is None else "") for v in row))
    if not out.is_terminal:  # whoever reads it has room
        out.width = max(80, Measurement.get(out, out.options.update(max_width=WIDEST), drawn).maximum)
    return drawn


def records(rows: Rows) -> Text:
    """One line a field, for results that are wider than the terminal."""
    names = [readable(name) for name in unique_names(rows.columns)]
    width = max(map(len, names))
    blocks = ["\n".join(f"{n:<{width}}  {printable(to_text(v))}" for n, v in zip(names, r, strict=True)) for r in rows]
    return Text("\n\n".join(blocks))


def _fits(rows: Rows, out: Console) -> bool:
    return not out.is_terminal or not len(rows) or out.width // max(1, len(rows.columns)) >= NARROWEST


def count_line(rows: Rows) -> str:
    """How many rows, and whether there are more."""
    if rows.truncated:
        return f"The first {len(rows)} rows; there are more (raise --limit to see them)."
    return f"{counted(len(rows), 'row')}." if len(rows) else "No rows."


def counted(number: int, noun: str) -> str:
    """The number with the noun, which takes an s unless there is one of it."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def footer_line(answer: Answer, about: Mapping[str, Any]) -> str:
    """Model, time, tokens and money in one line."""
    usage = answer.usage
    parts = [str(about["model"]), f"{answer.seconds:.1f} s", f"{usage.prompt_tokens + usage.completion_tokens} tokens"]
    if usage.cached_tokens:
        parts[-1] += f" ({usage.cached_tokens} cached)"
    if answer.cost:
        parts.append(f"${answer.cost:.4f}")
    if answer.share is not None:
        parts.append(f"vote share {answer.share:.0%}")
    if any(step.kind == "budget" for step in answer.steps):
        parts.append("the budget was spent before all comparisons were made")
    if answer.confidence is not None:
        parts.append(f"right with a probability of {answer.confidence:.0%}")
    if about["model"] == "embedded":
        parts.append("a small model on this machine: check the SQL")
    return " · ".join(parts)


def printable(text: str) -> str:
    """Control characters would move the cursor; they are shown as escapes."""
    return "".join(c if c.isprintable() or c in "\n\t" else repr(c)[1:-1] for c in text)


def _warn_if_truncated(rows: Rows) -> None:
    if rows.truncated:
        print(f"dragoman: {count_line(rows)}", file=sys.stderr)
