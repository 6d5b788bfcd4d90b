from __future__ import annotations

import random
import sqlite3
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.databases import Rows, connect
from dragoman.metrics.digest import Bound, digest, digest_query, digest_rows, digests_match
from dragoman.metrics.flags import Flags
from dragoman.metrics.rows_match import rows_match
from tests.metrics.results import results, rows

NOTHING_KEPT = Bound(keep=0)
ORDERED = Flags(row_order=True)


@given(results(), results(), st.sampled_from([Flags(), ORDERED]))
def test_digests_agree_with_the_rows_wherever_they_decide(left: Rows, right: Rows, flags: Flags) -> None:
    truth = rows_match(left, right, flags)
    assert digests_match(digest_rows(left), digest_rows(right), flags) is truth
    bare = digests_match(digest_rows(left, NOTHING_KEPT), digest_rows(right, NOTHING_KEPT), flags)
    assert bare is None or bare is truth


@given(results(), results())
def test_without_tolerance_digests_always_decide(left: Rows, right: Rows) -> None:
    exact = Flags(relative=0, absolute=0)
    a, b = digest_rows(left, NOTHING_KEPT), digest_rows(right, NOTHING_KEPT)
    assert digests_match(a, b, exact) is rows_match(left, right, exact)
    assert (a.multiset == b.multiset) is (rows_match(left, right, exact) or (not left.rows and not right.rows))


@given(results(most_rows=8), st.integers(1, 4), st.randoms(use_true_random=False))
def test_batches_and_order_do_not_matter(result: Rows, size: int, chance: random.Random) -> None:
    batches = [result.rows[i : i + size] for i in range(0, len(result.rows), size)]
    whole, parts = digest_rows(result), digest(result.columns, batches)
    assert (whole.multiset, whole.ordered, whole.exact) == (parts.multiset, parts.ordered, parts.exact)
    shuffled = list(result.rows)
    chance.shuffle(shuffled)
    assert digest(result.columns, [shuffled]).multiset == whole.multiset


def test_what_only_a_tolerance_could_decide_is_not_comparable_without_rows() -> None:
    left, right = rows((0.1 + 0.2,)), rows((Decimal("0.3"),))
    assert digests_match(digest_rows(left), digest_rows(right)) is True
    a, b = digest_rows(left, NOTHING_KEPT), digest_rows(right, NOTHING_KEPT)
    assert digests_match(a, b) is None
    assert digests_match(a, b, Flags(relative=0, absolute=0)) is False


@pytest.mark.parametrize("bound", [Bound(bytes=100), Bound(seconds=-1.0)])
def test_beyond_its_bound_a_result_is_not_comparable(bound: Bound) -> None:
    stopped = digest(("a",), ([(i,)] for i in range(10**9)), bound)
    assert stopped.truncated
    assert stopped.kept is None
    assert digests_match(stopped, stopped) is None


def test_cut_rows_give_a_digest_that_equals_nothing() -> None:
    cut = digest_rows(rows((1,), truncated=True))
    assert digests_match(cut, cut) is None


def test_a_query_is_read_to_its_end_whatever_is_displayed(tmp_path: Path) -> None:
    path = tmp_path / "numbers.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE n (i INTEGER, t TEXT)")
        connection.executemany("INSERT INTO n VALUES (?, ?)", ((i, f"t{i}") for i in range(5000)))
    database = connect(str(path))
    up = digest_query(database, "SELECT * FROM n ORDER BY i")
    down = digest_query(database, "SELECT * FROM n ORDER BY i DESC", NOTHING_KEPT)
    short = digest_query(database, "SELECT * FROM n WHERE i < 4999", NOTHING_KEPT)
    assert up.count == 5000
    assert up.kept is not None
    assert down.kept is None
    assert digests_match(up, down) is True
    assert digests_match(up, down, ORDERED) is False
    assert digests_match(up, short) is False
    database.close()
