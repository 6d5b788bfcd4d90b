"""Every recipe parses in its dialect, and runs where an engine is here."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from dragoman.databases import connect
from dragoman.linking.recipes import KINDS, _all, recipes
from dragoman.sql.parse import parse
from tests.databases.places import mariadb_place, postgres_place

STATEMENTS = [(dialect, kind) for dialect in _all() for kind in KINDS]


@pytest.mark.parametrize(("dialect", "kind"), STATEMENTS)
def test_every_recipe_parses(dialect: str, kind: str) -> None:
    assert parse(recipes(dialect)[kind], dialect)


def test_every_dialect_has_every_kind_and_nothing_else() -> None:
    assert {dialect: tuple(found) for dialect, found in _all().items()} == dict.fromkeys(_all(), KINDS)
    assert recipes("mariadb") == recipes("mysql")
    assert not recipes("klingon")


@pytest.mark.parametrize("kind", KINDS)
def test_recipes_run_on_sqlite(kind: str) -> None:
    connection = sqlite3.connect(":memory:")
    connection.executescript("""
        CREATE TABLE t (name, total, items, tags, owner, doc);
        INSERT INTO t VALUES
        ('a Word', 1, '[{"name": "x"}]', '["w", "x"]', '{"name": "x"}', '{"owner": {"name": "x"}}');
        CREATE TABLE events_20240101 (id);
        CREATE TABLE events_20240102 (id);
        INSERT INTO events_20240102 VALUES ('x');
    """)
    assert connection.execute(recipes("sqlite")[kind]).fetchall() in ([("x",)], [("a Word",)])


@pytest.mark.parametrize("kind", KINDS)
def test_recipes_run_on_duckdb(kind: str) -> None:
    connection = duckdb.connect()
    connection.execute("""
        CREATE TABLE t AS SELECT 'a Word' AS name, 1 AS total, [{'name': 'x'}] AS items, ['w', 'x'] AS tags,
        {'name': 'x'} AS owner,
        '{"owner": {"name": "x"}}'::JSON AS doc
    """)
    connection.execute("CREATE TABLE events_20240101 (id TEXT); CREATE TABLE events_20240102 AS SELECT 'x' AS id")
    assert connection.execute(recipes("duckdb")[kind]).fetchall() in ([("x",)], [("a Word",)])


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    with postgres_place(Path()) as place:
        place.write(
            [
                "CREATE TYPE owner AS (name TEXT)",
                "CREATE TABLE t (name TEXT, total INT, items JSONB, tags TEXT[], owner owner, doc JSONB)",
                """INSERT INTO t VALUES
                ('a Word', 1, '[{"name": "x"}]', '{w,x}', ROW('x'), '{"owner": {"name": "x"}}')""",
                "CREATE TABLE events_20240101 (id TEXT)",
                "CREATE TABLE events_20240102 AS SELECT 'x' AS id",
            ]
        )
        yield place.url


@pytest.mark.parametrize("kind", KINDS)
def test_recipes_run_on_postgres(postgres: str, kind: str) -> None:
    database = connect(postgres)
    assert database.execute(recipes("postgres")[kind]).rows in ((("x",),), (("a Word",),))
    database.close()


@pytest.fixture(scope="module")
def mariadb() -> Iterator[str]:
    with mariadb_place(Path()) as place:
        place.write(
            [
                "CREATE TABLE t (name VARCHAR(20), total INT, items JSON, tags JSON, owner JSON, doc JSON)",
                """INSERT INTO t VALUES
                ('a Word', 1, '[{"name": "x"}]', '["w", "x"]', '{"name": "x"}', '{"owner": {"name": "x"}}')""",
                "CREATE TABLE events_20240101 (id VARCHAR(9))",
                "CREATE TABLE events_20240102 AS SELECT 'x' AS id",
            ]
        )
        yield place.url


@pytest.mark.parametrize("kind", KINDS)
def test_recipes_run_on_mariadb(mariadb: str, kind: str) -> None:
    database = connect(mariadb)
    assert database.execute(recipes("mariadb")[kind]).rows in ((("x",),), (("a Word",),))
    database.close()
