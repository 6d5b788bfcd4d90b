"""`dragoman skills`: the strategies of the agent: list, show, start a new one, check."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from dragoman import compose
from dragoman.agent.skill_lint import Finding, lint_skill, near_duplicates
from dragoman.agent.skills import Skill, find_skill, new_skill, read_skills, seed_skills, skill_text
from dragoman.agent.trajectory import Trajectory, trajectory
from dragoman.agent.transcript import read_transcripts
from dragoman.apps import options, show
from dragoman.errors import SetupError
from dragoman.report import Column, Report, Section, Table
from dragoman.report import show as show_report

app = typer.Typer(add_completion=False, no_args_is_help=True, help="The strategies that an agent can follow.")

Folder = Annotated[Path, typer.Option("--folder", metavar="FOLDER", help="Where your own skills are (skills).")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="The name of a skill, or the path of a .md file.")]
OWN = Path("skills")


@app.command("list")
def list_skills(folder: Folder = OWN, as_json: options.Json = False) -> None:
    """List the skills that come with Dragoman, and your own."""
    skills = [*((skill, "built in") for skill in seed_skills()), *((skill, "own") for skill in read_skills(folder))]
    if as_json:
        print(json.dumps([{**_record(skill), "from": origin} for skill, origin in skills], ensure_ascii=False))
        return
    rows = tuple((skill.label, origin, skill.when) for skill, origin in skills)
    columns = (Column("Skill"), Column("From"), Column("When to use it"))
    show_report(Report("Skills", f"{len(rows)} skills.", (Section("", (Table("", columns, rows),)),)), show.console())


@app.command("show")
def show_skill(name: Name, folder: Folder = OWN) -> None:
    """Print a skill as its file has it."""
    print(skill_text(find_skill(name, folder)), end="")


@app.command("new")
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Lower-case letters, digits and underscores.")],
    when: Annotated[str, typer.Option(help="When to use it, in one sentence.")] = "",
    model: Annotated[
        str, typer.Option("--from", metavar="NAME", help="The skill to start from (balanced).")
    ] = "balanced",
    folder: Folder = OWN,
) -> None:
    """Start a skill of your own as a file to edit."""
    path = new_skill(name, when, folder, find_skill(model, folder))
    print(f"Wrote {path}. Edit its strategy, then run: dragoman skills check {path}")


@app.command("check")
def check(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="Skills to check; all of them.")
    ] = None,
    db: Annotated[
        list[str] | None, typer.Option("--db", metavar="URL", help="Its names must not be in a skill.")
    ] = None,
    runs: Annotated[
        Path | None, typer.Option("--runs", metavar="FILE", help="Transcripts; skills that work alike are named.")
    ] = None,
    folder: Folder = OWN,
    as_json: options.Json = False,
) -> None:
    """Check that skills are general: no names of a database, no words of one dialect, not too long, no two alike."""
    skills = [find_skill(name, folder) for name in names] if names else [*seed_skills(), *read_skills(folder)]
    schemas = []
    for url in db or ():
        database = compose.open_database(compose.SolverSettings(db=url))
        schemas.append(database.schema())
        database.close()
    found = [finding for skill in skills for finding in lint_skill(skill, schemas)]
    if runs is not None:
        wanted = {skill.label for skill in skills}
        found += near_duplicates({label: kept for label, kept in _trajectories(runs).items() if label in wanted})
    _tell(skills, found, as_json)
    if found:
        raise SetupError(f"{len({f.skill for f in found})} of {len(skills)} skills need work. Mend what is listed.")


def _tell(skills: list[Skill], found: list[Finding], as_json: bool) -> None:
    if as_json:
        listed = [{"skill": f.skill, "rule": f.rule, "message": f.message} for f in found]
        print(json.dumps(listed, ensure_ascii=False))
        return
    table = Table(
        "", (Column("Skill"), Column("Rule"), Column("What")), tuple((f.skill, f.rule, f.message) for f in found)
    )
    sections = (Section("Findings", (table,)),) if found else ()
    show_report(Report("Skills", f"{len(skills)} skills, {len(found)} findings.", sections), show.console())


def _trajectories(path: Path) -> dict[str, dict[str, Trajectory]]:
    """By skill, then by question and sample."""
    kept: dict[str, dict[str, Trajectory]] = {}
    for run in read_transcripts(path):
        question = f"{run.question.id or run.question.text} {run.sample}"
        kept.setdefault(run.skill, {})[question] = trajectory(run.steps, run.dialect)
    return kept


def _record(skill: Skill) -> dict[str, object]:
    return {
        "name": skill.name,
        "label": skill.label,
        "id": skill.id,
        "when": skill.when,
        "version": skill.version,
        "parent": skill.parent,
        "scores": dict(skill.scores),
    }
