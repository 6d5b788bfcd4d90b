"""Several draws of one question, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

from dragoman.questions import Question
from dragoman.solver import Answer, Draw, Solver


def draws(first: Draw, count: int, temperature: float) -> tuple[Draw, ...]:
    """`first` as it is, then `count - 1` more at `temperature`, each a sample of its own."""
    more = (Draw(first.seed, temperature, first.sample + number) for number in range(1, count))
    return (first, *more)


def candidates(solver: Solver, question: Question, drawn: Sequence[Draw], workers: int = 1) -> tuple[Answer, ...]:
    """One answer a draw, in the order of the draws whatever the number of threads."""
    if workers <= 1 or len(drawn) == 1:
        return tuple(solver(question, draw) for draw in drawn)
    with ThreadPoolExecutor(min(workers, len(drawn))) as pool:
        running = [pool.submit(copy_context().run, solver, question, draw) for draw in drawn]
        return tuple(future.result() for future in running)
