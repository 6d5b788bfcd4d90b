"""Q(c): what a gold query reads decides, not how its names are spelled."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from dragoman.databases import connect
from dragoman.databases.guarded_database import GuardedDatabase
from dragoman.questions import Example, Question
from dragoman.refine.gold_check import check_gold
from dragoman.refine.propagate import Keys
from dragoman.refine.query_index import query_index
from dragoman.refine.refined_database import RefinedDatabase
from dragoman.refine.refinement import Refinement

KEY = "FOREIGN KEY (doc, pos) REFERENCES lines (doc, pos)"
STATEMENTS = [
    'CREATE TABLE lines (doc INTEGER, pos INTEGER, nm TEXT, "two words" TEXT, PRIMARY KEY (doc, pos))',
    f"CREATE TABLE notes (n_id INTEGER PRIMARY KEY, doc INTEGER, pos INTEGER, nm TEXT, {KEY})",
    "INSERT INTO lines VALUES (1, 1, 'a', 'x'), (1, 2, 'b', 'y'), (2, 1, 'c', 'z')",
    "INSERT INTO notes VALUES (1, 1, 2, 'first'), (2, 2, 1, 'second')",
]


@pytest.fixture
def base(tmp_path: Path) -> GuardedDatabase:
    with closing(sqlite3.connect(tmp_path / "d.sqlite")) as connection:
        for statement in STATEMENTS:
            connection.execute(statement)
        connection.commit()
    database = connect(str(tmp_path / "d.sqlite"))
    assert isinstance(database, GuardedDatabase)
    return database


def read(sql: str, base: GuardedDatabase) -> set[tuple[str, str]]:
    index = query_index([Example(Question("?"), sql)], base.schema())
    return {place for place in index.questions if place[1]}


@pytest.mark.parametrize(
    ("sql", "places"),
    [
        ("SELECT l.nm FROM lines AS l", {("lines", "nm")}),
        ("SELECT NM FROM Notes", {("notes", "nm")}),
        ("SELECT n.nm FROM lines l, notes n WHERE l.pos = 1", {("notes", "nm"), ("lines", "pos")}),
        ('SELECT "two words", [nm] FROM lines', {("lines", "two words"), ("lines", "nm")}),
        ("SELECT `two words` FROM lines", {("lines", "two words")}),
        ("WITH nm AS (SELECT pos AS nm FROM lines) SELECT nm FROM nm", {("lines", "pos")}),
        ("SELECT count(*) FROM lines WHERE 'nm' = 'doc'", set()),
        ("SELECT * FROM notes", {("notes", c) for c in ("n_id", "doc", "pos", "nm")}),
        ("SELECT 1 FROM lines JOIN notes USING (doc)", {("lines", "doc"), ("notes", "doc")}),
    ],
)
def test_names_are_bound_and_not_matched(base: GuardedDatabase, sql: str, places: set[tuple[str, str]]) -> None:
    assert read(sql, base) == places


def test_what_cannot_be_parsed_is_matched_by_words_and_marked(base: GuardedDatabase) -> None:
    index = query_index([Example(Question("?"), "SELECT nm FROM (lines WHERE 'doc'")], base.schema())
    assert index.fallback == {0}
    assert {place for place in index.questions if place[1]} == {("lines", "nm"), ("notes", "nm")}


def test_questions_without_gold_read_nothing(base: GuardedDatabase) -> None:
    assert query_index([Example(Question("?"), "")], base.schema()).unread == (0,)


def test_a_composite_key_takes_its_foreign_key_along(base: GuardedDatabase) -> None:
    keys = Keys(base.schema())
    names = keys.propagate(("lines", "pos"), Refinement({("lines", "pos"): "position"}))
    names = keys.propagate(
        ("lines", "doc"), Refinement({**names.columns, ("lines", "doc"): "document", ("lines", "two words"): "order"})
    )
    assert names.columns["notes", "pos"] == "position"
    assert names.columns["notes", "doc"] == "document"
    refined = RefinedDatabase(base, names)
    key = next(key for table in refined.schema() for key in table.foreign_keys)
    assert (key.columns, key.target_columns) == (("document", "position"),) * 2
    refined.close()
    examples = [
        Example(Question("?", id=str(n)), sql)
        for n, sql in enumerate(
            (
                "SELECT l.nm, n.nm FROM lines l JOIN notes n ON n.doc = l.doc AND n.pos = l.pos",
                "SELECT nm FROM notes JOIN lines USING (doc, pos)".replace("SELECT nm", "SELECT notes.nm"),
                "SELECT pos, count(*) FROM lines GROUP BY pos HAVING count(*) > 1",
                'SELECT "two words" FROM lines ORDER BY doc DESC, pos',
                "SELECT doc FROM lines WHERE (doc, pos) IN (SELECT doc, pos FROM notes)",
            )
        )
    ]
    found = check_gold(base, names, examples)
    assert (found.same, found.different, found.unread, found.unjudged) == (5, (), (), ())
    base.close()
