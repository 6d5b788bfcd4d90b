"""A year of daily tables with nested columns, as published with Spider 2.0, in under a three-hundredth of the text."""

from __future__ import annotations

import json

import pytest

from dragoman.databases.nested_paths import nested_paths
from dragoman.linking.group_tables import group_tables, ungroup
from dragoman.linking.name_ranges import expand_names
from dragoman.linking.schema_text import schema_text
from dragoman.linking.token_estimate import estimate_tokens
from dragoman.schema import Column, Schema, Table
from tests.shared_data import shared_data


@pytest.mark.slow
def test_a_year_of_daily_tables_is_rebuilt_from_a_page() -> None:
    tables = []
    for path in sorted(shared_data("data", "spider2_schemas", "ga360_tables").glob("*.json")):
        record = json.loads(path.read_text("utf-8"))
        notes = dict(zip(record["nested_column_names"], record["description"], strict=True))
        named = zip(record["column_names"], record["column_types"], strict=True)
        columns = tuple(Column(n, type_, comment=notes[n] or "", nested=nested_paths(type_)) for n, type_ in named)
        tables.append(Table(record["table_name"], columns, schema="google_analytics_sample"))
    schema = Schema(tuple(tables), "bigquery")
    grouped = group_tables(schema)
    assert ungroup(grouped) == schema
    text = schema_text(grouped)
    apart = sum(estimate_tokens(schema_text(group_tables(Schema((table,)))).text) for table in tables[::61]) * 61
    assert text.tokens < 0.003 * apart
    assert (
        "ga_sessions_{20170701..20170801} has also hits[].product[].productCouponCode STRING, clientId STRING"
        in text.text
    )
    assert set(expand_names(["ga_sessions_{20160801..20170801}"])) == {table.name for table in tables}
