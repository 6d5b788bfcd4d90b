"""Checking a workload."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from dragoman.bench.dataset import Dataset
from dragoman.bench.workload_check import Problem, check_workload
from dragoman.questions import Example, Question


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with sqlite3.connect(tmp_path / "m.sqlite") as connection:
        connection.execute("CREATE TABLE medal (name TEXT, points INTEGER)")
        rows = [("a", 3), ("b", 2), ("c", 2), ("d", 1), ("e", 1)]
        connection.executemany("INSERT INTO medal VALUES (?, ?)", rows)
    connection.close()
    return tmp_path / "m.sqlite"


def problems(path: Path, *pairs: tuple[str, str]) -> tuple[Problem, ...]:
    examples = tuple(Example(Question(text, id=str(i)), sql, "m") for i, (text, sql) in enumerate(pairs, 1))
    return check_workload(Dataset("w", "w", examples, {"m": str(path)}))


@pytest.mark.parametrize(
    ("sql", "kinds"),
    [
        ("SELECT name FROM medal ORDER BY points DESC LIMIT 1", []),
        ("SELECT name FROM medal ORDER BY points DESC LIMIT 2", ["decided by a tie"]),
        ("SELECT points FROM medal ORDER BY points DESC LIMIT 2", []),
        ("SELECT name FROM medal ORDER BY points DESC, name LIMIT 2", []),
        ("SELECT name FROM medal ORDER BY points DESC LIMIT 3", []),
        ("SELECT name FROM medal LIMIT 1", ["decided by a tie"]),
        ("SELECT name FROM medal LIMIT 5", []),
        ("SELECT count(*) FROM medal LIMIT 1", []),
        ("SELECT name FROM medal ORDER BY points LIMIT 1 OFFSET 2", ["decided by a tie"]),
        ("SELECT name FROM medal WHERE points > 9", ["empty result"]),
        ("SELECT nobody FROM medal", ["gold fails"]),
        ("DROP TABLE medal", ["gold fails"]),
        ("", []),
    ],
)
def test_kinds(path: Path, sql: str, kinds: list[str]) -> None:
    assert [problem.kind for problem in problems(path, ("Which?", sql))] == kinds


def test_duplicates_name_the_first(path: Path) -> None:
    found = problems(path, ("How many?", "SELECT 1"), ("Who?", "SELECT 2"), ("how  many", "SELECT 3"))
    assert found == (Problem("3", "duplicate", "The same question as 1, about the same database."),)
