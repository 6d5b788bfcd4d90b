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
        "SELECT * FROM (emp) AS e(a, b, c)",
        "SELECT j.c FROM ((emp JOIN dept ON true) AS k CROSS JOIN (SELECT 1) z) AS j(a, b, c, d, f, g)",
        "WITH q(a, b, c) AS (SELECT * FROM emp) SELECT c FROM q",
        "SELECT e FROM emp e(a, b, c)",
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


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT to_jsonb(x.*) FROM emp x",
        "SELECT x.*::text FROM emp x",
        "SELECT (e.*)::text FROM emp e",
        "SELECT ROW(e.*) FROM emp e",
        "SELECT concat(x.*) FROM emp x",
        "SELECT json_build_array(x.*) FROM emp x",
        "SELECT (x.*).salary FROM emp x",
        "SELECT (e).* FROM emp e",
        "SELECT x.salary FROM emp e, LATERAL (SELECT (e).*) x",
        "SELECT x.salary FROM emp e, LATERAL (SELECT (e.*).*) x",
        "SELECT x.salary FROM emp e, LATERAL (SELECT e.*) x",
        "SELECT j FROM (emp e JOIN dept d ON true) AS j",
        "SELECT to_jsonb(j) FROM (emp e JOIN dept d ON true) AS j",
        "SELECT to_jsonb(j.*) FROM (emp e JOIN dept d ON true) AS j",
        "SELECT name, 1 AS salary FROM emp ORDER BY salary + 0",
        "SELECT name FROM emp e WHERE e.* = ROW(1, 'a', 3)",
        "SELECT name FROM emp e ORDER BY e.*",
        "SELECT count(DISTINCT e.*) FROM emp e",
        "TABLE emp",
    ],
)
def test_whole_rows_show_what_is_denied(sql: str) -> None:
    assert refusal(sql, "postgres")


@pytest.mark.parametrize("sql", ["SELECT count(e.*) FROM emp e", "SELECT to_jsonb(d.*) FROM dept d"])
def test_rows_without_denied_columns_can_be_read(sql: str) -> None:
    assert refusal(sql, "postgres") == ""


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT COLUMNS('sal.*') FROM emp",
        "SELECT COLUMNS(*) FROM emp",
        "SELECT COLUMNS(e.*) FROM emp e",
        "SELECT e.COLUMNS('sal.*') FROM emp e",
        "SELECT COLUMNS(c -> c LIKE 's%') FROM emp",
        "SELECT COLUMNS(['salary']) FROM emp",
        "SELECT min(COLUMNS(*)) FROM emp",
        "SELECT struct_pack(*COLUMNS(*)) FROM emp",
        "SELECT coalesce(*COLUMNS('sal.*')) FROM emp",
        "SELECT name FROM emp WHERE COLUMNS('sal.*') = 100",
        "SELECT * LIKE 'sal%' FROM emp",
        "SELECT * NOT LIKE 'x%' FROM emp",
        "SELECT * GLOB 's*' FROM emp",
        "SELECT * SIMILAR TO 'sal.*' FROM emp",
        "SELECT e.* SIMILAR TO 'sal.*' FROM emp e",
        "SELECT #3 FROM emp",
        "SELECT name FROM emp WHERE #3 = 100",
        "SELECT name FROM emp ORDER BY #3 + 0",
        "SELECT count(*) FROM emp GROUP BY #3",
        "SELECT * EXCLUDE (name) FROM emp",
        "SELECT * EXCLUDE (d.salary) FROM emp e, (SELECT 1 AS salary) d",
        "SELECT * REPLACE (salary + 1 AS salary) FROM emp",
        "SELECT COLUMNS(* EXCLUDE (name)) FROM emp",
        "SELECT value FROM emp UNPIVOT (value FOR field IN (salary))",
        "SELECT * REPLACE (1 AS name) FROM emp",
        "SELECT * RENAME (salary AS x) FROM emp",
        "SELECT * EXCLUDE (info.salary) FROM emp",
        "SELECT emp.COLUMNS(*) FROM emp",
        "SELECT x.y FROM (SELECT #3 AS y FROM emp) x",
        "FROM emp",
        "SELECT * FROM (FROM emp) x",
    ],
)
def test_selectors_of_duckdb_show_what_is_denied(sql: str) -> None:
    assert refusal(sql, "duckdb")


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT name FROM emp ORDER BY #1",
        "SELECT * EXCLUDE (salary) FROM emp",
        "SELECT e.* EXCLUDE (salary) FROM emp e",
        "SELECT * EXCLUDE (e.salary) FROM emp e",
        "SELECT * REPLACE (1 AS salary) FROM emp",
        "SELECT x.name FROM (SELECT * EXCLUDE (salary) FROM emp) x",
        "SELECT COLUMNS(* EXCLUDE (salary)) FROM emp",
        "SELECT COLUMNS('la.*') FROM dept",
        "SELECT x.label FROM (SELECT COLUMNS('la.*') FROM dept) x",
        "SELECT count(*) FROM emp",
    ],
)
def test_selectors_of_duckdb_without_denied_columns_can_be_read(sql: str) -> None:
    assert refusal(sql, "duckdb") == ""


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT rowid FROM emp",
        "SELECT OID FROM emp",
        "SELECT e._rowid_ FROM emp e",
        "SELECT name FROM emp WHERE rowid = 7",
        "SELECT name AS rowid FROM emp WHERE rowid = 7",
        "SELECT rowid FROM (SELECT name FROM emp)",
        "SELECT name FROM emp ORDER BY rowid",
    ],
)
def test_row_ids_of_sqlite_are_the_primary_key(sql: str) -> None:
    assert refusal(sql, "sqlite", AccessPolicy(deny_columns=("emp.id",)))
    assert refusal(sql, "sqlite") == ""


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT (1, 'x') IN dept",
        "SELECT (1, 'x') NOT IN main.dept",
        "SELECT 1 WHERE (1, 'x') IN \"dept\"",
        "SELECT (1, 'x') IN 'dept'",
        "SELECT (1, 'x') IN main.'dept'",
        "SELECT name FROM emp WHERE id IN (SELECT 1 WHERE (1, 'x') IN [dept])",
    ],
)
def test_sqlite_reads_a_table_that_follows_in(sql: str) -> None:
    assert refusal(sql, "sqlite", AccessPolicy(deny_tables=("dept",)))
    assert refusal(sql, "sqlite", AccessPolicy(deny_columns=("dept.label",)))
    assert refusal(sql, "sqlite", None) == ""


