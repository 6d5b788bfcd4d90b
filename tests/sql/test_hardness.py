from __future__ import annotations

import json
from collections import Counter

import pytest

from dragoman.errors import Unreadable
from dragoman.sql.hardness import Components, components, hardness
from tests.shared_data import shared_data

COUNTS = [
    # component 1
    ("SELECT a FROM t", (0, 0, 0)),
    ("SELECT a FROM t WHERE b = 1", (1, 0, 0)),
    ("SELECT a FROM t GROUP BY a", (1, 0, 0)),
    ("SELECT a FROM t ORDER BY a LIMIT 1", (2, 0, 0)),
    ("SELECT t.a FROM t JOIN u ON t.id = u.id JOIN v ON u.id = v.id", (2, 0, 0)),
    ("SELECT t.a FROM t, u WHERE t.id = u.id", (2, 0, 0)),
    ("SELECT a FROM t WHERE b = 1 OR b = 2 OR b = 3", (3, 0, 1)),
    ("SELECT a FROM t WHERE b LIKE '%x%'", (2, 0, 0)),
    ("SELECT a FROM t WHERE NOT (b LIKE '%x%' OR c = 1)", (3, 0, 1)),
    # component 2
    ("SELECT a FROM t WHERE b = (SELECT max(b) FROM t)", (1, 1, 0)),
    ("SELECT a FROM t WHERE b IN (SELECT b FROM u WHERE c IN (SELECT c FROM v))", (1, 1, 0)),
    ("SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u) AND c > (SELECT avg(c) FROM t)", (1, 2, 1)),
    ("SELECT a FROM t GROUP BY a HAVING count(*) > (SELECT count(*) FROM u)", (1, 1, 0)),
    ("SELECT a FROM t UNION SELECT b FROM u WHERE c = 1 AND d = 2", (0, 1, 0)),
    ("SELECT a FROM t EXCEPT SELECT b FROM u INTERSECT SELECT c FROM v", (0, 1, 0)),
    ("SELECT a FROM t UNION SELECT b FROM u ORDER BY 1 LIMIT 3", (0, 1, 0)),
    # others
    ("SELECT max(a), min(b) FROM t", (0, 0, 2)),
    ("SELECT a FROM t GROUP BY a ORDER BY count(*)", (2, 0, 0)),
    ("SELECT count(*) FROM t GROUP BY a ORDER BY count(*)", (2, 0, 1)),
    ("SELECT a FROM t WHERE b = 1 AND c = 2", (1, 0, 1)),
    ("SELECT count(*) FROM t GROUP BY a, b", (1, 0, 1)),
    ("SELECT a FROM t WHERE b NOT IN (1) AND c NOT LIKE 'x'", (2, 0, 2)),
    ("SELECT a FROM t GROUP BY a HAVING count(*) > 1 AND sum(b) > 2 AND sum(c) > 3", (1, 0, 1)),
    # beyond Spider's SQL
    ("WITH w AS (SELECT a FROM t) SELECT a FROM w", (0, 1, 0)),
    ("SELECT (SELECT max(b) FROM u) FROM t", (0, 1, 0)),
    ("SELECT count(*) FROM (SELECT a FROM t GROUP BY a HAVING count(*) > 1)", (0, 0, 0)),
]

LEVELS = [
    ((0, 0, 0), "easy"),
    ((1, 0, 0), "easy"),
    ((1, 0, 1), "medium"),
    ((1, 0, 2), "medium"),
    ((2, 0, 0), "medium"),
    ((2, 0, 1), "medium"),
    ((2, 0, 2), "extra"),
    ((2, 0, 3), "hard"),
    ((1, 0, 3), "hard"),
    ((3, 0, 2), "hard"),
    ((3, 0, 3), "extra"),
    ((4, 0, 0), "extra"),
    ((1, 1, 0), "hard"),
    ((1, 1, 1), "extra"),
    ((2, 1, 0), "extra"),
    ((1, 2, 0), "extra"),
]


@pytest.mark.parametrize(("sql", "counts"), COUNTS)
def test_components(sql: str, counts: tuple[int, int, int]) -> None:
    assert components(sql) == Components(*counts)


@pytest.mark.parametrize(("sql", "counts"), COUNTS)
def test_writing_makes_no_difference(sql: str, counts: tuple[int, int, int]) -> None:
    assert components(f"({sql.lower()}) ;") == Components(*counts)


@pytest.mark.parametrize(("counts", "level"), LEVELS)
def test_levels(counts: tuple[int, int, int], level: str) -> None:
    assert Components(*counts).hardness == level


def test_no_query() -> None:
    with pytest.raises(Unreadable):
        hardness("How hard is this?")


def test_other_dialects() -> None:
    assert hardness("SELECT TOP 1 [a b] FROM t ORDER BY c", "tsql") == "medium"
    assert hardness("SELECT `a` FROM `p.d.t` WHERE b = 1", "bigquery") == "easy"


def test_the_published_distribution_of_spider_dev() -> None:
    """Spider's own page counts 248 easy, 446 medium, 174 hard and 166 extra."""
    gold = [record["query"] for record in json.loads(shared_data("data", "spider", "dev.json").read_text())]
    assert Counter(map(hardness, gold)) == {"easy": 248, "medium": 446, "hard": 174, "extra": 166}
