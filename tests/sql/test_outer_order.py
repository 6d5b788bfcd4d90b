from __future__ import annotations

import pytest

from dragoman.sql.outer_order import OuterOrder, outer_order

KEYS = [
    ("SELECT a FROM t", ()),
    ("SELECT a FROM t ORDER BY a", (0,)),
    ("SELECT b, a FROM t ORDER BY 2, b", (1, 0)),
    ("SELECT a AS x FROM t ORDER BY X DESC", (0,)),
    ("SELECT a FROM t ORDER BY c", (None,)),
    ("SELECT * FROM t ORDER BY c", ("c",)),
    ("SELECT *, a FROM t ORDER BY a", ("a",)),
    ("SELECT t.a, COUNT(*) FROM t GROUP BY t.a ORDER BY count( * )", (1,)),
    ("SELECT t.a, u.a FROM t JOIN t AS u ORDER BY u.a", (1,)),
    ("SELECT t.a FROM t ORDER BY a", (0,)),
    ("SELECT a FROM t ORDER BY a COLLATE NOCASE", (None,)),
    ("SELECT a || 'X' FROM t ORDER BY a || 'x'", (None,)),
    ("SELECT a FROM t UNION SELECT b FROM u ORDER BY a", (0,)),
    ("(SELECT a FROM t ORDER BY a)", (0,)),
    ("SELECT a FROM (SELECT a FROM t ORDER BY a)", ()),
    ("SELECT a, ROW_NUMBER() OVER (ORDER BY b) FROM t", ()),
    ("WITH c AS (SELECT a FROM t ORDER BY a) SELECT a FROM c", ()),
]


@pytest.mark.parametrize(("sql", "keys"), KEYS)
def test_keys_of_the_outermost_query(sql: str, keys: tuple[int | str | None, ...]) -> None:
    found = outer_order(sql, "sqlite")
    assert found.keys == keys
    assert found.ordered is bool(keys)
    assert found.projected is (None not in keys)
    assert found.limit is None


def test_a_limit_is_taken_off_and_hidden_keys_are_laid_open() -> None:
    found = outer_order("SELECT name FROM t ORDER BY age DESC, name LIMIT 2 OFFSET 1", "sqlite")
    assert (found.limit, found.offset) == (2, 1)
    assert found.unlimited == "SELECT name FROM t ORDER BY age DESC, name"
    assert found.with_keys == "SELECT name, age FROM t ORDER BY age DESC, name"


@pytest.mark.parametrize(
    ("sql", "limit", "offset"),
    [
        ("SELECT a FROM t LIMIT 3, 4", 4, 3),
        ("SELECT a FROM t LIMIT 1 + 1", -1, 0),
        ("SELECT a FROM (SELECT a FROM t LIMIT 2)", None, 0),
        ("SELECT a FROM t UNION SELECT b FROM u LIMIT 5", 5, 0),
    ],
)
def test_limits(sql: str, limit: int | None, offset: int) -> None:
    found = outer_order(sql, "sqlite")
    assert (found.limit, found.offset) == (limit, offset)


def test_other_dialects() -> None:
    assert outer_order("SELECT TOP 3 a FROM t ORDER BY a", "tsql").limit == 3
    assert outer_order("SELECT a FROM t ORDER BY a FETCH FIRST 3 ROWS ONLY", "postgres").limit == 3


def test_keys_cannot_be_laid_open_where_that_changes_the_rows() -> None:
    assert outer_order("SELECT DISTINCT a FROM t ORDER BY b LIMIT 1", "sqlite").with_keys == ""
    assert outer_order("SELECT DISTINCT a FROM t ORDER BY a LIMIT 1", "sqlite").with_keys != ""
    assert outer_order("SELECT a FROM t", "sqlite") == OuterOrder()
