"""How often names made without a model say what the original name said.

    python benchmarks/offline_names.py [--seed 0] [--split train]

Columns of Spider are abbreviated by the bench (by rule, by list); the offline proposer sees the abbreviated schema
and the values, and no question. Counted are names with the same words as the original, in the singular, as the first
name and among all that were proposed. Prints Markdown; nothing about single columns, so that no list is fitted to them.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from random import Random

from dragoman.bench.datasets.load import load
from dragoman.bench.perturb.renaming import renaming
from dragoman.databases import Database, connect
from dragoman.refine.domain import domain_from_schema
from dragoman.refine.name_problem import Names
from dragoman.refine.propose_offline import propose_offline
from dragoman.refine.refinement import tables_by_key
from dragoman.refine.sample_values import sample_values
from dragoman.refine.subject import Subject
from dragoman.refine.vocabulary import name_words, singular
from dragoman.sql.rename import renamed

KINDS = ("rule", "list")


def hits(database: Database, kind: str, random: Random) -> list[tuple[bool, bool, bool]]:
    """(first, among the names, any name at all) for every renamed column of a database."""
    schema = database.schema()
    names = renaming(schema, kind, random)
    after = renamed(schema, names)
    propose = propose_offline(Names(after))
    domain = domain_from_schema(after).sentence
    shown = tuple(table.name for table in after)
    found = []
    for (old, before), (new, now) in zip(tables_by_key(schema).items(), tables_by_key(after).items(), strict=True):
        values = {names.get((old, c), c): v for c, v in sample_values(database, schema, before).items()}
        for column in before.columns:
            if name := names.get((old, column.name)):
                about = Subject((new, name), now, now.column(name), values, (), domain, after.dialect, shown)
                (proposal,) = propose([about])
                words = [_words(item.name) for item in proposal.names]
                wanted = _words(column.name)
                found.append((words[:1] == [wanted], wanted in words, bool(words)))
    return found


def _words(name: str) -> list[str]:
    return [singular(word) for word in name_words(name)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--split", choices=("dev", "train"), default="dev")
    given = parser.parse_args()
    shared = Path(os.environ.get("DRAGOMAN_SHARED") or Path(__file__).resolve().parents[2] / "shared")
    dataset = load("spider", shared / "data", Path(), given.split)
    names = sorted({example.database for example in dataset.examples} & set(dataset.databases))
    print(f"Spider {given.split}, {len(names)} databases\n")
    print("| abbreviated by | columns | first name | among three | none |\n|---|---|---|---|---|")
    for kind in KINDS:
        found = []
        for name in names:
            database = connect(dataset.databases[name])
            found += hits(database, kind, Random(f"{given.seed} {name}"))
            database.close()
        first, among, any_name = (sum(column) / len(found) for column in zip(*found, strict=True))
        print(f"| {kind} | {len(found)} | {first:.1%} | {among:.1%} | {1 - any_name:.1%} |")


if __name__ == "__main__":
    main()
