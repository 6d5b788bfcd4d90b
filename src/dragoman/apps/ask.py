"""`dragoman ask`: a question in, SQL and rows out."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from dragoman import compose
from dragoman.apps import options, show
from dragoman.apps.agents_at_work import agents_at_work
from dragoman.apps.last_answers import Answered, remember
from dragoman.apps.options import Format
from dragoman.apps.progress import install_if_used, thinking
from dragoman.apps.show_candidates import candidate_records, show_candidates
from dragoman.databases.query_log import asking
from dragoman.errors import SetupError
from dragoman.questions import Question
from dragoman.refine.refined_database import RefinedDatabase
from dragoman.solver import Answer, Draw
from dragoman.workflows import AGENT_METHODS, CHOOSING, Consent
from dragoman.workflows.agentic import Watch

app = typer.Typer(add_completion=False)


@app.command()
def ask(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="QUESTION", help="The question; quotes may be left out."),
    ] = None,
    db: options.Db = None,
    refinement: options.RefinementFile = None,
    model: options.ModelName = None,
    base_url: options.BaseUrl = None,
    model_for: options.ModelFor = None,
    evidence: Annotated[str, typer.Option(help="What the model should know beside the schema.")] = "",
    method: options.Method = None,
    skill: options.SkillName = None,
    skills: options.SkillsFolder = None,
    documents: options.Documents = None,
    templates: options.Templates = None,
    candidates: options.Candidates = None,
    select: options.SelectBy = None,
    calibration: options.Calibration = None,
    min_confidence: options.MinConfidence = None,
    arm: options.Arm = None,
    parameters: options.Parameters = None,
    show_all: Annotated[
        bool, typer.Option("--show-candidates", help="Show all candidates and judgements beside the answer.")
    ] = False,
    transcript: options.Transcript = None,
    feedback: Annotated[
        str,
        typer.Option(
            metavar="right|wrong|SQL", help="Say of the last answer that it is right or wrong, or correct it."
        ),
    ] = "",
    workload: Annotated[Path, typer.Option(metavar="FILE", help="Where feedback is kept.")] = Path("workload.jsonl"),
    review: Annotated[bool, typer.Option("--review", help="Show the SQL and wait for consent before it runs.")] = False,
    sql_only: Annotated[bool, typer.Option("--sql-only", help="Print the SQL and run nothing.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Show what happened and how long it took.")] = False,
    no_values: Annotated[
        bool, typer.Option("--no-values", help="Send no cell values to models that are not on this machine.")
    ] = False,
    form: options.OutputFormat = Format.table,
    as_json: options.Json = False,
    limit: options.Limit = None,
    timeout: options.Timeout = None,
    settings_file: options.SettingsFile = None,
) -> None:
    """Answer a question over a database."""
    question = " ".join(words or ())
    if not question.strip() and not feedback:
        raise SetupError('The question is empty. Ask one, for example: dragoman ask "How many orders are there?"')
    settings = compose.read_settings(
        settings_file,
        {
            "db": db,
            "refinement": refinement,
            "model": model,
            "base_url": base_url,
            "model_for": options.by_role(model_for),
            "method": method,
            "skill": skill,
            "skills": skills,
            "documents": documents,
            "templates": templates,
            "candidates": candidates,
            "select": select,
            "calibration": calibration,
            "min_confidence": min_confidence,
            "arm": arm,
            "reforce": options.by_name(parameters),
            "values": False if no_values else None,
            "limit": limit,
            "timeout": timeout,
        },
    )
    if feedback:
        from dragoman.apps.feedback import give_feedback

        print(give_feedback(settings, question, feedback, workload))
        return
    if (settings.candidates > 1 or settings.method in CHOOSING) and (review or sql_only):
        raise SetupError("Whoever chooses runs every candidate, so --review and --sql-only need a single one.")
    if transcript and settings.method not in AGENT_METHODS:
        raise SetupError("Only agents leave a transcript. Add --method agent, or leave --transcript out.")
    form = Format.json if as_json else form
    out = show.console()
    consent = _consent(review, sql_only, form)
    answer, about = _answer(settings, Question(question, evidence), consent, transcript)
    if show_all:
        about = {**about, **candidate_records(answer)}
    if sql_only and form in (Format.table, Format.csv) and answer.sql:
        show.show_sql(answer.sql, form, out)
    else:
        show.show_answer(answer, about, form, out)
    if show_all:
        show_candidates(answer, form, out)
    if explain and form is not Format.json:
        _explain(answer, Console(stderr=True, highlight=False))
    if review and answer.sql and answer.rows is None and not answer.error:
        print("dragoman: Not run.", file=sys.stderr)
        raise typer.Exit(1)
    if answer.error:
        print(f"dragoman: {show.printable(answer.error.message)}", file=sys.stderr)
        raise typer.Exit(3 if answer.error.code in ("refused", "unreadable") else 1)


def _answer(
    settings: compose.SolverSettings, question: Question, consent: Consent | None, transcript: Path | None
) -> tuple[Answer, dict[str, Any]]:
    models = compose.open_models(settings)
    database = compose.open_database(settings)
    try:
        install_if_used(settings)
        at_work = _watched(settings, shown=consent is None, transcript=transcript)
        with at_work as watch, asking(question.text, models.for_role("generator").name):
            solve = compose.solver_for(settings, models, consent, watch=watch)(database)
            known = database.told(question.evidence) if isinstance(database, RefinedDatabase) else question.evidence
            answer = solve(replace(question, evidence=known), Draw(settings.seed, settings.temperature))
    finally:
        database.close()
    if settings.cache and answer.sql:
        remember(Answered(question.text, question.evidence, answer.sql, database.name), compose.cache_folder())
    generator = models.for_role("generator")
    about = {
        "question": question.text,
        "database": database.name,
        "method": settings.method,
        "model": generator.name,
        "local": generator.local,
        "by_role": {role: show.spent_record(spent) for role, spent in models.spent.items()},
    }
    return answer, about


def _watched(
    settings: compose.SolverSettings, shown: bool, transcript: Path | None
) -> AbstractContextManager[Watch | None]:
    """What is seen of the work: each agent where there are agents, else a sign of life."""
    return agents_at_work(shown, transcript) if settings.method in AGENT_METHODS else thinking(shown)


def _consent(review: bool, sql_only: bool, form: Format) -> Consent | None:
    """Who decides whether a query runs: nobody (it runs), the user at the terminal, or --sql-only (it does not)."""
    if sql_only:
        return lambda sql: False
    if not review:
        return None
    if not sys.stdin.isatty():
        raise SetupError("--review needs a terminal to ask on. Use --sql-only to see the SQL without running it.")
    screen = Console(stderr=True, highlight=False)

    def asked(sql: str) -> bool:
        show.show_sql(sql, Format.table, screen)
        return typer.confirm("Run this query?", err=True)

    return asked


def _explain(answer: Answer, out: Console) -> None:
    """Every step with its own time, on standard error so that results can be piped."""
    for step in answer.steps:
        facts = ", ".join(f"{key} {_fact(value)}" for key, value in step.data.items())
        tokens = f", {step.usage.prompt_tokens}+{step.usage.completion_tokens} tokens" if step.usage.calls else ""
        cached = f" ({step.usage.cached_tokens} cached)" if step.usage.cached_tokens else ""
        role = f" as {step.role}" if step.role else ""
        out.out(f"{step.kind}{role}: {step.seconds:.2f} s{tokens}{cached}{', ' + facts if facts else ''}")
        if step.kind == "model" and step.text:
            out.out("  " + step.text.replace("\n", "\n  "), style="dim")


def _fact(value: Any) -> str:
    """A fact of a step as one reads it: lists in brackets, the parts of what stands in them joined by dots."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        parts = (".".join(map(str, part)) if isinstance(part, list | tuple) else str(part) for part in value)
        return f"({', '.join(parts)})"
    return str(value)
