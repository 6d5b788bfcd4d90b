"""A short form with several readings is read by what stands around it: table, neighbours, values and type."""

from __future__ import annotations

import pytest

from dragoman.refine.name_problem import Names
from dragoman.refine.propose_offline import propose_offline
from dragoman.refine.subject import Subject
from dragoman.refine.topics import sort, topics_of
from dragoman.refine.vocabulary import is_form
from dragoman.schema import Column, Schema, Table

DAYS = ("2020-01-02", "2020-01-03", "2021-05-06")
COUNT = ("1", "2", "3")


def proposed(column: str, values: tuple[str, ...], table: str, *others: str, tables: tuple[str, ...] = ()) -> list[str]:
    """Names for `column`, "name TYPE", of a table with `others` beside it, in a schema with further `tables`."""
    columns = [Column(*written.split()) for written in (column, *others)]
    own = Table(table, tuple(columns))
    schema = Schema((own, *map(Table, tables)))
    name = columns[0].name
    about = Subject((table, name), own, columns[0], {name: values}, tables=(table, *tables))
    (found,) = propose_offline(Names(schema))([about])
    return [item.name for item in found.names]


@pytest.mark.parametrize(
    ("expected", "column", "values", "table", "others"),
    [
        ("last_name", "ln TEXT", ("Smith", "Jones", "Ng"), "customers", ["fn TEXT"]),
        ("line", "ln INTEGER", COUNT, "ord_itm", ["ord_id INTEGER", "qty INTEGER"]),
        ("line", "ln INTEGER", (), "ord_itm", ["ord_id INTEGER", "qty INTEGER"]),
        ("loan_number", "ln_no INTEGER", COUNT, "borrowers", ["branch TEXT", "amt REAL"]),
        ("number", "no INTEGER", COUNT, "orders", ["dt TEXT"]),
        ("name", "nm TEXT", ("Bo", "Al", "Cy"), "payments", ["amt REAL"]),
        ("state", "st TEXT", ("CA", "NY", "TX"), "addr", ["cty TEXT", "zip TEXT"]),
        ("street", "st TEXT", ("12 Main St", "4 Elm Road", "9 High Street"), "addr", ["cty TEXT", "zip TEXT"]),
        ("status", "st TEXT", ("open", "closed", "pending"), "orders", ["no INTEGER"]),
        ("start", "st DATE", DAYS, "projects", ["en DATE"]),
        ("order_date", "dt TEXT", DAYS, "orders", ["no INTEGER"]),
        ("detail", "dt TEXT", ("left at the door", "broken box", "call first"), "orders", ["no INTEGER"]),
        ("amount", "amt REAL", ("1.5", "2", "3"), "payments", ["nm TEXT"]),
        ("quantity", "qty INTEGER", COUNT, "stock", ["nm TEXT"]),
        ("earnings", "ear REAL", ("1000", "2500", "31000"), "golfer", ["nm TEXT", "rnk INTEGER"]),
    ],
)
def test_what_stands_around_decides(
    expected: str, column: str, values: tuple[str, ...], table: str, others: list[str]
) -> None:
    assert proposed(column, values, table, *others)[0] == expected


def test_what_stands_before_id_is_read_as_a_table_where_one_is_like_it() -> None:
    assert "people_id" in proposed("pl_id INTEGER", COUNT, "poker", "ear REAL", tables=("people", "venues"))[:2]
    assert proposed("pl_id INTEGER", COUNT, "visits", tables=("place", "guests"))[0] == "place_id"
    assert proposed("co_id INTEGER", COUNT, "lines", tables=("customer_orders", "things"))[0] == "customer_order_id"
    assert proposed("vst_id INTEGER", COUNT, "badges", tables=("visitors",))[0] == "visitor_id"


def test_other_readings_stay_among_the_names() -> None:
    assert {"line_number", "loan_number"} <= set(proposed("ln_no INTEGER", COUNT, "borrowers", "amt REAL"))


def test_the_lists_of_words_hold_together() -> None:
    for name in ("numbers", "texts", "days", "modifiers"):
        assert [word for word in sort(name) if not all(map(is_form, word.split("_")))] == []
    assert topics_of(["teachers"]) == topics_of(["teacher"]) >= {"people", "school"}
    assert topics_of(["last_name"]) == {"people"}
    assert topics_of(["name"]) == frozenset()


def test_words_that_stand_near_need_no_list() -> None:
    assert proposed("thrml TEXT", (), "thermal_springs")[0] == "thermal"
    assert proposed("xylo_cnt INTEGER", COUNT, "players", tables=("xylophone",))[0] == "xylophone_count"
    assert proposed("xylo_cnt INTEGER", COUNT, "players", tables=("xylophones",))[0] == "xylophone_count"
    assert proposed("xylo_cnt INTEGER", COUNT, "players")[0] == "xylo_count"
    assert proposed("podcast_nm TEXT", (), "podcasts")[0] == "podcast_name"
