"""No other name, row, selector or notation of an engine reaches a column that the access policy denies."""

from __future__ import annotations

import pytest

from dragoman.errors import Refused
from dragoman.schema import Column, Schema, Table
from dragoman.sql.access import AccessPolicy
from dragoman.sql.guard import guard

TABLES = (
    Table("emp", (Column("id", "INTEGER", primary_key=1), Column("name", "TEXT"), Column("salary", "INTEGER"))),
    Table("dept", (Column("id", "INTEGER", primary_key=1), Column("label", "TEXT"))),
)
SALARY = AccessPolicy(deny_columns=("emp.salary",))


def refusal(sql: str, dialect: str, allow: AccessPolicy | None = SALARY) -> str:
    """The reason why the guard refuses, "" if it does not."""
    try:
        guard(sql, Schema(TABLES, dialect), dialect, allow=allow)
    except Refused as refused:
        return refused.reason
    return ""


@pytest.mark.parametrize("dialect", ["postgres", "duckdb"])
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM emp AS e(a, b, c)",
        "SELECT e.* FROM emp AS e(a, b, c)",
        "SELECT c FROM emp AS e(a, b, c)",
        "SELECT e.c FROM emp e(a, b, c)",
        "SELECT a FROM emp e(a, b, c) WHERE c > 5",
        "SELECT salary FROM emp e(a, b)",
        "SELECT x.c FROM (SELECT * FROM emp AS e(a, b, c)) x",
        "SELECT j.c FROM (emp CROSS JOIN (SELECT 1) z) AS j(a, b, c, d)",
        "SELECT j.c FROM (emp e(a, b, c) JOIN dept d ON true) AS j",
        "SELECT * FROM (dept d JOIN emp e ON true) AS j",
        "SELECT a FROM emp e(a, b, c) JOIN (SELECT 100 AS c) y USING (c)",
        "SELECT a FROM emp e(a, b, c) NATURAL JOIN (SELECT 100 AS c) y",
    ],
)
def test_a_renamed_column_is_still_denied(dialect: str, sql: str) -> None:
    assert refusal(sql, dialect)


@pytest.mark.parametrize("dialect", ["postgres", "duckdb"])
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT a FROM emp e(a, b, c)",
        "SELECT e.b FROM emp e(a, b, c) JOIN dept d ON d.id = e.a",
        "SELECT x.a FROM (SELECT id, name FROM emp) AS x(a, b)",
        "SELECT j.label FROM (emp e JOIN dept d ON d.id = e.id) AS j",
        "SELECT * FROM dept AS d(a, b)",
        "SELECT d FROM dept d",
    ],
)
def test_a_renamed_column_that_is_not_denied_can_be_read(dialect: str, sql: str) -> None:
    assert refusal(sql, dialect) == ""
