"""Plain spelling changes how a query is written and never what it returns."""

from __future__ import annotations

import sqlite3

import pytest

from dragoman.schema import Column, Schema, Table
from dragoman.sql.plain import plain_sql
from dragoman.sql.quote import quote
from dragoman.sql.real_names import real_names

SCHEMA = Schema(
    (
        Table("Person", (Column("Id"), Column("Name"), Column("Boss"), Column("Order"))),
        Table("Pet", (Column("Pet Id"), Column("Owner"), Column("Kind"), Column("Name"))),
    )
)

CASES = {
    "SELECT T1.Name FROM Person AS T1": "SELECT name FROM person",
    "SELECT T1.Name, Kind FROM Person AS T1 JOIN Pet AS T2 ON T2.Owner = T1.Id": (
        "SELECT person.name, pet.kind FROM person JOIN pet ON person.id = pet.owner"
    ),
    "SELECT a.Name, b.Name FROM Person a INNER JOIN Person b ON a.Boss = b.Id": (
        "SELECT t1.name, t2.name FROM person AS t1 JOIN person AS t2 ON t1.boss = t2.id"
    ),
    'SELECT "Pet Id" FROM Pet WHERE Kind = "dog"': "SELECT \"pet id\" FROM pet WHERE kind = 'dog'",
    "SELECT Name FROM Person ORDER BY Id ASC": "SELECT name FROM person ORDER BY id",
    "SELECT Name FROM Person p WHERE EXISTS (SELECT 1 FROM Pet x WHERE x.Owner = p.Id)": (
        "SELECT name FROM person WHERE EXISTS(SELECT 1 FROM pet WHERE owner = person.id)"
    ),
    "SELECT Name FROM Person p WHERE Id > (SELECT MIN(q.Id) FROM Person q WHERE q.Boss = p.Boss)": (
        "SELECT name FROM person AS p WHERE id > (SELECT MIN(id) FROM person WHERE boss = p.boss)"
    ),
    "SELECT x.Name FROM (SELECT Name FROM Pet) AS x": "SELECT name FROM (SELECT name FROM pet) AS x",
    "SELECT COUNT(*) AS N FROM Pet GROUP BY Kind ORDER BY N DESC": (
        "SELECT COUNT(*) AS n FROM pet GROUP BY kind ORDER BY n DESC"
    ),
    'SELECT "Order" FROM Person': 'SELECT "order" FROM person',
}


def lower(name: str) -> str:
    """As the tests write names: in lower case, quoted where they have to be."""
    return quote(name.lower(), "sqlite")


@pytest.fixture(scope="module")
def database() -> sqlite3.Connection:
    """People and their pets."""
    connection = sqlite3.connect(":memory:")
    connection.executescript(
        """
        CREATE TABLE Person (Id, Name, Boss, "Order");
        CREATE TABLE Pet ("Pet Id", Owner, Kind, Name);
        INSERT INTO Person VALUES (1, 'Ada', NULL, 3), (2, 'Bo', 1, 1), (3, 'Cy', 1, 2), (4, 'Di', 2, 4);
        INSERT INTO Pet VALUES (1, 2, 'dog', 'Rex'), (2, 2, 'cat', 'Tom'), (3, 3, 'dog', 'Ada');
        """
    )
    return connection


@pytest.mark.parametrize("sql", CASES)
def test_spelling(sql: str) -> None:
    assert plain_sql(sql, SCHEMA, lower) == CASES[sql]


@pytest.mark.parametrize("sql", CASES)
def test_the_result_stays_the_same(sql: str, database: sqlite3.Connection) -> None:
    again = real_names(plain_sql(sql, SCHEMA, lower), SCHEMA)
    assert database.execute(again).fetchall() == database.execute(sql).fetchall()


@pytest.mark.parametrize("sql", CASES)
def test_plain_spelling_is_stable(sql: str) -> None:
    once = plain_sql(sql, SCHEMA, lower)
    assert plain_sql(once, SCHEMA, lower) == once


def test_names_come_back_in_the_schema_s_own_case_and_dialect() -> None:
    schema = Schema(
        (Table("Order Lines", (Column("orderId"), Column("Größe"), Column("select")), schema="Shop"),),
        dialect="postgres",
        default_schema="public",
    )
    assert real_names('SELECT orderid, "größe", "select" FROM "order lines"', schema) == (
        'SELECT "orderId", "Größe", "select" FROM "Shop"."Order Lines"'
    )


def test_a_column_takes_the_case_of_its_own_table() -> None:
    schema = Schema((Table("a", (Column("Year"),)), Table("b", (Column("year"), Column("x")))), dialect="postgres")
    sql = "SELECT a.year, b.year FROM a JOIN b ON a.year = b.year WHERE x = 1"
    assert real_names(sql, schema) == 'SELECT a."Year", b.year FROM a JOIN b ON a."Year" = b.year WHERE x = 1'
