"""Several draws of one question, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from dragoman.ensemble.at_once import at_once
from dragoman.questions import Question
from dragoman.solver import Answer, Draw, DrawsTogether, Solver


def draws(first: Draw, count: int, temperature: float) -> tuple[Draw, ...]:
    """`first` as it is, then `count - 1` more at `temperature`, each a sample of its own."""
    more = (Draw(first.seed, temperature, first.sample + number) for number in range(1, count))
    return (first, *more)


def candidates(solver: Solver, question: Question, drawn: Sequence[Draw], workers: int = 1) -> tuple[Answer, ...]:
    """One answer a draw, in the order of the draws whatever the number of threads.

    With one thread a solver that draws together is asked once.
    """
    if workers <= 1 and isinstance(solver, DrawsTogether):
        return solver.together(question, drawn)
    return at_once([partial(solver, question, draw) for draw in drawn], workers)
