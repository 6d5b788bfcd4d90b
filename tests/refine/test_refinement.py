"""Refinements applied to schemas, and back."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.refine import Refinement, inverse, refined_schema
from dragoman.refine.admissible import inadmissible
from dragoman.schema import Column, ForeignKey, Schema, Table
from tests.refine.schemas import schemas, wishes

SHOP = Schema(
    (
        Table("CST", (Column("cst_no", "INTEGER", primary_key=1), Column("nm", "TEXT", comment="full name"))),
        Table("ORD", (Column("cst_no", "INTEGER"),), foreign_keys=(ForeignKey(("cst_no",), "CST", ("cst_no",)),)),
    )
)


@settings(deadline=None)
@given(st.data())
def test_the_inverse_leads_back(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    refinement = data.draw(wishes(schema))
    if not inadmissible(schema, refinement):
        after = refined_schema(schema, refinement)
        assert refined_schema(after, inverse(schema, refinement)) == schema


def test_keys_and_comments_follow_and_descriptions_stand_as_comments() -> None:
    names = {("CST", "cst_no"): "customer_number", ("ORD", "cst_no"): "customer_number", ("CST", "nm"): "name"}
    refinement = Refinement(names, {"CST": "customers"}, {("ORD", ""): "what customers bought"})
    after = refined_schema(SHOP, refinement)
    customers, orders = after.tables
    assert (customers.name, customers.column("name")) == ("customers", Column("name", "TEXT", comment="full name"))
    assert orders.foreign_keys == (ForeignKey(("customer_number",), "customers", ("customer_number",)),)
    assert orders.comment == "what customers bought"
    assert refined_schema(after, inverse(SHOP, refinement)) == SHOP
