"""Near-identical tables stand together, and nothing is lost."""

from __future__ import annotations

import datetime
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from dragoman.linking.group_tables import group_tables, ungroup
from dragoman.schema import Column, ForeignKey, Schema, Table

DAYS = [f"{datetime.date(2016, 8, 1) + datetime.timedelta(day):%Y%m%d}" for day in range(366)]
VISITS = (
    Column("visitId", "INT64"),
    Column("totals", "STRUCT<hits INT64>", nested=(("hits", "INT64"),)),
    *(Column(f"dimension{i}", "STRING") for i in range(8)),
)
LATER = (
    VISITS[0],
    replace(VISITS[1], nested=(("hits", "INT64"), ("bounces", "INT64"))),
    *VISITS[2:],
    Column("clientId", "STRING"),
)


def visits(drifts_from: str = "20170701") -> Schema:
    return Schema(
        (
            *(Table(f"visits_{day}", LATER if day >= drifts_from else VISITS, schema="web", rows=10) for day in DAYS),
            Table("visits_archive", VISITS, schema="web"),
        ),
        "bigquery",
    )


def test_daily_tables_become_one_that_names_its_members() -> None:
    grouped = group_tables(visits())
    assert [table.name for table in grouped.schema] == ["visits_20170630", "visits_archive"]
    assert list(grouped.schema.tables[0].members) == [f"visits_{day}" for day in DAYS]
    assert grouped.schema.tables[0].rows == 3660


def test_what_differs_is_told_by_path() -> None:
    (drift,) = group_tables(visits()).groups["web", "visits_20170630"].drifts
    assert drift.members == tuple(f"visits_{day}" for day in DAYS if day >= "20170701")
    assert drift.added == (("totals.bounces", "INT64"), ("clientId", "STRING"))
    assert drift.changed == drift.missing == ()


def test_tables_with_other_columns_stay_apart() -> None:
    schema = Schema((Table("log_1", VISITS), Table("log_2", (Column("a"), Column("b"))), Table("log_3", VISITS)))
    assert [t.name for t in group_tables(schema).schema] == ["log_2", "log_3"]


def test_months_and_years_stand_together() -> None:
    names = [f"sales_{month}_{year}" for year in (2019, 2020) for month in ("jan", "feb", "Mar", "april")]
    (table,) = group_tables(Schema(tuple(Table(name, VISITS) for name in names))).schema
    assert set(table.members) == set(names)
    assert table.name == "sales_april_2020"


def test_namespaces_and_partitioned_tables_stay_apart() -> None:
    tables = (Table("t_1", VISITS, schema="a"), Table("t_2", VISITS, schema="b"), Table("t_3", VISITS, members=("x",)))
    assert group_tables(Schema(tables)).schema.tables == tables


columns = st.builds(
    Column,
    st.sampled_from(["id", "name", "day", "total", "x", "y"]),
    st.sampled_from(["INT", "TEXT"]),
    comment=st.sampled_from(["", "said", "{odd}"]),
    nested=st.sampled_from([(), (("a", "INT"),), (("[].a", "INT"), ("[].b.c", "TEXT"))]),
)
tables = st.builds(
    Table,
    st.from_regex(r"(t|sales_)[0-9]{1,3}(_jan|_MAY|_x|\{|)[0-9]{0,2}", fullmatch=True),
    st.lists(columns, max_size=7, unique_by=lambda c: c.name).map(tuple),
    st.sampled_from(["table", "view"]),
    st.sampled_from(["", "s"]),
    foreign_keys=st.sampled_from([(), (ForeignKey(("id",), "t1"),)]),
    rows=st.sampled_from([None, 3]),
    members=st.sampled_from([(), (), ("part_1", "part_2")]),
)


@given(st.lists(tables, max_size=25, unique_by=lambda t: t.full_name).map(tuple), st.integers(2, 4))
def test_the_original_is_rebuilt(found: tuple[Table, ...], smallest: int) -> None:
    schema = Schema(found, "duckdb", "d", "s", (("hidden", "no right"),))
    grouped = group_tables(schema, smallest)
    assert ungroup(grouped) == schema
    named = [name for t in grouped.schema for name in (t.members if t.full_name in grouped.groups else (t.name,))]
    assert sorted(named) == sorted(t.name for t in found)
