"""Several agents on one question, of whose answers one is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from dragoman.agent.skills import Skill
from dragoman.databases import Database
from dragoman.ensemble import Choice, Entrant, Pool, Select, Tournament, ensemble, side_by_side, tournament
from dragoman.ensemble.model_judge import Judging, model_judge
from dragoman.errors import BudgetSpent, SetupError
from dragoman.models import ModelsByRole
from dragoman.questions import Question
from dragoman.solver import Answer, Draw, Failure, Solver
from dragoman.workflows.agentic import Agent
from dragoman.workflows.zero_shot import Asking

Selecting = Callable[[Database, ModelsByRole, Asking], Select]
"""A way to choose, to be bound to a database and the model that judges."""


def name_agents(skills: Sequence[Skill], count: int = 0) -> tuple[Agent, ...]:
    """`count` agents (as many as there are skills if 0) that take the skills in turn, each under a name of its own.

    An agent is called by its skill; those of a skill that several follow are numbered: `explore 1`, `explore 2`.
    Raises `SetupError` without a skill.
    """
    if not skills:
        raise SetupError("There is no skill for the agents to follow. Put .md files into the folder of --skills.")
    taken = [skills[i % len(skills)] for i in range(count or len(skills))]
    shared, seen = Counter(skill.label for skill in taken), Counter[str]()
    agents = []
    for skill in taken:
        seen[skill.label] += 1
        number = f" {seen[skill.label]}" if shared[skill.label] > 1 else ""
        agents.append(Agent(f"{skill.label}{number}", skill))
    return tuple(agents)


def several_agents(
    agents: Sequence[tuple[str, Solver]], database: Database, select: Select, temperature: float, workers: int
) -> Solver:
    """A solver that asks all agents, `workers` at a time, and keeps the answer that `select` chooses among queries.

    What fails in one agent is a failed candidate, except for a wrong set-up and a spent budget, which end all. Where
    more than half of the agents hand in a sentence instead of a query, the first of those sentences is the answer.
    """
    entrants = [Entrant(name, _unfailing(solver), temperature) for name, solver in agents]
    names = [name for name, _ in agents]
    return ensemble(side_by_side(entrants, workers), database, _or_a_sentence(select), names)


def selecting(select: Selecting | None, how: Tournament) -> Selecting:
    """`select`, or the tournament where it is None."""
    return select or (lambda database, models, asking: judged(database, models, asking, how))


def judged(database: Database, models: ModelsByRole, asking: Asking, how: Tournament) -> Select:
    """The choice by a tournament whose judge is the model of that role, which sees cells where it may."""
    model = models.for_role("judge")
    return tournament(model_judge(database, model, Judging(asking.today, asking.values or model.local)), how)


def _unfailing(solver: Solver) -> Solver:
    """The solver, whose crash is a value: the other agents go on."""

    def solve(question: Question, draw: Draw) -> Answer:
        try:
            return solver(question, draw)
        except (SetupError, BudgetSpent):
            raise
        except Exception as error:  # one agent's failure becomes its candidate
            return Answer(error=Failure("crash", f"{type(error).__name__}: {error}"))

    return solve


def _or_a_sentence(select: Select) -> Select:
    def choose(pool: Pool) -> Choice:
        sentences = [place for place, answer in enumerate(pool.answers) if answer.text and not answer.sql]
        if 2 * len(sentences) > len(pool.answers):
            return Choice(sentences[0])
        chosen = select(pool)
        failed = pool.groups[chosen.place] is None
        return Choice(sentences[0], chosen.steps) if failed and sentences else chosen

    return choose
