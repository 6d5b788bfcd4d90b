"""A solver is bound to one database and turns a question into an answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from dragoman.databases.database import Database, Rows
from dragoman.models.model import Usage
from dragoman.questions import Question


@dataclass(frozen=True, slots=True)
class Draw:
    """Which sample of a solver: the same draw over the same recorded replies gives the same bytes."""

    seed: int = 0
    temperature: float = 0.0
    sample: int = 0


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a transcript. `kind` is data ("model", "execute", "link", "vote", ...), so reports need no agent.

    `role` names the stage that called a model; usage, cost (US dollars, None if unknown) and seconds are its own.
    """

    kind: str
    text: str = ""
    role: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    usage: Usage = Usage()
    cost: float | None = 0.0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a query or an answer failed. `code` is an error code of `dragoman.errors`, or one of

    "no_sql" (nothing in the reply), "cut_off" (the reply reached its limit of tokens), "unresolved" (a name that is
    not in the schema), "undecided" (candidates that do not agree), "unexplored" (an exploration that found nothing),
    "abstained" (an answer that is not sure enough, held back), "too_slow" (a query that was not run, since other
    candidates took the question's time).
    """

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """One proposed query and what became of it. `group` numbers the class of equal results, None if it failed.

    `actions` are what an agent did to find it, as words of `agent.trajectory`; () where there was no agent.
    `logprob` is the mean natural log of the probability of its `tokens`, both None where the model does not tell.
    """

    sql: str
    rows: Rows | None = None
    error: Failure | None = None
    group: int | None = None
    source: str = ""
    actions: tuple[str, ...] = ()
    logprob: float | None = None
    tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a solver answers: SQL with its rows, or text, or an error.

    `share` is the part of the candidates that agree with the answer (0 to 1), None without a vote; `confidence` is
    a calibrated probability that the answer is right, None where nothing was fitted. `steps` is the transcript.
    """

    sql: str = ""
    rows: Rows | None = None
    text: str = ""
    error: Failure | None = None
    candidates: tuple[Candidate, ...] = ()
    steps: tuple[Step, ...] = ()
    share: float | None = None
    confidence: float | None = None
    seconds: float = 0.0

    @property
    def usage(self) -> Usage:
        """Calls and tokens of all steps."""
        return sum((step.usage for step in self.steps), Usage())

    @property
    def cost(self) -> float | None:
        """US dollars of all steps, None where any price is unknown."""
        costs = [step.cost for step in self.steps]
        return None if None in costs else float(sum(c for c in costs if c is not None))


Solver = Callable[[Question, Draw], Answer]


@runtime_checkable
class DrawsTogether(Protocol):
    """A solver that answers several draws of one question for less than one after another, with the same answers."""

    def __call__(self, question: Question, draw: Draw) -> Answer: ...

    def together(self, question: Question, drawn: Sequence[Draw]) -> tuple[Answer, ...]:
        """One answer a draw, in their order."""
        ...


SolverFor = Callable[[Database], Solver]
