"""One statement, read or refused quickly, and nothing that crashes the process."""

from __future__ import annotations

import subprocess
import sys
import threading
import time

import pytest
from sqlglot import exp

from dragoman.errors import Unreadable
from dragoman.sql.parse import MAX_CHARACTERS, parse

DEEP = {
    "parentheses": lambda n: "SELECT " + "(" * n + "1" + ")" * n,
    "subqueries": lambda n: "SELECT * FROM (" * n + "SELECT 1" + ") t" * n,
    "joins": lambda n: "SELECT * FROM " + "(" * n + "a" + ")" * n,
    "CASE": lambda n: "SELECT " + "CASE WHEN a THEN " * n + "1" + " END" * n,
    "CASE ELSE": lambda n: "SELECT " + "CASE a WHEN 1 THEN 1 ELSE " * n + "1" + " END" * n,
    "NOT": lambda n: "SELECT " + "NOT " * n + "1",
    "minus": lambda n: "SELECT " + "- " * n + "1",
    "mixed prefixes": lambda n: "SELECT " + "NOT - (~ " * n + "1" + ")" * n,
    "brackets": lambda n: "SELECT " + "[" * n + "1" + "]" * n,
    "braces": lambda n: "SELECT " + "{'a':" * n + "1" + "}" * n,
    "indexes": lambda n: "SELECT a" + "[1]" * n,
    "calls": lambda n: "SELECT " + "f(" * n + "1" + ")" * n,
    "CTEs": lambda n: "WITH a AS (" * n + "SELECT 1" + ") SELECT 1" * n,
    "EXISTS": lambda n: "SELECT 1 WHERE " + "EXISTS (SELECT 1 WHERE " * n + "1=1" + ")" * n,
    "laterals": lambda n: "SELECT 1 FROM a" + ", LATERAL (SELECT 1 FROM a" * n + ") x" * n,
    "intervals": lambda n: "SELECT " + "INTERVAL " * n + "'1' day",
    "types": lambda n: "SELECT CAST(a AS " + "ARRAY<" * n + "INT" + ">" * n + ")",
    "END as a name": lambda n: "SELECT " + "END " * n + "(" * n + "1" + ")" * n,
    "wrong brackets": lambda n: "SELECT " + "(]" * n + "1" + ")" * n,
    "unclosed": lambda n: "SELECT " + "(" * n,
    "roots": lambda n: "SELECT " + "|/" * n + "1",
    "ANY": lambda n: "SELECT 1 = " + "ANY " * n + "(1)",
    "explains": lambda n: "EXPLAIN " * n + "SELECT 1",
    "AND": lambda n: "SELECT 1 WHERE " + " AND ".join(["a = 1"] * n),
    "UNION": lambda n: " UNION ALL ".join(["SELECT 1"] * n),
    "concatenation": lambda n: "SELECT " + "||".join(["'a'"] * n),
    "casts": lambda n: "SELECT a" + "::int" * n,
    "IN": lambda n: "SELECT a IN (" + ",".join(["1"] * n) + ")",
}


@pytest.mark.parametrize(
    "dialect", ["sqlite", "postgres", "duckdb", "mysql", "snowflake", "bigquery", "tsql", "clickhouse"]
)
@pytest.mark.parametrize("kind", DEEP)
def test_deep_and_long_sql_is_read_or_refused(kind: str, dialect: str) -> None:
    for size in (20, 150, 4_000):
        sql = DEEP[kind](size)
        try:
            tree = parse(sql, dialect)
        except Unreadable:
            continue
        assert sum(1 for _ in tree.walk()) > 0


@pytest.mark.parametrize("kind", ["parentheses", "subqueries", "CASE", "NOT", "minus", "brackets", "calls", "EXISTS"])
def test_nesting_beyond_the_limit_is_refused_by_counting(kind: str) -> None:
    parse(DEEP[kind](20), "postgres")
    started = time.process_time()
    with pytest.raises(Unreadable, match="nested deeper"):
        parse(DEEP[kind](5_000), "postgres")
    assert time.process_time() - started < 10, "counting is linear; a second is what it may take on an idle machine"


def test_long_conditions_and_lists_are_read() -> None:
    parse(DEEP["AND"](500), "sqlite")
    parse(DEEP["IN"](20_000), "sqlite")
    parse(DEEP["UNION"](300), "sqlite")
    with pytest.raises(Unreadable, match="in a row"):
        parse(DEEP["AND"](5_000), "sqlite")
    with pytest.raises(Unreadable, match="longer than"):
        parse("SELECT 1 " + " " * MAX_CHARACTERS, "sqlite")


