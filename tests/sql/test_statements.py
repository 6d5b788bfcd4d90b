"""What reaches an engine is the one statement, with nothing between its tokens but white space."""

from __future__ import annotations

import pytest

from dragoman.sql.statements import first_statement


@pytest.mark.parametrize(
    ("dialect", "sql", "sent"),
    [
        ("sqlite", "SELECT a FROM t ;; ", "SELECT a FROM t"),
        ("sqlite", "/* who */ SELECT 1 /* c */ + 2 -- d\n FROM t -- e", "SELECT 1 + 2\nFROM t"),
        ("sqlite", "SELECT '--' || \"/*\" FROM t", "SELECT '--' || \"/*\" FROM t"),
        ("sqlite", "SELECT\u00a0a\u3000FROM t", "SELECT a FROM t"),
        ("postgres", "EXPLAIN  SELECT 1 -- c\n, 2", "EXPLAIN SELECT 1\n, 2"),
        ("mysql", "SELECT {#\n x sleep(1)} -- #} 1", "SELECT\n1"),
        ("mysql", "SELECT '{#' , 1", "SELECT '{#' , 1"),
        ("mysql", "SELECT 1 --\u3000+sleep(1)\n FROM t", "SELECT 1\nFROM t"),
        ("duckdb", "SELECT map {1: 2} FROM t", "SELECT map {1: 2} FROM t"),
    ],
)
def test_no_comment_reaches_an_engine(dialect: str, sql: str, sent: str) -> None:
    assert first_statement(sql, dialect) == sent
