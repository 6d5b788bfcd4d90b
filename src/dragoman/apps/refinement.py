"""The commands of `dragoman refine` that take a refinement file, and ask no model: check, diff, apply, drop, export."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from dragoman import compose
from dragoman.apps import options
from dragoman.databases.guarded_database import GuardedDatabase
from dragoman.demo.refining_workload import refining_workload
from dragoman.demo.warehouse.workload import workload as warehouse_workload
from dragoman.errors import SetupError
from dragoman.questions import Example, Workload, read_workload
from dragoman.refine.admissible import inadmissible
from dragoman.refine.apply import Deployment
from dragoman.refine.apply import diff as diff_names
from dragoman.refine.export import to_comments, to_dbt, to_descriptions, to_json
from dragoman.refine.gold_check import check_gold
from dragoman.refine.refinement_file import read_refinement
from dragoman.refine.schema_outline import schema_drift
from dragoman.refine.stored_queries import stored_query_warnings
from dragoman.refine.workload_drift import workload_drift

commands = typer.Typer(add_completion=False)

WITH_QUESTIONS: Mapping[str, Callable[[], Workload]] = {"demo": refining_workload, "warehouse": warehouse_workload}
"""Databases made by code that bring their questions."""

RefinementFileName = Annotated[
    Path, typer.Argument(metavar="FILE", help="What `dragoman refine run` wrote: refinement.json.")
]
WorkloadFile = Annotated[
    Path | None,
    typer.Option("--workload", metavar="FILE", help="Questions with gold SQL (demo and warehouse have their own)."),
]
SchemaName = Annotated[
    str, typer.Option("--schema", metavar="NAME", help="The schema that the views have for their own.")
]
WriteUrl = Annotated[
    str, typer.Option("--write-url", metavar="URL", help="A login that may write; without it the script is printed.")
]
Whole = Annotated[bool, typer.Option("--whole", help="Views of the other tables too, so that all is in one schema.")]


class ExportForm(str, Enum):
    """What a refinement is exported as."""

    sql = "sql"
    dbt = "dbt"
    json = "json"
    descriptions = "descriptions"
    comments = "comments"


@commands.command()
def check(
    file: RefinementFileName,
    db: options.Db = None,
    workload: WorkloadFile = None,
    settings_file: options.SettingsFile = None,
    as_json: options.Json = False,
) -> None:
    """Does a refinement still fit: the schema, a workload, and every gold query on the views. Asks no model."""
    settings = compose.read_settings(settings_file, {"db": db})
    kept = read_refinement(file)
    database = base_of(settings)
    try:
        drift = schema_drift(kept.made_from.schema, database.schema(), kept.refinement)
        broken = drift.broken or inadmissible(database.schema(), kept.refinement)
        sentences = [*broken, *drift.changed]
        examples = questions_of(workload, settings, database)
        asked = workload_drift(kept, examples, database.schema())
        gold = None if broken else check_gold(database, kept.refinement, examples)
        warnings = stored_query_warnings(database.schema(), kept.refinement, examples)
    finally:
        database.close()
    if not asked.same:
        sentences.append("This is not the workload that the refinement was made with.")
    sentences += [f"No question reads {'.'.join(filter(None, place))}, which was renamed." for place in asked.unread]
    sentences += [f"{'.'.join(filter(None, place))} has questions now; run refine again." for place in asked.waiting]
    sentences += [f"{u.id} gives another result on the views: {u.reason}." for u in (gold.different if gold else ())]
    sentences += [f"Rewrite the stored query {warning}" for warning in warnings]
    if as_json:
        print(json.dumps({"fits": not broken, "same": gold.same if gold else None, "sentences": sentences}))
    else:
        print(f"{gold.same} gold queries give the same result on the views." if gold else "It does not fit any more.")
        print("".join(f"{sentence}\n" for sentence in sentences), end="")
    if broken or (gold and gold.different):
        raise typer.Exit(1)


@commands.command()
def diff(file: RefinementFileName, db: options.Db = None, settings_file: options.SettingsFile = None) -> None:
    """Show the old and the new names, table by table."""
    settings = compose.read_settings(settings_file, {"db": db})
    refinement = read_refinement(file).refinement
    database = base_of(settings)
    try:
        schema = database.schema()
    finally:
        database.close()
    if problems := inadmissible(schema, refinement):
        raise SetupError(f"The refinement does not fit this database: {problems[0]} Run refine again.")
    print(diff_names(schema, refinement), end="")


@commands.command()
def apply(
    file: RefinementFileName,
    schema: SchemaName = "",
    write_url: WriteUrl = "",
    whole: Whole = False,
    reader: Annotated[str, typer.Option(metavar="LOGIN", help="Whose grants are listed.")] = "reader",
    workload: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Stored queries; those that have to change are listed.")
    ] = None,
    db: options.Db = None,
    settings_file: options.SettingsFile = None,
) -> None:
    """Write the views, through --write-url; without it, print the script that would."""
    stored = read_workload(workload).examples if workload else ()
    made = _deployment(file, schema, whole, db, settings_file)
    print(made.run(write_url, "apply") if write_url else made.script("apply"), end="")
    for grant in made.grants(reader):
        print(f"-- needed: {grant};")
    if path := made.search_path(reader):
        print(f"-- to find the views first: {path};")
    for warning in stored_query_warnings(made.schema, made.refinement, stored):
        print(f"-- rewrite {warning}")
    if write_url:
        print(f"dragoman: {len(made.views)} views are written.", file=sys.stderr)


@commands.command()
def drop(
    file: RefinementFileName,
    schema: SchemaName = "",
    write_url: WriteUrl = "",
    whole: Whole = False,
    db: options.Db = None,
    settings_file: options.SettingsFile = None,
) -> None:
    """Drop the views that apply wrote, through --write-url; without it, print the script that would."""
    made = _deployment(file, schema, whole, db, settings_file)
    print(made.run(write_url, "drop") if write_url else made.script("drop"), end="")
    if write_url:
        print(f"dragoman: {len(made.views)} views are dropped.", file=sys.stderr)


@commands.command()
def export(
    file: RefinementFileName,
    form: Annotated[ExportForm, typer.Option("--as", help="What is written.")] = ExportForm.sql,
    schema: SchemaName = "refined",
    db: options.Db = None,
    settings_file: options.SettingsFile = None,
) -> None:
    """Write a refinement as views in SQL, a dbt schema.yml, JSON, or as descriptions and comments only."""
    settings = compose.read_settings(settings_file, {"db": db})
    refinement = read_refinement(file).refinement
    database = base_of(settings)
    try:
        found = database.schema()
    finally:
        database.close()
    writers = {"dbt": to_dbt, "json": to_json, "descriptions": to_descriptions, "comments": to_comments}
    writer = writers.get(form.value)
    print(writer(found, refinement) if writer else Deployment(found, refinement, schema).script("apply"), end="")


def base_of(settings: compose.SolverSettings) -> GuardedDatabase:
    """The database itself, which is refined or whose refinement is spoken of. Raises `SetupError`."""
    if settings.refinement:
        raise SetupError("A refinement is made of the database as it is. Leave the setting refinement out.")
    database = compose.open_database(settings)
    assert isinstance(database, GuardedDatabase)
    return database


def questions_of(path: Path | None, settings: compose.SolverSettings, database: GuardedDatabase) -> tuple[Example, ...]:
    """The questions about the database: those that name it, or all where none does."""
    if path is not None:
        examples = read_workload(path).examples
    elif settings.db in WITH_QUESTIONS:
        examples = WITH_QUESTIONS[settings.db]().examples
    else:
        raise SetupError("A refinement needs questions with gold SQL. Give them with --workload.")
    own = tuple(example for example in examples if example.database in (settings.db, database.name))
    found = own or tuple(example for example in examples if not example.database)
    if not found:
        raise SetupError(f"The workload has no question about {database.name}. Give another with --workload.")
    return found


def _deployment(file: Path, schema: str, whole: bool, db: str | None, settings_file: Path | None) -> Deployment:
    settings = compose.read_settings(settings_file, {"db": db})
    database = base_of(settings)
    try:
        return Deployment(database.schema(), read_refinement(file).refinement, schema, whole)
    finally:
        database.close()
