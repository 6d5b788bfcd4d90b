"""What each stage of a method used, counted from the steps of an answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from dragoman.models.model import Usage
from dragoman.solver import Step

_NEVER_RAN = ("refused", "unreadable")
"""Failures of queries that did not reach the engine."""


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of one candidate, free of the clock. `round` and `candidate` count from 1, 0 where it is of all.

    `executions` are queries that reached the engine, `iterations` the queries that a candidate tried one after the
    other.
    """

    name: str
    round: int = 0
    candidate: int = 0
    usage: Usage = Usage()
    executions: int = 0
    iterations: int = 0


@dataclass(frozen=True, slots=True)
class StageCost:
    """What a stage used in all: seconds waited for models and for the database, US dollars paid (None if unknown)."""

    usage: Usage = Usage()
    executions: int = 0
    waited: float = 0.0
    database: float = 0.0
    paid: float | None = 0.0


def stages(steps: Iterable[Step]) -> tuple[Stage, ...]:
    """The stages of all steps that name theirs (`data["stage"]`), in the order in which they began."""
    found: dict[tuple[str, int, int], Stage] = {}
    for step in steps:
        if "stage" not in step.data:
            continue
        key = (str(step.data["stage"]), int(step.data.get("round", 0)), int(step.data.get("candidate", 0)))
        stage = found.get(key, Stage(*key))
        found[key] = replace(
            stage,
            usage=stage.usage + step.usage,
            executions=stage.executions + executions(step),
            iterations=max(stage.iterations, int(step.data.get("iteration", 0))),
        )
    return tuple(found.values())


def stage_costs(steps: Iterable[Step]) -> dict[str, StageCost]:
    """Calls, tokens, executions, seconds and dollars by stage; a step without a stage counts for its role or kind."""
    found: dict[str, StageCost] = {}
    for step in steps:
        name = str(step.data.get("stage") or step.role or step.kind)
        cost = found.get(name, StageCost())
        found[name] = StageCost(
            cost.usage + step.usage,
            cost.executions + executions(step),
            cost.waited + (step.seconds if step.usage.calls else 0.0),
            cost.database + (step.seconds if executions(step) else 0.0),
            None if cost.paid is None or step.cost is None else cost.paid + step.cost,
        )
    return found


def executions(step: Step) -> int:
    """Queries of this step that reached the engine; a vote may have read results again."""
    if step.kind == "execute":
        return int(step.data.get("failed") not in _NEVER_RAN)
    return int(step.data.get("read_again", 0))


def read_stage(record: Mapping[str, Any]) -> Stage:
    """Raises KeyError or TypeError where the record is not a stage."""
    return Stage(**{**record, "usage": Usage(**record["usage"])})
