"""`dragoman refine describe`: descriptions in place of names, kept where they are proved to help."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from dragoman import compose
from dragoman.apps import options
from dragoman.apps.progress import install_if_used
from dragoman.apps.refine_ways import Chosen, Equipped, equip
from dragoman.apps.refinement import WorkloadFile, base_of, questions_of
from dragoman.databases.guarded_database import GuardedDatabase
from dragoman.errors import SetupError
from dragoman.models import ModelsByRole
from dragoman.questions import Example
from dragoman.refine.describe_by_model import describe_by_model
from dragoman.refine.query_index import query_index
from dragoman.refine.refine import RefineSettings
from dragoman.refine.refinement import Refinement
from dragoman.refine.refinement_file import (
    MadeFrom,
    NameRecord,
    NameScore,
    RefinementFile,
    read_refinement,
    write_refinement,
)
from dragoman.refine.schema_outline import outline
from dragoman.refine.screen import open_places, screen
from dragoman.refine.subject import Subject, subjects
from dragoman.refine.threshold import Threshold
from dragoman.refine.trials import TrialSettings
from dragoman.refine.verdict_store import VerdictStore
from dragoman.refine.verify_descriptions import VerifiedDescriptions, verify_descriptions
from dragoman.refine.workload_drift import workload_digest

commands = typer.Typer(add_completion=False)

OFFERED, KEPT, VERDICTS = "offered.json", "refinement.json", "verdicts.jsonl"


@commands.command()
def describe(
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Where all is kept; a killed run goes on.")],
    db: options.Db = None,
    workload: WorkloadFile = None,
    model: options.ModelName = None,
    base_url: options.BaseUrl = None,
    model_for: options.ModelFor = None,
    verifier: Annotated[
        list[str] | None, typer.Option("--verifier", metavar="NAME", help="As for run; repeat it.")
    ] = None,
    tau: Annotated[float, typer.Option(metavar="T", help="As for run.")] = 0.05,
    flips: Annotated[int, typer.Option(min=0, metavar="N", help="As for run.")] = 2,
    questions: Annotated[int, typer.Option(min=1, metavar="N", help="As for run.")] = 2,
    held_out: Annotated[float, typer.Option(metavar="P", help="As for run.")] = 0.25,
    only: Annotated[list[str] | None, typer.Option("--only", metavar="TABLE", help="These tables alone.")] = None,
    workers: Annotated[int, typer.Option(min=1, metavar="N", help="Questions asked at the same time.")] = 1,
    seed: Annotated[int | None, typer.Option(metavar="N", help="Seed of all draws (0).")] = None,
    max_calls: Annotated[int | None, typer.Option(min=1, metavar="N", help="End after N model calls.")] = None,
    settings_file: options.SettingsFile = None,
    as_json: options.Json = False,
) -> None:
    """Find descriptions under which questions are answered better, and rename nothing. Needs a chat model."""
    given = {"db": db, "model": model, "base_url": base_url, "model_for": options.by_role(model_for)}
    settings = compose.read_settings(settings_file, {**given, "seed": seed, "max_calls": max_calls})
    database = base_of(settings)
    try:
        examples = tuple(example for example in questions_of(workload, settings, database) if example.sql)
        models = _who_read_descriptions(compose.open_models(settings))
        install_if_used(settings)
        chosen = Chosen("rule", "offline", verifiers=tuple(verifier or ()), workers=workers)
        equipped = equip(settings, models, database, chosen, out)
        made_from = _made_from(database, examples, equipped, models)
        how = RefineSettings(
            Threshold(tau, flips, questions),
            trial=TrialSettings(workers),
            held_out=held_out,
            seed=settings.seed,
            only=tuple(only or ()),
        )
        read = query_index(examples, database.schema()).questions.keys()
        about = [subject for subject in _unclear(database, equipped, how) if subject.place in read]
        offered = _offered(about, models, made_from, out / OFFERED, how)
        store = VerdictStore(out / VERDICTS)
        try:
            found = verify_descriptions(database, examples, offered, equipped.ways, how, store)
        finally:
            store.close()
        write_refinement(RefinementFile(found.refinement, made_from, _records(found)), out / KEPT)
    finally:
        database.close()
    _told(found, out, as_json)


def _who_read_descriptions(models: ModelsByRole) -> ModelsByRole:
    """The models, if they are such as write and read descriptions. Raises `SetupError`."""
    for role in ("proposer", "generator"):
        if models.for_role(role).sql_form is not None:
            raise SetupError(
                f"The model {models.for_role(role).name} writes SQL only: it neither writes descriptions nor reads "
                "them. Name a chat model with --model."
            )
    return models


def _unclear(database: GuardedDatabase, equipped: Equipped, how: RefineSettings) -> list[Subject]:
    """The columns whose names the rules find unclear, as they would be looked at for a new name."""
    schema = database.schema()
    about = subjects(open_places(schema, how.only, tables=False), database, schema, equipped.domain.sentence)
    kept = set(screen(schema, about, equipped.ways.screen).kept)
    return [subject for subject in about if subject.place in kept]


def _offered(
    about: Sequence[Subject], models: ModelsByRole, made_from: MadeFrom, path: Path, how: RefineSettings
) -> Refinement:
    """The descriptions of the columns, written once: a run that was killed reads them from `path` again."""
    wanted = {subject.place for subject in about}
    if path.exists():
        kept = read_refinement(path)
        if kept.made_from == made_from and wanted <= {record.place for record in kept.records}:
            told = {place: text for place, text in kept.refinement.descriptions.items() if place in wanted}
            return Refinement(descriptions=told)
    offered, _ = describe_by_model(about, models.for_role("proposer"), how.trial.workers, how.seed)
    records = tuple(NameRecord(subject.place) for subject in about)
    write_refinement(RefinementFile(offered, made_from, records), path)
    return offered


def _made_from(
    database: GuardedDatabase, examples: Sequence[Example], equipped: Equipped, models: ModelsByRole
) -> MadeFrom:
    return MadeFrom(
        outline(database.schema()),
        workload_digest(examples),
        len(examples),
        tuple(verifier.identity for verifier in equipped.ways.verifiers),
        models={**equipped.models, "proposer": models.for_role("proposer").name},
        domain=equipped.domain.sentence,
        domain_by=equipped.domain.made_by,
    )


def _records(found: VerifiedDescriptions) -> tuple[NameRecord, ...]:
    """What was seen of every description; a record of it names no new name."""
    return tuple(
        NameRecord(
            verified.place,
            reason=verified.reason or "its description is kept",
            questions=verified.questions,
            original=verified.original,
            scores=tuple(NameScore(s.name, s.score, s.repaired, s.broken, s.lost) for s in verified.names),
        )
        for verified in found.verifications
    )


def _told(found: VerifiedDescriptions, out: Path, as_json: bool) -> None:
    kept, together = found.refinement.descriptions, found.together
    told = {".".join(place): text for place, text in kept.items()}
    if as_json:
        print(json.dumps({"kept": told, "offered": len(found.verifications), "together": asdict(together)}))
        return
    for name, text in told.items():
        print(f"{name}: {text}")
    print(
        f"{len(kept)} of {len(found.verifications)} descriptions are kept. Together they turn {together.before} into "
        f"{together.after} right of {together.answers} answers."
    )
    print(f"Use them with: --refinement {out / KEPT}")
