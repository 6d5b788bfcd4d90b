"""The vote: which candidate wins, with which share, whatever the number of threads."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from math import exp
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.databases import Database, Limits, Rows, connect
from dragoman.ensemble import Pool, Voting, by_likelihood, by_vote, draws, elect, masses, pool_of, settle, vote
from dragoman.ensemble.signals import Signals
from dragoman.metrics import Bound, Digest, digest_query
from dragoman.questions import Question
from dragoman.solver import Answer, Candidate, Draw, Failure
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
        (["SELECT x FROM n", "SELECT x FROM n ORDER BY x DESC", "SELECT 1"], 1, 2 / 3),
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
    pool = Pool(Question("?"), Draw(), tuple(answers), tuple(groups), ("",) * len(groups), "sqlite")
    group = groups[elect(pool.signals, "sqlite")]
    if any(g is not None for g in groups):
        assert group is not None
        assert groups.count(group) == max(groups.count(g) for g in groups if g is not None)


NOTHING = ("SELECT x FROM n WHERE x < 0", "SELECT MAX(x) FROM n WHERE x < 0")
QUERIES = ("SELECT 1", "SELECT 1.0", "SELECT 2", "SELECT 3", *NOTHING)


def told(database: Database, drawn: Sequence[tuple[int, float, int]]) -> Pool:
    """A pool of (number of the query, mean logprob, tokens)."""
    answers = []
    for number, logprob, tokens in drawn:
        rows = database.execute(QUERIES[number])
        candidate = Candidate(QUERIES[number], rows, logprob=logprob, tokens=tokens)
        answers.append(Answer(QUERIES[number], rows, candidates=(candidate,)))
    return pool_of(Question("?"), Draw(), answers, database)


def test_the_likeliest_result_wins_over_the_most_frequent(database: Database) -> None:
    pool = told(database, [(2, -0.2, 10), (2, -0.2, 10), (2, -0.2, 10), (3, -0.1, 10)])
    assert (by_vote(pool).place, by_likelihood(pool).place) == (0, 3)
    found = masses(pool.signals)
    assert found is not None
    assert found[1] == pytest.approx(1 / (1 + exp(-1)))
    assert settle(pool, by_likelihood(pool)).share == 0.25


def test_different_queries_with_one_result_add_up_and_repeated_ones_do_not(database: Database) -> None:
    pool = told(database, [(2, -0.1, 10), (0, -0.15, 10), (1, -0.15, 10), (2, -0.1, 10)])
    assert by_likelihood(pool).place == 1


@pytest.mark.parametrize("silent", [4, 5])
def test_a_likely_result_without_values_stands_back(database: Database, silent: int) -> None:
    pool = told(database, [(silent, -0.01, 10), (silent, -0.01, 10), (2, -0.5, 10)])
    assert by_likelihood(pool).place == by_vote(pool).place == 2


def test_without_probabilities_the_likelihood_is_the_vote(database: Database) -> None:
    answers = [saying(database, ["SELECT 1", "SELECT 2", "SELECT 2"])(Question("?"), Draw(sample=n)) for n in range(3)]
    choice = by_likelihood(pool_of(Question("?"), Draw(), answers, database))
    assert (choice.place, choice.steps[0].data["decided_by"]) == (1, "votes")


@given(st.lists(st.tuples(st.integers(0, 3), st.floats(-30, 0), st.integers(1, 300)), min_size=1, max_size=7))
def test_masses_are_parts_of_one_and_no_class_with_less_is_chosen(drawn: list[tuple[int, float, int]]) -> None:
    signals = [Signals(f"{g} {t}", group=g, rows=1, logprob=logprob, tokens=t) for g, logprob, t in drawn]
    found = masses(signals)
    assert found is not None
    assert sum(found.values()) == pytest.approx(1)
    group = signals[elect(signals, "sqlite", found)].group
    assert group is not None
    assert found[group] == max(found.values())


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
