"""`dragoman schema`: what was found in a database, and what could not be seen."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from enum import Enum
from typing import Annotated

import typer

from dragoman import compose
from dragoman.apps import options
from dragoman.schema import compact, ddl

app = typer.Typer(add_completion=False)


class SchemaForm(str, Enum):
    """How a schema is written."""

    ddl = "ddl"
    compact = "compact"
    json = "json"


@app.command()
def schema(
    db: options.Db = None,
    form: Annotated[SchemaForm, typer.Option("--format", help="DDL, one line a table, or JSON.")] = SchemaForm.ddl,
    as_json: options.Json = False,
    settings_file: options.SettingsFile = None,
) -> None:
    """Show what a database is made of."""
    database = compose.open_database(compose.read_settings(settings_file, {"db": db}))
    try:
        found = database.schema()
    finally:
        database.close()
    if as_json or form is SchemaForm.json:
        print(json.dumps(asdict(found), ensure_ascii=False))
        return
    print(compact(found) if form is SchemaForm.compact else ddl(found))
    keys = len(found.foreign_keys)
    columns = sum(len(table.columns) for table in found)
    print(f"{len(found.tables)} tables, {columns} columns, {keys} foreign keys.", file=sys.stderr)
    for name, reason in found.hidden:
        print(f"Not readable: {name} ({reason}).", file=sys.stderr)
