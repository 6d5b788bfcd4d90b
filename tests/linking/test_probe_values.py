"""Probes made by rule: what a query compares, or a question names, is found as it is written in the database."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from dragoman.databases import Database, connect
from dragoman.linking.explore import Exploring
from dragoman.linking.probe_values import probe_values
from dragoman.linking.value_index import ValueHint


@pytest.fixture
def database(tmp_path: Path) -> Database:
    with sqlite3.connect(tmp_path / "w.db") as connection:
        connection.execute('CREATE TABLE works (id INT, "kind of" TEXT, place TEXT)')
        rows = [(1, "oil painting", "Québec"), (2, "bronze statue", "O'Fallon"), (3, "drawing", "Rome")]
        connection.executemany("INSERT INTO works VALUES (?, ?, ?)", rows)
    connection.close()
    return connect(str(tmp_path / "w.db"))


@pytest.mark.parametrize(
    ("tried", "value"),
    [
        ("SELECT id FROM works WHERE \"kind of\" = 'Painting'", "oil painting"),
        ("SELECT id FROM works AS w WHERE LOWER(w.\"kind of\") LIKE '%bronze%'", "bronze statue"),
        ("SELECT id FROM works WHERE \"kind of\" IN ('drawings')", "drawing"),
        ("SELECT id FROM works WHERE place = 'o''fallon'", "O'Fallon"),
        ("SELECT id FROM works WHERE place = 'Quebec'", "Québec"),
    ],
)
def test_a_compared_text_is_found(database: Database, tried: str, value: str) -> None:
    hints, steps = probe_values(database, "which?", (), [tried, tried])
    assert [hint.value for hint in hints] == [value]
    assert len(steps) <= 2


def test_a_name_in_the_question_is_looked_for(database: Database) -> None:
    hints, _ = probe_values(database, "Which kind of works are there in Rome?", (), [])
    assert ValueHint("works", "place", "Rome") in hints
    known = (ValueHint("works", "place", "Rome"),)
    assert probe_values(database, "Which kind of works are there in Rome?", known, []) == ((), ())


def test_it_is_bounded_and_reads_no_broken_query(database: Database) -> None:
    tried = [f"SELECT id FROM works WHERE place = 'Nowhere {n}'" for n in range(50)]
    hints, steps = probe_values(database, "which?", (), ["SELECT FROM", *tried], Exploring(queries=7))
    assert (hints, len(steps)) == ((), 7)
    assert all(step.kind == "execute" for step in steps)
