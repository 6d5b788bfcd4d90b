from __future__ import annotations

import hashlib
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from importlib.resources import files
from pathlib import Path

import pytest
import sqlglot
from sqlglot import exp

from dragoman.databases import Database, Limits, connect
from dragoman.demo import workload
from dragoman.questions import Example
from dragoman.sql.hardness import hardness
from dragoman.sql.outer_order import outer_order
from dragoman.sql.parse import parse
from dragoman.sql.references import unresolved

FROZEN = "0cfe0b7df2c724108d7ece776c46b64582495990f226e8127846968d4a963dfc"
"""SHA-256 of the lines. Only a gold query that is wrong may change them; the change log says so."""

EXAMPLES = tuple(workload())
ANSWERABLE = [example for example in EXAMPLES if example.sql]

each_answerable = pytest.mark.parametrize("example", ANSWERABLE, ids=lambda example: example.question.id)


@pytest.fixture(scope="module")
def guarded(demo_path: Path) -> Iterator[Database]:
    with closing(connect(str(demo_path))) as database:
        yield database


def test_frozen() -> None:
    lines = files("dragoman.demo").joinpath("workload.jsonl").read_text(encoding="utf-8").splitlines()
    assert hashlib.sha256("\n".join(lines).encode()).hexdigest() == FROZEN


def test_shape() -> None:
    levels = Counter(example.difficulty for example in EXAMPLES)
    assert len(ANSWERABLE) >= 100
    assert levels["unanswerable"] == 10
    assert levels["easy"] >= 30
    assert levels["medium"] >= 35
    assert levels["hard"] >= 20
    assert levels["extra"] >= 15
    assert {example.database for example in EXAMPLES} == {"demo"}


def test_no_two_are_equal() -> None:
    assert len({example.question.id for example in EXAMPLES}) == len(EXAMPLES)
    assert len({example.question.text.casefold() for example in EXAMPLES}) == len(EXAMPLES)
    assert len({example.sql for example in ANSWERABLE}) == len(ANSWERABLE)


@each_answerable
def test_gold_runs_and_finds_something(example: Example, demo: sqlite3.Connection) -> None:
    rows = demo.execute(example.sql).fetchall()
    assert rows
    assert any(value is not None for row in rows for value in row)
    assert len(rows) <= 250


@each_answerable
def test_gold_gives_the_same_rows_through_the_guarded_database(
    example: Example, demo: sqlite3.Connection, guarded: Database
) -> None:
    assert unresolved(parse(example.sql, guarded.dialect), guarded.schema()) == ()
    rows = guarded.execute(example.sql, Limits(rows=None)).rows
    assert Counter(map(repr, rows)) == Counter(map(repr, demo.execute(example.sql)))


@each_answerable
def test_gold_is_quick(example: Example, demo: sqlite3.Connection) -> None:
    """At most 200 million steps of SQLite's machine, which is about two seconds; a clock would depend on the load."""
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return steps > 200

    demo.set_progress_handler(count, 1_000_000)
    try:
        demo.execute(example.sql).fetchall()
    finally:
        demo.set_progress_handler(None, 0)


@each_answerable
def test_difficulty_is_spiders(example: Example) -> None:
    assert example.difficulty == hardness(example.sql)


@each_answerable
def test_no_tie_decides(example: Example, demo: sqlite3.Connection) -> None:
    """Where gold sorts, the sort keys of the rows it keeps, and of the first one it drops, are all different."""
    order = outer_order(example.sql, "sqlite")
    if not order.ordered:
        assert order.limit is None
        return
    rows = demo.execute(order.with_keys or example.sql).fetchall()
    rows = rows if order.limit is None else rows[: order.limit + 1]
    hidden = order.keys.count(None)
    places = iter(range(len(rows[0]) - hidden, len(rows[0])))
    columns = [key if isinstance(key, int) else next(places) for key in order.keys]
    keys = [tuple(row[column] for column in columns) for row in rows]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("example", [e for e in ANSWERABLE if e.alternatives], ids=lambda example: example.question.id)
def test_alternatives_give_the_same_rows(example: Example, demo: sqlite3.Connection) -> None:
    rows = sorted(demo.execute(example.sql).fetchall())
    for other in example.alternatives:
        assert sorted(demo.execute(other).fetchall()) == rows


def test_every_table_and_view_is_asked_about(demo: sqlite3.Connection) -> None:
    exist = {name for (name,) in demo.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")}
    uses = Counter(
        name
        for example in ANSWERABLE
        for name in {table.name for table in sqlglot.parse_one(example.sql, read="sqlite").find_all(exp.Table)}
    )
    assert exist <= set(uses)
    assert uses["CUST_MST"] >= 10


def test_what_cannot_be_answered_says_so() -> None:
    for example in EXAMPLES:
        assert (example.difficulty == "unanswerable") == (example.sql == "")
