"""What ReFoRCE shows of a schema: all of it compressed, or what ranking and a model leave; and bare in an arm."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from dragoman.models import ScriptedModel
from dragoman.schema import Column, ForeignKey, Schema, Table
from dragoman.workflows.reforce import Parameters
from dragoman.workflows.reforce.reveal import reveal
from dragoman.workflows.reforce.sight import Seen, Sight
from tests.workflows.shop import shop

DAILY = tuple(
    Table(f"visits_2024{month:02}{day:02}", (Column("page", "TEXT"), Column("at", "TIMESTAMP"), Column("n", "INT")))
    for month in range(1, 5)
    for day in range(1, 29)
)
WIDE = tuple(
    Table(f"{word}_facts", tuple(Column(f"{word}_{part}{n}", "INT") for part in "abcdefgh" for n in "xyz"))
    for word in ("weather", "prices", "stock", "staff", "returns", "credit")
)
SCHEMA = Schema((*DAILY, *WIDE), "duckdb", "warehouse")
SILENT = ScriptedModel([])
See = Callable[[str, ScriptedModel, Parameters], Seen]


@pytest.fixture
def see(tmp_path: Path) -> See:
    """What is seen of `SCHEMA`, without cells: then the database is not asked anything."""
    database = shop(tmp_path)
    return lambda asked, model, how: Sight(database, model, how, cells=False).see(SCHEMA, asked, (), 0)


def test_what_fits_is_shown_whole_and_compressed(see: See) -> None:
    seen = see("How many visits?", SILENT, Parameters())
    assert "20240401..20240428} -- 112 tables" in seen.text.text
    assert "staff_hz" in seen.text.text
    (told,) = seen.steps
    assert (told.kind, told.data["stage"], told.data["tables"], told.data["left_out"]) == ("link", "link", 118, [])


def test_a_model_is_asked_where_columns_must_go(see: See) -> None:
    model = ScriptedModel(lambda request: '{"5": ["staff_hz"]}')
    budget = see("What?", SILENT, Parameters()).text.tokens // 2
    seen = see("What?", model, Parameters(budget=budget))
    assert seen.text.tokens <= budget
    assert "staff_hz" in seen.text.text
    assert [step.role for step in seen.steps] == ["", *["linker"] * len(model.requests)]
    assert {step.data["stage"] for step in seen.steps} == {"link"}
    assert seen.steps[0].data["left_out"]


def test_without_compression_every_table_stands_in_full(see: See) -> None:
    seen = see("How many visits?", SILENT, Parameters(compress=False, budget=10))
    assert seen.text.text.count("visits_") == len(DAILY)
    assert len(seen.text.shown.tables) == len(SCHEMA.tables)


def test_gold_tables_and_columns() -> None:
    customer = Table("customer", (Column("id", primary_key=1), Column("name"), Column("land")))
    key = ForeignKey(("customer_id",), "customer", ("id",))
    orders = Table("orders", (Column("nr"), Column("customer_id"), Column("total")), foreign_keys=(key,))
    schema = Schema((customer, orders, Table("other", (Column("x"),))))
    gold = "SELECT c.name FROM customer c JOIN orders USING (id) WHERE total > 3"
    gold = gold.replace("USING (id)", "ON customer_id = c.id")
    assert reveal(schema, gold, columns=False).tables == (customer, orders)
    narrow = reveal(schema, gold, columns=True)
    assert [[column.name for column in table.columns] for table in narrow] == [["id", "name"], ["customer_id", "total"]]
    alone = reveal(schema, "SELECT COUNT(total) FROM orders", columns=True)
    assert alone.tables == (replace(orders, columns=(Column("total"),), foreign_keys=()),)
    assert reveal(schema, "SELECT broken FROM", columns=True) == schema
    assert reveal(schema, "SELECT 1", columns=True) == schema


def test_sample_values_stand_with_their_columns_where_cells_may_be_shown(tmp_path: Path) -> None:
    database = shop(tmp_path)

    def shown(how: Parameters, cells: bool = True) -> str:
        return Sight(database, SILENT, how, cells).see(database.schema(), "Who?", (), 0).text.text

    assert "name TEXT -- e.g. 'Ann', 'Bob'\n" in shown(Parameters(samples=2))
    assert "country TEXT -- e.g. 'FR', 'PE'" in shown(Parameters())
    assert "Ann" in shown(Parameters(compress=False))
    assert "Ann" not in shown(Parameters(), cells=False)
    assert "Ann" not in shown(Parameters(samples=0))
