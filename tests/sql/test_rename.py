"""A renamed query gives the same rows on the renamed database, and renaming back gives the query again."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlglot import exp

from dragoman.errors import Unreadable
from dragoman.schema import Column, ForeignKey, Schema, Table
from dragoman.sql.binding import Origin
from dragoman.sql.parse import Tree, parse
from dragoman.sql.quote import quote_always
from dragoman.sql.rename import rename, renamed
from tests.shared_data import shared_data
from tests.sql.test_references import DDL, QUERIES, SCHEMA, described

NAMES = {
    ("singer", "name"): "full name",
    ("singer", ""): "Artist",
    ("concert", "id"): "concert_id",
    ("singer", "id"): "order",
    ("singer", "age"): "years",
    ("concert", "year"): "n",
}

ROWS = """
INSERT INTO singer VALUES (1, 'Ann', 70, 'NL'), (2, 'Bo', 30, 'FR'), (3, 'Cy', 65, 'NL');
INSERT INTO concert VALUES (1, 1, 'Ann', 2001), (2, 1, 'Fest', 70), (3, 2, 'Cy', 1999);
INSERT INTO "Order Details" VALUES ('L', 'x', 'y', 1, 1), ('M', 'x', 'z', 2, 2);
"""


def database(names: Mapping[Origin, str], schema: Schema, source: sqlite3.Connection) -> sqlite3.Connection:
    """A copy of the database with the names changed."""
    copy = sqlite3.connect(":memory:")
    copy.text_factory = source.text_factory = bytes
    source.backup(copy)
    for table in schema:
        old = quote_always(table.name, "sqlite")
        for column in table.columns:
            if (table.name, column.name) in names:
                own, new = (quote_always(n, "sqlite") for n in (column.name, names[table.name, column.name]))
                copy.execute(f"ALTER TABLE {old} RENAME COLUMN {own} TO {new}")
        if (table.name, "") in names:
            copy.execute(f"ALTER TABLE {old} RENAME TO {quote_always(names[table.name, ''], 'sqlite')}")
    return copy


def back(names: Mapping[Origin, str]) -> dict[Origin, str]:
    """The renaming that undoes `names`."""
    tables = {table: new for (table, column), new in names.items() if not column}
    return {
        (tables.get(table, table), new if column else ""): column or table for (table, column), new in names.items()
    }


def plain(tree: Tree) -> str:
    """The tree without the spelling of its names."""
    copy = tree.copy()
    for node in copy.find_all(exp.Identifier):
        node.set("this", node.this.lower())
        node.set("quoted", False)
    return repr(copy)


@pytest.fixture
def source() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.executescript(DDL + ROWS)
    return connection


@pytest.mark.parametrize("keep", [False, True])
@pytest.mark.parametrize("sql", QUERIES)
def test_the_rows_stay_the_same(source: sqlite3.Connection, sql: str, keep: bool) -> None:
    if "JOIN (SELECT" in sql or (keep and "USING" in sql and "*" in sql):
        with pytest.raises(Unreadable, match="star"):
            rename(sql, SCHEMA, NAMES, keep_output_names=keep)
        return
    changed = rename(sql, SCHEMA, NAMES, keep_output_names=keep)
    before, after = source.execute(sql), database(NAMES, SCHEMA, source).execute(changed)
    assert after.fetchall() == before.fetchall()
    if keep and "rowid" not in sql:
        shown, kept = ([d[0].lower() for d in cursor.description] for cursor in (before, after))
        assert [a for a, b in zip(kept, shown, strict=True) if not set("( ") & set(b)] == [
            b for b in shown if not set("( ") & set(b)
        ]


@pytest.mark.parametrize("sql", [q for q in QUERIES if "USING" not in q and "NATURAL" not in q])
def test_renaming_back_gives_the_query_again(sql: str) -> None:
    changed = rename(sql, SCHEMA, NAMES)
    again = rename(changed, renamed(SCHEMA, NAMES), back(NAMES))
    assert plain(parse(again, "sqlite")) == plain(parse(sql, "sqlite"))


def test_strings_aliases_and_comments_stay_as_they_are() -> None:
    sql = "SELECT s.name AS name, 'name' -- name\nFROM singer AS s\nWHERE s.name = 'singer' ORDER BY name"
    changed = rename(sql, SCHEMA, {("singer", "name"): "title", ("singer", ""): "artist"})
    assert changed == (
        "SELECT s.title AS name, 'name' -- name\nFROM artist AS s\nWHERE s.title = 'singer' ORDER BY name"
    )


def test_a_name_that_would_mean_something_else_is_qualified() -> None:
    sql = "SELECT count(*) AS total FROM singer, concert WHERE age > 3 ORDER BY age"
    changed = rename(sql, SCHEMA, {("singer", "age"): "total"})
    assert changed == "SELECT count(*) AS total FROM singer, concert WHERE total > 3 ORDER BY singer.total"
    changed = rename("SELECT age FROM singer, concert", SCHEMA, {("singer", "age"): "year"})
    assert changed == "SELECT singer.year FROM singer, concert"


def test_using_becomes_on_where_the_sides_part() -> None:
    changed = rename("SELECT id, year FROM singer s LEFT JOIN concert c USING (id)", SCHEMA, {("concert", "id"): "cid"})
    assert changed == "SELECT s.id, c.year FROM singer s LEFT JOIN concert c ON s.id = c.cid"
    both = {("concert", "id"): "key", ("singer", "id"): "key"}
    assert rename("SELECT id FROM singer JOIN concert USING (id)", SCHEMA, both) == (
        "SELECT key FROM singer JOIN concert USING (key)"
    )


def test_quoted_paths_of_bigquery_are_renamed_inside_their_quotes() -> None:
    schema = Schema((Table("t", (Column("a"),), schema="d"),), "bigquery", "p")
    names = {("t", ""): "u", ("t", "a"): "b"}
    assert rename("SELECT x.a FROM `p.d.t` AS x", schema, names) == "SELECT x.b FROM `p.d.u` AS x"


def test_the_renamed_schema_keeps_its_keys() -> None:
    schema = Schema(
        (
            Table("a", (Column("id", primary_key=1),)),
            Table("b", (Column("a_id"),), foreign_keys=(ForeignKey(("a_id",), "a", ("id",)),)),
        )
    )
    changed = renamed(schema, {("a", ""): "c", ("a", "id"): "key", ("b", "a_id"): "c_key"})
    assert changed.tables[1].foreign_keys == (ForeignKey(("c_key",), "c", ("key",)),)


new_names = st.sampled_from(["x", "name", "id", "select", "total", "Full Name", 'a"b', "größe", "T", "n", "age"])


@settings(max_examples=60, deadline=None)
@given(st.sampled_from([q for q in QUERIES if "*" not in q and "rowid" not in q]), st.data())
def test_any_renaming_keeps_the_rows(sql: str, data: st.DataObject) -> None:
    names: dict[Origin, str] = {}
    for table in SCHEMA.tables[:2]:
        taken: set[str] = set()
        for column in table.columns:
            new = data.draw(new_names)
            names[table.name, column.name] = new = new if new.lower() not in taken else f"{column.name}_2"
            taken.add(new.lower())
    with sqlite3.connect(":memory:") as source:
        source.executescript(DDL + ROWS)
        try:
            changed = rename(sql, SCHEMA, names)
        except Unreadable:
            return
        try:
            copy = database(names, SCHEMA, source)
        except sqlite3.OperationalError:  # two columns swap their names: more than ALTER TABLE can do
            return
        assert copy.execute(changed).fetchall() == source.execute(sql).fetchall()


@pytest.mark.slow
def test_gold_of_spider_dev_keeps_its_rows_under_new_names() -> None:
    folder = shared_data("data", "spider")
    opened: dict[str, tuple[Schema, dict[Origin, str], sqlite3.Connection, sqlite3.Connection]] = {}
    wrong = []
    for example in json.loads((folder / "dev.json").read_text()):
        name, sql = example["db_id"], example["query"]
        if name == "wta_1":
            continue
        if name not in opened:
            connection = sqlite3.connect(f"file:{folder / 'database' / name / f'{name}.sqlite'}?mode=ro", uri=True)
            schema = described(connection)
            schema = Schema(tuple(t for t in schema if not t.name.startswith("sqlite_")))
            names = {(t.name, c.name): f"{c.name} 2" for t in schema for c in t.columns} | {
                (t.name, ""): f"new {t.name}" for t in schema
            }
            opened[name] = schema, names, connection, database(names, schema, connection)
        schema, names, before, after = opened[name]
        changed = rename(sql, schema, names)
        if before.execute(sql).fetchall() != after.execute(changed).fetchall():
            wrong.append((name, sql, changed))
    assert wrong == []
