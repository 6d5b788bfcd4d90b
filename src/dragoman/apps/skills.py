"""`dragoman skills`: the strategies of the agent: list, show, start a new one, check, have drafts written."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from dragoman import compose
from dragoman.agent.sentences import counted
from dragoman.agent.skill_lint import Finding, lint_skill, near_duplicates
from dragoman.agent.skills import Skill, find_skill, new_skill, read_skills, seed_skills, skill_text, write_skill
from dragoman.agent.trajectory import Trajectory, trajectory
from dragoman.agent.transcript import read_transcripts
from dragoman.apps import options, show
from dragoman.bench.run import read_lines
from dragoman.errors import SetupError
from dragoman.learn.failure_clusters import failure_clusters
from dragoman.learn.propose_skills import Draft, names_in, propose_skills
from dragoman.report import Column, Report, Section, Table
from dragoman.report import show as show_report
from dragoman.schema import Schema

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


@app.command("diff")
def diff(
    before: Annotated[str, typer.Argument(metavar="A", help="A name, a label such as plain_r1, or a .md file.")],
    after: Annotated[str, typer.Argument(metavar="B", help="Another one.")],
    folder: Folder = OWN,
) -> None:
    """Print how two skills differ, line by line, as one reviews code; nothing where they are the same."""
    one, other = (skill_text(find_skill(name, folder)).splitlines() for name in (before, after))
    for line in difflib.unified_diff(one, other, before, after, lineterm=""):
        print(line)


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
    schemas = _schemas(db or ())
    found = [finding for skill in skills for finding in lint_skill(skill, schemas)]
    if runs is not None:
        wanted = {skill.label for skill in skills}
        found += near_duplicates({label: kept for label, kept in _trajectories(runs).items() if label in wanted})
    _tell(skills, found, as_json)
    if found:
        raise SetupError(f"{len({f.skill for f in found})} of {len(skills)} skills need work. Mend what is listed.")


@app.command("propose")
def propose(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a bench run whose failures are read.")],
    model: options.ModelName = None,
    base_url: options.BaseUrl = None,
    most: Annotated[int, typer.Option("--most", min=1, max=20, metavar="N", help="Drafts at most.")] = 3,
    db: Annotated[
        list[str] | None, typer.Option("--db", metavar="URL", help="Its names must not be in a draft.")
    ] = None,
    drafts: Annotated[
        Path | None, typer.Option("--drafts", metavar="FOLDER", help="Write drafts there, to be read and edited.")
    ] = None,
    folder: Folder = OWN,
    settings_file: options.SettingsFile = None,
    as_json: options.Json = False,
) -> None:
    """Have a model draft skills from what the failures of a run have in common. None is added to your skills."""
    if drafts is not None and drafts.resolve() == folder.resolve():
        raise SetupError(
            f"Drafts are read before they are used, so --drafts must not be {folder}. Name another folder."
        )
    settings = compose.read_settings(settings_file, {"model": model, "base_url": base_url})
    lines = read_lines(run)
    if not lines:
        raise SetupError(f"{run} holds no answers to questions. Give the folder of a dragoman bench run.")
    clusters = failure_clusters(lines, most)
    if not clusters:
        raise SetupError(f"No two failures in {run} are alike, so there is nothing to draft a skill from.")
    writer = compose.open_models(settings).for_role("reflector")
    if writer.sql_form is not None:
        raise SetupError(f"The model {writer.name} writes SQL only. Name a chat model with --model.")
    schemas = [names_in(lines), *_schemas(db or ())]
    known = (*seed_skills(), *read_skills(folder))
    made = propose_skills(clusters, known, writer, lambda skill: [f.message for f in lint_skill(skill, schemas)])
    written = _write_drafts(made, drafts) if drafts is not None else {}
    print(json.dumps([_draft_record(d) for d in made], ensure_ascii=False)) if as_json else _tell_drafts(made, written)
    if not any(draft.usable for draft in made):
        raise SetupError("No draft passes the check. Ask again, or another model with --model.")


def _write_drafts(made: Sequence[Draft], folder: Path) -> dict[str, Path]:
    """By name, where each draft that passes the check was written."""
    return {d.skill.name: write_skill(d.skill, folder) for d in made if d.skill is not None and d.usable}


def _tell_drafts(made: Sequence[Draft], written: Mapping[str, Path]) -> None:
    for number, draft in enumerate(made, 1):
        failures = counted(len(draft.cluster.lines), "failure")
        print(f"# Draft {number}, from {failures}: {'; '.join(draft.cluster.shared)}\n")
        if draft.skill is not None:
            print(skill_text(draft.skill))
        for finding in draft.findings:
            print(f"It cannot be used: {finding}")
        if draft.skill is not None and draft.usable and (path := written.get(draft.skill.name)):
            print(f"Wrote {path}.")
        print()
    print("These are drafts. Read and edit them, measure them with bench, then move them into your folder of skills.")


def _draft_record(draft: Draft) -> dict[str, object]:
    return {
        "failures": [line.id for line in draft.cluster.lines],
        "shared": list(draft.cluster.shared),
        "skill": None if draft.skill is None else {**_record(draft.skill), "body": draft.skill.body},
        "findings": list(draft.findings),
    }


def _schemas(urls: Iterable[str]) -> list[Schema]:
    schemas = []
    for url in urls:
        database = compose.open_database(compose.SolverSettings(db=url))
        schemas.append(database.schema())
        database.close()
    return schemas


def _tell(skills: list[Skill], found: list[Finding], as_json: bool) -> None:
    if as_json:
        listed = [{"skill": f.skill, "rule": f.rule, "message": f.message} for f in found]
        print(json.dumps(listed, ensure_ascii=False))
        return
    table = Table(
        "", (Column("Skill"), Column("Rule"), Column("What")), tuple((f.skill, f.rule, f.message) for f in found)
    )
    sections = (Section("Findings", (table,)),) if found else ()
    summary = f"{counted(len(skills), 'skill')}, {counted(len(found), 'finding')}."
    show_report(Report("Skills", summary, sections), show.console())


def _trajectories(path: Path) -> dict[str, dict[str, Trajectory]]:
    """By skill, then by question with the number of the skill's run on it: samples differ between agents."""
    kept: dict[str, dict[str, Trajectory]] = {}
    for run in read_transcripts(path):
        question, runs = run.question.id or run.question.text, kept.setdefault(run.skill, {})
        number = sum(key.rpartition(" ")[0] == question for key in runs)
        runs[f"{question} {number}"] = trajectory(run.steps, run.dialect)
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
