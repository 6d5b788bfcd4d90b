"""The methods whose work agents do, by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dragoman.agent.skills import DEFAULT, Skill, find_skill, seed_skills
from dragoman.databases import Database
from dragoman.ensemble import Tournament
from dragoman.models import ModelsByRole
from dragoman.solver import Solver
from dragoman.workflows.agentic import Equipment, agentic
from dragoman.workflows.chase_agentic import AGENTS, ChaseAgentic, chase_agentic
from dragoman.workflows.divskill import DivSkill, divskill
from dragoman.workflows.several_agents import Selecting
from dragoman.workflows.zero_shot import Asking

Method = Callable[[Database, ModelsByRole, Asking], Solver]


@dataclass(frozen=True, slots=True)
class Team:
    """What the agents of a method are led by and work with: `agents` of them, 0 for the method's own number.

    Without `skills` these are the eight seeds for divskill and the default skill for the others, of which only the
    first is followed. `workers` agents work, and as many judgements are made, at the same time; `select` chooses among
    their answers, None for the method's own tournament.
    """

    skills: tuple[Skill, ...] = ()
    agents: int = 0
    workers: int = 8
    equipment: Equipment = Equipment()
    select: Selecting | None = None

    @property
    def first(self) -> Skill:
        """The skill of a method that follows one."""
        return self.skills[0] if self.skills else find_skill(DEFAULT)


def _divskill(team: Team) -> Method:
    judged = Tournament(workers=team.workers)
    skills = team.skills or seed_skills()
    return divskill(
        DivSkill(skills, team.agents, tournament=judged, workers=team.workers, select=team.select), team.equipment
    )


def _chase_agentic(team: Team) -> Method:
    judged = Tournament(workers=team.workers)
    agents = team.agents or AGENTS
    return chase_agentic(
        ChaseAgentic(team.first, agents, tournament=judged, workers=team.workers, select=team.select), team.equipment
    )


AGENT_METHODS: dict[str, Callable[[Team], Method]] = {
    "agent": lambda team: agentic(team.first, team.equipment),
    "chase_agentic": _chase_agentic,
    "divskill": _divskill,
}
"""Name on the command line -> the method of a team."""

CHOOSING = frozenset({"chase_agentic", "divskill"})
"""Those that make several candidates, and choose."""
