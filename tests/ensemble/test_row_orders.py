"""Classes of equal rows that queries divide by the order they ask for, and who stands for them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dragoman.databases import Database, Limits
from dragoman.ensemble import Pool, by_vote, pool_of
from dragoman.ensemble.row_orders import is_ordered
from dragoman.solver import Draw
from tests.ensemble.pools import ASKED, saying

PLAIN = "SELECT customer_id, name FROM customer"
UP, DOWN = f"{PLAIN} ORDER BY customer_id", f"{PLAIN} ORDER BY customer_id DESC"
BY_NAME = f"{PLAIN} ORDER BY name"
BY_COUNTRY = f"{PLAIN} ORDER BY country"
ALL = (PLAIN, UP, DOWN, BY_NAME, BY_COUNTRY, f"SELECT * FROM ({DOWN}) AS d")


def pool(database: Database, queries: Sequence[str], limits: Limits = Limits()) -> Pool:
    solver = saying(database, queries, limits)
    return pool_of(ASKED, Draw(), [solver(ASKED, Draw(sample=n)) for n in range(len(queries))], database)


@pytest.mark.parametrize("limits", [Limits(), Limits(rows=1)])
@pytest.mark.parametrize(
    ("queries", "groups", "chosen"),
    [
        ([PLAIN, UP], (0, 0), 1),
        ([PLAIN, PLAIN, DOWN], (0, 0, 0), 2),
        ([UP, DOWN, DOWN], (0, 1, 1), 1),
        ([UP, DOWN, PLAIN], (0, 1, 0), 0),
        ([UP, DOWN, PLAIN, DOWN], (0, 1, 1, 1), 1),
        ([UP, BY_NAME], (0, 0), 0),
        ([PLAIN, f"SELECT * FROM ({DOWN}) AS d"], (0, 0), 0),
        (["SELECT nope", DOWN, "SELECT 1", PLAIN], (None, 0, 1, 0), 1),
    ],
)
def test_an_order_that_is_asked_for_counts(
    shop: Database, queries: list[str], groups: tuple[int | None, ...], chosen: int, limits: Limits
) -> None:
    found = pool(shop, queries, limits)
    assert found.groups == groups
    assert by_vote(found).place == chosen


def test_rows_that_are_equal_in_the_sort_keys_may_stand_in_any_order(shop: Database) -> None:
    by_amount = "SELECT amount > 600, order_id FROM orders ORDER BY 1"
    assert pool(shop, [f"{by_amount}, 2", by_amount, f"{by_amount}, 2 DESC"]).groups == (0, 0, 1)
    assert pool(shop, [by_amount, f"{by_amount}, 2", f"{by_amount}, 2 DESC"]).groups == (0, 0, 0)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(st.sampled_from(ALL), min_size=1, max_size=7))
def test_who_stands_for_a_class_has_the_order_that_most_of_it_ask_for(shop: Database, queries: list[str]) -> None:
    found = pool(shop, queries)
    rows = [answer.rows.rows if answer.rows else () for answer in found.answers]
    ordered = [place for place, sql in enumerate(queries) if is_ordered(sql, shop.dialect)]
    for one in found.classes:
        asked = [place for place in one.members if place in ordered]
        assert {rows[place] for place in asked} <= {rows[one.standing]}
        assert one.standing in asked or not asked
    largest = max((sum(rows[p] == rows[q] for p in ordered) for q in ordered), default=0)
    chosen = by_vote(found).place
    assert sum(rows[p] == rows[chosen] for p in ordered) == largest or not ordered
