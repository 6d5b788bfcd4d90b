"""Views before a query: they show what it may read, and never less."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from dragoman.schema import Column, Schema, Table
from dragoman.sql.overlay import Select, overlay

NAMES = {"name": '"nm" AS "name"', "town": '"twn" AS "town"', "id": '"id"', "amount": '"amt" AS "amount"'}
OTHER = {"id": '"id"', "place": '"plc" AS "place"', "town": '"t" AS "town"'}
VIEWS = {"dealers": Select(NAMES, "main.d"), "places": Select(OTHER, "main.p")}
SCHEMA = Schema(
    tuple(Table(name, tuple(Column(c, "TEXT") for c in view.columns)) for name, view in VIEWS.items()), "duckdb"
)


def test_a_view_shows_the_columns_that_the_query_names() -> None:
    sql = overlay("SELECT d.name FROM dealers AS d WHERE d.Town = 'x'", VIEWS, SCHEMA)
    assert '("nm" AS "name"' not in sql
    assert 'SELECT "nm" AS "name", "twn" AS "town" FROM main.d' in sql
    assert "amt" not in sql
    assert "places" not in sql


def test_a_view_of_which_nothing_is_read_has_one_column() -> None:
    assert '(SELECT "nm" AS "name" FROM main.d)' in overlay("SELECT COUNT(*) FROM dealers", VIEWS, SCHEMA)


QUERIES = [
    "SELECT * FROM dealers ORDER BY 1",
    "SELECT d.* FROM dealers AS d JOIN places AS p ON p.id = d.id ORDER BY 1",
    "SELECT * EXCLUDE (name) FROM dealers ORDER BY 1",
    "SELECT * REPLACE (id + 1 AS id) FROM dealers ORDER BY 1",
    "SELECT COLUMNS('.*n.*') FROM dealers ORDER BY 1",
    "SELECT COUNT(*) FROM dealers NATURAL JOIN places",
    "SELECT * FROM dealers NATURAL JOIN places",
    "SELECT COUNT(*) FROM dealers JOIN places USING (id)",
    "SELECT d FROM dealers AS d ORDER BY d",
    "SELECT COUNT(d) FROM dealers AS d",
    "SELECT x FROM (SELECT * FROM dealers) AS s (w, x, y, z) ORDER BY 1",
    "SELECT w FROM dealers AS d (w) ORDER BY 1",
    "FROM dealers ORDER BY 1",
    "SELECT * FROM (SELECT id, town FROM dealers UNION ALL BY NAME SELECT town, id FROM places) ORDER BY ALL",
    "WITH c AS (SELECT * FROM dealers) SELECT name FROM c ORDER BY 1",
    "SELECT town, SUM(amount) FROM dealers GROUP BY ALL ORDER BY 1",
    "SELECT DISTINCT ON (town) town FROM dealers ORDER BY ALL",
    "PIVOT (SELECT * FROM dealers) ON town USING SUM(amount)",
    "SELECT * FROM (PIVOT dealers ON town USING SUM(amount)) ORDER BY 1",
    "SELECT * FROM (UNPIVOT (SELECT id, amount FROM dealers) ON amount INTO NAME k VALUE v) ORDER BY 1",
    "SELECT count(*) FROM dealers WHERE EXISTS (SELECT * FROM places WHERE places.id = dealers.id)",
    "SELECT (SELECT MAX(place) FROM places AS p WHERE p.town = d.town) FROM dealers AS d ORDER BY 1",
    "TABLE dealers",
    "SELECT x FROM dealers AS d (w, x) ORDER BY 1",
    "SELECT id FROM dealers AS d (w) ORDER BY 1",
    "SELECT to_json(dealers) AS dealers FROM dealers ORDER BY ALL",
    "SELECT d.id AS d, to_json(d) FROM dealers AS d ORDER BY ALL",
    "SELECT (SELECT count(*) FROM range(2) AS g WHERE d::VARCHAR LIKE '%x%') FROM dealers AS d ORDER BY 1",
    "SELECT COUNT(*) FROM dealers NATURAL JOIN (SELECT id FROM places UNION ALL BY NAME SELECT * FROM places)",
    "SELECT COUNT(*) FROM (dealers AS a NATURAL JOIN dealers AS b), (dealers AS c NATURAL JOIN places AS e)",
    "SELECT * FROM dealers AS t, (SELECT place FROM places) AS t ORDER BY ALL",
]


def test_a_column_named_like_a_function_stays_a_column() -> None:
    view = Select({"id": "id", "current_date": '"d" AS "current_date"'}, "main.t")
    schema = Schema((Table("t", (Column("id", "INTEGER"), Column("current_date", "TEXT"))),), "duckdb")
    assert '"d" AS "current_date"' in overlay("SELECT current_date FROM t", {"t": view}, schema)


def test_columns_that_differ_in_case_alone_are_all_shown() -> None:
    view = Select({"Id": '"Id"', "id": '"id"', "v": '"v"'}, "public.t")
    schema = Schema((Table("t", (Column("Id", "TEXT"), Column("id", "TEXT"), Column("v", "TEXT"))),), "postgres")
    assert 'SELECT "Id", "id", "v" FROM' in overlay("SELECT * FROM t", {"t": view}, schema)


@pytest.mark.parametrize("sql", QUERIES)
def test_the_same_is_read_as_through_views(sql: str, tmp_path: Path) -> None:
    with duckdb.connect() as engine:
        engine.execute("CREATE TABLE d (id INTEGER, nm TEXT, twn TEXT, amt INTEGER)")
        engine.execute("CREATE TABLE p (id INTEGER, plc TEXT, t TEXT)")
        engine.execute("INSERT INTO d VALUES (1, 'a', 'x', 5), (2, 'b', 'y', 7), (3, 'c', 'x', NULL)")
        engine.execute("INSERT INTO p VALUES (1, 'q', 'x'), (2, 'r', 'z'), (5, 's', 'x')")
        before = engine.execute(overlay(sql, VIEWS, SCHEMA))
        columns, rows = before.description, before.fetchall()
        for name, view in VIEWS.items():
            engine.execute(f"CREATE VIEW {name} AS {view.sql()}")
        seen = engine.execute(sql)
        assert [c[0] for c in seen.description or ()] == [c[0] for c in columns or ()]
        assert seen.fetchall() == rows
