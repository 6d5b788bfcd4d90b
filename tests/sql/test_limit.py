"""Caps that do not break the statement."""

from __future__ import annotations

import sqlite3

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.sql.limit import limit_rows
from dragoman.sql.parse import parse


@pytest.mark.parametrize(
    ("dialect", "sql", "capped"),
    [
        ("sqlite", "SELECT a FROM t;;", "SELECT a FROM t\nLIMIT 10"),
        ("sqlite", "SELECT a FROM t LIMIT 5 -- few", "SELECT a FROM t LIMIT 5"),
        ("sqlite", "SELECT a FROM t LIMIT 500", "SELECT a FROM t LIMIT 10"),
        ("sqlite", "SELECT a FROM t LIMIT 3, 500", "SELECT a FROM t LIMIT 10 OFFSET 3"),
        ("sqlite", "SELECT * FROM (SELECT 1 LIMIT 500)", "SELECT * FROM (SELECT 1 LIMIT 500)\nLIMIT 10"),
        ("postgres", "(SELECT 1) UNION (SELECT 2)", "(SELECT 1) UNION (SELECT 2)\nLIMIT 10"),
        ("postgres", "SELECT a FROM t FETCH FIRST 5 ROWS ONLY", "SELECT a FROM t FETCH FIRST 5 ROWS ONLY"),
        ("postgres", "SELECT a FROM t FETCH FIRST 50 ROWS ONLY", "SELECT a FROM t FETCH FIRST 10 ROWS ONLY"),
        ("postgres", "SELECT a FROM t OFFSET 3", "SELECT a FROM t OFFSET 3\nLIMIT 10"),
        ("mysql", "SELECT a FROM t # all", "SELECT a FROM t\nLIMIT 10"),
        ("tsql", "SELECT a FROM t", "SELECT TOP 10 a FROM t"),
        ("tsql", "SELECT DISTINCT a FROM t ORDER BY a", "SELECT DISTINCT TOP 10 a FROM t ORDER BY a"),
        ("tsql", "SELECT TOP 5 a FROM t", "SELECT TOP 5 a FROM t"),
        ("tsql", "SELECT TOP 500 a FROM t", "SELECT TOP 10 a FROM t"),
        ("tsql", "SELECT TOP 50 PERCENT a FROM t", "SELECT TOP 50 PERCENT a FROM t"),
        ("tsql", "SELECT a FROM t UNION SELECT b FROM u", "SELECT a FROM t UNION SELECT b FROM u"),
        ("tsql", "SELECT a FROM t WHERE n LIKE N'%Dự toán%'", "SELECT TOP 10 a FROM t WHERE n LIKE N'%Dự toán%'"),
        ("oracle", "SELECT a FROM t;", "SELECT a FROM t\nFETCH FIRST 10 ROWS ONLY"),
        ("bigquery", "SELECT a FROM t", "SELECT a FROM t\nLIMIT 10"),
        ("clickhouse", "SELECT a FROM t LIMIT 1 BY a", "SELECT a FROM t LIMIT 1 BY a"),
        ("duckdb", "SELECT a FROM t LIMIT 50%", "SELECT a FROM t LIMIT 50%"),
        ("sqlite", "EXPLAIN QUERY PLAN SELECT a FROM t", "EXPLAIN QUERY PLAN SELECT a FROM t"),
    ],
)  # fmt: skip
def test_the_cap_is_written_as_the_dialect_has_it(dialect: str, sql: str, capped: str) -> None:
    assert limit_rows(sql, 10, dialect) == capped
    parse(capped, dialect)


queries = st.sampled_from(
    [
        "SELECT n FROM t", "SELECT n FROM t ORDER BY n DESC",
        "SELECT n FROM t LIMIT 7", "SELECT n FROM t LIMIT 4 OFFSET 6",
        "SELECT n FROM t UNION ALL SELECT n FROM t ORDER BY 1",
        "WITH q AS (SELECT n FROM t LIMIT 8) SELECT n FROM q -- end",
        "SELECT count(*) FROM t", "SELECT n FROM t WHERE n > 3 GROUP BY n HAVING n < 9 ORDER BY n;",
    ]
)  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(queries, st.integers(0, 12))
def test_the_rows_are_the_first_of_the_query(sql: str, rows: int) -> None:
    with sqlite3.connect(":memory:") as connection, duckdb.connect() as engine:
        connection.execute(
            "CREATE TABLE t AS WITH RECURSIVE r(n) AS (SELECT 1 UNION SELECT n + 1 FROM r LIMIT 9) SELECT n FROM r"
        )
        engine.execute("CREATE TABLE t AS SELECT unnest(range(1, 10)) AS n")
        assert (
            connection.execute(limit_rows(sql, rows, "sqlite")).fetchall() == connection.execute(sql).fetchall()[:rows]
        )
        assert len(engine.execute(limit_rows(sql, rows, "duckdb")).fetchall()) <= rows
