"""`dragoman bench`: measure how often answers are right, report it, and compare two runs."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from dragoman import compose
from dragoman.apps import chosen_dataset as chosen
from dragoman.apps import options
from dragoman.apps.agents_at_work import TranscriptFile
from dragoman.apps.bench_fit import calibrate, selector
from dragoman.apps.progress import install_if_used
from dragoman.apps.refined_dataset import refined_dataset
from dragoman.bench.accuracy import accuracy, is_right
from dragoman.bench.compare import compare as compare_runs
from dragoman.bench.dataset import Dataset, take, without_evidence
from dragoman.bench.line import Line
from dragoman.bench.perturb import perturb
from dragoman.bench.provenance import read_run
from dragoman.bench.report import report as report_run
from dragoman.bench.run import RunSettings
from dragoman.bench.run import run as run_bench
from dragoman.models import Metered, ModelsByRole, Usage
from dragoman.report import Report, html_page, markdown, show
from dragoman.solver import SolverFor
from dragoman.workflows.agentic import Watch

app = typer.Typer(add_completion=False, no_args_is_help=True, help="Measure how often answers are right.")

HtmlFile = Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Write one self-contained HTML page.")]
MarkdownFile = Annotated[Path | None, typer.Option("--markdown", metavar="FILE", help="Write Markdown.")]
RunFolder = Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")]


@app.command()
def run(
    out: Annotated[
        Path, typer.Option("--out", metavar="FOLDER", help="Where the run lies; an interrupted one goes on.")
    ],
    dataset: chosen.DatasetName = None,
    split: Annotated[str, typer.Option(metavar="NAME", help="Which part of the set (its usual one).")] = "",
    data: chosen.DataFolder = Path("data"),
    workload: chosen.WorkloadFile = None,
    db: Annotated[str | None, typer.Option("--db", metavar="URL", help="The database of a workload.")] = None,
    databases: chosen.Databases = None,
    refinement: options.RefinementFile = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, metavar="N", help="Only N examples, evenly spread over the set.")
    ] = None,
    perturbation: Annotated[
        str, typer.Option("--perturb", metavar="KIND", help="Rename columns first: rule, list or synonym (SQLite).")
    ] = "",
    no_evidence: Annotated[
        bool, typer.Option("--no-evidence", help="Ask without the outside knowledge that comes with a set.")
    ] = False,
    repeat: Annotated[int, typer.Option(min=1, metavar="N", help="Ask every example N times.")] = 1,
    workers: Annotated[int, typer.Option(min=1, metavar="N", help="Threads.")] = 4,
    rule: Annotated[str, typer.Option(metavar="NAME", help="What judges an answer.")] = "strict",
    allow_code: Annotated[
        bool, typer.Option("--allow-code", help="Let test code run that came with a data set (bird_critic).")
    ] = False,
    method: options.Method = None,
    skill: options.SkillName = None,
    skills: options.SkillsFolder = None,
    documents: options.Documents = None,
    templates: options.Templates = None,
    transcript: options.Transcript = None,
    candidates: options.Candidates = None,
    select: options.SelectBy = None,
    calibration: options.Calibration = None,
    arm: options.Arm = None,
    parameters: options.Parameters = None,
    model: options.ModelName = None,
    base_url: options.BaseUrl = None,
    model_for: options.ModelFor = None,
    seed: Annotated[int | None, typer.Option(metavar="N", help="Seed of all draws (0).")] = None,
    temperature: Annotated[float | None, typer.Option(metavar="T", help="Sampling temperature (0).")] = None,
    max_calls: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="End after N model calls; the same command goes on.")
    ] = None,
    max_dollars: Annotated[
        float | None, typer.Option(min=0.0, metavar="D", help="End before more than D US dollars are spent.")
    ] = None,
    timeout: options.Timeout = None,
    settings_file: options.SettingsFile = None,
) -> None:
    """Answer and judge a set of questions. Started again with the same folder, it goes on where it stood."""
    given = {
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
        "arm": arm,
        "reforce": options.by_name(parameters),
        "timeout": timeout,
        "seed": seed,
        "temperature": temperature,
        "max_calls": max_calls,
        "max_dollars": max_dollars,
    }
    settings = compose.read_settings(settings_file, given)
    settings = replace(settings, today=settings.today or _day_of(out) or compose.today())
    found = take(chosen.chosen_dataset(dataset, split, data, (workload, db, databases)), limit)
    found = refined_dataset(settings, found)
    if no_evidence:
        found = without_evidence(found)
    if perturbation:
        found = perturb(found, perturbation, compose.cache_folder() / "perturbed", settings.seed)
    if allow_code:
        extras = {e.question.id: {**found.extras.get(e.question.id, {}), "allow_code": True} for e in found.examples}
        found = replace(found, extras=extras)
    install_if_used(settings)
    models = compose.open_models(settings)
    how = RunSettings(repeat, workers, rule, settings.seed, settings.temperature)
    watch = TranscriptFile(transcript) if transcript else None
    with _Shown(len(found) * repeat) as shown:
        outcome = run_bench(
            _solver_for(settings, models, found, watch),
            found,
            out,
            how,
            {**_asked(settings, models), "evidence": not no_evidence},
            shown.line,
        )
    whole = accuracy(outcome.lines)
    print(f"{whole.right:,} of {whole.scored:,} answers are right ({whole.share:.1%}).")
    print(f"See more with: dragoman bench report {out}")
    if outcome.unanswered:
        print(
            f"dragoman: the model gave no reply to {outcome.unanswered} examples. Run the same command again to ask "
            "them again.",
            file=sys.stderr,
        )
        raise typer.Exit(1)


@app.command()
def report(
    out: RunFolder,
    html: HtmlFile = None,
    markdown_file: MarkdownFile = None,
    as_json: options.Json = False,
) -> None:
    """Report on a run from its files alone, on the terminal or as a page."""
    _write(report_run(out), html, markdown_file, as_json)


@app.command()
def compare(
    a: RunFolder,
    b: RunFolder,
    clean: Annotated[
        Path | None,
        typer.Option("--clean", metavar="RUN", help="A run before the schema was degraded, for the recovery rate."),
    ] = None,
    html: HtmlFile = None,
    markdown_file: MarkdownFile = None,
    as_json: options.Json = False,
) -> None:
    """Compare run B with run A on the examples that both have."""
    _write(compare_runs(a, b, clean), html, markdown_file, as_json)


app.command()(calibrate)
app.command()(selector)

_WIDTH = 120
"""Letters a line where the output is no terminal."""

_DECIDE_NOTHING = frozenset(
    {"db", "log", "log_values", "base_url", "cache", "max_calls", "max_tokens", "max_dollars", "at_once", "refinement"}
)
"""Settings that a run's answers do not depend on, or that may hold an address."""

