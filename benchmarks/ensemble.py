"""Vote, tournament and hybrid over a made population of solvers whose success rates and shared errors are known.

    python benchmarks/ensemble.py > benchmarks/results/ensemble.md

Two minutes on one core, no model. The population is tests/ensemble/population.py.
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.ensemble.population import Population, Taste, entrants, in_one_order, is_right, judge, questions, share

from dragoman.databases import Database, connect
from dragoman.ensemble import HYBRID, Pool, Select, Tournament, by_vote, pool_of, settle, side_by_side, tournament
from dragoman.solver import Draw
from dragoman.statistics import cluster_bootstrap

QUESTIONS = 2000
RATES = (0.62, 0.58, 0.55, 0.52, 0.50, 0.47, 0.44, 0.40)
POPULATIONS = {
    "errors of their own": Population(RATES, common=0.1, attraction=0.1),
    "errors that go together": Population(RATES, common=0.5, attraction=0.4),
    "errors nearly shared": Population(RATES, common=0.8, attraction=0.7),
}
JUDGES = {
    "a good judge": Taste(sees=1.8),
    "a fair judge": Taste(sees=1.0),
    "a weak judge": Taste(sees=0.5),
}
ADAPTIVE = Tournament(adaptive=True)


@dataclass(frozen=True, slots=True)
class Measured:
    """Which pools a choice got right, and the judgements it took for each."""

    right: list[bool]
    calls: list[int]


def pools(population: Population, database: Database, count: int = QUESTIONS) -> list[Pool]:
    """A pool for every question."""
    people = entrants(population)
    gather, names = side_by_side(people), [e.name for e in people]
    return [pool_of(q, Draw(), gather(q, Draw()), database, names) for q in questions(count)]


def measured(found: list[Pool], select: Select) -> Measured:
    """What a choice makes of these pools."""
    chosen = [(pool, select(pool)) for pool in found]
    calls = [sum(step.usage.calls for step in choice.steps) for _, choice in chosen]
    return Measured([is_right(settle(pool, choice)) for pool, choice in chosen], calls)


def selections() -> Iterator[str]:
    """Accuracy and calls of every way to choose, for each population and judge."""
    for said, population in POPULATIONS.items():
        with _database() as database:
            found = pools(population, database)
        rights = [[is_right(answer) for answer in pool.answers] for pool in found]
        single = [share([right[k] for right in rights]) for k in range(len(RATES))]
        classes = sum(len(pool.classes) for pool in found) / len(found)
        yield f"\n## {said[0].upper()}{said[1:]}\n"
        yield (
            f"`{replace(population, rates=())}`: mean of single solvers {sum(single) / len(single):.1%}, the best of "
            f"them {max(single):.1%}, some candidate is right {share([any(r) for r in rights]):.1%}; "
            f"{classes:.2f} classes a pool.\n"
        )
        yield "| choice | judge | right % | 95 % interval | calls a question |"
        yield "|---|---|---:|---:|---:|"
        yield _row("vote", "none", measured(found, by_vote))
        for name, taste in JUDGES.items():
            yield _row("tournament", name, measured(found, tournament(judge(taste))))
            yield _row("adaptive", name, measured(found, tournament(judge(taste), ADAPTIVE)))
            for decisive in (0.375, 0.5, 0.625):
                hybrid = tournament(judge(taste), replace(HYBRID, decisive=decisive))
                yield _row(f"hybrid, decisive above {decisive:.1%}", name, measured(found, hybrid))


def bias() -> Iterator[str]:
    """What a liking for the first place costs, in both orders and in one."""
    with _database() as database:
        found = [pool for pool in pools(POPULATIONS["errors that go together"], database) if len(pool.classes) > 1]
    yield "\n## A judge that likes what it sees first\n"
    yield (
        f"{len(found):,} pools with more than one class (errors that go together), a judge of `sees=1.0`, more and "
        "more in favour of the first place. In one order every pair is judged once, in an order that says nothing.\n"
    )
    yield "| liking | both orders: right % | one order: right % | both: unlike the unbiased choice % | one: unlike % |"
    yield "|---:|---:|---:|---:|---:|"
    plain = tournament(judge(Taste(first=0.0)))
    base = [plain(pool).place for pool in found]
    for first in (0.0, 0.3, 0.6, 1.0, 2.0, 4.0):
        both, one = judge(Taste(first=first)), in_one_order(judge(Taste(first=first)))
        ways = [tournament(both), tournament(one)]
        rights = [share(measured(found, way).right) for way in ways]
        moved = [share([way(pool).place != place for pool, place in zip(found, base, strict=True)]) for way in ways]
        yield f"| {first} | {rights[0]:.1%} | {rights[1]:.1%} | {moved[0]:.1%} | {moved[1]:.1%} |"


def adaptive() -> Iterator[str]:
    """Whether the adaptive tournament finds the winner of the full one, with how many calls."""
    varied = Population(RATES, common=0.3, attraction=0.15, mistakes=20, failing=0.05)
    with _database() as database:
        found = [pool for pool in pools(varied, database, 3 * QUESTIONS) if 4 <= len(pool.classes) <= 8]
    yield "\n## The adaptive tournament against the full one\n"
    yield f"{len(found):,} pools of 4 to 8 classes (`{replace(varied, rates=())}`); both see the same judgements.\n"
    yield "| judge | classes | pools | same winner % | calls, full | calls, adaptive | share % |"
    yield "|---|---|---:|---:|---:|---:|---:|"
    judges = {
        **JUDGES,
        "tastes alike, doubts in each game": Taste(sees=1.0, tastes=0.0, doubts=1.0),
        "strong liking for the first place": Taste(first=1.0),
    }
    for name, taste in judges.items():
        full, less = tournament(judge(taste)), tournament(judge(taste), ADAPTIVE)
        rows = []
        for pool in found:
            a, b = full(pool), less(pool)
            calls = [sum(step.usage.calls for step in choice.steps) for choice in (a, b)]
            rows.append((len(pool.classes), a.place == b.place, *calls))
        for classes in (4, 5, 6, 7, 8, None):
            part = [row for row in rows if classes in (row[0], None)]
            if part:
                calls = [sum(row[k] for row in part) / len(part) for k in (2, 3)]
                yield (
                    f"| {name} | {classes or 'all'} | {len(part):,} | {share([row[1] for row in part]):.1%} | "
                    f"{calls[0]:.1f} | {calls[1]:.1f} | {calls[1] / calls[0]:.1%} |"
                )


def _row(choice: str, name: str, found: Measured) -> str:
    interval = cluster_bootstrap(list(map(float, found.right)), range(len(found.right)), Random(0), 1000)
    return (
        f"| {choice} | {name} | {share(found.right):.1%} | {interval.low:.1%} to {interval.high:.1%} | "
        f"{sum(found.calls) / len(found.calls):.2f} |"
    )


@contextmanager
def _database() -> Iterator[Database]:
    """A database that nobody asks: the answers bring their rows."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "unasked.sqlite"
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("CREATE TABLE answer (answer INTEGER)")
        database = connect(str(path))
        yield database
        database.close()


if __name__ == "__main__":
    print("# Choosing among answers, over a made population\n")
    print(f"`python benchmarks/ensemble.py`; {QUESTIONS:,} questions, {len(RATES)} solvers right on {RATES} of them.")
    for part in (selections, bias, adaptive):
        for line in part():
            print(line, flush=True)
