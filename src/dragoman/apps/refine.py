"""`dragoman refine`: clearer names that are proved to help, as SQL views."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from dragoman import compose
from dragoman.apps import options, show
from dragoman.apps.progress import install_if_used
from dragoman.apps.refine_describe import commands as describe_commands
from dragoman.apps.refine_plan import commands as plan_commands
from dragoman.apps.refine_progress import refining
from dragoman.apps.refine_ways import Chosen, Equipped, equip
from dragoman.apps.refinement import WorkloadFile, base_of, commands, questions_of
from dragoman.apps.scratch_schema import ended_in_order, how_of, without_scratch
from dragoman.databases.guarded_database import GuardedDatabase
from dragoman.errors import SetupError
from dragoman.questions import Example
from dragoman.refine.bundles import When
from dragoman.refine.file_of_run import file_of_run
from dragoman.refine.refine import RefinementRun, RefineSettings
from dragoman.refine.refine import refine as refine_database
from dragoman.refine.refinement_file import MadeFrom, RefinementFile, write_refinement
from dragoman.refine.report import refinement_report, unscored_sentences
from dragoman.refine.run_record import RUN, read_run, run_record
from dragoman.refine.schema_outline import outline
from dragoman.refine.threshold import Threshold
from dragoman.refine.trials import TrialSettings
from dragoman.refine.verdict_store import VerdictStore
from dragoman.refine.workload_drift import workload_digest
from dragoman.report import html_page, markdown
from dragoman.report import show as show_report

app = typer.Typer(add_completion=False, no_args_is_help=True, help="Find clearer names that are proved to help.")
app.registered_commands += plan_commands.registered_commands

AT_ONCE = 8
"""Questions that a server is asked together, whatever the number of workers."""
FILE, VERDICTS = "refinement.json", "verdicts.jsonl"

Verifiers = Annotated[
    list[str] | None,
    typer.Option("--verifier", metavar="NAME", help="A method, or METHOD:K for a vote over K answers; repeat it."),
]
HeldOutVerifiers = Annotated[
    list[str] | None, typer.Option("--held-out-verifier", metavar="NAME", help="Measures, and chooses nothing.")
]


@app.command()
def run(
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Where all is kept; a killed run goes on.")],
    db: options.Db = None,
    workload: WorkloadFile = None,
    model: options.ModelName = None,
    base_url: options.BaseUrl = None,
    model_for: options.ModelFor = None,
    verifier: Verifiers = None,
    held_out_verifier: HeldOutVerifiers = None,
    screen: Annotated[str, typer.Option(metavar="HOW", help="rule or model (by what the model can do).")] = "",
    propose: Annotated[str, typer.Option(metavar="HOW", help="offline or model (by what the model can do).")] = "",
    names: Annotated[int, typer.Option(min=1, metavar="K", help="Names proposed for each column.")] = 3,
    domain: Annotated[str, typer.Option(metavar="TEXT", help="One sentence on what the database is about.")] = "",
    tau: Annotated[float, typer.Option(metavar="T", help="Least gain of a name, as a share of the answers.")] = 0.05,
    flips: Annotated[
        int,
        typer.Option(min=0, metavar="N", help="Least net number of questions gained."),
    ] = 2,
    questions: Annotated[int, typer.Option(min=1, metavar="N", help="Least questions to judge a name by.")] = 2,
    least_baseline: Annotated[float, typer.Option(metavar="P", help="Least share right under the old name.")] = 0.0,
    held_out: Annotated[float, typer.Option(metavar="P", help="Share of the questions that only check.")] = 0.25,
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="TABLE", help="Look at these tables alone.")
    ] = None,
    no_tables: Annotated[bool, typer.Option("--no-tables", help="Leave the names of tables as they are.")] = False,
    together: Annotated[
        str, typer.Option("--bundles", metavar="WHEN", help="Tables tried as a whole first: auto, always or never.")
    ] = "auto",
    overlay: Annotated[bool, typer.Option("--overlay", help="CTEs before each query instead of views.")] = False,
    scratch: Annotated[
        str, typer.Option(metavar="SCHEMA", help="A schema that holds the views while they are used; see --write-url.")
    ] = "",
    write_url: Annotated[str, typer.Option(metavar="URL", help="A login that may make views in --scratch.")] = "",
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, metavar="N", help="Only the first N questions.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, metavar="N", help="Questions asked at the same time.")] = 1,
    seed: Annotated[int | None, typer.Option(metavar="N", help="Seed of all draws (0).")] = None,
    max_calls: Annotated[int | None, typer.Option(min=1, metavar="N", help="End after N model calls.")] = None,
    max_dollars: Annotated[float | None, typer.Option(min=0.0, metavar="D", help="End before D US dollars.")] = None,
    settings_file: options.SettingsFile = None,
    as_json: options.Json = False,
) -> None:
    """Find names under which questions are answered better. Started again with the same folder it goes on."""
    given = {"db": db, "model": model, "base_url": base_url, "model_for": options.by_role(model_for)}
    bounds = {"seed": seed, "max_calls": max_calls, "max_dollars": max_dollars}
    settings = compose.read_settings(settings_file, {**given, **bounds})
    placed = how_of(overlay, scratch, write_url)
    settings = without_scratch(settings, placed)
    database = base_of(settings)
    try:
        examples = questions_of(workload, settings, database)[:limit]
        install_if_used(settings)
        models = compose.open_models(settings)
        wanted = Chosen(
            _one_of(screen, "--screen", ("rule", "model")),
            _one_of(propose, "--propose", ("offline", "model")),
            names,
            domain,
            tuple(verifier or ()),
            tuple(held_out_verifier or ()),
            workers,
        )
        equipped = equip(settings, models, database, wanted, out)
        how = RefineSettings(
            Threshold(tau, flips, questions, least_baseline),
            trial=TrialSettings(workers, 1 if models.for_role("generator").local else AT_ONCE, how=placed),
            held_out=held_out,
            seed=settings.seed,
            only=tuple(only or ()),
            tables=not no_tables,
            bundles=cast("When", _one_of(together, "--bundles", ("auto", "always", "never"))),
        )
        store = VerdictStore(out / VERDICTS)
        try:
            with refining() as tell, ended_in_order():
                found = refine_database(database, examples, equipped.ways, how, store, tell)
        finally:
            store.close()
        record = _keep(found, _made_from(database, examples, equipped, how), out)
    finally:
        database.close()
    _told(record, out, as_json)


@app.command()
def report(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of a run.")],
    html: Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Write one self-contained page.")] = None,
    markdown_file: Annotated[Path | None, typer.Option("--markdown", metavar="FILE", help="Write Markdown.")] = None,
    as_json: options.Json = False,
) -> None:
    """Show what a run found: every name with its scores, the questions behind them, and what it cost."""
    record = read_run(folder)
    found = refinement_report(record)
    for path, text in ((html, html_page), (markdown_file, markdown)):
        if path is not None:
            try:
                path.write_text(text(found), encoding="utf-8")
            except OSError as error:
                raise SetupError(f"Cannot write {path}: {error.strerror}. Choose another place.") from None
            print(f"Wrote {path}.", file=sys.stderr)
    if as_json:
        print(json.dumps(record, ensure_ascii=False))
    elif html is None and markdown_file is None:
        show_report(found, show.console())


def _made_from(
    database: GuardedDatabase, examples: Sequence[Example], equipped: Equipped, how: RefineSettings
) -> MadeFrom:
    threshold = how.threshold
    asked = [example for example in examples if example.sql]
    return MadeFrom(
        outline(database.schema()),
        workload_digest(asked),
        len(asked),
        tuple(verifier.identity for verifier in equipped.ways.verifiers),
        tuple(verifier.identity for verifier in equipped.ways.held_out),
        equipped.models,
        equipped.domain.sentence,
        equipped.domain.made_by,
        {
            "tau": threshold.tau,
            "least flips": threshold.least_flips,
            "least questions": threshold.least_questions,
            "least baseline": threshold.least_baseline,
            "held out": how.held_out,
            "seed": how.seed,
        },
    )


def _keep(found: RefinementRun, made_from: MadeFrom, out: Path) -> dict[str, Any]:
    """Write the refinement, the record and the pages of a run; gives the record."""
    file: RefinementFile = file_of_run(found, made_from)
    write_refinement(file, out / FILE)
    record = run_record(found, file)
    text = json.dumps(record, ensure_ascii=False, indent=1)
    (out / RUN).write_text(text + "\n", encoding="utf-8")
    pages = refinement_report(record)
    (out / "report.html").write_text(html_page(pages), encoding="utf-8")
    (out / "report.md").write_text(markdown(pages), encoding="utf-8")
    return record


def _told(record: dict[str, Any], out: Path, as_json: bool) -> None:
    if as_json:
        print(json.dumps(record, ensure_ascii=False))
        return
    for old, new in record["renamed"].items():
        print(f"{old} -> {new}")
    print(refinement_report(record).summary)
    for sentence in unscored_sentences(record["spent"]):
        print(sentence)
    use = f" Use the names with: --refinement {out / FILE}" if record["renamed"] else ""
    print(f"The report is {out / 'report.html'}.{use}")


def _one_of(given: str, option: str, known: tuple[str, ...]) -> str:
    if given and given not in known:
        raise SetupError(f"{option} takes {' or '.join(known)}, not {given}.")
    return given


app.registered_commands += describe_commands.registered_commands
app.registered_commands += commands.registered_commands  # the help lists plan, run and report before what follows them
