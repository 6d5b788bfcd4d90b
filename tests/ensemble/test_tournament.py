"""The tournament: who wins, how ties are broken, and that asking less gives the same winner."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.databases import Rows
from dragoman.ensemble import HYBRID, Comparison, Judge, Judgement, Tournament, Winner, tournament
from dragoman.errors import BudgetSpent
from dragoman.models import Usage
from dragoman.solver import Step
from tests.ensemble.pools import pool_of_classes, preferring, value


def asking(judge: Judge) -> tuple[Judge, list[tuple[int, int]]]:
    """The judge, and the games that it has judged so far, by results."""
    seen: list[tuple[int, int]] = []

    def judged(compared: Comparison) -> Judgement:
        seen.append((value(compared.first), value(compared.second)))
        return judge(compared)

    return judged, seen


def always(winner: Winner) -> Judge:
    return lambda compared: Judgement(winner)


def test_every_pair_is_judged_in_both_orders_and_the_most_wins_are_kept() -> None:
    judge, seen = asking(preferring(2, 0, 1))
    choice = tournament(judge)(pool_of_classes(0, 0, 1, 2))
    assert choice.place == 3
    assert sorted(seen) == [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]
    told = choice.steps[-1].data
    assert told["wins"] == {"0": 2, "2": 0, "3": 4}
    assert (told["judgements"], told["margin"], told["decided_by"]) == (6, 0.5, "wins")


def test_one_class_and_no_class_need_no_judge() -> None:
    judge, seen = asking(always("first"))
    assert tournament(judge)(pool_of_classes(None, 0, 0)).place == 1
    assert tournament(judge)(pool_of_classes(None, None)).place == 0
    assert not seen


@pytest.mark.parametrize("winner", ["first", "second", "undecided"])
@pytest.mark.parametrize("how", [Tournament(), Tournament(adaptive=True)])
def test_a_judge_that_sees_only_the_order_leaves_the_choice_to_class_size(winner: Winner, how: Tournament) -> None:
    choice = tournament(always(winner), how)(pool_of_classes(0, 1, 1, 2))
    assert choice.place == 1
    assert choice.steps[-1].data["decided_by"] == "size, length or order"


def test_equal_classes_are_told_apart_by_length_then_by_order() -> None:
    pool = pool_of_classes(*range(11))  # SELECT 10 is longer than SELECT 0
    assert tournament(always("first"))(pool).place == 0
    backwards = pool_of_classes(*range(11))
    assert tournament(preferring(10, *range(10)))(backwards).place == 10


def test_every_judgement_is_a_step_with_its_cost() -> None:
    used = Step("judge", "Better: A", "judge", {"model": "m"}, Usage(1, 100, 5), 0.01, 0.2)
    choice = tournament(lambda compared: Judgement("first", used))(pool_of_classes(0, 1))
    games = [step for step in choice.steps if step.kind == "judge"]
    assert [(s.data["first"], s.data["second"], s.data["winner"]) for s in games] == [(0, 1, "first"), (1, 0, "first")]
    assert sum(step.usage.calls for step in choice.steps) == 2
    assert all(step.cost == 0.01 and step.data["model"] == "m" for step in games)


def test_a_majority_needs_no_judge_where_the_vote_may_decide() -> None:
    judge, seen = asking(preferring(1, 0, 2))
    assert tournament(judge, HYBRID)(pool_of_classes(0, 0, 0, 1, 2)).place == 0
    assert not seen
    assert tournament(judge, HYBRID)(pool_of_classes(0, 0, 1, 2)).place == 2
    assert seen


def test_a_majority_without_rows_asks_the_judge() -> None:
    pool = pool_of_classes(0, 0, 0, 1)
    empty = tuple(
        replace(answer, rows=Rows(("x",), ())) if group == 0 else answer
        for answer, group in zip(pool.answers, pool.groups, strict=True)
    )

    def rather_rows(compared: Comparison) -> Judgement:
        return Judgement("first" if compared.first.rows else "second")

    assert tournament(rather_rows, HYBRID)(pool).place == 0
    assert tournament(rather_rows, HYBRID)(replace(pool, answers=empty)).place == 3


@pytest.mark.parametrize(("allowed", "chosen"), [(0, 0), (2, 2)])
@pytest.mark.parametrize("how", [Tournament(), Tournament(adaptive=True)])
def test_a_spent_budget_leaves_the_best_so_far(allowed: int, chosen: int, how: Tournament) -> None:
    taste, calls = preferring(1, 0, 2), count(1)

    def judge(compared: Comparison) -> Judgement:
        if next(calls) > allowed:
            raise BudgetSpent("The budget of calls is spent.")
        return taste(compared)

    choice = tournament(judge, how)(pool_of_classes(0, 0, 1, 2))
    assert choice.place == chosen
    assert choice.steps[-1].data["decided_by"] == "budget"
    (said,) = [step for step in choice.steps if step.kind == "budget"]
    assert (said.text, said.data["judgements"]) == ("The budget of calls is spent.", allowed)


def random_judge(seed: int, classes: int, bias: float, noise: float) -> Judge:
    """A judge with a taste, a liking for what comes first, and doubts; the same game is always judged alike."""
    random = Random(seed)
    taste = [random.gauss(0, 1) for _ in range(classes)]
    doubt = {(a, b): random.gauss(0, noise) for a in range(classes) for b in range(classes)}

    def judge(compared: Comparison) -> Judgement:
        game = value(compared.first), value(compared.second)
        lead = taste[game[0]] - taste[game[1]] + bias + doubt[game]
        return Judgement("undecided" if abs(lead) < 0.05 else "first" if lead > 0 else "second")

    return judge


@given(
    st.lists(st.integers(0, 7), min_size=2, max_size=12),
    st.integers(0, 10**6),
    st.floats(0, 3),
    st.floats(0, 3),
)
def test_the_adaptive_tournament_has_the_winner_of_the_full_one(
    groups: list[int], seed: int, bias: float, noise: float
) -> None:
    numbers = {group: number for number, group in enumerate(dict.fromkeys(groups))}
    pool = pool_of_classes(*(numbers[group] for group in groups))
    judge, seen = asking(random_judge(seed, len(numbers), bias, noise))
    full = tournament(judge)(pool)
    asked = set(seen)
    seen.clear()
    adaptive = tournament(judge, Tournament(adaptive=True))(pool)
    assert adaptive.place == full.place
    assert len(seen) == len(set(seen)) <= len(asked)
    assert set(seen) <= asked


def test_threads_change_nothing() -> None:
    pool = pool_of_classes(0, 1, 2, 3, 1)
    judge = random_judge(3, 4, 0.5, 1)
    assert tournament(judge)(pool) == tournament(judge, Tournament(workers=4))(pool)
