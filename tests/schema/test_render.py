"""A schema as text is SQL that makes the same schema."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.databases.sqlite_schema import read_schema
from dragoman.schema import Column, ForeignKey, Schema, Table, compact, ddl
from dragoman.schema.render import reserved_words
from tests.shared_data import shared_data

NAMES = st.text(
    st.characters(exclude_characters="\0", exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12
).filter(lambda name: not name.lower().startswith("sqlite_") and not name.isspace())


@given(st.lists(NAMES, min_size=1, max_size=6, unique_by=str.lower), NAMES)
@settings(deadline=None)
def test_ddl_makes_the_same_names_again(columns: list[str], table: str) -> None:
    schema = Schema((Table(table, tuple(Column(name, "TEXT") for name in columns)),))
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(ddl(schema))
        found = read_schema(connection, "memory")
    assert [c.name for c in found.tables[0].columns] == columns
    assert found.tables[0].name == table


def test_every_word_that_sqlite_reserves_is_quoted() -> None:
    tokens = {word for word in reserved_words() if word.isalpha() or "_" in word}
    for word in sorted(tokens):
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.executescript(ddl(Schema((Table(word, (Column(word),)),))))


def test_keys_comments_and_views_are_shown() -> None:
    parent = Table(
        "parent", (Column("id", "INT", primary_key=1), Column("two words", comment="a\nnote")), comment="Top"
    )
    child = Table(
        "child",
        (Column("a", "INT", primary_key=1), Column("b", "INT", nullable=False, primary_key=2)),
        foreign_keys=(ForeignKey(("a",), "parent", ("id",)),),
    )
    view = Table("seen", (Column("x", values=("on", "off")),), "view")
    text = ddl(Schema((parent, child, view)))
    assert '-- Top\nCREATE TABLE parent (\n  id INT PRIMARY KEY,\n  "two words"  -- a note\n);' in text
    assert "PRIMARY KEY (a, b),\n  FOREIGN KEY (a) REFERENCES parent (id)" in text
    assert "-- a view\nCREATE TABLE seen (\n  x  -- one of on, off\n);" in text
    assert compact(Schema((parent, child))).splitlines() == [
        'parent(id int key, "two words")  -- Top',
        "child(a int key -> parent.id, b int key)",
    ]


@pytest.mark.parametrize(
    ("dialect", "said"),
    [
        ("postgres", '"Orders" (\n  id INT,\n  "shipTo" TEXT\n'),
        ("snowflake", '"Orders" (\n  "id" INT,\n  "shipTo" TEXT\n'),
        ("duckdb", "Orders (\n  id INT,\n  shipTo TEXT\n"),
    ],
)
def test_names_are_quoted_where_the_engine_would_read_them_in_another_case(dialect: str, said: str) -> None:
    table = Table("Orders", (Column("id", "INT"), Column("shipTo", "TEXT")))
    assert f"CREATE TABLE {said}" in ddl(Schema((table,), dialect))


def test_every_spider_schema_renders_to_sql_that_runs() -> None:
    for path in sorted(shared_data("data", "spider", "database").glob("*/*.sqlite")):
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            schema = read_schema(connection, path.stem)
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.executescript(ddl(schema))
            again = read_schema(connection, path.stem)
        assert [[c.name for c in t.columns] for t in again] == [[c.name for c in t.columns] for t in schema]
        assert [t.primary_key for t in again] == [t.primary_key for t in schema]


def test_tables_of_the_default_schema_need_no_qualifier() -> None:
    tables = (Table("a", (Column("x"),), schema="public"), Table("b", (Column("y"),), schema="sales"))
    schema = Schema(tables, "postgres", default_schema="public")
    assert compact(schema).splitlines() == ["a(x)", "sales.b(y)"]
    assert "CREATE TABLE a (" in ddl(schema)
    assert "CREATE TABLE sales.b (" in ddl(schema)
