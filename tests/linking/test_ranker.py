"""What a question speaks of ranks first; what joins it comes along."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.linking.group_tables import group_tables
from dragoman.linking.ranker import LEAST, Ranker
from dragoman.schema import Column, ForeignKey, Schema, Table


def table(name: str, *columns: str, to: str = "", schema: str = "", comment: str = "") -> Table:
    keys = (ForeignKey((f"{to}_id",), to, ("id",)),) if to else ()
    return Table(name, tuple(Column(c) for c in columns), schema=schema, foreign_keys=keys, comment=comment)


SCHEMA = Schema(
    (
        table("customers", "id", "fullName", "zipcode"),
        table("orders", "id", "customers_id", "orderQty", to="customers"),
        table("lines", "orders_id", "sku_code", to="orders"),
        table("stock", "sku_code", "shelf"),
        table("t_17", "c1", "c2", comment="Humidity in the greenhouse"),
        table("log", "at", "level"),
        *(table(f"visits_{year}", "visitor", "pageviews") for year in (2019, 2020, 2021)),
    )
)
GROUPED = group_tables(SCHEMA).schema
RANKER = Ranker(GROUPED)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Names of customers", "customers"),
        ("What quantity was ordered?", "orders"),
        ("zip codes", "customers"),
        ("how humid was it in the greenhouse", "t_17"),
        ("page views in 2020", "visits_2021"),
        ("log levels", "log"),
    ],
)
def test_the_table_asked_for_is_first(question: str, first: str) -> None:
    scores = RANKER.rank(question).tables
    assert max(scores, key=lambda name: scores[name]) == (first,)
    assert scores[first,] == 1.0


def test_columns_by_how_much_of_their_name_is_asked_for() -> None:
    columns = RANKER.rank("order quantity and full names").columns
    assert columns[("orders",), "orderQty"] > columns.get((("orders",), "id"), 0.0)
    assert columns[("customers",), "fullName"] > 0.5
    assert (("log",), "level") not in columns


def test_tables_next_to_the_one_asked_for_come_along() -> None:
    scores = RANKER.rank("customers").tables
    assert scores["orders",] > scores["log",] == LEAST


def test_identifiers_that_tables_share_join_them() -> None:
    columns = RANKER.rank("shelf of the stock").columns
    assert columns[("lines",), "sku_code"] > 0


def test_values_bring_their_table_and_column() -> None:
    ranking = RANKER.rank("what happened on saturn", [("log", "level", "saturn"), ("visits_2019", "visitor", "x")])
    assert ranking.tables["log",] == ranking.columns[("log",), "level"] == 1.0
    assert ranking.tables["visits_2021",] == 1.0
    assert ranking.why["log",][0] == "level = 'saturn'"


def test_what_a_table_was_found_by_is_told() -> None:
    assert "pageview" in RANKER.rank("pageviews").why["visits_2021",]


@given(st.text())
def test_every_table_has_a_score_and_the_same_one_each_time(question: str) -> None:
    ranking = Ranker(GROUPED).rank(question)
    assert ranking.tables.keys() == {t.full_name for t in GROUPED}
    assert all(LEAST <= score <= 1 for score in ranking.tables.values())
    assert all(0 <= score <= 1 for score in ranking.columns.values())
    assert ranking == RANKER.rank(question)


def test_an_empty_schema_has_no_ranking() -> None:
    assert Ranker(Schema()).rank("anything").tables == {}
