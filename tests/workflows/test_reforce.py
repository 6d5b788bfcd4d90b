"""ReFoRCE takes every branch of the paper, and what it counts is what was done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from dragoman.databases import Database
from dragoman.models import ModelsByRole, ScriptedModel
from dragoman.solver import Answer, Draw
from dragoman.workflows.reforce import Parameters, reforce
from tests.workflows.shop import ASKING, EMPTY, QUESTION, RIGHT, WRONG, cast, fenced, shop

PROBES = fenced(
    "SELECT DISTINCT country FROM customer LIMIT 20",
    "SELECT DISTINCT name FROM customer LIMIT 20",
    "SELECT MIN(total), MAX(total) FROM orders LIMIT 20",
)


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return shop(tmp_path)


def answered(
    database: Database,
    candidates: Mapping[int, Sequence[str]],
    explorers: Mapping[int, Sequence[str]] | None = None,
    **changed: Any,
) -> tuple[Answer, ScriptedModel]:
    """The answer with two candidates a round, unless `changed` says otherwise."""
    model = cast(candidates, explorers)
    solve = reforce(Parameters(**{"votes": 2, **changed}))(database, ModelsByRole(model), ASKING)
    return solve(QUESTION, Draw()), model


def counted(answer: Answer) -> dict[tuple[int, str], tuple[int, int]]:
    """(model calls, executions) by round and stage."""
    calls, executions = Counter[tuple[int, str]](), Counter[tuple[int, str]]()
    for step in answer.steps:
        where = (step.data.get("round", 0), step.data["stage"])
        calls[where] += step.usage.calls
        executions[where] += step.kind == "execute"
    return {where: (calls[where], executions[where]) for where in calls if calls[where] or executions[where]}


def test_what_agrees_at_once_leaves_early(database: Database) -> None:
    answer, model = answered(database, {0: [RIGHT], 1: ["SELECT 2"]})
    assert answer.sql == RIGHT
    assert answer.rows is not None
    assert answer.rows.rows == ((2,),)
    assert answer.share == 1.0
    assert counted(answer) == {(1, "refine"): (2, 2)}
    assert len(model.requests) == answer.usage.calls == 2


def test_an_error_is_mended_by_what_the_engine_says(database: Database) -> None:
    answer, model = answered(database, {0: [WRONG, RIGHT], 1: ["SELECT abs(1, 2)", RIGHT]})
    assert answer.sql == RIGHT
    assert counted(answer) == {(1, "refine"): (4, 3)}, "a name that is not there never reaches the engine"
    told = [request.messages[-1].text for request in model.requests if len(request.messages) > 2]
    assert any("There is no column total" in text for text in told)
    assert any("wrong number of arguments" in text for text in told)