@pytest.mark.parametrize("name", ["sqlite_master", "main.sqlite_master", "'sqlite_master'", "[SQLITE_SCHEMA]", "gone"])
def test_sqlite_reads_no_catalogue_that_follows_in(name: str) -> None:
    assert refusal(f"SELECT ('table', 'emp', 'emp', 2, 'x') IN {name}", "sqlite", None)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT id FROM emp WHERE (7, 'ann', 100) IN emp",
        "SELECT id FROM dept WHERE id IN (SELECT id FROM emp WHERE 1 NOT IN main.emp)",
    ],
)
def test_sqlite_reads_all_columns_of_a_table_that_follows_in(sql: str) -> None:
    assert refusal(sql, "sqlite")


@pytest.mark.parametrize(
    "sql",
    [
        "WITH some(n) AS (SELECT 1) SELECT name FROM emp WHERE id IN some",
        "SELECT name FROM emp WHERE id IN (1, 2)",
        "SELECT name FROM emp WHERE id IN json_each('[1]')",
        "SELECT name FROM emp WHERE (id, name) IN dept",
    ],
)
def test_sqlite_reads_what_is_not_denied_after_in(sql: str) -> None:
    assert refusal(sql, "sqlite") == ""


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT e.evil FROM emp e",
        "SELECT emp.evil FROM emp",
        "SELECT (e).evil FROM emp e",
        "SELECT ((e)).evil AS evil FROM emp e",
        "SELECT (e).evil FROM emp e, (SELECT 1 AS evil) x",
        "SELECT (e.*).evil FROM emp e",
        "SELECT e.evil FROM (SELECT * FROM emp) e",
        "WITH q AS (SELECT * FROM emp) SELECT q.evil FROM q",
        "SELECT name FROM emp e WHERE e.evil > 1",
        "SELECT (SELECT e.evil) FROM emp e",
        "SELECT (x.e).evil FROM (SELECT e FROM emp e) x",
        "SELECT (r).evil FROM (SELECT e AS r FROM emp e) x",
        "SELECT (array_agg(e))[1].evil FROM emp e",
        "SELECT ((array_agg(e))[1]).evil FROM emp e",
        "SELECT (coalesce(e, e)).evil FROM emp e",
        "SELECT (name).evil FROM emp",
        "SELECT (e.name).evil FROM emp e",
        "SELECT ('x'::text).evil",
        "SELECT f.evil FROM (VALUES (7, 'ann', 100)) f(id, name, salary)",
        "SELECT f.evil FROM (VALUES (7, 'ann', 100)) f",
        "SELECT (SELECT e FROM emp e LIMIT 1).evil",
        "SELECT (ROW(1, 'x', 2)::emp).evil",
        "SELECT ('/etc/passwd'::text).pg_read_file",
    ],
)
def test_a_field_of_a_row_calls_no_function(sql: str) -> None:
    assert "evil" in (reason := refusal(sql, "postgres", None)) or "pg_read_file" in reason


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT (e).name FROM emp e",
        "SELECT (e.*).name FROM emp e",
        "SELECT e.ctid, e.name FROM emp e",
        "SELECT f.a, f.column2 FROM (VALUES (7, 'ann')) f(a)",
        "SELECT v.n FROM (VALUES (1), (2)) AS v(n)",
        "SELECT (x.e).name FROM (SELECT e FROM emp e) x",
        "SELECT (json_each('{}'::json)).key FROM emp",
        "SELECT q.total FROM (SELECT sum(salary) AS total FROM emp) q",
    ],
)
def test_fields_that_a_row_has_can_be_read(sql: str) -> None:
    assert refusal(sql, "postgres", None) == ""


