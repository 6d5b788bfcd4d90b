"""Several different solvers side by side on one question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from dragoman.ensemble.at_once import at_once
from dragoman.questions import Question
from dragoman.solver import Answer, Draw, Solver


@dataclass(frozen=True, slots=True)
class Entrant:
    """A solver that takes part, under a name. Its own `temperature` and `seed` stand for those of the draw."""

    name: str
    solver: Solver
    temperature: float | None = None
    seed: int | None = None

    def drawn(self, draw: Draw, number: int, count: int) -> Draw:
        """The draw of entrant `number` of `count`: no two entrants, and no two samples, share a sample's index."""
        return Draw(
            draw.seed if self.seed is None else self.seed,
            draw.temperature if self.temperature is None else self.temperature,
            draw.sample * count + number,
        )


Gather = Callable[[Question, Draw], tuple[Answer, ...]]
"""All answers to one question, in a fixed order."""


def side_by_side(entrants: Sequence[Entrant], workers: int = 1) -> Gather:
    """The answers of all entrants, in their order whatever the number of threads."""

    def gather(question: Question, draw: Draw) -> tuple[Answer, ...]:
        count = len(entrants)
        return at_once([partial(e.solver, question, e.drawn(draw, n, count)) for n, e in enumerate(entrants)], workers)

    return gather
