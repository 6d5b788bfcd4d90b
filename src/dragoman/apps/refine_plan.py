"""`dragoman refine plan`: what a refinement would ask and could gain, before anything is spent."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from dragoman import compose
from dragoman.apps import options
from dragoman.apps.refine_ways import Chosen, equip
from dragoman.apps.refinement import WorkloadFile, base_of, questions_of
from dragoman.refine.applicability import Bounds
from dragoman.refine.expected_gain import expected_gain, observed
from dragoman.refine.plan import Plan
from dragoman.refine.plan import plan as plan_refinement
from dragoman.refine.refine import RefineSettings
from dragoman.refine.threshold import Threshold

commands = typer.Typer(add_completion=False)


@commands.command()
def plan(
    db: options.Db = None,
    workload: WorkloadFile = None,
    model: options.ModelName = None,
    base_url: options.BaseUrl = None,
    verifier: Annotated[
        list[str] | None, typer.Option("--verifier", metavar="NAME", help="As for run; repeat it.")
    ] = None,
    names: Annotated[int, typer.Option(min=1, metavar="K", help="Names proposed for each column.")] = 3,
    tau: Annotated[float, typer.Option(metavar="T", help="As for run.")] = 0.05,
    questions: Annotated[int, typer.Option(min=1, metavar="N", help="Least questions to judge a name by.")] = 2,
    held_out: Annotated[float, typer.Option(metavar="P", help="Share of the questions that only check.")] = 0.25,
    least_gain: Annotated[
        float, typer.Option(metavar="P", help="Least percentage points to begin for, if all unclear names changed.")
    ] = 0.1,
    only: Annotated[list[str] | None, typer.Option("--only", metavar="TABLE", help="These tables alone.")] = None,
    no_tables: Annotated[bool, typer.Option("--no-tables", help="Leave the names of tables as they are.")] = False,
    runs: Annotated[
        list[Path] | None, typer.Option("--observed", metavar="FOLDER", help="Runs to learn the gain from; repeat it.")
    ] = None,
    settings_file: options.SettingsFile = None,
    as_json: options.Json = False,
) -> None:
    """Say what a run would ask and could gain. Names are screened by rules; no model is asked."""
    settings = compose.read_settings(settings_file, {"db": db, "model": model, "base_url": base_url})
    expected = expected_gain(observed(runs or ()))
    database = base_of(settings)
    try:
        chosen = Chosen("rule", "offline", names, verifiers=tuple(verifier or ()))
        equipped = equip(settings, compose.open_models(settings), database, chosen, Path())
        how = RefineSettings(
            Threshold(tau, least_questions=questions),
            Bounds(least_gain=least_gain),
            held_out=held_out,
            seed=settings.seed,
            only=tuple(only or ()),
            tables=not no_tables,
            bundles="auto",
        )
        found = plan_refinement(
            database, questions_of(workload, settings, database), equipped.ways, how, names, expected
        )
    finally:
        database.close()
    print(json.dumps(asdict(found)) if as_json else _said(found))
    if found.pointless:
        raise typer.Exit(1)


def _said(found: Plan) -> str:
    least, likely, most = found.gain
    expected = found.expected
    unclear = f"{found.screened} of {found.columns} columns and {found.tables} tables are unclear by their names"
    points = f"{likely:.2f} points are expected, from {least:.2f}, and {most:.2f} if every unclear name were replaced"
    slope = f"{expected.low:.2f} to {expected.high:.2f} points for each per cent of columns renamed"
    lines = [
        f"{unclear}; {found.tried} of both are read by questions enough, alone or with their table.",
        f"{found.touched} of {found.questions} questions that can be judged choose among names.",
        f"A run asks about {found.likely} answers and at most {found.most}.",
        f"{points} ({slope}, and {expected.kept:.0%} of the unclear ones are; from {expected.source}).",
    ]
    lines += [f"Deployed, the views need this query changed: {sentence}" for sentence in found.regroup]
    lines.append(f"It is not worth beginning: {found.pointless}." if found.pointless else "It may be worth beginning.")
    return "\n".join(lines)
