"""The demo's legacy table under its own names and under clearer ones, all at once.

    python benchmarks/refine_legacy.py --out FOLDER [--adapter FILE] [--near]

Asks every question that reads CUST_MST, greedily, under the old names and under the first names of the offline
proposer for the table and all columns that the rules screen in, and prints what changed. `--near` lets the model see
only the table and those that it refers to. Answers are kept in the folder: started again, it asks nothing.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

from dragoman import compose
from dragoman.apps.refine_ways import Chosen, equip
from dragoman.apps.refinement import base_of
from dragoman.demo.refining_workload import refining_workload
from dragoman.models import ModelsByRole
from dragoman.models.embedded import EmbeddedModel
from dragoman.refine.arms import first_choices
from dragoman.refine.query_index import query_index
from dragoman.refine.refinement import Refinement
from dragoman.refine.screen import open_places, screen
from dragoman.refine.subject import subjects
from dragoman.refine.trials import Cell, Trials, TrialSettings
from dragoman.refine.verdict_store import VerdictStore
from dragoman.statistics import mcnemar

TABLE = "CUST_MST"
NEAR = [TABLE, "countries", "employees", "customers"]


def main() -> None:
    """Ask what is not known yet, and print one line of a table and the flips."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--adapter", type=Path, help="An SQL adapter in place of the shipped one.")
    parser.add_argument("--near", action="store_true", help="Show only the table and those that it refers to.")
    given = parser.parse_args()
    settings = compose.read_settings(None, {"db": "demo"})
    if given.near:
        settings = replace(settings, access={"allow_tables": NEAR})
    database = base_of(settings)
    schema = database.schema()
    models = ModelsByRole(EmbeddedModel(adapter=given.adapter))
    equipped = equip(settings, models, database, Chosen(verifiers=("zero_shot",)), given.out)
    about = subjects(open_places(schema, [TABLE]), database, schema, equipped.ways.domain)
    kept = screen(schema, about, equipped.ways.screen).kept
    proposals = equipped.ways.propose([subject for subject in about if subject.place in kept])
    names = first_choices(schema, proposals).refinement
    examples = [example for example in refining_workload() if example.sql]
    read = query_index(examples, schema).of((TABLE, ""))
    store = VerdictStore(given.out / "verdicts.jsonl")
    trials = Trials(database, equipped.ways.verifiers, store, TrialSettings())
    cells = [Cell(examples[n], 0) for n in read if not trials.unjudged(examples[n])]
    old, new = (
        [bool(verdict and verdict.correct) for verdict in trials.ask(refinement, cells)]
        for refinement in (Refinement(), names)
    )
    trials.close()
    store.close()
    database.close()
    flips = {
        said: [cell.example.question.id for cell, a, b in zip(cells, old, new, strict=True) if (a, b) == way]
        for said, way in (("repaired", (False, True)), ("broken", (True, False)))
    }
    counts = [len(flips["repaired"]), len(flips["broken"])]
    print(f"| questions {len(cells)} | old {sum(old)} | new {sum(new)} | p {mcnemar(*counts):.3f} |")
    print(json.dumps({"names": {".".join(filter(None, p)): n for p, n in names.names.items()}, **flips}, indent=1))


if __name__ == "__main__":
    main()
