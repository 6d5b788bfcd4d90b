"""The agent as a method: one skill, six tools."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from dragoman.agent import AgentLimits, Document, Template, Toolbox, agent
from dragoman.agent.skills import Skill
from dragoman.agent.transcript import transcript_line
from dragoman.databases import Database
from dragoman.models import ModelsByRole
from dragoman.questions import Question
from dragoman.solver import Answer, Draw, Solver, Step
from dragoman.workflows.zero_shot import Asking


class Watch(Protocol):
    """Told of what agents do as they do it, in whichever thread they work. `agent` is the name of one of them."""

    def step(self, agent: str, draw: Draw, step: Step) -> None: ...

    def end(self, agent: str, draw: Draw, transcript: str) -> None:
        """A run has ended; `transcript` is its line of JSON (see `agent.transcript`)."""
        ...


@dataclass(frozen=True, slots=True)
class Equipment:
    """What every agent of a method has beside its skill.

    `documents` and `templates` are the user's own; `text_protocol` is for models without tool calls.
    """

    documents: tuple[Document, ...] = ()
    templates: tuple[Template, ...] = ()
    text_protocol: bool = False
    limits: AgentLimits = AgentLimits()
    watch: Watch | None = None


@dataclass(frozen=True, slots=True)
class Agent:
    """One agent of several: its `name` among them, and the skill that leads it."""

    name: str
    skill: Skill


def agentic(skill: Skill, equipment: Equipment = Equipment()) -> Callable[[Database, ModelsByRole, Asking], Solver]:
    """The method of an agent that follows `skill`.

    Without `asking.match`, which stands for the leave to show cells to this model, no cell reaches a prompt. Raises
    `SetupError`, when bound, for a model that writes SQL only.
    """

    def method(database: Database, models: ModelsByRole, asking: Asking) -> Solver:
        return bound(Agent(skill.label, skill), equipment, database, models, asking)

    return method


def bound(one: Agent, equipment: Equipment, database: Database, models: ModelsByRole, asking: Asking) -> Solver:
    """One agent on one database, watched, whose candidates bear its name."""
    watch = equipment.watch
    solver = agent(
        database,
        models.for_role("generator"),
        one.skill.body,
        _toolbox(equipment, models, asking),
        equipment.limits,
        None if watch is None else lambda draw, step: watch.step(one.name, draw, step),
    )

    def solve(question: Question, draw: Draw) -> Answer:
        answer = solver(question, draw)
        if watch is not None:
            line = transcript_line(one.skill.label, question, database.dialect, answer, draw.sample)
            watch.end(one.name, draw, line)
        return replace(answer, candidates=tuple(replace(c, source=one.name) for c in answer.candidates))

    return solve


def _toolbox(equipment: Equipment, models: ModelsByRole, asking: Asking) -> Toolbox:
    return Toolbox(
        today=asking.today,
        reviewer=models.for_role("reviewer"),
        documents=equipment.documents,
        templates=equipment.templates,
        match=asking.match,
        values=asking.match is not None,
        limits=asking.limits,
        consent=asking.consent,
        text_protocol=equipment.text_protocol,
    )
