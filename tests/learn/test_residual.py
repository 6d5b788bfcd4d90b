"""Algorithm 1 over worlds that are known."""

from __future__ import annotations

import random
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from dragoman.learn.residual import Place, Role, Turn, offsets, residual_optimisation

Knows = frozenset[int]
NOTHING: Knows = frozenset()


def learns(skill: Knows, residual: Sequence[int], place: Place) -> Knows | None:
    """An optimiser that masters the first question it is shown."""
    return skill | {residual[0]}


def answers(skill: Knows, questions: Sequence[int], place: Place, role: Role) -> list[bool]:
    return [q in skill for q in questions]


def test_the_stride_of_the_paper() -> None:
    assert offsets(8, 3) == (0, 3, 6)
    assert offsets(3, 5) == (0, 1, 2, 0, 1)
    assert offsets(8, 1) == (0,)
    assert offsets(0, 2) == ()


def test_each_skill_faces_what_those_before_it_fail() -> None:
    turns: list[Turn[Knows]] = []
    pool = residual_optimisation(
        [frozenset({1}), frozenset({2}), NOTHING], [[1, 2, 3, 4]], answers, learns, turns.append
    )
    assert [turn.residual for turn in turns] == [4, 3, 2]
    assert [turn.left for turn in turns] == [3, 2, 1]
    assert pool == (frozenset({1}), frozenset({2}), frozenset({3}))
    assert [turn.accepted for turn in turns] == [False, False, True]


def test_what_is_accepted_serves_the_later_skills_at_once_and_the_batch_at_its_end() -> None:
    turns: list[Turn[Knows]] = []
    pool = residual_optimisation([NOTHING, NOTHING], [[1, 2], [1, 3]], answers, learns, turns.append)
    assert turns[1].residual == 1
    assert pool[1] >= {2}
    assert pool[0] >= {1}


def test_a_tie_is_not_accepted_and_an_empty_residual_ends_the_batch() -> None:
    turns: list[Turn[Knows]] = []
    pool = [frozenset({1, 2}), frozenset({3})]
    assert residual_optimisation(pool, [[1, 2]], answers, learns, turns.append) == tuple(pool)
    assert [turn.accepted for turn in turns] == [False]


@given(st.integers(0, 10**6), st.integers(1, 5), st.integers(1, 4))
def test_every_skill_gets_its_turn_while_anything_is_left(seed: int, skills: int, batches: int) -> None:
    order = random.Random(seed)
    questions = [[order.randrange(50) for _ in range(order.randrange(6))] for _ in range(batches)]
    turns: list[Turn[Knows]] = []
    residual_optimisation([NOTHING] * skills, questions, answers, lambda *_: None, turns.append)
    for number, batch in enumerate(questions):
        mine = [turn.place.skill for turn in turns if turn.place.batch == number]
        assert sorted(mine) == (list(range(skills)) if batch else [])
