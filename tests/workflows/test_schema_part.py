"""What a model chose of a schema: every way to write it down, and what is kept with it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.schema import Column, ForeignKey, Schema, Table
from dragoman.workflows.schema_part import FullName, json_values, read_columns, read_tables, schema_part

CUSTOMER = Table("customer", (Column("id", primary_key=1), Column("full name"), Column("age")), schema="main")
ORDER = Table(
    "order",
    (Column("id", primary_key=1), Column("customer"), Column("total"), Column("Größe")),
    schema="main",
    foreign_keys=(ForeignKey(("customer",), "customer", ("id",)),),
)
OTHER = Table("customer", (Column("id"), Column("fax")), schema="old")
SCHEMA = Schema((CUSTOMER, ORDER, OTHER), "duckdb", default_schema="main")
C, R, O = (table.full_name for table in SCHEMA)  # noqa: E741


@pytest.mark.parametrize(
    ("text", "tables"),
    [
        ('["order", "customer"]', (R, C)),
        ('["ORDER", "order", "ghost", 3, null]', (R,)),
        ('{"tables": ["customer"], "columns": ["order.total"]}', (C,)),
        ('{"order": ["total"], "customer": []}', (R, C)),
        ('["main.order", "old.customer", "shop.customer"]', (R, O, C)),
        ('["\\"order\\"", "`customer`", "[customer]"]', (R, C)),
        ('First ["order"], no: ["customer"] (see [1])', (C,)),
        ('<think>["order"]</think>["customer"]', (C,)),
        ("customer", ()),
        ("", ()),
        ('["order"', ()),
    ],
)
def test_tables_are_read_however_they_are_written(text: str, tables: tuple[FullName, ...]) -> None:
    assert read_tables(text, SCHEMA) == tables


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ('{"order": ["total", "ghost", "TOTAL"]}', {R: ("total",)}),
        ('{"order": "keep_all"}', {R: ("id", "customer", "total", "Größe")}),
        ('{"order": "drop_all", "customer": ["age"]}', {R: (), C: ("age",)}),
        ('{"tables": {"order": ["total"]}}', {R: ("total",)}),
        ('{"tables": ["order"], "columns": ["customer.full name", "order.größe"]}', {R: ("Größe",), C: ("full name",)}),
        ('{"order": ["order.total", "\\"customer\\""]}', {R: ("total", "customer")}),
        ('{"order": {"columns": ["total"], "why": "money"}}', {R: ("total",)}),
        ('{"old.customer": ["fax"]}', {O: ("fax",)}),
        ('{"order": ["id"]} and {"customer": ["age"]} but see {"x": 1} and [2]', {C: ("age",)}),
        ('["order"]', {}),
        ('{"ghost": ["x"]}', {}),
        ("", {}),
    ],
)  # fmt: skip
def test_columns_are_read_however_they_are_written(text: str, chosen: dict[FullName, tuple[str, ...]]) -> None:
    assert read_columns(text, SCHEMA) == chosen


def test_keys_stay_with_what_was_chosen() -> None:
    part = schema_part(SCHEMA, {R: ("total",), C: ("age",)})
    assert [(t.name, [c.name for c in t.columns]) for t in part] == [
        ("customer", ["id", "age"]),
        ("order", ["id", "customer", "total"]),
    ]
    assert part.tables[1].foreign_keys == ORDER.foreign_keys
    alone = schema_part(SCHEMA, {R: ("total",)}, keys=False)
    assert [[c.name for c in t.columns] for t in alone] == [["total"]]
    assert alone.tables[0].foreign_keys == ()
    assert schema_part(SCHEMA, dict.fromkeys((C, R, O))) == SCHEMA


@given(st.text(alphabet='{}[]",: abx1\\\n<>', max_size=80))
def test_no_text_is_too_odd(text: str) -> None:
    json_values(text)
    read_tables(text, SCHEMA)
    read_columns(text, SCHEMA)


@given(st.lists(st.sampled_from([C, R, O]), unique=True), st.text(max_size=20))
def test_what_is_written_as_json_is_read_back(names: list[FullName], around: str) -> None:
    around = around.translate(str.maketrans("", "", "{}[]<>"))
    written = json.dumps([".".join(name) for name in names])
    assert read_tables(f"{around}{written}{around}", SCHEMA) == tuple(names)


@given(st.dictionaries(st.sampled_from([C, R, O]), st.sets(st.sampled_from(["id", "age", "total", "fax"]))))
def test_a_part_is_a_part_and_holds_what_was_chosen(chosen: dict[FullName, set[str]]) -> None:
    part = schema_part(SCHEMA, chosen)
    whole = {table.full_name: {column.name for column in table.columns} for table in SCHEMA}
    kept = {table.full_name: {column.name for column in table.columns} for table in part}
    assert kept.keys() == chosen.keys()
    for name, columns in chosen.items():
        assert columns & whole[name] <= kept[name] <= whole[name]
    assert all(key.target in {table.name for table in part} for table in part for key in table.foreign_keys)
