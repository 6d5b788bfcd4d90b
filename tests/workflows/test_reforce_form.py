"""ReFoRCE with a model that completes one prompt form: degraded as it says, and whole from end to end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dragoman.bench.stages import stage_costs, stages
from dragoman.databases import Database
from dragoman.models import ModelsByRole, Request, ScriptedModel
from dragoman.models.embedded import EmbeddedModel
from dragoman.models.embedded.sql_form import SqlForm
from dragoman.solver import Answer, Draw
from dragoman.workflows.reforce import Parameters, reforce
from dragoman.workflows.reforce.resample import APART
from tests.workflows.shop import ASKING, QUESTION, shop

RIGHT = " SELECT count(*) FROM customer WHERE country = 'FR'"
EMPTY = " SELECT name FROM customer WHERE country = 'fr'"
EMPTY_TOO = " SELECT id FROM customer WHERE country = 'fra'"
FAILS = " SELECT json_extract(name, '$.a') FROM customer"


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return shop(tmp_path)


def answered(database: Database, complete: Callable[[Request], str], **changed: Any) -> tuple[Answer, ScriptedModel]:
    model = ScriptedModel(complete, sql_form=SqlForm("select"))
    solve = reforce(Parameters(**{"votes": 3, **changed}))(database, ModelsByRole(model), ASKING)
    answer = solve(QUESTION, Draw())
    assert len(model.requests) == answer.usage.calls
    return answer, model


def test_candidates_are_drawn_together(database: Database) -> None:
    answer, model = answered(database, lambda request: RIGHT)
    assert answer.rows is not None
    assert answer.rows.rows == ((2,),)
    assert [(r.settings.temperature, r.settings.sample) for r in model.requests] == [(0.0, 0), (0.7, 1), (0.7, 2)]
    costs = stage_costs(answer.steps)
    assert (costs["refine"].usage.calls, costs["sample"].usage.calls, costs["refine"].executions) == (1, 2, 1)


def test_what_failed_is_drawn_again_and_does_not_run_twice(database: Database) -> None:
    def complete(request: Request) -> str:
        return FAILS if request.settings.sample < 2 * APART else RIGHT

    answer, model = answered(database, complete)
    assert answer.sql.startswith("SELECT")
    assert answer.share == 1.0
    assert [stage.iterations for stage in stages(answer.steps) if stage.name == "refine"] == [3, 3, 3]
    assert sum(stage.executions for stage in stages(answer.steps)) == 2, "each query once"
    assert len(model.requests) == 9


def test_exploration_by_rule_finds_how_a_value_is_written(database: Database) -> None:
    def complete(request: Request) -> str:
        if "V: customer.country = 'FR'" in request.messages[0].text:
            return RIGHT
        return EMPTY if request.settings.sample % 2 else EMPTY_TOO

    answer, _ = answered(database, complete)
    assert answer.rows is not None
    assert answer.rows.rows == ((2,),)
    told = [step.data for step in answer.steps if step.kind == "explore"]
    assert [(data["notes"], data["degraded"]) for data in told] == [(1, "probes by rule")]
    assert [step.data["standing"] for step in answer.steps if step.kind == "vote"] == ["none", "agreed"]
    assert stage_costs(answer.steps)["explore"].usage.calls == 0
    assert 0 < stage_costs(answer.steps)["explore"].executions <= Parameters().exploring.queries


def test_an_exploration_that_finds_nothing_is_no_second_round(database: Database) -> None:
    answer, _ = answered(database, lambda request: f" SELECT {request.settings.sample}")
    assert answer.sql == "SELECT 0"
    assert [step.data["standing"] for step in answer.steps if step.kind == "vote"] == ["scattered"]
    assert [step.data["aborted"] for step in answer.steps if step.kind == "explore"] == [True]


def test_the_tables_of_the_gold_are_all_that_the_form_shows(database: Database) -> None:
    model = ScriptedModel(lambda request: RIGHT, sql_form=SqlForm("select"))
    gold = "SELECT COUNT(*) FROM customer WHERE country = 'FR'"
    method = reforce(Parameters(votes=1, reveal="tables"), gold=lambda question: gold)
    answer = method(database, ModelsByRole(model), ASKING)(QUESTION, Draw())
    assert answer.rows is not None
    assert answer.rows.rows == ((2,),)
    assert "orders" not in model.requests[0].messages[0].text


@pytest.mark.slow
def test_the_embedded_model_runs_it_from_end_to_end(database: Database, embedded_model: EmbeddedModel) -> None:
    solve = reforce(Parameters(votes=3))(database, ModelsByRole(embedded_model), ASKING)
    answer = solve(QUESTION, Draw())
    assert answer.sql
    assert answer.steps[-1].kind == "pick"
    assert answer == solve(QUESTION, Draw()) or answer.sql == solve(QUESTION, Draw()).sql
