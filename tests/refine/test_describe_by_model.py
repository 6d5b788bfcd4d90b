"""Descriptions as an arm: comments change, names do not."""

from __future__ import annotations

import pytest

from dragoman.errors import BudgetSpent, ModelUnavailable
from dragoman.models import ScriptedModel
from dragoman.models.request import Request
from dragoman.refine.describe_by_model import describe_by_model
from dragoman.refine.refinement import refined_schema
from dragoman.refine.subject import Subject
from dragoman.schema import Column, Schema, Table

TABLE = Table("CST", (Column("no", "INTEGER"), Column("nm", "TEXT", comment="a name"), Column("sz"), Column("ln")))
ABOUT = [
    Subject(("CST", ""), TABLE, None),
    *(Subject(("CST", c.name), TABLE, c, {c.name: ("1", "2")}, domain="A shop.") for c in TABLE.columns),
]
REPLIES = {
    "no": '"The number that the shop gives to a customer."',
    "nm": "<think>hm</think>The full name of the customer as it stands on invoices.",
    "sz": ModelUnavailable("lost"),
    "ln": "long " * 100,
}


@pytest.mark.parametrize("workers", [1, 4])
def test_only_comments_change_and_what_is_no_description_is_left_out(workers: int) -> None:
    def reply(request: Request) -> str | Exception:
        return next(text for name, text in REPLIES.items() if f"Column: CST.{name}," in request.messages[0].text)

    found, steps = describe_by_model(ABOUT, ScriptedModel(reply), workers)
    assert (found.columns, found.tables, len(steps)) == ({}, {}, 4)
    (after,) = refined_schema(Schema((TABLE,)), found)
    assert [column.comment for column in after.columns] == [
        "The number that the shop gives to a customer.",
        "The full name of the customer as it stands on invoices.",
        "",
        "",
    ]
    assert [column.name for column in after.columns] == ["no", "nm", "sz", "ln"]


def test_a_spent_budget_ends_it() -> None:
    with pytest.raises(BudgetSpent):
        describe_by_model(ABOUT, ScriptedModel([BudgetSpent("spent")]))
