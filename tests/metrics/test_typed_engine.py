"""The strict rule on an engine that has types of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dragoman.databases import Database, connect
from dragoman.metrics.judge import judge
from dragoman.metrics.verdict import Verdict
from dragoman.questions import Example, Question

duckdb = pytest.importorskip("duckdb")

SAME = [
    ("SELECT 1::DECIMAL(5, 2)", "SELECT 1"),
    ("SELECT 0.1 + 0.2", "SELECT 0.3::DOUBLE"),
    ("SELECT TRUE", "SELECT 1"),
    ("SELECT [1, 2]", "SELECT [1.0, 2.0]"),
    ("SELECT {'a': 1, 'b': NULL}", "SELECT {'b': NULL, 'a': 1}"),
    ("SELECT 'NaN'::DOUBLE", "SELECT 'NaN'::FLOAT"),
    ("SELECT a FROM t ORDER BY a LIMIT 1", "SELECT MIN(a) FROM t"),
]
DIFFERENT = [
    ("SELECT DATE '2020-01-01'", "SELECT TIMESTAMP '2020-01-01'"),
    ("SELECT DATE '2020-01-01'", "SELECT '2020-01-01'"),
    ("SELECT 'infinity'::DOUBLE", "SELECT '-infinity'::DOUBLE"),
    ("SELECT [1, 2]", "SELECT [2, 1]"),
    ("SELECT 12345678901234567890123456789012345678", "SELECT 12345678901234567890123456789012345679"),
    ("SELECT TIMESTAMP '2020-01-01 10:00:00'", "SELECT TIMESTAMP '2020-01-01 11:00:00'"),
    ("SELECT 'a'::BLOB", "SELECT 'a'"),
    ("SELECT NULL", "SELECT 0"),
]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    path = Path(tmp_path_factory.mktemp("typed"), "typed.duckdb")
    connection = duckdb.connect(str(path))
    connection.execute("CREATE TABLE t AS SELECT * FROM (VALUES (1), (2)) AS v (a)")
    connection.close()
    opened = connect(f"duckdb:///{path}")
    yield opened
    opened.close()


@pytest.mark.parametrize(("gold", "predicted"), SAME)
def test_one_value_in_two_types(database: Database, gold: str, predicted: str) -> None:
    assert judge(Example(Question("?"), gold), predicted, database).correct


@pytest.mark.parametrize(("gold", "predicted"), DIFFERENT)
def test_values_that_only_look_alike(database: Database, gold: str, predicted: str) -> None:
    assert judge(Example(Question("?"), gold), predicted, database).verdict is Verdict.WRONG


@pytest.mark.parametrize(
    ("predicted", "verdict"),
    [
        ("SELECT b FROM t", Verdict.INVALID_REFERENCE),
        ('SELECT a FROM t WHERE "x" = 1', Verdict.INVALID_REFERENCE),
        ("SELECT a FROM u", Verdict.INVALID_REFERENCE),
        ("SELECT no_such_thing(a) FROM t", Verdict.MISSING_FUNCTION),
        ("SELECT a FROM t WHERE", Verdict.SYNTAX),
        ("DROP TABLE t", Verdict.REFUSED),
    ],
)
def test_kinds_of_failure(database: Database, predicted: str, verdict: Verdict) -> None:
    assert judge(Example(Question("?"), "SELECT a FROM t"), predicted, database).verdict is verdict
