from __future__ import annotations

import random
from itertools import permutations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.metrics.order import key_columns, ordered_match, window, window_match
from dragoman.sql.outer_order import OuterOrder, with_ranks
from tests.metrics.results import rows

table = st.lists(st.tuples(st.integers(0, 2), st.sampled_from("ab")), min_size=1, max_size=5)


@given(table, st.randoms(use_true_random=False))
def test_rows_change_places_inside_equal_keys_only(given_rows: list[tuple[int, str]], chance: random.Random) -> None:
    gold = sorted(given_rows, key=lambda row: row[0])
    shuffled = list(gold)
    chance.shuffle(shuffled)
    still_sorted = [row[0] for row in shuffled] == [row[0] for row in gold]
    assert ordered_match(rows(*gold), rows(*shuffled), [0]) is still_sorted
    assert ordered_match(rows(*gold), rows(*shuffled), [])
    assert not ordered_match(rows(*gold), rows(*gold[:-1], (7, "c")), [0])


def test_noise_in_a_key_does_not_part_a_tie() -> None:
    gold = rows((0.3, "a"), (0.1 + 0.2, "b"), (0.5, "c"))
    assert ordered_match(gold, rows((0.3, "b"), (0.3, "a"), (0.5, "c")), [0])


@pytest.mark.parametrize(
    ("keys", "columns", "places"),
    [
        ((0, 2), "abc", (0, 2)),
        (("B", 0), "abc", (1, 0)),
        (("b",), "abb", (-1,)),
        (("d", 0), "abc", ()),
        ((0, None, 1), "ab", (0,)),
        ((None,), "ab", ()),
        ((7,), "ab", (-1,)),
        ((), "ab", ()),
    ],
)
def test_keys_are_found_by_place_or_by_a_name_that_is_unique(
    keys: tuple[int | str | None, ...], columns: str, places: tuple[int, ...]
) -> None:
    assert key_columns(OuterOrder(keys), tuple(columns)) == places


@given(table, st.integers(0, 2), st.integers(0, 3), st.booleans(), st.lists(st.sampled_from("abc"), max_size=3))
def test_a_window_accepts_exactly_the_results_that_some_order_of_ties_gives(
    given_rows: list[tuple[int, str]], offset: int, limit: int, shown: bool, guess: list[str]
) -> None:
    ordered = sorted(given_rows, key=lambda row: row[0])
    orders = [order for order in permutations(ordered) if [r[0] for r in order] == [r[0] for r in ordered]]
    cut = [order[offset : offset + limit] for order in orders]
    possible: set[tuple[tuple[Any, ...], ...]]
    guesses: list[list[tuple[Any, ...]]]
    if shown:  # the key is projected: the order of the result counts
        everything = rows(*ordered)
        possible = {tuple(part) for part in cut}
        guesses = [list(zip(keys_of, guess, strict=False)) for keys_of in product(range(3), repeat=min(len(guess), 2))]
    else:  # the key stands behind the columns of the result: a multiset
        everything = rows(*((label, key) for key, label in ordered))
        possible = {tuple(sorted((label,) for _, label in part)) for part in cut}
        guesses = [[(label,) for label in guess]]
    whole = window(everything, OuterOrder((0 if shown else None,), limit, offset, "x", "x"), 2 if shown else 1)
    assert whole is not None
    for candidate in [*guesses, *map(list, possible)]:
        key = tuple(candidate) if shown else tuple(sorted(candidate))
        assert window_match(whole, rows(*candidate, width=2 if shown else 1)) is (key in possible)


def test_a_window_knows_whether_it_cuts_a_tie() -> None:
    everything = rows((1,), (1,), (2,), (3,))
    for offset, limit, cuts in [(0, 1, True), (0, 2, False), (1, 1, True), (0, 9, False), (2, 1, False), (0, 0, False)]:
        whole = window(everything, OuterOrder((0,), limit, offset, "x", "x"), 1)
        assert whole is not None
        assert whole.cuts_tie is cuts


def test_a_limit_that_is_no_number_opens_no_window() -> None:
    assert window(rows((1,)), OuterOrder((0,), -1, 0, "x", "x"), 1) is None
    assert window(rows((1,)), OuterOrder(("b",), 1, 0, "x", "x"), 1) is None


RANKED = [
    ("SELECT n FROM t ORDER BY n LIMIT 2 OFFSET 1", "SELECT n, DENSE_RANK() OVER (ORDER BY n) FROM t ORDER BY n"),
    ("SELECT n + 1 AS n FROM t ORDER BY n", "SELECT n + 1 AS n, DENSE_RANK() OVER (ORDER BY n + 1) FROM t ORDER BY n"),
    ("SELECT k, n FROM t ORDER BY 2 DESC", "SELECT k, n, DENSE_RANK() OVER (ORDER BY n DESC) FROM t ORDER BY 2 DESC"),
    (
        "SELECT m FROM t UNION SELECT n FROM u ORDER BY 1",
        "SELECT *, DENSE_RANK() OVER (ORDER BY m) FROM (SELECT m FROM t UNION SELECT n FROM u) AS answer ORDER BY m",
    ),
    ("SELECT n FROM t", ""),
    ("SELECT *, n FROM t ORDER BY 2", ""),
    ("SELECT k AS n FROM t ORDER BY LOWER(n)", ""),
    ("SELECT DISTINCT n FROM t ORDER BY k", ""),
    ("SELECT n FROM t UNION SELECT n FROM u ORDER BY LOWER(n)", ""),
    ("SELECT n, n FROM t UNION SELECT n, k FROM u ORDER BY 1", ""),
]


@pytest.mark.parametrize(("sql", "ranked"), RANKED)
def test_ranks_stand_behind_the_columns_where_they_mean_what_order_by_means(sql: str, ranked: str) -> None:
    assert with_ranks(sql, "sqlite") == ranked
