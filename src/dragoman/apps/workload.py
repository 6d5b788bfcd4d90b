"""`dragoman workload`: check your own questions with gold SQL, and draft some where there are none."""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Annotated

import typer

from dragoman import compose
from dragoman.apps import options, show
from dragoman.apps.progress import install_if_used
from dragoman.bench.datasets.own_workload import own_workload
from dragoman.bench.draft import draft_with_model, draft_with_templates, write_draft
from dragoman.bench.workload_check import SERIOUS, check_workload
from dragoman.demo import locate
from dragoman.errors import SetupError
from dragoman.report import Column, Report, Section, Table
from dragoman.report import show as show_report

app = typer.Typer(add_completion=False, no_args_is_help=True, help="Check and draft questions with gold SQL.")


@app.command()
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="JSON Lines or CSV with question and sql.")],
    db: Annotated[str | None, typer.Option("--db", metavar="URL", help="The database, where it is one.")] = None,
    databases: Annotated[
        Path | None,
        typer.Option("--databases", metavar="FOLDER", help="Holds <db_id>/<db_id>.sqlite for each database named."),
    ] = None,
    timeout: options.Timeout = None,
    as_json: options.Json = False,
) -> None:
    """Run every gold query and say which fail, are decided by a tie under LIMIT, repeat another, or give no row."""
    dataset = own_workload(file, locate(db or "", compose.cache_folder()), databases)
    problems = check_workload(dataset, timeout or 30.0)
    if as_json:
        print(json.dumps([asdict(problem) for problem in problems], ensure_ascii=False))
    else:
        rows = tuple((p.id, p.kind, p.detail) for p in problems)
        table = Table("", (Column("Question"), Column("Problem"), Column("What")), rows)
        found = f"{show.counted(len(dataset), 'question')}, {show.counted(len(problems), 'problem')}."
        sections = (Section("Problems", (table,)),) if rows else ()
        show_report(Report(str(file), f"{found} {dataset.note}".strip(), sections), show.console())
    serious = Counter(problem.kind for problem in problems if problem.kind in SERIOUS)
    if serious:
        listed = ", ".join(f"{number} {kind}" for kind, number in serious.items())
        raise SetupError(f"{file} is not ready to judge by: {listed}. Mend or remove these questions.")


@app.command()
def draft(
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where the drafts are written, as JSON Lines.")],
    db: options.Db = None,
    number: Annotated[int, typer.Option(min=1, metavar="N", help="How many questions, at most.")] = 20,
    templates: Annotated[bool, typer.Option("--templates", help="Fill templates instead of asking a model.")] = False,
    model: options.ModelName = None,
    base_url: options.BaseUrl = None,
    no_values: Annotated[
        bool, typer.Option("--no-values", help="Show no cell values to a model that is not on this machine.")
    ] = False,
    seed: Annotated[int | None, typer.Option(metavar="N", help="Seed of all draws (0).")] = None,
    settings_file: options.SettingsFile = None,
) -> None:
    """Propose questions with SQL for a database; they stay unconfirmed until their lines say "confirmed": true."""
    if out.exists():
        raise SetupError(f"{out} exists, and may hold lines that you have confirmed. Give another file with --out.")
    given = {"db": db, "model": model, "base_url": base_url, "seed": seed, "values": False if no_values else None}
    settings = compose.read_settings(settings_file, given)
    database = compose.open_database(settings)
    try:
        if templates:
            found = draft_with_templates(database, number, Random(settings.seed))
        else:
            writer = compose.open_models(settings).for_role("generator")
            if writer.sql_form is not None:
                raise SetupError(
                    f"The model {writer.name} writes SQL only, no questions. Name a chat model with --model, or use "
                    "--templates."
                )
            install_if_used(settings)
            values = settings.values or writer.local
            found = draft_with_model(database, writer, number, settings.seed, values)
    finally:
        database.close()
    write_draft(found, database.name, out)
    print(f"Wrote {len(found.kept)} drafts to {out}. Read them, and confirm those whose SQL is right.")
    if found.dropped:
        reasons = ", ".join(f"{times} {reason}" for reason, times in found.dropped)
        print(f"Dropped: {reasons}.", file=sys.stderr)