@pytest.mark.parametrize("dialect", ["postgres", "duckdb"])
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT to_json(emp) AS emp FROM emp",
        "SELECT e.id AS e, to_json(e) FROM emp AS e",
        "SELECT CAST(e AS TEXT) AS e FROM emp AS e",
        "SELECT (SELECT MAX(CAST(e AS TEXT)) FROM generate_series(1, 1) AS g) FROM emp AS e",
        'SELECT "E".* FROM emp AS "E" JOIN dept AS e ON TRUE',
        'SELECT * FROM emp AS "E" JOIN dept AS e ON TRUE',
        "SELECT * FROM emp AS t, dept AS t",
        "SELECT t.* FROM emp AS t, dept AS t",
        "SELECT t.salary FROM emp AS t, dept AS t",
        "SELECT d.id FROM (emp AS a NATURAL JOIN emp AS b), (dept AS c NATURAL JOIN emp AS d)",
    ],
)
def test_a_name_that_two_things_bear_hides_neither(dialect: str, sql: str) -> None:
    assert "may not be read" in refusal(sql, dialect)


def test_a_union_by_name_has_the_columns_of_both_sides() -> None:
    both = "(SELECT id FROM dept UNION ALL BY NAME SELECT label AS salary FROM dept)"
    assert "may not be read" in refusal(f"SELECT COUNT(*) FROM emp NATURAL JOIN {both}", "duckdb")
    assert refusal(f"SELECT u.salary FROM {both} AS u", "duckdb") == ""


@pytest.mark.parametrize("sql", ["SELECT * FROM emp AS t, dept AS t", "SELECT t.* FROM emp AS t, dept AS t"])
def test_two_tables_of_one_alias_show_what_is_denied(sql: str) -> None:
    assert "may not be read" in refusal(sql, "sqlite")


@pytest.mark.parametrize("dialect", ["postgres", "duckdb"])
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT id AS e FROM emp AS e ORDER BY e",
        "SELECT COUNT(*) AS dept FROM dept ORDER BY dept DESC",
        'SELECT "E".name, e.label FROM emp AS "E" JOIN dept AS e ON "E".id = e.id',
        "SELECT a.name FROM emp AS a JOIN emp AS b ON a.id = b.id",
    ],
)
def test_names_that_two_things_bear_can_be_read_otherwise(dialect: str, sql: str) -> None:
    assert refusal(sql, dialect) == ""


def test_a_denied_column_is_denied_in_every_spelling() -> None:
    table = Table("t", (Column("Pay", "INTEGER"), Column("pay", "INTEGER"), Column("id", "INTEGER")))
    denied = AccessPolicy(deny_columns=("t.Pay",))
    with pytest.raises(Refused, match="may not be read"):
        guard('SELECT "Pay" FROM t', Schema((table,), "postgres"), "postgres", allow=denied)
