"""The grammar accepts what people ask for and lets nothing through that the database cannot prepare."""

from __future__ import annotations

import json
import random
import sqlite3
from collections import Counter
from pathlib import Path

import pytest

from dragoman.databases import connect
from dragoman.errors import Unreadable
from dragoman.models.embedded.grammar import Order, grammar
from dragoman.models.embedded.sql_form import SqlForm
from dragoman.schema import Column, ForeignKey, Schema, Table
from tests.models.gbnf import Gbnf
from tests.shared_data import shared_data

ORDERS: tuple[Order, ...] = ("from", "select")
FIXTURES = Path(__file__).parents[1] / "fixtures" / "grammar"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> tuple[Schema, sqlite3.Connection]:
    path = tmp_path_factory.mktemp("shop") / "shop.sqlite"
    connection = sqlite3.connect(path, check_same_thread=False)
    connection.executescript((FIXTURES / "shop.sql").read_text("utf-8"))
    return connect(str(path)).schema(), connection


@pytest.mark.parametrize("order", ORDERS)
def test_queries_of_every_shape(shop: tuple[Schema, sqlite3.Connection], order: Order) -> None:
    schema, connection = shop
    reader, form = Gbnf(grammar(schema, order)), SqlForm(order)
    for sql in (FIXTURES / "queries.sql").read_text("utf-8").splitlines():
        connection.execute(f"EXPLAIN {sql}")
        completion = form.completion(sql, schema)
        assert reader.accepts(completion), completion
        assert connection.execute(form.sql(completion, schema)).fetchall() == connection.execute(sql).fetchall()


@pytest.mark.parametrize("order", ORDERS)
def test_queries_that_cannot_be_written(shop: tuple[Schema, sqlite3.Connection], order: Order) -> None:
    schema, _ = shop
    reader, form = Gbnf(grammar(schema, order)), SqlForm(order)
    for sql in (FIXTURES / "refused.sql").read_text("utf-8").splitlines():
        try:
            completion = form.completion(sql, schema)
        except Unreadable:
            completion = f" {sql}"
        assert not reader.accepts(completion), completion
    for cut in ("", " ", " SELECT", " FROM customer", " SELECT name", " SELECT name FROM customer WHERE"):
        assert not reader.accepts(cut)


@pytest.mark.parametrize("order", ORDERS)
def test_sqlite_prepares_every_sentence(shop: tuple[Schema, sqlite3.Connection], order: Order) -> None:
    schema, connection = shop
    reader, source = Gbnf(grammar(schema, order)), random.Random(7)
    for _ in range(150):
        sentence = reader.sentence(source)
        connection.execute(f"EXPLAIN {SqlForm(order).sql(sentence, schema)}")


def test_a_schema_without_columns_has_no_grammar() -> None:
    with pytest.raises(ValueError, match="no queries"):
        grammar(Schema((Table("bare"),)))


def test_a_large_schema_stays_bounded() -> None:
    hub = Table("hub", (Column("id", primary_key=1), Column("name")))
    columns, key = (Column("id", primary_key=1), Column("hub_id")), ForeignKey(("hub_id",), "hub", ("id",))
    spokes = tuple(Table(f"spoke_{i}", columns, foreign_keys=(key,)) for i in range(60))
    for order in ORDERS:
        assert len(grammar(Schema((hub, *spokes)), order)) < 2_000_000


@pytest.mark.slow
@pytest.mark.parametrize("order", ORDERS)
def test_nearly_all_of_spider_can_be_written(order: Order) -> None:
    root = shared_data("data", "spider")
    asked, form = Counter[bool](), SqlForm(order)
    records = json.loads((root / "train_spider.json").read_text("utf-8"))
    present = [n for n in sorted({r["db_id"] for r in records}) if (root / "database" / n / f"{n}.sqlite").exists()]
    for name in present[::6]:
        schema = connect(str(root / "database" / name / f"{name}.sqlite")).schema()
        reader = Gbnf(grammar(schema, order))
        for record in [r for r in records if r["db_id"] == name][::6]:
            asked[reader.accepts(form.completion(record["query"], schema))] += 1
    assert asked.total() > 100
    assert asked[True] / asked.total() >= 0.97
