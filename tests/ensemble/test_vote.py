"""The vote: which candidate wins, with which share, whatever the number of threads."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.databases import Database, Limits, Rows, connect
from dragoman.ensemble import Voting, draws, elect, vote
from dragoman.metrics import Bound, Digest, digest_query
from dragoman.questions import Question
from dragoman.solver import Answer, Draw, Failure
from tests.ensemble.pools import saying


@pytest.fixture
def database(tmp_path: Path) -> Database:
    with sqlite3.connect(tmp_path / "n.db") as connection:
        connection.execute("CREATE TABLE n (x INT)")
        connection.executemany("INSERT INTO n VALUES (?)", [(i,) for i in range(50)])
    connection.close()
    return connect(str(tmp_path / "n.db"))


@pytest.mark.parametrize(
    ("queries", "winner", "share"),
    [
        (["SELECT 1", "SELECT 2", "SELECT 2"], 1, 2 / 3),
        (["SELECT 1", "SELECT 2"], 0, 1 / 2),
        (["SELECT nope", "SELECT 2", "SELECT y"], 1, 1 / 3),
        (["SELECT x FROM n WHERE x < 0", "SELECT x FROM n WHERE x > 99", "SELECT 5"], 2, 1 / 3),
        (["SELECT x FROM n WHERE x < 0", "SELECT nope"], 0, 1 / 2),
        (["SELECT nope", "SELECT nope"], 0, 0.0),
        (["SELECT 3", "SELECT 0.1 + 0.2", "SELECT 0.3"], 1, 2 / 3),
        (["SELECT x FROM n", "SELECT x FROM n ORDER BY x DESC", "SELECT 1"], 0, 2 / 3),
    ],
)
def test_the_largest_class_wins(database: Database, queries: list[str], winner: int, share: float) -> None:
    answers = [
        vote(saying(database, queries), database, Voting(len(queries), workers=workers))(Question("?"), Draw())
        for workers in (1, 4)
    ]
    assert {answer.sql for answer in answers} == {queries[winner]}
    assert answers[0].share == pytest.approx(share)
    assert [candidate.sql for candidate in answers[1].candidates] == queries


def test_results_cut_for_display_are_compared_whole(database: Database) -> None:
    queries = ["SELECT x FROM n ORDER BY x", "SELECT x FROM n WHERE x < 40", "SELECT x FROM n"]
    answer = vote(saying(database, queries, Limits(rows=5)), database, Voting(3))(Question("?"), Draw())
    assert answer.rows is not None
    assert answer.rows.truncated
    assert [candidate.group for candidate in answer.candidates] == [0, 1, 0]


def test_the_first_draw_is_the_one_asked_for() -> None:
    drawn = draws(Draw(5, 0.0, 2), 3, 0.7)
    assert drawn == (Draw(5, 0.0, 2), Draw(5, 0.7, 3), Draw(5, 0.7, 4))


@given(st.lists(st.one_of(st.none(), st.integers(0, 3)), min_size=1, max_size=8))
def test_nobody_is_chosen_over_a_larger_class(groups: list[int | None]) -> None:
    answers = [Answer(str(i), None if g is None else Rows(("a",), ((g,),))) for i, g in enumerate(groups)]
    group = groups[elect(answers, groups)]
    if any(g is not None for g in groups):
        assert group is not None
        assert groups.count(group) == max(groups.count(g) for g in groups if g is not None)


def test_a_query_with_unknown_names_is_no_answer(database: Database) -> None:
    def solve(question: Question, draw: Draw) -> Answer:
        codes = ("unresolved", "unresolved", "query")[: 2 + draw.seed]
        return Answer(f"SELECT {draw.sample}", error=Failure(codes[draw.sample], "No column is called y."))

    answer = vote(solve, database, Voting(2))(Question("?"), Draw())
    assert (answer.sql, answer.rows, answer.share) == ("", None, 0.0)
    assert answer.error is not None
    assert answer.error.message == "None of 2 candidates can be run. No column is called y."
    assert [candidate.sql for candidate in answer.candidates] == ["SELECT 0", "SELECT 1"]
    assert vote(solve, database, Voting(3))(Question("?"), Draw(seed=1)).sql == "SELECT 2"


def test_a_solver_that_draws_together_is_asked_once(database: Database) -> None:
    asked: list[Sequence[Draw]] = []

    class Together:
        def __call__(self, question: Question, draw: Draw) -> Answer:
            return self.together(question, (draw,))[0]

        def together(self, question: Question, drawn: Sequence[Draw]) -> tuple[Answer, ...]:
            asked.append(drawn)
            return tuple(saying(database, ["SELECT 1", "SELECT 2", "SELECT 2"])(question, draw) for draw in drawn)

    answer = vote(Together(), database, Voting(3))(Question("?"), Draw(4))
    assert answer.sql == "SELECT 2"
    assert asked == [draws(Draw(4), 3, 0.7)]


def test_a_result_without_end_is_read_once_for_each_query(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many times the bound was what a question took whose candidates all wrote the same endless query."""
    endless = "WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t) SELECT x FROM t"
    read: list[str] = []

    def digest(database: Database, sql: str, bound: Bound) -> Digest:
        read.append(sql)
        return digest_query(database, sql, Bound(seconds=0.1))

    monkeypatch.setattr("dragoman.ensemble.group_answers.digest_query", digest)
    queries = [endless, "SELECT x FROM n", endless, f"{endless} WHERE x > 0", endless]
    answer = vote(saying(database, queries, Limits(rows=5)), database, Voting(5))(Question("?"), Draw())
    assert [candidate.group for candidate in answer.candidates] == [0, 1, 0, 2, 0]
    assert answer.share == pytest.approx(0.6)
    assert read == [queries[place] for place in (0, 1, 3)]
