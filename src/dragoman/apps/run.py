"""`dragoman run`: a query of the user's own, under the same guard and limits as a model's."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from dragoman import compose
from dragoman.apps import options, show
from dragoman.apps.options import Format
from dragoman.errors import QueryError, QueryTimeout, SetupError
from dragoman.sql.parse import parse
from dragoman.sql.references import resolve_double_quotes, unresolved

app = typer.Typer(add_completion=False)


@app.command()
def run(
    sql: Annotated[str, typer.Argument(help="One query that only reads; - reads it from standard input.")],
    db: options.Db = None,
    refinement: options.RefinementFile = None,
    form: options.OutputFormat = Format.table,
    as_json: options.Json = False,
    limit: options.Limit = None,
    timeout: options.Timeout = None,
    settings_file: options.SettingsFile = None,
) -> None:
    """Run a query under the guard and the limits."""
    text = sys.stdin.read() if sql == "-" else sql
    if not text.strip():
        raise SetupError('There is no query. Give one, for example: dragoman run "SELECT 1"')
    settings = compose.read_settings(
        settings_file, {"db": db, "refinement": refinement, "limit": limit, "timeout": timeout}
    )
    database = compose.open_database(settings)
    try:
        rows = database.execute(text, compose.limits(settings))
    except QueryTimeout:
        raise
    except QueryError as error:
        schema = database.schema()
        tree = resolve_double_quotes(parse(text, schema.dialect), schema, gold=True)  # SQLite takes them for strings
        unknown = unresolved(tree, schema)
        raise QueryError(str(unknown[0])) if unknown else error from None
    finally:
        database.close()
    show.show_rows(rows, Format.json if as_json else form, show.console())