def test_a_thread_with_a_small_stack_is_no_way_to_crash() -> None:
    code = """
import threading
from tests.sql.test_parse import DEEP
from dragoman.errors import Refused
from dragoman.sql.guard import guard
from dragoman.schema import Schema
def run():
    for kind in DEEP:
        for size in (33, 49, 90, 99, 400, 1000):
            try:
                guard(DEEP[kind](size), Schema(), "postgres")
            except Refused:
                pass
    print("alive")
threading.stack_size(256 * 1024)
thread = threading.Thread(target=run)
thread.start()
thread.join()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=False)
    assert done.stdout.strip() == "alive", done.stderr[-2000:]


def test_parsing_works_in_several_threads() -> None:
    failed: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(50):
                parse("WITH q AS (SELECT a, b FROM t WHERE a IN (1, 2)) SELECT * FROM q JOIN u USING (a)", "postgres")
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1;", "SELECT 1;;", " ;; SELECT 1 ; ; ", "-- a\nSELECT 1 -- b", "/* a */ SELECT /* b */ 1 /* c */",
        "\ufeffSELECT 1", "SELECT\u00a01", "(SELECT 1)", "((SELECT 1)) UNION (SELECT 2)", "VALUES (1), (2)",
        "WITH a AS (SELECT 1) SELECT * FROM a", "select 1", "SELECT 'a;b'", "SELECT 1 -- ; DROP TABLE x",
    ],
)  # fmt: skip
def test_one_query_is_read_with_whatever_is_around_it(sql: str) -> None:
    assert isinstance(parse(sql, "sqlite"), exp.Expression)


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("", "no statement"),
        ("-- nothing", "no statement"),
        (" ; ;", "no statement"),
        ("SELECT 1; SELECT 2", "several"),
        ("SELECT 1; DROP TABLE e; SELECT 2", "several"),
        ("DROP TABLE e", "starts with 'DROP'"),
        ("COMMIT", "starts with"),
        ("SELEC 1", "starts with"),
        ("SELECT FROM WHERE", "can be read as sqlite"),
        ("SELECT 'open", "can be read as sqlite"),
        ("SELECT (1", "can be read as sqlite"),
        ("SELECT 1)", "can be read as sqlite"),
        ("The table is empty.", "starts with"),
    ],
)
def test_anything_else_is_refused_with_a_sentence(sql: str, said: str) -> None:
    with pytest.raises(Unreadable, match=said) as caught:
        parse(sql, "sqlite")
    assert "Token" not in str(caught.value)
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize(
    ("dialect", "sql", "style"),
    [
        ("sqlite", "EXPLAIN SELECT 1", None),
        ("sqlite", "-- plan\nexplain query plan SELECT 1;", None),
        ("postgres", "EXPLAIN (FORMAT JSON, COSTS OFF) SELECT 1", None),
        ("postgres", "EXPLAIN (SELECT 1)", None),
        ("postgres", "EXPLAIN (ANALYZE OFF) SELECT 1", None),
        ("postgres", "EXPLAIN (VERBOSE, ANALYZE) SELECT 1", "ANALYZE"),
        ("postgres", "EXPLAIN/**/ANALYZE/**/SELECT 1", "ANALYZE"),
        ("mysql", "EXPLAIN FORMAT=JSON SELECT 1", None),
        ("snowflake", "EXPLAIN USING TEXT SELECT 1", None),
        ("duckdb", "EXPLAIN ANALYZE SELECT 1", "ANALYZE"),
    ],
)
def test_explain_holds_the_query(dialect: str, sql: str, style: str | None) -> None:
    tree = parse(sql, dialect)
    assert isinstance(tree, exp.Describe)
    assert isinstance(tree.this, exp.Query)
    assert tree.args.get("style") == style


@pytest.mark.parametrize(
    "sql", ["EXPLAIN DELETE FROM t", "EXPLAIN ANALYZE INSERT INTO t VALUES (1)", "EXPLAIN", "EXPLAIN t"]
)
def test_explain_of_anything_else_is_refused(sql: str) -> None:
    with pytest.raises(Unreadable):
        parse(sql, "postgres")
