"""References against SQLite's own word: its authorizer names every column that a statement reads."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.schema import Column, Schema, Table
from dragoman.sql.parse import parse
from dragoman.sql.references import Unresolved, references, resolve_double_quotes, unresolved
from tests.shared_data import shared_data

DDL = '''
CREATE TABLE singer (id INTEGER PRIMARY KEY, name TEXT, age INTEGER, country TEXT);
CREATE TABLE concert (id INTEGER PRIMARY KEY, singer_id INTEGER, name TEXT, year INTEGER);
CREATE TABLE "Order Details" ("Größe" TEXT, "a.b" TEXT, "say ""hi""" TEXT, "select" INTEGER, singer_id INTEGER);
'''
SCHEMA = Schema(
    (
        Table("singer", tuple(map(Column, ("id", "name", "age", "country")))),
        Table("concert", tuple(map(Column, ("id", "singer_id", "name", "year")))),
        Table("Order Details", tuple(map(Column, ("Größe", "a.b", 'say "hi"', "select", "singer_id")))),
    )
)

QUERIES = [
    "SELECT name FROM singer",
    "SELECT s.NAME, c.name FROM Singer AS s JOIN concert c ON s.id = c.singer_id WHERE c.year > 2000",
    "SELECT count(*) FROM singer",
    "SELECT * FROM concert",
    "SELECT s.* FROM singer s, concert",
    "SELECT name FROM singer JOIN concert USING (id, name)",
    "SELECT country FROM singer NATURAL JOIN concert",
    "SELECT x.n FROM (SELECT name AS n, age FROM singer) x WHERE x.age > 3",
    "WITH old AS (SELECT name, age FROM singer WHERE age > 60) SELECT name FROM old",
    "WITH old(who, years) AS (SELECT name, age FROM singer) SELECT who FROM old ORDER BY years",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT i, name FROM n, singer",
    "SELECT name FROM singer WHERE EXISTS (SELECT 1 FROM concert WHERE concert.singer_id = singer.id AND year = age)",
    "SELECT name FROM singer WHERE id IN (SELECT singer_id FROM concert) ORDER BY age",
    "SELECT name AS age FROM singer ORDER BY age",
    "SELECT count(*) AS n, country FROM singer GROUP BY country HAVING n > 1 AND max(age) > 3 ORDER BY n DESC",
    "SELECT name FROM singer UNION SELECT name FROM concert ORDER BY name",
    "SELECT (SELECT max(year) FROM concert c WHERE c.singer_id = s.id) FROM singer s",
    "SELECT rowid, name FROM singer",
    'SELECT "Größe", "a.b", "say ""hi""", "select" FROM "Order Details"',
    "SELECT [Größe] FROM [order details] o JOIN singer ON id = singer_id WHERE o.`select` = 1",
    "SELECT main.singer.name FROM main.singer",
    "SELECT name, rank() OVER (PARTITION BY country ORDER BY age) FROM singer",
    "SELECT CASE WHEN age > 3 THEN name ELSE country END FROM singer LIMIT 3",
    "SELECT a.name FROM singer a JOIN singer b ON a.age = b.age AND a.id < b.id",
    "SELECT * FROM (SELECT * FROM singer) JOIN (SELECT singer_id AS id, year FROM concert) USING (id)",
    "VALUES (1, (SELECT max(age) FROM singer))",
    "SELECT t.value FROM singer, json_each(json_array(singer.name)) AS t",
]  # fmt: skip


@pytest.fixture(scope="module")
def connection() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:")
    connection.executescript(DDL)
    yield connection
    connection.close()


def reads(connection: sqlite3.Connection, sql: str) -> set[tuple[str, str]]:
    """What SQLite says that the statement reads."""
    found: set[tuple[str, str]] = set()

    def note(action: int, table: str | None, column: str | None, *_: object) -> int:
        if action == sqlite3.SQLITE_READ and table and not table.startswith("json_"):
            found.add((table.lower(), (column or "").lower()))
        return sqlite3.SQLITE_OK

    connection.set_authorizer(note)
    try:
        connection.execute(f"EXPLAIN {sql}").close()
    finally:
        connection.set_authorizer(None)
    return {(table, column) for table, column in found if column not in ("", "rowid")}


def joined(sql: str) -> set[tuple[str, str]]:
    """The columns that USING and NATURAL compare, which SQLite reads without asking its authorizer."""
    both = ("singer", "concert")
    common = {"USING (id, name)": ("id", "name"), "NATURAL JOIN": ("id", "name"), "c USING (id)": ("id",)}
    return {(table, column) for key, columns in common.items() if key in sql for table in both for column in columns}


def resolved(sql: str, schema: Schema) -> set[tuple[str, str]]:
    tree = resolve_double_quotes(parse(sql, "sqlite"), schema, gold=True)
    return {(t.lower(), c.lower()) for t, c in references(tree, schema, stars=True) if c}


@pytest.mark.parametrize("sql", QUERIES)
def test_references_are_what_sqlite_reads(connection: sqlite3.Connection, sql: str) -> None:
    if "rowid" in sql:
        assert resolved(sql, SCHEMA) == {("singer", "name")}
        return
    assert resolved(sql, SCHEMA) == reads(connection, sql) | joined(sql)
    assert unresolved(parse(sql, "sqlite"), SCHEMA) == ()


def test_tables_are_named_even_where_no_column_is_read() -> None:
    assert references(parse("SELECT count(*) FROM singer, concert c", "sqlite"), SCHEMA) == {
        ("singer", ""),
        ("concert", ""),
    }


def test_a_table_outside_the_default_schema_is_named_with_it() -> None:
    schema = Schema(
        (
            Table("t", (Column("a"),), schema="public"),
            Table("t", (Column("b"),), schema="hr"),
            Table("sole", (Column("c"),), schema="hr"),
        ),
        "postgres",
        default_schema="public",
    )
    tree = parse("SELECT a, x.b, hr.sole.c FROM t, hr.t AS x, hr.sole", "postgres")
    assert references(tree, schema) == {
        ("t", ""), ("t", "a"), ("hr.t", ""), ("hr.t", "b"), ("sole", ""), ("sole", "c"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        ("SELECT nme FROM singer", Unresolved("nme", nearest=("name",))),
        ("SELECT name FROM singr", Unresolved("singr", table=True, nearest=("singer",))),
        ("SELECT c.title FROM concert c", Unresolved("c.title")),
        ("SELECT x.name FROM singer s", Unresolved("x.name", nearest=("name",))),
        ('SELECT name FROM singer WHERE country = "France"', Unresolved("France", quoted=True)),
        ("SELECT q.age FROM (SELECT name FROM singer) q", Unresolved("q.age")),
        ("SELECT name FROM singer ORDER BY yer", Unresolved("yer")),
        ("SELECT name FROM singer s WHERE s.state = 'haryana'", Unresolved("s.state", nearest=("name",))),
    ],
)
def test_a_name_that_is_not_there_is_reported(sql: str, found: Unresolved) -> None:
    (item,) = unresolved(parse(sql, "sqlite"), SCHEMA)
    assert (item.name, item.table, item.quoted) == (found.name, found.table, found.quoted)
    assert set(found.nearest[:1]) <= set(item.nearest) or "state" in item.name
    assert item.name in str(item)


def test_a_double_quoted_token_is_a_string_in_gold_and_a_reference_in_a_prediction() -> None:
    tree = parse('SELECT name FROM singer WHERE country = "France" AND "age" > 3', "sqlite")
    gold = resolve_double_quotes(tree, SCHEMA, gold=True)
    assert gold.sql("sqlite") == "SELECT name FROM singer WHERE country = 'France' AND \"age\" > 3"
    assert unresolved(gold, SCHEMA) == ()
    assert resolve_double_quotes(tree, SCHEMA, gold=False) is tree
    assert tree.sql("sqlite").endswith('country = "France" AND "age" > 3')


def test_the_name_of_a_table_is_a_string_too_where_rows_are_no_values() -> None:
    tree = parse('SELECT name FROM singer WHERE country = "singer"', "sqlite")
    gold = resolve_double_quotes(tree, SCHEMA, gold=True)
    assert gold.sql("sqlite") == "SELECT name FROM singer WHERE country = 'singer'"
    whole_row = parse("SELECT s FROM singer s", "postgres")
    assert unresolved(whole_row, Schema(SCHEMA.tables, "postgres")) == ()


def test_sources_with_unknown_columns_accept_any_name() -> None:
    schema = Schema((Table("t", (Column("xs"), Column("s")), schema="d"),), "bigquery", "p")
    sql = "SELECT u.a, o, s.x.y, b FROM `p.d.t` AS t, UNNEST(t.xs) AS u WITH OFFSET AS o, UNNEST([1, 2]) AS b"
    assert unresolved(parse(sql, "bigquery"), schema) == ()
    assert references(parse(sql, "bigquery"), schema) == {("t", ""), ("t", "xs"), ("t", "s")}


columns = st.sampled_from(
    ["name", "id", "s.name", "S.AGE", "c.year", "c.name", "country", "singer_id", "upper(s.name)"]
)
sources = st.sampled_from(
    ["singer s JOIN concert c ON s.id = c.singer_id", "singer s LEFT JOIN (SELECT * FROM concert) c USING (id)",
     "singer s NATURAL JOIN concert c", "(SELECT * FROM singer) s, concert c"]
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(columns, min_size=1, max_size=4), sources, st.booleans(), st.booleans())
def test_generated_queries_read_what_sqlite_says(items: list[str], source: str, nested: bool, ordered: bool) -> None:
    sql = f"SELECT {', '.join(items)} FROM {source} WHERE {items[-1]} IS NOT NULL"
    if ordered:
        sql += f" ORDER BY {items[0]}"
    if nested:
        sql = f"WITH q AS ({sql}) SELECT q.*, singer.age FROM q, singer"
    with sqlite3.connect(":memory:") as connection:
        connection.executescript(DDL)
        try:
            expected = reads(connection, sql)
        except sqlite3.OperationalError:  # an ambiguous or hidden name: the engine's own error
            return
    assert resolved(sql, SCHEMA) == expected | joined(sql)


COLUMNS = "SELECT name FROM pragma_table_info(?)"


def described(connection: sqlite3.Connection) -> Schema:
    names = connection.execute("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')").fetchall()
    return Schema(
        tuple(
            Table(name, tuple(Column(row[0]) for row in connection.execute(COLUMNS, (name,)))) for (name,) in names
        )
    )  # fmt: skip


@pytest.mark.slow
def test_gold_of_spider_dev_reads_what_sqlite_says() -> None:
    folder = shared_data("data", "spider")
    opened: dict[str, tuple[sqlite3.Connection, Schema]] = {}
    wrong = []
    for example in json.loads(Path(folder, "dev.json").read_text()):
        name = example["db_id"]
        if name not in opened:
            file = folder / "database" / name / f"{name}.sqlite"
            connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
            opened[name] = connection, described(connection)
        connection, schema = opened[name]
        sql = example["query"]
        if resolved(sql, schema) != reads(connection, sql):
            wrong.append((name, sql))
    assert wrong == []
