"""What differs between models that converse and models that complete a prompt form: three steps, one protocol."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from dragoman.questions import Question
from dragoman.solver import Answer, Draw, Solver, Step
from dragoman.workflows.reforce.briefing import Briefing

Steps = tuple[Step, ...]


class Way(Protocol):
    """The model's part in ReFoRCE. What a model did wrong is a value; `BudgetSpent` is passed on.

    `alike` tells whether explorations of one question do not differ, so that one is enough.
    """

    @property
    def alike(self) -> bool: ...

    def draws(self, first: Draw) -> Sequence[Draw]:
        """The draws of a round, whose samples count on from `first`."""
        ...

    def brief(self, question: Question, draw: Draw) -> tuple[Briefing, Steps]:
        """Compression and linking, values, and the format of the answer."""
        ...

    def candidates(self, briefing: Briefing) -> Solver:
        """The solver that makes a candidate of each draw, refined."""
        ...

    def explore(
        self, briefing: Briefing, question: Question, draw: Draw, earlier: Sequence[Answer]
    ) -> tuple[Briefing | None, Steps]:
        """The briefing with notes; `earlier` are the candidates that did not agree. None if nothing was found."""
        ...
