"""Residual optimisation of a pool of skills (DivSkill-SQL, Algorithm 1), whatever a skill or a question is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

S = TypeVar("S")
X = TypeVar("X")

Role = Literal["incumbent", "challenger"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the algorithm something happens: batch, place in that batch's order, and the skill's place in the pool.

    All count from 0. Runs at different places, and of the two sides of one comparison, are independent of each other.
    """

    batch: int
    turn: int
    skill: int


@dataclass(frozen=True, slots=True)
class Turn(Generic[S]):
    """What came of one skill in one batch.

    `residual` questions were left when its turn came, `left` when it ended. `before` and `after` count those that the
    incumbent and the challenger answered in fresh paired runs; `after` is None where nothing was proposed. `kept` is
    the skill that goes on from here.
    """

    place: Place
    incumbent: S
    challenger: S | None
    residual: int
    before: int
    after: int | None
    left: int
    kept: S

    @property
    def accepted(self) -> bool:
        """Strictly better on the whole residual."""
        return self.after is not None and self.after > self.before


Answered = Callable[[S, Sequence[X], Place, Role], Sequence[bool]]
"""Which questions a skill answers in fresh runs for this place and side, in their order."""
Improve = Callable[[S, Sequence[X], Place], "S | None"]
"""A better skill for these questions, or None where there is none to propose."""


def residual_optimisation(
    pool: Sequence[S],
    batches: Sequence[Sequence[X]],
    answered: Answered[S, X],
    improve: Improve[S, X],
    on_turn: Callable[[Turn[S]], None] | None = None,
) -> tuple[S, ...]:
    """The pool after all batches.

    In each batch the skills take their turns in a rotated order (`offsets`). The first one faces the whole batch, each
    later one what the skills before it fail, with the prompts they have by then. A challenger is accepted if it
    answers strictly more of the residual than the incumbent, both in fresh runs: labels that made a residual are never
    compared with new ones, because failures seen once look better when they are drawn again. What was accepted is
    committed at the end of the batch; a residual that is empty ends it.
    """
    current = list(pool)
    for number, offset in enumerate(offsets(len(pool), len(batches))):
        residual = list(batches[number])
        staged = list(current)
        for turn in range(len(pool)):
            if not residual:
                break
            place = Place(number, turn, (turn + offset) % len(pool))
            told = _take_turn(current[place.skill], residual, place, answered, improve)
            staged[place.skill], residual = told[0].kept, told[1]
            if on_turn:
                on_turn(told[0])
        current = staged
    return tuple(current)


def _take_turn(
    incumbent: S, residual: list[X], place: Place, answered: Answered[S, X], improve: Improve[S, X]
) -> tuple[Turn[S], list[X]]:
    challenger = improve(incumbent, residual, place)
    now = answered(incumbent, residual, place, "incumbent")
    then = answered(challenger, residual, place, "challenger") if challenger is not None else None
    accepted = challenger is not None and then is not None and sum(then) > sum(now)
    kept, right = (challenger, then) if accepted else (incumbent, now)
    assert kept is not None
    assert right is not None
    left = [x for x, solved in zip(residual, right, strict=True) if not solved]
    after = sum(then) if then is not None else None
    return Turn(place, incumbent, challenger, len(residual), sum(now), after, len(left), kept), left


def offsets(skills: int, batches: int) -> tuple[int, ...]:
    """Where each batch's order begins: (t - 1) times the stride, so that starts spread over the pool.

    The stride is 1 where there are at least as many batches as skills, else skills / batches rounded: 8 skills in 3
    batches start at 0, 3 and 6 (DivSkill-SQL, appendix B).
    """
    stride = max(1, round(skills / batches)) if batches else 1
    return tuple(batch * stride % skills for batch in range(batches)) if skills else ()
