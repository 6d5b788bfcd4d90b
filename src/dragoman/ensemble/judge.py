"""Which of two candidates answers the question: the seam between tournaments and whoever judges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from dragoman.questions import Question
from dragoman.solver import Answer, Draw, Step

Winner = Literal["first", "second", "undecided"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two answers that ran and gave different results, in the order in which the judge sees them."""

    question: Question
    first: Answer
    second: Answer
    draw: Draw = Draw()


@dataclass(frozen=True, slots=True)
class Judgement:
    """Who wins; "undecided" is half a win for each. `step` is what the judgement took: reply, usage, cost, seconds."""

    winner: Winner
    step: Step = Step("judge", role="judge")


Judge = Callable[[Comparison], Judgement]
"""A model, a rule or a simulation. Safe to call from several threads; raises `BudgetSpent` alone."""
