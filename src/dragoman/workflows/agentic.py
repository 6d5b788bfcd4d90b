"""The agent as a method: one skill, six tools."""

from __future__ import annotations

from collections.abc import Callable

from dragoman.agent import AgentLimits, Document, OnStep, Template, Toolbox, agent
from dragoman.agent.skills import Skill
from dragoman.databases import Database
from dragoman.models import ModelsByRole
from dragoman.solver import Solver
from dragoman.workflows.zero_shot import Asking


def agentic(
    skill: Skill,
    documents: tuple[Document, ...] = (),
    templates: tuple[Template, ...] = (),
    limits: AgentLimits = AgentLimits(),
    on_step: OnStep | None = None,
) -> Callable[[Database, ModelsByRole, Asking], Solver]:
    """The method of an agent that follows `skill`.

    Without `asking.match`, which stands for the leave to show cells to this model, no cell reaches a prompt. Raises
    `SetupError`, when bound, for a model that writes SQL only.
    """

    def method(database: Database, models: ModelsByRole, asking: Asking) -> Solver:
        toolbox = Toolbox(
            asking.today,
            models.for_role("reviewer"),
            documents,
            templates,
            asking.match,
            asking.match is not None,
            asking.limits,
            asking.consent,
        )
        return agent(database, models.for_role("generator"), skill.body, toolbox, limits, on_step)

    return method
