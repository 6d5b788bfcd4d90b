"""What a query refers to, and runs over schemas that solvers see with other names."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from dragoman.bench.dataset import Dataset
from dragoman.bench.perturb import perturb
from dragoman.bench.run import run
from dragoman.bench.touched import new_names, old_names, touches
from dragoman.databases import Database, View, connect
from dragoman.databases.guarded_database import GuardedDatabase
from dragoman.databases.sqlite import SQLiteEngine
from dragoman.questions import Question
from dragoman.solver import Answer, Draw, Solver
from tests.bench.shop import shop

RENAMED = {"customers": "clients", "customers.city": "town", "orders.id": "number"}


def test_names_before_and_after() -> None:
    assert old_names(RENAMED) == {("customers", ""), ("customers", "city"), ("orders", "id")}
    assert new_names(RENAMED) == {("clients", ""), ("clients", "town"), ("orders", "number")}


@pytest.mark.parametrize(
    ("sql", "touched"),
    [
        ("SELECT c.CITY FROM customers c", True),
        ("SELECT * FROM customers", True),
        ("SELECT count(*) FROM customers", False),
        ("SELECT name FROM customers WHERE city = 'x'", True),
        ("SELECT name AS city FROM customers ORDER BY city", False),
        ("SELECT name FROM", None),
        ("", None),
    ],
)
def test_touches(tmp_path: Path, sql: str, touched: bool | None) -> None:
    schema = connect(shop(tmp_path, 1).databases["shop_0"]).schema()
    assert touches(sql, schema, old_names({"customers.city": "town"})) is touched
    assert touches(sql, schema, frozenset()) is None


def gold_solver(dataset: Dataset, change: dict[str, str]) -> dict[str, str]:
    found = {}
    for example in dataset.examples:
        sql = example.sql
        for old, new in change.items():
            sql = sql.replace(old, new)
        found[example.question.id] = sql
    return found


def answering(answers: dict[str, str]):  # type: ignore[no-untyped-def]
    def bind(database: Database) -> Solver:
        def solve(question: Question, draw: Draw) -> Answer:
            return Answer(answers[question.id])

        return solve

    return bind


def test_a_perturbed_run_tells_touched_from_untouched(tmp_path: Path) -> None:
    dataset = perturb(shop(tmp_path / "data", 1), "list", tmp_path / "copies")
    outcome = run(answering(gold_solver(dataset, {})), dataset, tmp_path / "run")
    assert Counter(line.verdict for line in outcome.lines) == {"correct": 20}
    assert all(line.touches is line.uses is True for line in outcome.lines)


def test_gold_runs_on_the_database_and_answers_on_what_the_solver_sees(tmp_path: Path) -> None:
    """The solver sees a view with better names; answers in the old names fail, answers in the new ones are right."""

    def view(database: Database) -> Database:
        assert isinstance(database, GuardedDatabase)
        assert isinstance(database.engine, SQLiteEngine)
        better = View("customers", "SELECT id, name, city AS home_town, age FROM main.customers")
        return GuardedDatabase(database.engine.with_views([better]), database.guard)

    plain = shop(tmp_path / "data", 2)
    names = {name: {"customers.city": "home_town"} for name in plain.databases}
    dataset = replace(plain, view=view, renamed=names)
    new = run(answering(gold_solver(plain, {"city": "home_town"})), dataset, tmp_path / "new")
    assert Counter(line.verdict for line in new.lines) == {"correct": 40}
    assert all(line.touches is True and line.uses is True for line in new.lines)
    old = run(answering(gold_solver(plain, {})), dataset, tmp_path / "old")
    assert Counter(line.verdict for line in old.lines) == {"invalid_reference": 40}
    assert all(line.touches is True and line.uses is False for line in old.lines)
