"""Refined databases give what their bases give, and take hardly longer.

    python benchmarks/refine_views.py check [--spider FOLDER] [--repeats N]    every gold query on views, rewritten
    python benchmarks/refine_views.py time [--rounds N]                        gold queries of demo and warehouse

`check` draws random admissible refinements (seeds 0 to N-1) for the demo and for every database of Spider's
development set, rewrites every gold query to the new names and compares its result on the views with that of the
original on the base. `time` alternates base and views, gold by gold, and compares the least times.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from random import Random

from dragoman.databases import Limits, connect
from dragoman.databases.guarded_database import GuardedDatabase
from dragoman.demo import open_demo
from dragoman.demo.locate import locate
from dragoman.demo.warehouse.workload import workload as warehouse_workload
from dragoman.demo.workload import workload
from dragoman.errors import DragomanError
from dragoman.models.embedded.cache_folder import cache_folder
from dragoman.questions import Example, Question
from dragoman.refine.gold_check import GoldCheck, check_gold
from dragoman.refine.query_index import query_index
from dragoman.refine.refined_database import RefinedDatabase
from dragoman.refine.refinement import Refinement, tables_by_key
from dragoman.schema import Schema

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.refine.random_refinements import random_refinement

RESULTS = Path(__file__).with_name("results")
WHOLE = Limits(rows=None, seconds=60.0, bytes=None)


def opened(path: Path) -> GuardedDatabase:
    database = connect(str(path))
    assert isinstance(database, GuardedDatabase)
    return database


def spider(folder: Path) -> dict[str, list[Example]]:
    found: dict[str, list[Example]] = defaultdict(list)
    for number, record in enumerate(json.loads((folder / "dev.json").read_text())):
        found[record["db_id"]].append(Example(Question(record["question"], id=f"spider-{number}"), record["query"]))
    return found


def check(folder: Path | None, repeats: int) -> None:
    """Print and write one line a database."""
    sets: dict[str, tuple[Path, list[Example]]] = {"demo": (open_demo(Path(tempfile.mkdtemp())), list(workload()))}
    if folder is not None:
        where = next(folder.rglob("concert_singer.sqlite")).parents[1]
        sets |= {name: (where / name / f"{name}.sqlite", examples) for name, examples in spider(folder).items()}
    lines = [
        "| database | queries | refinements | names changed | same | different | not rewritten | not judged |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    total = [0] * 6
    for name, (path, examples) in sets.items():
        counts = [0] * 6
        for seed in range(repeats):
            base = opened(path)
            refinement = random_refinement(Random(f"{seed} {name}"), base.schema())
            found: GoldCheck = check_gold(base, refinement, examples)
            base.close()
            for unequal in (*found.different, *found.unread):
                print(f"{name} {unequal.id}: {unequal.reason}\n  {unequal.sql}\n  {unequal.rewritten}", flush=True)
            numbers = (len(refinement.names), found.same, len(found.different), len(found.unread), len(found.unjudged))
            counts = [a + b for a, b in zip(counts, (sum(bool(e.sql) for e in examples), *numbers), strict=True)]
        total = [a + b for a, b in zip(total, counts, strict=True)]
        lines.append(f"| {name} | {counts[0]} | {repeats} | " + " | ".join(map(str, counts[1:])) + " |")
        print(lines[-1], flush=True)
    lines.append(f"| all | {total[0]} | {repeats * len(sets)} | " + " | ".join(map(str, total[1:])) + " |")
    text = "\n".join(lines)
    print(lines[-1])
    (RESULTS / "refine_gold_check.md").write_text(text + "\n", encoding="utf-8")


def seconds(database: GuardedDatabase, sql: str) -> float:
    """Seconds of the processor: both engines run inside the process, and what else runs there does not count."""
    started = time.process_time()
    database.execute(sql, WHOLE)
    return time.process_time() - started


def every_column_read(schema: Schema, examples: Iterable[Example]) -> Refinement:
    """A new name for every column of the tables that gold queries read."""
    read = {table for table, _ in query_index(examples, schema).questions}
    tables = tables_by_key(schema)
    return Refinement({(key, c.name): f"{c.name}_anew" for key in sorted(read) for c in tables[key].columns})


def compare(rounds: int) -> None:
    """Print and write what gold queries take on the bases and on their views."""
    lines = [
        "| database | queries | base, s | views, s | more | slower by half and 1 ms |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for name, examples in (("demo", workload()), ("warehouse", warehouse_workload())):
        base = opened(Path(locate(name, cache_folder())))
        schema = base.schema()
        refinement = every_column_read(schema, examples)
        refined = RefinedDatabase(base, refinement)
        taken: list[tuple[float, float]] = []
        for example in examples:
            try:
                new = refined.rewritten(example.sql) if example.sql else ""
                times = [(seconds(base, example.sql), seconds(refined, new)) for _ in range(rounds) if example.sql]
            except DragomanError as error:
                print(f"{example.question.id} left out: {error}")
                continue
            if times:
                taken.append((min(t[0] for t in times), min(t[1] for t in times)))
                if taken[-1][1] > 1.5 * taken[-1][0] + 0.001:
                    print(
                        f"{example.question.id}: {taken[-1][0]:.4f} s, {taken[-1][1]:.4f} s: {example.sql}", flush=True
                    )
        before, after = (sum(t[side] for t in taken) for side in (0, 1))
        slower = sum(v > 1.5 * b + 0.001 for b, v in taken)
        lines.append(
            f"| {name} ({base.dialect}), {len(refinement.names)} names changed | {len(taken)} | {before:.3f} "
            f"| {after:.3f} | {after / before - 1:+.1%} | {slower} |"
        )
        print(lines[-1], flush=True)
        refined.close()
        base.close()
        told = ["", f"Sums of the least processor time of {rounds} rounds, base and views in turn."]
        (RESULTS / "refine_views.md").write_text("\n".join([*lines, *told]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["check", "time"])
    parser.add_argument("--spider", type=Path, help="folder that holds dev.json and the databases")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    if given.what == "check":
        check(given.spider, given.repeats)
    else:
        compare(given.rounds)
