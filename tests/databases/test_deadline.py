"""Every engine gives up soon after the deadline, whatever the query does; margins are wide, for busy machines."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from dragoman.databases import Limits, connect
from dragoman.databases.deadline import Deadline
from dragoman.databases.interruptible import Abandoned, interruptible
from dragoman.errors import QueryTimeout
from tests.databases.places import PLACES

COUNTING = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT"
QUERIES = [
    ("sqlite", f"{COUNTING} count(*) FROM c"),
    ("sqlite", f"{COUNTING} * FROM c ORDER BY x DESC"),
    ("sqlite", f"{COUNTING} group_concat(x) FROM c"),
    ("duckdb", "SELECT sum(range) FROM range(1000000000000)"),
    ("duckdb", "SELECT count(*) FROM range(1000000) a, range(1000000) b"),
    ("duckdb", "SELECT len(range(100000000))"),
    ("duckdb", "SELECT range(100000000)"),
    ("postgres", "SELECT count(*) FROM generate_series(1, 100000000000)"),
    ("postgres", f"{COUNTING} count(*) FROM c".replace("SELECT 1 ", "SELECT 1::bigint ")),
    ("mariadb", "SELECT count(*) FROM seq_1_to_1000000 AS a, seq_1_to_1000000 AS b"),
]
ENOUGH = 60.0
"""Seconds; without a working interrupt each of these takes many minutes, or has no end."""


@pytest.mark.parametrize(("engine", "query"), QUERIES)
def test_a_query_ends_soon_after_its_deadline_and_the_next_one_runs(tmp_path: Path, engine: str, query: str) -> None:
    with PLACES[engine](tmp_path) as place:
        database = connect(place.url)
        started = time.monotonic()
        with pytest.raises(QueryTimeout, match=r"ran longer than 0\.5 s"):
            database.execute(query, Limits(seconds=0.5))
        assert time.monotonic() - started < ENOUGH
        assert database.execute("SELECT 1").rows == ((1,),)
        database.close()


def test_an_interrupt_that_is_forgotten_comes_again() -> None:
    calls: list[float] = []
    third = threading.Event()

    def cancel() -> None:
        calls.append(time.monotonic())
        if len(calls) == 3:
            third.set()

    with Deadline(0.01, cancel, again=0.01) as deadline:
        assert third.wait(30)
    assert deadline.passed
    assert deadline.left == 0


@pytest.fixture
def endless() -> Iterator[threading.Event]:
    """What ends a call that looks for nothing else."""
    end = threading.Event()
    yield end
    end.set()


@pytest.mark.parametrize("in_main", [True, False])
def test_a_call_that_does_not_look_is_left_behind_and_cleans_up_itself(endless: threading.Event, in_main: bool) -> None:
    caught: list[BaseException] = []
    cleaned = threading.Event()

    def ask() -> None:
        try:
            interruptible(endless.wait, lambda: None, 0.01, cleaned.set)
        except Abandoned as error:
            caught.append(error)

    if in_main:
        ask()
    else:
        thread = threading.Thread(target=ask)
        thread.start()
        thread.join(60)
    assert len(caught) == 1
    assert not cleaned.is_set()
    endless.set()
    assert cleaned.wait(30)


def test_a_call_gives_its_result_or_its_error_within_the_limit() -> None:
    assert interruptible(lambda: 3, lambda: None, 30.0) == 3
    with pytest.raises(ValueError, match="no"):
        interruptible(lambda: int("no"), lambda: None, 30.0)
