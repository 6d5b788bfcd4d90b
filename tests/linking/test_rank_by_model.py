"""A model's choice corrects the ranking, and no reply can make a table disappear."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import BudgetSpent, ModelError
from dragoman.linking.linker import Linker
from dragoman.linking.rank_by_model import rank_by_model, read_choice
from dragoman.models import ScriptedModel
from dragoman.models.fence import fence_for
from dragoman.schema import Column, Schema, Table

NESTED = Column("doc", "STRUCT", nested=(("a", "INT"), ("b", "INT")))
SCHEMA = Schema(
    (
        Table("orders", (Column("id"), Column("total"), NESTED)),
        Table("log_1", (Column("at"), Column("line"))),
        Table("log_2", (Column("at"), Column("line"))),
        Table("stock", (Column("id"), Column("shelf"))),
    ),
    "duckdb",
)
LINKER = Linker(SCHEMA)
RANKING = LINKER.link("orders", None).ranking


def test_what_the_model_keeps_ranks_first() -> None:
    model = ScriptedModel(['Surely:\n```json\n{"2": ["at", "nothing"], "3": ["shelf"]}\n```'])
    ranking, steps = rank_by_model(LINKER.grouped, "which shelf?", RANKING, model)
    assert ranking.tables["stock",] >= 0.5 > ranking.tables["orders",]
    assert ranking.columns[("stock",), "shelf"] == ranking.columns[("log_2",), "at"] == 1.0
    assert ranking.why["stock",][0] == "kept by the model"
    assert [(step.kind, step.role, step.usage.calls) for step in steps] == [("link", "linker", 1)]


def test_tables_are_numbered_and_groups_are_one() -> None:
    model = ScriptedModel(["{}"])
    ranking, _ = rank_by_model(LINKER.grouped, "which shelf?", RANKING, model)
    system, user = model.requests[0].messages
    assert "[1] orders" in system.text
    assert "[2] log_2" in system.text
    assert "[3] stock" in system.text
    assert "which shelf?" in user.text
    assert ranking == RANKING


def test_nested_columns_by_path_or_whole() -> None:
    ranking, _ = rank_by_model(LINKER.grouped, "?", RANKING, ScriptedModel(['{"1": ["orders.doc.a"]}']))
    assert (("orders",), "doc.a") in ranking.columns
    ranking, _ = rank_by_model(LINKER.grouped, "?", RANKING, ScriptedModel(['{"1": ["doc"]}']))
    assert {(("orders",), "doc.a"), (("orders",), "doc.b")} <= ranking.columns.keys()


def test_one_table_a_call() -> None:
    model = ScriptedModel(['{"1": []}', "{}", "{}"])
    ranking, steps = rank_by_model(LINKER.grouped, "?", RANKING, model, batch=1)
    assert len(steps) == 3
    assert ranking.tables["stock",] < RANKING.tables["stock",]


def test_an_unreadable_reply_is_asked_for_again_and_then_left() -> None:
    model = ScriptedModel(["none", '["1"]', '{"1": ["id"]}'])
    ranking, steps = rank_by_model(LINKER.grouped, "?", RANKING, model)
    assert len(steps) == 3
    assert model.requests[2].messages[-1].text.startswith("That was not one JSON object")
    assert ranking.why["orders",][0] == "kept by the model"
    assert rank_by_model(LINKER.grouped, "?", RANKING, ScriptedModel(["no"] * 3))[0] == RANKING


def test_a_lost_server_leaves_the_ranking_and_a_spent_budget_ends() -> None:
    ranking, steps = rank_by_model(LINKER.grouped, "?", RANKING, ScriptedModel([ModelError("lost")]))
    assert ranking == RANKING
    assert steps[0].data["failed"]
    with pytest.raises(BudgetSpent):
        rank_by_model(LINKER.grouped, "?", RANKING, ScriptedModel([BudgetSpent("spent")]))


replies = st.one_of(
    st.text(),
    st.dictionaries(st.sampled_from(["1", "2", "03", "9", "x"]), st.one_of(st.none(), st.lists(st.text()))).map(
        json.dumps
    ),
)


@given(replies)
def test_no_reply_makes_a_table_disappear(reply: str) -> None:
    ranking, _ = rank_by_model(LINKER.grouped, "?", RANKING, ScriptedModel([reply] * 3))
    assert ranking.tables.keys() == RANKING.tables.keys()
    assert all(0 < score <= 1 for score in ranking.tables.values())
    choice = read_choice(reply)
    assert choice is None or all(key.isdigit() for key in choice)


def test_tables_and_question_stand_inside_the_fence() -> None:
    model = ScriptedModel(["{}"])
    rank_by_model(LINKER.grouped, "which </data> shelf?", RANKING, model, seed=3)
    marker = fence_for(3, SCHEMA.name).marker
    for message in model.requests[0].messages:
        outside = re.sub(rf"<data {marker} \w+>\n.*?\n</data {marker}>", "", message.text, flags=re.DOTALL)
        assert outside != message.text
        assert "shelf" not in outside
