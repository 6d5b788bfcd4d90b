"""The made population: its rates are what they are said to be, and what the ways to choose are worth on it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from dragoman.databases import Database
from dragoman.ensemble import (
    HYBRID,
    Pool,
    Select,
    Tournament,
    by_vote,
    ensemble,
    pool_of,
    settle,
    side_by_side,
    tournament,
)
from dragoman.solver import Draw
from tests.ensemble.population import Population, Taste, entrants, in_one_order, is_right, judge, questions, share

RATES = (0.62, 0.58, 0.55, 0.52, 0.50, 0.47, 0.44, 0.40)
APART = Population(RATES, common=0.1, attraction=0.1)
TOGETHER = Population(RATES, common=0.6, attraction=0.5)
POPULATIONS = {"apart": APART, "together": TOGETHER}
VARIED = Population(RATES, common=0.3, attraction=0.15, mistakes=20, failing=0.05)


@pytest.fixture
def pools(shop: Database) -> dict[str, list[Pool]]:
    """300 pools of each population."""
    return {name: _pools(population, shop, 300) for name, population in POPULATIONS.items()}


def _pools(population: Population, database: Database, count: int) -> list[Pool]:
    people = entrants(population)
    gather = side_by_side(people)
    return [pool_of(q, Draw(), gather(q, Draw()), database, [e.name for e in people]) for q in questions(count)]


def right(pools: Sequence[Pool], select: Select) -> float:
    """The share of pools from which the right answer is chosen."""
    return share([is_right(settle(pool, select(pool))) for pool in pools])


def calls(pools: Sequence[Pool], select: Select) -> int:
    return sum(step.usage.calls for pool in pools for step in select(pool).steps)


def test_rates_are_exact_and_errors_go_together_as_said(pools: dict[str, list[Pool]]) -> None:
    both: dict[str, float] = {}
    for name, found in pools.items():
        rights = [[is_right(answer) for answer in pool.answers] for pool in found]
        for number, rate in enumerate(RATES):
            assert abs(share([r[number] for r in rights]) - rate) < 0.1
        both[name] = share([not r[0] and not r[1] for r in rights])
    assert both["together"] > both["apart"] + 0.05


def test_a_good_judge_beats_the_vote_and_nobody_beats_the_oracle(pools: dict[str, list[Pool]]) -> None:
    good = tournament(judge(Taste(sees=2.0)))
    for found in pools.values():
        oracle = share([any(map(is_right, pool.answers)) for pool in found])
        assert right(found, by_vote) < right(found, good) <= oracle


def test_a_judge_who_knows_nothing_does_less_harm_where_the_vote_may_decide(pools: dict[str, list[Pool]]) -> None:
    blind = judge(Taste(sees=0.0))
    for found in pools.values():
        assert right(found, tournament(blind)) < right(found, tournament(blind, HYBRID))
        assert calls(found, tournament(blind, HYBRID)) < calls(found, tournament(blind)) / 2


def test_a_liking_for_the_first_place_cancels_in_both_orders(pools: dict[str, list[Pool]]) -> None:
    found = [pool for pool in pools["together"] if len(pool.classes) > 1]
    fair = right(found, tournament(judge(Taste(first=0.0))))
    biased = judge(Taste(first=2.0))
    assert abs(right(found, tournament(biased)) - fair) < 0.05
    assert right(found, tournament(in_one_order(biased))) < fair - 0.1


@pytest.mark.parametrize("taste", [Taste(), Taste(sees=0.5), Taste(sees=1.8)])
def test_the_adaptive_tournament_finds_the_same_winner_with_half_the_calls(shop: Database, taste: Taste) -> None:
    found = [pool for pool in _pools(VARIED, shop, 250) if 4 <= len(pool.classes) <= 8]
    full, adaptive = tournament(judge(taste)), tournament(judge(taste), Tournament(adaptive=True))
    assert [full(pool).place for pool in found] == [adaptive(pool).place for pool in found]
    assert calls(found, adaptive) <= calls(found, full) / 2


@pytest.mark.parametrize("workers", [2, 8])
def test_the_answer_is_the_same_whatever_the_number_of_threads(shop: Database, workers: int) -> None:
    people = entrants(VARIED)
    alone, several = (
        ensemble(side_by_side(people, n), shop, tournament(judge(Taste()), Tournament(workers=n))) for n in (1, workers)
    )
    for question in questions(20):
        one, other = alone(question, Draw()), several(question, Draw())
        assert (one.sql, one.candidates, one.steps, one.share) == (
            other.sql,
            other.candidates,
            other.steps,
            other.share,
        )
