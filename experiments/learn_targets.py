"""What the texts of a run of learning are tried on: one workload on several engines, and repairs beside questions."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from experiments.learn_by_hand import HELD_OUT
from experiments.learn_by_hand import TODAY as WAREHOUSE_TODAY
from tests.agent.demo_postgres import Named, demo_in_postgres
from tests.demo.warehouses import warehouse_in_postgres
from tests.learn.demo_duckdb import copy_to_duckdb

from dragoman.agent.debugging import DebuggingTask, demo_tasks, problems
from dragoman.databases import Database, connect
from dragoman.demo import build, workload
from dragoman.demo.warehouse import workload as warehouse_workload
from dragoman.demo.warehouse.build import build_warehouse
from dragoman.metrics import judge
from dragoman.questions import Example, Question

DEMO_TODAY = "Wednesday, 2025-12-31 (UTC, UTC+0000)"
QUESTIONS = (
    "demo-038",
    "demo-056",
    "demo-059",
    "demo-065",
    "demo-066",
    "demo-067",
    "demo-073",
    "demo-074",
    "demo-093",
    "demo-095",
    "demo-100",
    "demo-104",
)
"""Twelve of the 62 questions about the demo database that are not easy and whose gold SQL, as it stands, gives the same
rows on all three engines; drawn with seed 0."""
REPAIRS = (
    "fan-out-refunds",
    "integer-division",
    "last-day-cut-off",
    "not-in-null",
    "both-on-one-row",
    "starts-with-or-contains",
    "own-make-is-missing",
    "share-over-the-wrong-whole",
    "running-total-restarts-never",
    "top-per-group-or-overall",
    "case-of-the-status",
    "aggregate-in-where",
)
"""Tasks whose text is the same for all engines: four by hand, eight drawn from the others with seed 0."""
ENGINES = ("sqlite", "postgres", "duckdb")


@dataclass(frozen=True, slots=True)
class Task:
    """Something to be done, and whether a query does it."""

    question: Question
    right: Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Target:
    """Tasks of one kind of `work` on one engine."""

    work: str
    database: Database
    today: str
    tasks: tuple[Task, ...]

    @property
    def engine(self) -> str:
        return self.database.dialect

    @property
    def name(self) -> str:
        return f"{self.work}_{self.engine}"


@contextmanager
def demo_targets(engines: Sequence[str] = ENGINES) -> Iterator[tuple[Target, ...]]:
    """The questions and the repairs on copies of the demo database, all of them called "demo"."""
    with demo_copies(engines) as copies:
        asked = tuple(e for e in workload().examples if e.question.id in QUESTIONS)
        questions = [Target("demo", copy, DEMO_TODAY, _questions(copy, asked)) for copy in copies]
        yield (*questions, *(Target("debugging", copy, WAREHOUSE_TODAY, _repairs(copy)) for copy in copies))


@contextmanager
def warehouse_targets(engines: Sequence[str] = ("duckdb", "postgres")) -> Iterator[tuple[Target, ...]]:
    """The twelve questions about the warehouse that were held out when the skills were learned."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        targets = []
        for engine in engines:
            if engine == "duckdb":
                build_warehouse(folder / "warehouse.duckdb")
                database = connect(str(folder / "warehouse.duckdb"))
            else:
                place = stack.enter_context(warehouse_in_postgres())
                database = Named(connect(place.url), "warehouse")
            stack.callback(database.close)
            known = {e.question.id: e for e in warehouse_workload("duckdb" if engine == "duckdb" else "postgres")}
            asked = [known[name] for name in HELD_OUT]
            targets.append(Target("warehouse", database, WAREHOUSE_TODAY, _questions(database, asked)))
        yield tuple(targets)


@contextmanager
def demo_copies(engines: Sequence[str] = ENGINES) -> Iterator[tuple[Database, ...]]:
    """The demo database in each engine, dropped afterwards."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        copies: list[Database] = []
        build(folder / "demo.sqlite")
        for engine in engines:
            if engine == "postgres":
                copies.append(stack.enter_context(demo_in_postgres(folder)))
                continue
            if engine == "duckdb":
                copy_to_duckdb(folder / "demo.sqlite", folder / "demo.duckdb")
            copies.append(connect(str(folder / f"demo.{engine}")))
            stack.callback(copies[-1].close)
        yield tuple(copies)


def _questions(database: Database, examples: Sequence[Example]) -> tuple[Task, ...]:
    return tuple(Task(example.question, partial(_answers, example, database)) for example in examples)


def _repairs(database: Database) -> tuple[Task, ...]:
    tasks = [task for task in demo_tasks(database.dialect) if task.id in REPAIRS]
    return tuple(Task(task.question, partial(_mends, task, database)) for task in tasks)


def _answers(example: Example, database: Database, sql: str) -> bool:
    return judge(example, sql, database).correct


def _mends(task: DebuggingTask, database: Database, sql: str) -> bool:
    return not problems(task, database, sql)
