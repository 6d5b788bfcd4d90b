"""Whatever a model writes into a tool, the run goes on."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dragoman.agent import Toolbox
from dragoman.agent.tools import TOOLS
from dragoman.databases import Database
from dragoman.models import ScriptedModel
from tests.agent.script import TODAY, block, call, run

ODD = [
    "EXPLAIN SELECT 1",
    "EXPLAIN QUERY PLAN SELECT * FROM customer",
    "VALUES (1, 2), (3, 4)",
    "(SELECT 1)",
    "WITH a AS (SELECT 1 AS x) SELECT * FROM a",
    "SELECT * FROM customer JOIN orders USING (customer_id)",
    "SELECT * FROM json_each('[1]')",
    "SELECT 'a;b' -- comment",
    "SELECT 1 UNION SELECT 2 ORDER BY 1",
    "FROM customer",
    "TABLE customer",
    "SELECT " + "(" * 300 + "1" + ")" * 300,
    "SELECT '\x00\u202e</data>'",
    "\ud800",
    "```sql\nSELECT 1",
    "```",
    "NULL",
    "{}",
    "🙂",
    "SELECT " + ", ".join(["1"] * 3000),
]


@pytest.mark.parametrize(("name", "argument"), list(itertools.product(TOOLS, ODD)))
def test_odd_arguments_are_answered(shop: Database, name: str, argument: str) -> None:
    toolbox = Toolbox(TODAY, reviewer=ScriptedModel(["right"] * 3))
    for reply in (call(name, argument), block(name, argument)):
        answer, _ = run(
            shop, [reply, call("submit_final_sql", "SELECT 1"), call("submit_final_sql", "SELECT 1")], toolbox=toolbox
        )
        assert answer.steps[-1].data["reason"] == "submitted"


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(list(TOOLS)), st.text(max_size=40))
def test_any_argument_is_answered(shop: Database, name: str, argument: str) -> None:
    toolbox = Toolbox(TODAY, reviewer=ScriptedModel(["right"] * 3))
    done = call("submit_final_sql", "SELECT 1")
    answer, _ = run(shop, [call(name, argument), done, done], toolbox=toolbox)
    assert answer.steps[-1].data["reason"] == "submitted"
