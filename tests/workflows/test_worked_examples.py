"""The worked examples are right: their queries run, their links are of the schema, their labels fit."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import pytest

from dragoman.databases import Database, connect
from dragoman.linking.recipes import recipes
from dragoman.schema import ddl
from dragoman.sql.parse import parse
from dragoman.sql.references import references, unresolved
from dragoman.workflows.din_sql_examples import din_examples
from dragoman.workflows.worked_examples import WorkedExample, example_schema, worked_examples

ROWS = (
    "INSERT INTO depot VALUES (1, 'North', 'Brook'), (2, 'South', 'Aldorp')",
    """INSERT INTO member VALUES (1, 'Ida', 'Aldorp', '2019-05-01'), (2, 'Jon', 'Brook', '2021-02-03'),
       (3, 'Kai', 'Aldorp', '2021-01-01')""",
    "INSERT INTO tool VALUES (1, 'drill', 'power', 120, 1), (2, 'saw', 'hand', 30, 1), (3, 'sander', 'power', 80, 2)",
    """INSERT INTO loan VALUES (1, 1, 1, '2022-01-01', '2022-01-05', 4), (2, 2, 1, '2022-02-01', NULL, 5),
       (3, 1, 2, '2022-02-02', '2022-02-03', 1), (4, 1, 1, '2022-03-02', '2022-02-03', 2)""",
)
EXPECTED: dict[str, list[tuple[Any, ...]]] = {
    "How many tools cost more than 100?": [(1,)],
    "What are the names and towns of the members who joined in 2021, the earliest first?": [
        ("Kai", "Aldorp"), ("Jon", "Brook"),
    ],
    "Which kinds have more than five tools?": [],
    "Which tools were ever lent to members from Aldorp?": [("drill",), ("saw",)],
    "How many tools does each depot keep? Give the depot's name and the number.": [("North", 2), ("South", 1)],
    "Who has paid the most in fees?": [("Ida",)],
    "Which tools kept in Brook are lent out at the moment?": [("drill",)],
    "Which members have never borrowed a tool?": [("Kai",)],
    "Which tools cost more than the average tool of their kind?": [("drill",)],
    "Which towns have a depot and also a member who joined before 2020?": [("Aldorp",)],
    "What is the largest number of tools that one member has borrowed?": [(2,)],
}  # fmt: skip
DIALECTS = ("sqlite", "duckdb", "postgres", "mysql", "snowflake", "bigquery", "tsql", "oracle", "databricks")


@pytest.fixture(params=["sqlite", "duckdb"])
def library(tmp_path: Path, request: pytest.FixtureRequest) -> Database:
    path = tmp_path / f"library.{request.param}"
    statements = [*ddl(example_schema(request.param)).split("\n\n"), *ROWS]
    with closing(sqlite3.connect(path) if request.param == "sqlite" else duckdb.connect(str(path))) as connection:
        for statement in statements:
            connection.execute(statement)
        if request.param == "sqlite":
            connection.commit()
    return connect(str(path))


def test_every_query_gives_what_its_question_asks(library: Database) -> None:
    for example in worked_examples(library.dialect):
        rows = library.execute(example.sql).rows
        if example.question in EXPECTED:
            wanted = EXPECTED[example.question]
            ordered = "first" in example.question
            assert (list(rows) if ordered else sorted(rows)) == (wanted if ordered else sorted(wanted)), (
                example.question
            )
        for _, sql in example.sub:
            assert library.execute(sql).rows
    assert float(library.execute(worked_examples(library.dialect)[2].sql).rows[0][0]) == pytest.approx(7 / 3)


@pytest.mark.parametrize("example", worked_examples("sqlite"), ids=lambda example: example.question)
def test_links_and_label_fit_the_query(example: WorkedExample) -> None:
    schema = example_schema("sqlite")
    tree = parse(example.sql, "sqlite")
    assert unresolved(tree, schema) == ()
    linked = {tuple(name.split(".")) for link in example.links for name in re.findall(r"[a-z_]+\.[a-z_]+", link)}
    assert linked <= {(t.name, c.name) for t in schema for c in t.columns}
    assert {column for column in references(tree, schema) if column[1]} >= linked
    nested = example.sql.count("SELECT") > 1
    assert example.difficulty == ("NESTED" if nested else "NON-NESTED" if "JOIN" in example.sql else "EASY")
    assert bool(example.sub) is nested
    assert bool(example.intermediate) is (example.difficulty == "NON-NESTED")
    assert len(example.steps) > 1


@pytest.mark.parametrize("dialect", DIALECTS)
def test_examples_are_shown_in_the_dialect(dialect: str) -> None:
    assert recipes(dialect)
    found = worked_examples(dialect)
    assert {example.difficulty for example in found} == {"EASY", "NON-NESTED", "NESTED"}
    for example in found:
        parse(example.sql, dialect)
        assert example.sql in din_examples(
            "easy" if example.difficulty == "EASY" else "nested" if example.sub else "non_nested", dialect
        )
    if dialect == "tsql":
        assert any("TOP 1" in example.sql for example in found)
