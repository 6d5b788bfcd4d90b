from __future__ import annotations

import json

import pytest

from dragoman.databases import connect
from dragoman.errors import Unreadable
from dragoman.schema import Column, Schema, Table
from dragoman.sql.parse import parse
from dragoman.sql.unresolved import unresolved
from tests.shared_data import shared

SCHEMA = Schema(
    (
        Table("person", (Column("id"), Column("name"), Column("Full Name"))),
        Table("visit", (Column("person_id"), Column("day"))),
    )
)

RESOLVED = [
    "SELECT id, NAME FROM Person",
    "SELECT p.id FROM person AS p WHERE EXISTS (SELECT 1 FROM visit WHERE person_id = p.id AND name = 'x')",
    "SELECT COUNT(*) AS n FROM person GROUP BY name HAVING n > 1 ORDER BY n",
    "WITH c (x) AS (SELECT id FROM person) SELECT x FROM c",
    "WITH c AS (SELECT * FROM person) SELECT name FROM c",
    "SELECT q.n FROM (SELECT name AS n FROM person) AS q",
    "SELECT rowid, [Full Name], `name` FROM person",
    "SELECT value FROM json_each('[1]')",
    "SELECT name FROM sqlite_master",
    "SELECT id FROM person UNION SELECT person_id FROM visit ORDER BY id",
    "SELECT name FROM person WHERE id IN (SELECT person_id FROM visit)",
    "SELECT id FROM person JOIN visit USING (id)",
]
BROKEN = [
    ("SELECT surname FROM person", ["surname"]),
    ("SELECT name FROM people", ["people"]),
    ("SELECT p.day FROM person AS p JOIN visit AS v ON v.person_id = p.id", ["p.day"]),
    ("SELECT x.name FROM person", ["x.name"]),
    ("SELECT name FROM person WHERE id IN (SELECT nothing1 FROM visit)", ["nothing1"]),
    ("SELECT q.id FROM (SELECT name FROM person) AS q", ["q.id"]),
    ("SELECT name FROM person UNION SELECT a FROM visit", ["a"]),
    ('SELECT name FROM person WHERE name = "Rome"', ["Rome"]),
    ("SELECT name FROM person WHERE 1 = 0 AND surname = 'x'", ["surname"]),
]


@pytest.mark.parametrize("sql", RESOLVED)
def test_names_that_name_something(sql: str) -> None:
    assert unresolved(parse(sql, "sqlite"), SCHEMA) == ()


@pytest.mark.parametrize(("sql", "names"), BROKEN)
def test_names_that_name_nothing(sql: str, names: list[str]) -> None:
    found = unresolved(parse(sql, "sqlite"), SCHEMA)
    assert [name.name for name in found] == names
    assert [name.quoted for name in found] == [f'"{name}"' in sql for name in names]


@pytest.mark.slow
def test_no_gold_query_of_spider_is_accused() -> None:
    spider = shared("spider")
    accused = []
    databases = {}
    for example in json.loads((spider / "dev.json").read_text("utf-8")):
        name = example["db_id"]
        if name not in databases:
            databases[name] = connect(str(spider / "database" / name / f"{name}.sqlite")).schema()
        try:
            tree = parse(example["query"], "sqlite")
        except Unreadable:
            continue
        if any(not found.quoted for found in unresolved(tree, databases[name])):
            accused.append(example["query"])
    assert accused == []
