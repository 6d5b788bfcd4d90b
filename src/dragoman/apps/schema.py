"""`dragoman schema`: what was found in a database, what could not be seen, and what a model would see of it."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from enum import Enum
from typing import Annotated, Any

import typer

from dragoman import compose
from dragoman.apps import options
from dragoman.apps.show import counted
from dragoman.databases import Database
from dragoman.linking.build_value_index import open_value_index
from dragoman.linking.linker import Linked, Linker
from dragoman.schema import Schema, compact, ddl

BUDGET = 8000
"""Tokens that a model sees of a schema unless --budget says otherwise."""
MOST_REASONS = 12
"""Tables of which it is told why they are seen."""

app = typer.Typer(add_completion=False)


class SchemaForm(str, Enum):
    """How a schema is written."""

    ddl = "ddl"
    compact = "compact"
    json = "json"


@app.command()
def schema(
    db: options.Db = None,
    refinement: options.RefinementFile = None,
    question: Annotated[
        str | None, typer.Option("--for", metavar="QUESTION", help="Show what a model would see for this question.")
    ] = None,
    budget: Annotated[
        int, typer.Option("--budget", min=1, metavar="N", help=f"With --for: at most N tokens ({BUDGET}).")
    ] = BUDGET,
    form: Annotated[SchemaForm, typer.Option("--format", help="DDL, one line a table, or JSON.")] = SchemaForm.ddl,
    as_json: options.Json = False,
    settings_file: options.SettingsFile = None,
) -> None:
    """Show what a database is made of."""
    settings = compose.read_settings(settings_file, {"db": db, "refinement": refinement})
    database = compose.open_database(settings)
    as_json = as_json or form is SchemaForm.json
    try:
        found = database.schema()
        linked = None if question is None else _link(database, found, question, budget, settings.values)
    finally:
        database.close()
    if linked is not None:
        _show_linked(linked, as_json)
    elif as_json:
        print(json.dumps(asdict(found), ensure_ascii=False))
    else:
        print(compact(found) if form is SchemaForm.compact else ddl(found))
        _summarise(found)


def _link(database: Database, found: Schema, question: str, budget: int, with_values: bool) -> Linked:
    index = open_value_index(database, compose.cache_folder() / "values") if with_values else None
    if index is None:
        return Linker(found).link(question, budget)
    return Linker(found).link(question, budget, index.match(question, edits=1), samples=index.samples())


def _show_linked(linked: Linked, as_json: bool) -> None:
    """The text on the standard output, and on the other one why and how much."""
    text = linked.text
    if as_json:
        print(json.dumps(_record(linked), ensure_ascii=False))
        return
    print(text.text)
    print("\nWhy these tables (score from 0 to 1, and what spoke for them):", file=sys.stderr)
    for table in [table for table in _reasons(linked) if table["columns"]][:MOST_REASONS]:
        why = ", ".join(table["why"]) or "a join, or room that was left"
        print(f"  {table['score']:.2f} {table['table']}: {why}", file=sys.stderr)
    for name, column, value in linked.values:
        print(f"The question may mean {name}.{column} = {value!r}.", file=sys.stderr)
    columns = sum(len(table.columns) for table in text.shown)
    print(
        f"About {text.tokens} tokens: {len(text.named)} tables named, {len(text.shown.tables)} of them with"
        f" {columns} columns.",
        file=sys.stderr,
    )


def _record(linked: Linked) -> dict[str, Any]:
    return {
        "text": linked.text.text,
        "tokens": linked.text.tokens,
        "tables": _reasons(linked),
        "values": [list(value) for value in linked.values],
        "left_out": list(linked.text.left_out),
    }


def _reasons(linked: Linked) -> list[dict[str, Any]]:
    """The tables named, best first, each with its score, why, and which of its columns are seen."""
    columns = {table.full_name: [column.name for column in table.columns] for table in linked.text.shown}
    ranked = sorted(linked.text.named, key=lambda name: -linked.ranking.tables.get(name, 0.0))
    return [
        {
            "table": ".".join(name),
            "score": round(linked.ranking.tables.get(name, 0.0), 3),
            "why": list(linked.ranking.why.get(name, ())),
            "columns": columns.get(name, []),
        }
        for name in ranked
    ]


def _summarise(found: Schema) -> None:
    keys = len(found.foreign_keys)
    columns = sum(len(table.columns) for table in found)
    counts = counted(len(found.tables), "table"), counted(columns, "column"), counted(keys, "foreign key")
    print(f"{', '.join(counts)}.", file=sys.stderr)
    for name, reason in found.hidden:
        print(f"Not readable: {name} ({reason}).", file=sys.stderr)
