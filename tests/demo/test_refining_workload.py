from __future__ import annotations

import sqlite3
from collections import Counter
from importlib.resources import as_file, files

import pytest
import sqlglot
from sqlglot import exp

from dragoman.demo import workload
from dragoman.demo.refining_workload import refining_workload
from dragoman.questions import Example, read_workload
from dragoman.sql.hardness import hardness
from dragoman.sql.outer_order import outer_order

with as_file(files("dragoman.demo") / "dealers.jsonl") as path:
    DEALERS = read_workload(path).examples

each = pytest.mark.parametrize("example", DEALERS, ids=lambda example: example.question.id)


def test_it_is_the_workload_and_more() -> None:
    found = tuple(refining_workload())
    assert found == (*workload(), *DEALERS)
    assert len({example.question.id for example in found}) == len(found)
    assert len({example.question.text.casefold() for example in found}) == len(found)
    assert len({example.sql for example in found if example.sql}) == sum(1 for example in found if example.sql)


def test_every_column_of_its_own_is_read_by_five_questions(demo: sqlite3.Connection) -> None:
    """Those that refer to other tables are excluded by structure."""
    columns = {name for _, name, *_ in demo.execute("PRAGMA table_info(CUST_MST)")}
    columns -= {row[3] for row in demo.execute("PRAGMA foreign_key_list(CUST_MST)")}
    reads = Counter(
        name
        for example in refining_workload()
        if example.sql
        for name in {column.name for column in sqlglot.parse_one(example.sql, read="sqlite").find_all(exp.Column)}
    )
    assert min(reads[name] for name in columns) >= 5


@each
def test_questions_do_not_use_the_names_that_are_to_be_judged(example: Example) -> None:
    """Evidence says what codes mean, never in which column they are."""
    question = example.question
    assert "_" not in question.text + question.evidence
    assert "CUST" not in question.text + question.evidence


@each
def test_gold_finds_something_and_no_tie_decides(example: Example, demo: sqlite3.Connection) -> None:
    sql: str = example.sql
    rows = demo.execute(sql).fetchall()
    assert rows
    assert any(value is not None for row in rows for value in row)
    assert len(rows) <= 250
    assert example.difficulty == hardness(sql)
    order = outer_order(sql, "sqlite")
    if order.limit is not None:
        keys = demo.execute(order.with_keys or sql).fetchall()[: order.limit + 1]
        ordered = [row[-1] for row in keys]
        assert len(set(ordered)) == len(ordered)
