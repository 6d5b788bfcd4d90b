"""The minimal linker cuts large schemas to a budget, by what the question mentions, and always the same way."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dragoman.linking.lexical import link, values_seen
from dragoman.schema import Column, ForeignKey, Schema, Table, compact


def table(name: str, *columns: str, keys: tuple[ForeignKey, ...] = ()) -> Table:
    return Table(name, tuple(Column(c) for c in columns), foreign_keys=keys)


def size(schema: Schema) -> int:
    return len(compact(schema))


SHOP = Schema(
    (
        table("Customers", "id", "name", "city"),
        table("OrderLines", "order_id", "product_id", "n", keys=(ForeignKey(("order_id",), "Orders", ("id",)),)),
        table("Orders", "id", "customer_id", "day", keys=(ForeignKey(("customer_id",), "Customers", ("id",)),)),
        *(table(f"log_{i:02}", "at", "level", "message", "host") for i in range(40)),
    )
)


def names(schema: Schema) -> list[str]:
    return [t.name for t in schema]


def test_a_schema_that_fits_comes_back_whole() -> None:
    assert link(SHOP, "anything", budget=size(SHOP)) is SHOP


def test_the_tables_that_the_question_mentions_come_with_what_joins_them() -> None:
    cut = link(SHOP, "How many customers have order lines?", budget=250)
    assert set(names(cut)) == {"Customers", "OrderLines", "Orders"}


def test_tables_stand_in_the_same_order_for_every_question() -> None:
    orders = [
        names(link(SHOP, question, budget=200)) for question in ("customers", "the host of log 3", "n of order lines")
    ]
    assert all(sorted(order, key=orders[0].index) == order for order in orders if set(order) <= set(orders[0]))
    assert names(link(SHOP, "a", budget=200)) == names(link(SHOP, "b", budget=200))


def test_other_words_and_comments_bring_a_table_in() -> None:
    old = Table("CST_MST", (Column("nm"),), comment="dealer accounts of the old system")
    schema = Schema((*SHOP.tables, old))
    assert "CST_MST" in names(link(schema, "How many dealers are there?", budget=100))
    assert "Customers" in names(link(schema, "How many clients are there?", budget=100))


def test_of_monthly_tables_those_come_that_the_question_names() -> None:
    months = tuple(table(f"events_2025_{month:02}", "at", "kind", "page") for month in range(1, 13))
    schema = Schema((*SHOP.tables, *months))
    cut = names(link(schema, "How many events of kind x were there in March and May 2025?", budget=200))
    assert [name for name in cut if "2025" in name] == ["events_2025_03", "events_2025_05"]
    cut = names(link(schema, "Which kinds of events are there?", budget=200))
    assert [name for name in cut if "2025" in name] == ["events_2025_12"]


def test_tables_between_two_mentioned_ones_come_along() -> None:
    assert "Orders" in names(link(SHOP, "name of customers, n of orderlines", budget=200))


def test_a_value_found_in_a_table_brings_it_in() -> None:
    assert "log_17" in names(link(SHOP, "what happened on saturn?", [("log_17", "host", "saturn")], budget=120))


def test_tables_to_keep_stay_whatever_the_budget() -> None:
    assert names(link(SHOP, "customers", budget=1, keep=frozenset({"log_03", "log_30"}))) == ["log_03", "log_30"]


def test_a_table_wider_than_the_budget_keeps_its_keys_and_the_columns_asked_for() -> None:
    columns = (Column("id", primary_key=1), *(Column(f"measure_{i}") for i in range(300)), Column("humidity"))
    cut = link(Schema((Table("wide", columns),)), "average humidity", budget=200)
    kept = [c.name for c in cut.tables[0].columns]
    assert {"id", "humidity"} <= set(kept)
    assert size(cut) <= 200


def test_values_of_tables_that_are_not_seen_go_or_move_to_the_table_that_stands_for_them() -> None:
    values = [("log_17", "host", "saturn"), ("Customers", "city", "Rome"), ("Orders", "day", "x")]
    seen = Schema(tuple(t for t in SHOP if t.name in ("log_03", "Customers")))
    assert values_seen(SHOP, seen, values) == [("log_03", "host", "saturn"), ("Customers", "city", "Rome")]
    assert values_seen(SHOP, SHOP, values) == values


words = st.sampled_from(["customers", "orders", "city", "log", "level", "host", "saturn", "day"])


@given(st.lists(words), st.integers(80, 2500))
def test_the_cut_fits_is_stable_and_deterministic(question: list[str], budget: int) -> None:
    cut = link(SHOP, " ".join(question), budget=budget)
    assert cut.tables
    assert size(cut) <= budget
    assert link(SHOP, " ".join(question), budget=budget) == cut
    assert link(cut, " ".join(question), budget=budget) is cut
