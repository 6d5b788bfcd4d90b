"""Long replies that do not repeat are read with work that grows with their length, counted in calls and not in time."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.sql.extract import extract
from dragoman.sql.statements import looks_like_query, query_reach, statement_ends, statement_limit

PIECES = [
    "SELECT a FROM t",
    "the",
    "'the",
    "'",
    "\n",
    "\n\nSo ",
    "WITH a AS (",
    "-- that\n",
    "`",
    ";",
    " WHERE x = 1",
    "I see. A",
]
REPLIES: dict[str, Callable[[int], str]] = {
    "starts without a query": lambda n: "\n".join(f"```\nnote {i}\n```\n> WITH a{i} we see, (VALUES" for i in range(n)),
    "prose behind": lambda n: "\n".join(
        f"Then:\nselect a{i}, b from t{i} whre x = {i}; the rest is {i}" for i in range(n)
    ),
}


def calls(reply: str) -> int:
    """How many calls reading the reply takes."""
    number = 0

    def count(frame: Any, event: str, argument: Any) -> None:
        nonlocal number
        number += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        extract(reply, "duckdb")
    finally:
        sys.setprofile(None)
    return number


@pytest.mark.parametrize("reply", REPLIES.values(), ids=REPLIES)
def test_the_work_grows_with_the_length(reply: Callable[[int], str]) -> None:
    calls(reply(3))
    assert calls(reply(160)) < 3 * calls(reply(80))


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_nothing_beyond_the_reach_looks_like_a_query(rest: str) -> None:
    text = f"SELECT {rest}"
    reach = query_reach(text, 0, statement_limit(text, 0, "duckdb"))
    for end in statement_ends(text, 0, "", "duckdb"):
        assert end <= reach or not looks_like_query(text[:end])
        assert reach > 0 or not looks_like_query(text[:end])
