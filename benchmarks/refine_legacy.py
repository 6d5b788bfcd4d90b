"""The demo's legacy table under its own names and under clearer ones, all at once.

    python benchmarks/refine_legacy.py --out FOLDER [--adapter FILE] [--near] [--refine]

Asks every question that reads CUST_MST, greedily, under the old names and under the first names of the offline
proposer for the table and all columns that the rules screen in, and prints what changed. `--near` lets the model see
only the table and those that it refers to. `--refine` refines the table by these answers (as `refine run --only
CUST_MST --verifier zero_shot` does) and writes report.md. Answers are kept in the folder: started again, it asks
nothing.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from dragoman import compose
from dragoman.apps.refine_ways import Chosen, Equipped, equip
from dragoman.apps.refinement import base_of
from dragoman.databases.guarded_database import GuardedDatabase
from dragoman.demo.refining_workload import refining_workload
from dragoman.models import ModelsByRole
from dragoman.models.embedded import EmbeddedModel
from dragoman.questions import Example
from dragoman.refine.arms import first_choices
from dragoman.refine.file_of_run import file_of_run
from dragoman.refine.query_index import query_index
from dragoman.refine.refine import RefineSettings, refine
from dragoman.refine.refinement import Refinement
from dragoman.refine.refinement_file import MadeFrom, write_refinement
from dragoman.refine.report import refinement_report
from dragoman.refine.run_record import run_record
from dragoman.refine.schema_outline import outline
from dragoman.refine.screen import open_places, screen
from dragoman.refine.subject import subjects
from dragoman.refine.trials import Cell, Trials, TrialSettings
from dragoman.refine.verdict_store import VerdictStore
from dragoman.report import markdown
from dragoman.statistics import mcnemar

TABLE = "CUST_MST"
NEAR = [TABLE, "countries", "employees", "customers"]


def main() -> None:
    """Ask what is not known yet, and print one line of a table and the flips."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--adapter", type=Path, help="An SQL adapter in place of the shipped one.")
    parser.add_argument("--near", action="store_true", help="Show only the table and those that it refers to.")
    parser.add_argument("--refine", action="store_true", help="Refine the table, and write the report.")
    given = parser.parse_args()
    settings = compose.read_settings(None, {"db": "demo"})
    if given.near:
        settings = replace(settings, access={"allow_tables": NEAR})
    database = base_of(settings)
    models = ModelsByRole(EmbeddedModel(adapter=given.adapter))
    equipped = equip(settings, models, database, Chosen(verifiers=("zero_shot",)), given.out)
    examples = [example for example in refining_workload() if example.sql]
    read = query_index(examples, database.schema()).of((TABLE, ""))
    asked = [examples[number] for number in read]
    store = VerdictStore(given.out / "verdicts.jsonl")
    try:
        if given.refine:
            refined(database, asked, equipped, store, given.out)
        else:
            compared(database, asked, equipped, store)
    finally:
        store.close()
        database.close()


def compared(database: GuardedDatabase, asked: Sequence[Example], equipped: Equipped, store: VerdictStore) -> None:
    """Print one line of a table, the names and the flips."""
    schema = database.schema()
    about = subjects(open_places(schema, [TABLE]), database, schema, equipped.ways.domain)
    kept = screen(schema, about, equipped.ways.screen).kept
    proposals = equipped.ways.propose([subject for subject in about if subject.place in kept])
    names = first_choices(schema, proposals).refinement
    trials = Trials(database, equipped.ways.verifiers, store, TrialSettings())
    cells = [Cell(example, 0) for example in asked if not trials.unjudged(example)]
    old, new = (
        [bool(verdict and verdict.correct) for verdict in trials.ask(refinement, cells)]
        for refinement in (Refinement(), names)
    )
    trials.close()
    flips = {
        said: [cell.example.question.id for cell, a, b in zip(cells, old, new, strict=True) if (a, b) == way]
        for said, way in (("repaired", (False, True)), ("broken", (True, False)))
    }
    counts = [len(flips["repaired"]), len(flips["broken"])]
    print(f"| questions {len(cells)} | old {sum(old)} | new {sum(new)} | p {mcnemar(*counts):.3f} |")
    print(json.dumps({"names": {".".join(filter(None, p)): n for p, n in names.names.items()}, **flips}, indent=1))


def refined(
    database: GuardedDatabase, asked: Sequence[Example], equipped: Equipped, store: VerdictStore, out: Path
) -> None:
    """Refine the table by these questions, a quarter of which only checks; write and print what came out."""
    found = refine(database, asked, equipped.ways, RefineSettings(only=(TABLE,), bundles="auto"), store)
    file = file_of_run(found, MadeFrom(outline(database.schema()), questions=len(asked)))
    write_refinement(file, out / "refinement.json")
    report = refinement_report(run_record(found, file))
    (out / "report.md").write_text(markdown(report), encoding="utf-8")
    print(report.summary)
    for place, name in found.refinement.names.items():
        print(f"{'.'.join(filter(None, place))} -> {name}")


if __name__ == "__main__":
    main()
