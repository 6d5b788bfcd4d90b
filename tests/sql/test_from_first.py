"""The order of clauses is turned there and back without touching anything else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.sql.from_first import from_first, select_first

PAIRS = {
    "SELECT a FROM t": "FROM t SELECT a",
    "SELECT DISTINCT a FROM t WHERE b = 1 ORDER BY a LIMIT 3 OFFSET 2": (
        "FROM t WHERE b = 1 SELECT DISTINCT a ORDER BY a LIMIT 3 OFFSET 2"
    ),
    "SELECT a, COUNT(*) FROM t JOIN u ON t.a = u.b GROUP BY a HAVING COUNT(*) > 2": (
        "FROM t JOIN u ON t.a = u.b GROUP BY a HAVING COUNT(*) > 2 SELECT a, COUNT(*)"
    ),
    "SELECT a FROM t WHERE b IN (SELECT c FROM u WHERE d = 'x FROM y')": (
        "FROM t WHERE b IN (FROM u WHERE d = 'x FROM y' SELECT c) SELECT a"
    ),
    "SELECT a FROM t EXCEPT SELECT b FROM u UNION ALL SELECT 1 ORDER BY 1": (
        "FROM t SELECT a EXCEPT FROM u SELECT b UNION ALL SELECT 1 ORDER BY 1"
    ),
    "WITH x AS (SELECT 1 FROM y) SELECT * FROM x": "WITH x AS (FROM y SELECT 1) FROM x SELECT *",
    "SELECT (SELECT MAX(a) FROM t) FROM (SELECT b FROM u) AS v": (
        "FROM (FROM u SELECT b) AS v SELECT (FROM t SELECT MAX(a))"
    ),
    "SELECT a IS DISTINCT FROM b FROM t": "FROM t SELECT a IS DISTINCT FROM b",
    "SELECT TRIM(LEADING 'x' FROM a) FROM t": "FROM t SELECT TRIM(LEADING 'x' FROM a)",
    "SELECT a, b FROM t, u WHERE t.a = u.a": "FROM t, u WHERE t.a = u.a SELECT a, b",
    "SELECT 1": "SELECT 1",
}


@pytest.mark.parametrize("usual", PAIRS)
def test_the_select_clause_moves_behind_having(usual: str) -> None:
    assert from_first(usual) == PAIRS[usual]


@pytest.mark.parametrize("usual", PAIRS)
def test_turning_back_gives_the_same_text(usual: str) -> None:
    assert select_first(PAIRS[usual]) == usual


@pytest.mark.parametrize("usual", PAIRS)
def test_what_is_turned_already_stays(usual: str) -> None:
    assert from_first(PAIRS[usual]) == PAIRS[usual]
    assert select_first(usual) == usual


names = st.sampled_from(["a", "b.c", '"x y"', "MAX(a)", "'it''s'", "*"])


@st.composite
def queries(draw: st.DrawFn, depth: int = 2) -> str:
    """A query in the usual order, single spaces between its clauses."""
    inner = f"({draw(queries(depth - 1))})" if depth and draw(st.booleans()) else draw(names)
    parts = [f"SELECT {draw(names)}, {inner}", "FROM t"]
    parts += draw(st.sampled_from([[], ["JOIN u ON t.a = u.a"]]))
    if depth and draw(st.booleans()):
        parts.append(f"WHERE a IN ({draw(queries(depth - 1))})")
    parts += draw(st.sampled_from([[], ["GROUP BY a"], ["GROUP BY a HAVING COUNT(*) > 1"]]))
    if depth and draw(st.booleans()):
        return " ".join([*parts, draw(st.sampled_from(["UNION", "UNION ALL", "EXCEPT"])), draw(queries(depth - 1))])
    return " ".join(parts + draw(st.sampled_from([[], ["ORDER BY a DESC"], ["ORDER BY a LIMIT 1"]])))


@given(queries())
def test_there_and_back_is_the_same(usual: str) -> None:
    assert select_first(from_first(usual)) == usual


@given(st.text(max_size=40))
def test_any_text_is_turned_without_an_error(text: str) -> None:
    from_first(text)
    select_first(text)
