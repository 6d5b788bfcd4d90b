"""Refined databases give what their bases give, and take hardly longer.

    python benchmarks/refine_views.py check [--spider FOLDER] [--repeats N]    every gold query on views, rewritten
    python benchmarks/refine_views.py time [--rounds N]                        the demo's gold queries, base and views

`check` draws random admissible refinements (seeds 0 to N-1) for the demo and for every database of Spider's
development set, rewrites every gold query to the new names and compares its result on the views with that of the
original on the base. `time` alternates base and views, gold by gold, and compares the medians.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from random import Random
from statistics import median

from dragoman.databases import Limits, connect
from dragoman.databases.guarded_database import GuardedDatabase
from dragoman.demo import open_demo
from dragoman.demo.workload import workload
from dragoman.errors import DragomanError
from dragoman.questions import Example, Question
from dragoman.refine.gold_check import GoldCheck, check_gold
from dragoman.refine.refined_database import RefinedDatabase
from dragoman.sql.rename import rename

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
    started = time.perf_counter()
    database.execute(sql, WHOLE)
    return time.perf_counter() - started


def compare(rounds: int) -> None:
    """Print and write what the demo's gold queries take on the base and on the views."""
    path = open_demo(Path(tempfile.mkdtemp()))
    base = opened(path)
    schema = base.schema()
    refinement = random_refinement(Random("time"), schema)
    refined = RefinedDatabase(base, refinement)
    pairs = []
    for example in workload():
        try:
            if example.sql:
                base.execute(example.sql, WHOLE)
                pairs.append((example.sql, rename(example.sql, schema, refinement.names)))
        except DragomanError as error:
            print(f"left out: {error}")
    taken: list[tuple[float, float]] = []
    for old, new in pairs:
        times = [(seconds(base, old), seconds(refined, new)) for _ in range(rounds)]
        taken.append((median(t[0] for t in times), median(t[1] for t in times)))
    before, after = (sum(t[side] for t in taken) for side in (0, 1))
    slow = [(b, v) for b, v in taken if b >= 0.01]
    slow_before, slow_after = (sum(t[side] for t in slow) for side in (0, 1))
    more, slow_more = after / before - 1, slow_after / slow_before - 1
    lines = [
        "| queries | base, s | views, s | more |",
        "|---|--:|--:|--:|",
        f"| all {len(taken)} | {before:.3f} | {after:.3f} | {more:+.1%} |",
        f"| {len(slow)} of 10 ms and more | {slow_before:.3f} | {slow_after:.3f} | {slow_more:+.1%} |",
        "",
        f"Sums of medians over {rounds} rounds; {len(refinement.names)} names changed; SQLite, the demo database.",
    ]
    print("\n".join(lines))
    (RESULTS / "refine_views.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    refined.close()
    base.close()


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
