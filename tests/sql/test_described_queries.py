"""Several queries of one reply, and what queries compare their columns with."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.schema import Column, Schema, Table
from dragoman.sql.compared_values import compared_values
from dragoman.sql.described_queries import DescribedQuery, described_queries
from dragoman.sql.parse import parse


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        ("```sql\n-- Description: a\nSELECT 1;\n```\nor\n```sql\nSELECT 2\n```", [("SELECT 1", "a"), ("SELECT 2", "")]),
        ("```\n-- one\n-- more\nSELECT 1;\n/* b */ SELECT ';' ;\n```", [("SELECT 1", "one more"), ("SELECT ';'", "b")]),
        ("<think>```sql\nSELECT 0\n```</think>```sql\nSELECT 1\n```", [("SELECT 1", "")]),
        ("```sql\nSELECT 1\n```\n```sql\nSELECT 1\n```", [("SELECT 1", "")]),
        ("```sql\nSELECT 'open\n```\n```sql\nSELECT 2\n```", [("SELECT 2", "")]),
        ("```sql\nSELECT 1", [("SELECT 1", "")]),
        ("SELECT n FROM t", [("SELECT n FROM t", "")]),
        ("I would look at the table t.", []),
        ("", []),
    ],
)  # fmt: skip
def test_queries_in_a_reply(reply: str, found: list[tuple[str, str]]) -> None:
    assert list(described_queries(reply, "sqlite")) == found


@given(
    st.lists(st.tuples(st.integers(0, 99), st.text("abc ü?", max_size=9)), max_size=8, unique_by=lambda pair: pair[0])
)
def test_what_is_written_comes_back(pairs: list[tuple[int, str]]) -> None:
    reply = "\n\n".join(f"```sql\n-- {about}\nSELECT {number} FROM t;\n```" for number, about in pairs)
    wanted = [DescribedQuery(f"SELECT {number} FROM t", " ".join(about.split())) for number, about in pairs]
    assert list(described_queries(reply, "duckdb")) == wanted


@given(st.text(max_size=200))
def test_no_reply_breaks_it(reply: str) -> None:
    described_queries(f"```sql\n{reply}\n```", "sqlite")


SCHEMA = Schema((Table("t", (Column("a", "TEXT"), Column("b", "TEXT"))), Table("u", (Column("c", "TEXT"),))))


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        ("SELECT 1 FROM t WHERE a = 'x' AND b <> 'y'", [(("t", "a"), "x"), (("t", "b"), "y")]),
        ("SELECT 1 FROM t AS q, u WHERE q.A = 'x' OR c LIKE '%y%'", [(("t", "a"), "x"), (("u", "c"), "y")]),
        ("SELECT 1 FROM t WHERE LOWER(TRIM(a)) IN ('x', 'y')", [(("t", "a"), "x"), (("t", "a"), "y")]),
        ("SELECT 1 FROM t WHERE 'x' = a", [(("t", "a"), "x")]),
        ("SELECT 1 FROM t WHERE a = LOWER('X')", [(("t", "a"), "X")]),
        ("SELECT a FROM t WHERE a = b AND b = 3", []),
        ("SELECT 'x' FROM (SELECT a FROM t WHERE a = 'z')", [(("t", "a"), "z")]),
    ],
)  # fmt: skip
def test_texts_that_columns_are_compared_with(sql: str, found: list[object]) -> None:
    assert list(compared_values(parse(sql, "sqlite"), SCHEMA)) == found
