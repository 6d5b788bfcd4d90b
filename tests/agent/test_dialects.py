from __future__ import annotations

import re
import sqlite3
from contextlib import closing

import pytest

from dragoman.agent.tools.lookup_docs import notes
from dragoman.sql.parse import parse

DIALECTS = ["sqlite", "duckdb", "postgres", "mysql", "snowflake", "bigquery"]
TOPICS = [
    "Names",
    "Types",
    "Numbers",
    "Text",
    "Dates",
    "Date arithmetic",
    "Aggregation",
    "Window",
    "Order",
    "Joins",
    "NULL",
]
EXAMPLE = re.compile(r"``(.+?) ``|`((?:SELECT|WITH) [^`]+)`")


def examples(dialect: str) -> list[str]:
    """Every complete query in the notes on a dialect."""
    return [one or two for section in notes(dialect) for one, two in EXAMPLE.findall(section)]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_notes_cover_the_topics_and_their_examples_can_be_read(dialect: str) -> None:
    headings = " ".join(section.partition("\n")[0] for section in notes(dialect))
    assert [topic for topic in TOPICS if topic not in headings] == []
    assert len(examples(dialect)) > 15
    for sql in examples(dialect):
        parse(sql, dialect)


def test_examples_for_sqlite_run() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        for sql in examples("sqlite"):
            connection.execute(sql).fetchall()


def test_examples_for_duckdb_run() -> None:
    duckdb = pytest.importorskip("duckdb")
    with closing(duckdb.connect()) as connection:
        for sql in examples("duckdb"):
            connection.execute(sql).fetchall()


def test_a_dialect_without_notes_has_none_and_relatives_share() -> None:
    assert notes("oracle") == ()
    assert notes("redshift") == notes("postgres")