_BY_CONTENT = frozenset({"skills", "documents", "templates", "text_protocol"})
"""Settings of agents that are recorded by what they hold, not by where it is."""


def _solver_for(
    settings: compose.SolverSettings, models: ModelsByRole, found: Dataset, watch: Watch | None
) -> SolverFor:
    """What is measured; an arm to which the gold is given away gets it from here alone.

    No agent is shown an example of a database that is measured.
    """
    if not compose.needs_gold(settings):
        measured = {example.database for example in found.examples}
        return compose.solver_for(settings, models, watch=watch, leave_out=measured)
    gold = {example.question.id: example.sql for example in found.examples}
    return compose.solver_with_gold(settings, models, lambda question: gold[question.id])


def _asked(settings: compose.SolverSettings, models: ModelsByRole) -> dict[str, Any]:
    """What decides the answers, with the prices of a million tokens; no address or key."""
    names = [f.name for f in fields(settings) if f.name not in _DECIDE_NOTHING | _BY_CONTENT]
    asked = {**{name: getattr(settings, name) for name in names}, **compose.given_to_agents(settings)}
    used = [models.for_role(role) for role in ("generator", *settings.model_for)]
    return {
        **asked,
        "select": compose.way_to_choose(settings),
        "model_for": dict(settings.model_for),
        "parameters": {model.name: dict(model.parameters) for model in used},
        "prices": {model.name: _prices(model) for model in used},
    }


def _day_of(out: Path) -> str:
    """The day that an interrupted run began, so that it goes on with the same prompts."""
    return str(read_run(out)["asked"].get("today", "")) if (out / "run.json").exists() else ""


def _prices(model: Metered) -> dict[str, float | None]:
    million = 1_000_000
    return {
        "prompt": model.price(Usage(0, million)),
        "completion": model.price(Usage(0, 0, million)),
        "cached": model.price(Usage(0, million, 0, million)),
    }


def _write(found: Report, html: Path | None, markdown_file: Path | None, as_json: bool) -> None:
    for path, text in ((html, html_page), (markdown_file, markdown)):
        if path is not None:
            path.write_text(text(found), encoding="utf-8")
            print(f"Wrote {path}.", file=sys.stderr)
    if as_json:
        print(json.dumps(asdict(found), ensure_ascii=False))
    elif html is None and markdown_file is None:
        show(found, Console(width=None if sys.stdout.isatty() else _WIDTH, highlight=False))


class _Shown:
    """A bar on a terminal, and nothing elsewhere."""

    def __init__(self, total: int) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        error = Console(stderr=True)
        self._bar = Progress(*columns, console=error, transient=True, disable=not error.is_terminal)
        self._task = self._bar.add_task("Asking", total=total)
        self._right = self._seen = 0

    def __enter__(self) -> _Shown:
        self._bar.start()
        return self

    def __exit__(self, *problem: object) -> None:
        self._bar.stop()

    def line(self, line: Line, done: int, total: int) -> None:
        """Count one more line."""
        self._seen += 1
        self._right += is_right(line)
        said = f"{self._right / self._seen:.0%} right"
        self._bar.update(self._task, completed=done, total=total, description=said)
