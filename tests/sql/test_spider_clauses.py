from __future__ import annotations

import pytest

from dragoman.schema import Column, ForeignKey, Schema, Table
from dragoman.sql.spider_clauses import Clauses, spider_clauses

SCHEMA = Schema(
    (
        Table("singer", (Column("id"), Column("name"), Column("age"))),
        Table(
            "concert",
            (Column("singer_id"), Column("year")),
            foreign_keys=(ForeignKey(("singer_id",), "singer", ("id",)),),
        ),
    )
)

OUTSIDE = [
    "SELECT name FROM singer LEFT JOIN concert ON id = singer_id",
    "SELECT name FROM singer WHERE (age > 3 OR age < 1) AND name = 'a'",
    "SELECT UPPER(name) FROM singer",
    "SELECT name FROM singer WHERE name IS NULL",
    "SELECT CASE WHEN age > 3 THEN 1 END FROM singer",
    "WITH c AS (SELECT name FROM singer) SELECT name FROM c",
    "SELECT name FROM singer WHERE age > ABS(3)",
    "SELECT 1",
    "SELECT nothing1 FROM singer",
    "not SQL",
]
SAME = [
    ("SELECT name FROM singer WHERE age > 3", "select NAME from Singer where singer.age > 99"),
    ("SELECT T1.name FROM singer AS T1 JOIN concert AS T2 ON T1.id = T2.singer_id",
     "SELECT name FROM singer JOIN concert ON singer.id = concert.singer_id"),
    ("SELECT DISTINCT name FROM singer", "SELECT name FROM singer"),
    ("SELECT COUNT(DISTINCT name) FROM singer", "SELECT COUNT(name) FROM singer"),
    ("SELECT name AS n FROM singer", "SELECT name FROM singer"),
    ('SELECT name FROM singer WHERE name = "x"', "SELECT name FROM singer WHERE name = 'y'"),
]  # fmt: skip
OTHER = [
    ("SELECT MAX(age) FROM singer", "SELECT MIN(age) FROM singer"),
    ("SELECT name FROM singer WHERE age > 3", "SELECT name FROM singer WHERE age < 3"),
    ("SELECT name FROM singer WHERE id IN (SELECT singer_id FROM concert)",
     "SELECT name FROM singer WHERE id NOT IN (SELECT singer_id FROM concert)"),
    ("SELECT name FROM singer WHERE id IN (SELECT singer_id FROM concert)",
     "SELECT name FROM singer WHERE id IN (SELECT singer_id FROM concert WHERE year = 1)"),
    ("SELECT name FROM singer ORDER BY age", "SELECT name FROM singer ORDER BY age DESC"),
    ("SELECT name FROM singer UNION SELECT name FROM singer", "SELECT name FROM singer EXCEPT SELECT name FROM singer"),
]  # fmt: skip


@pytest.mark.parametrize("sql", OUTSIDE)
def test_what_spiders_parser_does_not_read(sql: str) -> None:
    assert spider_clauses(sql, SCHEMA) is None


@pytest.mark.parametrize(("left", "right"), SAME)
def test_spelling_values_and_distinct_leave_no_trace(left: str, right: str) -> None:
    found = spider_clauses(left, SCHEMA)
    assert found is not None
    assert found == spider_clauses(right, SCHEMA)


@pytest.mark.parametrize(("left", "right"), OTHER)
def test_everything_else_does(left: str, right: str) -> None:
    found = spider_clauses(left, SCHEMA)
    assert found is not None
    assert found != spider_clauses(right, SCHEMA)


def test_set_operations_lean_to_the_right_and_the_last_branch_is_ordered() -> None:
    found = spider_clauses(
        "SELECT name FROM singer UNION SELECT name FROM singer EXCEPT SELECT name FROM singer ORDER BY name LIMIT 2",
        SCHEMA,
    )
    assert isinstance(found, Clauses)
    assert (found.operator, found.order) == ("union", ())
    assert found.branch is not None
    assert found.branch.operator == "except"
    assert found.branch.branch is not None
    assert found.branch.branch.limit == 2
    assert found.branch.branch.order[0] == "asc"
