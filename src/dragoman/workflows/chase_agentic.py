"""CHASE-SQL on the agent: one skill for all agents, who see the columns in different orders, at a high temperature.

This is the adaptation that DivSkill-SQL compares itself with (section 4.1): its diversity comes from shuffling and
sampling, and the selector is the same pairwise tournament. The original's generators and fixer are another method.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from dragoman.agent.skills import Skill, find_skill
from dragoman.databases import Database
from dragoman.ensemble import Tournament
from dragoman.models import ModelsByRole
from dragoman.solver import Solver
from dragoman.workflows.agentic import Equipment, bound
from dragoman.workflows.several_agents import Selecting, name_agents, selecting, several_agents
from dragoman.workflows.shuffled_columns import ShuffledColumns
from dragoman.workflows.zero_shot import Asking

AGENTS = 8


@dataclass(frozen=True, slots=True)
class ChaseAgentic:
    """Defaults are the paper's: eight agents with the balanced skill at temperature 1, every pair judged twice.

    `select` chooses instead of the tournament.
    """

    skill: Skill = field(default_factory=lambda: find_skill("balanced"))
    agents: int = AGENTS
    temperature: float = 1.0
    tournament: Tournament = Tournament()
    workers: int = 8
    select: Selecting | None = None


def chase_agentic(
    how: ChaseAgentic = ChaseAgentic(), equipment: Equipment = Equipment()
) -> Callable[[Database, ModelsByRole, Asking], Solver]:
    """The method, with the roles of `divskill`. Each agent's order of columns is the same for all questions."""
    agents = name_agents([how.skill], how.agents)

    def method(database: Database, models: ModelsByRole, asking: Asking) -> Solver:
        solvers = [
            (one.name, bound(one, equipment, ShuffledColumns(database, number), models, asking))
            for number, one in enumerate(agents)
        ]
        select = selecting(how.select, how.tournament)(database, models, asking)
        return several_agents(solvers, database, select, how.temperature, how.workers)

    return method
