"""DivSkill-SQL: agents that differ in their skills, and a pairwise tournament among their answers.

Source: DivSkill-SQL, sections 3.1 and 3.3, appendix B.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from dragoman.agent.skills import Skill, seed_skills
from dragoman.databases import Database
from dragoman.ensemble import Tournament
from dragoman.models import ModelsByRole
from dragoman.solver import Solver
from dragoman.workflows.agentic import Equipment, bound
from dragoman.workflows.several_agents import Selecting, name_agents, selecting, several_agents
from dragoman.workflows.zero_shot import Asking


@dataclass(frozen=True, slots=True)
class DivSkill:
    """Defaults are the paper's: eight skills, one agent each, temperature 0.2 for all, every pair judged twice.

    `agents` above the number of skills start over again; one skill for all of them is the paper's control (Base x K).
    `workers` agents work at the same time. `select` chooses instead of
    the tournament.
    """

    skills: tuple[Skill, ...] = field(default_factory=seed_skills)
    agents: int = 0
    temperature: float = 0.2
    tournament: Tournament = Tournament()
    workers: int = 8
    select: Selecting | None = None


def divskill(
    how: DivSkill = DivSkill(), equipment: Equipment = Equipment()
) -> Callable[[Database, ModelsByRole, Asking], Solver]:
    """The method. The agents work in the role generator, their critic as reviewer, the tournament's judge as judge."""
    agents = name_agents(how.skills, how.agents)

    def method(database: Database, models: ModelsByRole, asking: Asking) -> Solver:
        solvers = [(one.name, bound(one, equipment, database, models, asking)) for one in agents]
        select = selecting(how.select, how.tournament)(database, models, asking)
        return several_agents(solvers, database, select, how.temperature, how.workers)

    return method
