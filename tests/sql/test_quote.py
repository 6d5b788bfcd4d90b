"""Quoted names mean the same name again, to sqlglot in every dialect and to the engines themselves."""

from __future__ import annotations

import sqlite3

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlglot import exp

from dragoman.schema import Schema, Table
from dragoman.sql.parse import parse
from dragoman.sql.quote import quote, quote_always, quote_table

DIALECTS = ["sqlite", "duckdb", "postgres", "mysql", "snowflake", "bigquery", "tsql", "clickhouse", "oracle", "trino"]
texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12)
NAMES = ["order", "Order Details", "a.b", 'say "hi"', "it`s", "x]y", "größe", "订单", "1st", "select", "rank", "group"]


@pytest.mark.parametrize("dialect", DIALECTS)
@settings(max_examples=40, deadline=None)
@given(name=texts)
def test_a_quoted_name_reads_as_itself(dialect: str, name: str) -> None:
    if dialect == "bigquery":
        name = name.replace(".", "_")  # no name of BigQuery holds a dot: quotes go around whole paths there
    for written in (quote(name, dialect), quote_always(name, dialect)):
        tree = parse(f"SELECT t.{written} FROM t", dialect)
        (column,) = tree.find_all(exp.Column)
        assert column.name == name


@pytest.mark.parametrize("name", [*NAMES, "plain", "UPPER", "current_date", "user", "end", "table", "value"])
def test_engines_find_the_column_of_a_quoted_name(name: str) -> None:
    for written in (quote(name, "sqlite"), quote_always(name, "sqlite")):
        with sqlite3.connect(":memory:") as connection:
            connection.execute(f"CREATE TABLE t ({quote_always(name, 'sqlite')} TEXT)")
            connection.execute("INSERT INTO t VALUES ('here')")
            assert connection.execute(f"SELECT {written} FROM t WHERE {written} = 'here'").fetchall() == [("here",)]
    for written in (quote(name, "duckdb"), quote_always(name, "duckdb")):
        with duckdb.connect() as engine:
            engine.execute(f"CREATE TABLE t ({quote_always(name, 'duckdb')} TEXT); INSERT INTO t VALUES ('here')")
            assert engine.execute(f"SELECT {written} FROM t").fetchall() == [("here",)]


@pytest.mark.parametrize(
    ("dialect", "name", "written"),
    [
        ("postgres", "table_a", "table_a"),
        ("postgres", "TABLE_A", '"TABLE_A"'),
        ("snowflake", "TABLE_A", "TABLE_A"),
        ("snowflake", "table_a", '"table_a"'),
        ("sqlite", "Table_A", "Table_A"),
        ("mysql", "Channels", "Channels"),
        ("mysql", "rank", "`rank`"),
        ("tsql", "Order Details", "[Order Details]"),
        ("bigquery", "a-b", "`a-b`"),
    ],
)
def test_only_what_needs_quotes_has_them(dialect: str, name: str, written: str) -> None:
    assert quote(name, dialect) == written


def test_tables_are_qualified_outside_the_default_schema() -> None:
    schema = Schema(dialect="postgres", default_schema="public")
    assert quote_table(Table("TABLE_A", schema="SCHEMA_1"), schema) == '"SCHEMA_1"."TABLE_A"'
    assert quote_table(Table("orders", schema="public"), schema) == "orders"
    assert quote_table(Table("order", schema="public"), schema) == '"order"'
