"""The text of a schema fits its budget, begins alike for all questions, and says what it leaves out."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.linking.group_tables import group_tables
from dragoman.linking.ranking import Ranking
from dragoman.linking.recipes import recipes
from dragoman.linking.schema_text import schema_text
from dragoman.linking.token_estimate import estimate_tokens
from dragoman.schema import Column, ForeignKey, Schema, Table

HITS = Column(
    "hits",
    "ARRAY<STRUCT<n INT64, page STRUCT<path STRING>>>",
    comment="What was looked at.",
    nested=(("[].n", "INT64"), ("[].page", "STRUCT<path STRING>"), ("[].page.path", "STRING")),
)
LETTERS = "abcdefghij"
VISITS = (
    Column("id", "INT64", comment="The visit's number. It is unique, for ever and ever."),
    Column("day", "DATE"),
    HITS,
)
SHOP = Schema(
    (
        Table("customers", (Column("id", "INT64", primary_key=1), Column("full name", "STRING")), comment="Who buys"),
        Table(
            "orders",
            (Column("id", "INT64"), Column("customer", "INT64"), Column("state", "STRING", values=("open", "sent"))),
            foreign_keys=(ForeignKey(("customer",), "customers", ("id",)),),
        ),
        *(Table(f"visits_{20240101 + day}", VISITS, schema="web") for day in range(31)),
        Table("visits_20240201", (*VISITS, Column("client", "STRING")), schema="web"),
        Table("archive", VISITS, schema="web"),
        *(
            Table(f"measure_{c}", tuple(Column(f"{c}{a}{b}", "FLOAT64") for a in "stuv" for b in LETTERS), schema="lab")
            for c in "pqrs"
        ),
    ),
    "bigquery",
)
GROUPED = group_tables(SHOP)


def test_everything_is_seen_where_it_fits() -> None:
    text = schema_text(GROUPED).text
    assert "customers -- Who buys\n  id INT64 key, `full name` STRING\n" in text
    assert "  id INT64, customer INT64 -> customers.id\n  state STRING -- one of open, sent\n" in text
    assert "In `web`:\nvisits_{20240101..20240201} -- 32 tables with the columns of visits_20240131\n" in text
    assert "  id INT64 -- The visit's number. It is unique, for ever and ever.\n  day DATE\n" in text
    assert "  hits[]{n INT64} -- What was looked at.\n  hits[].page{path STRING}\n" in text
    assert "  visits_20240201 has also client STRING\n" in text
    assert "archive\n  the columns of web.visits_20240131\n" in text
    assert "UNNEST" in text
    assert "_TABLE_SUFFIX" in text
    assert schema_text(GROUPED).left_out == ()


def test_samples_stand_beside_comments_and_long_ones_are_cut() -> None:
    samples = {(("customers",), "full name"): ["Ann\nLee", "x" * 100]}
    assert f"`full name` STRING -- e.g. 'Ann Lee', '{'x' * 37}...'" in schema_text(GROUPED, samples=samples).text


def test_comments_go_before_columns() -> None:
    whole = schema_text(GROUPED)
    cut = schema_text(GROUPED, whole.tokens - 1)
    assert cut.left_out == ("Comments are cut.",)
    assert cut.shown == whole.shown
    assert cut.text.endswith("\nComments are cut.")


def test_a_question_s_columns_come_first_and_the_rest_is_counted() -> None:
    ranking = Ranking({("lab", "measure_q"): 1.0, ("customers",): 0.3}, {(("lab", "measure_q"), "qvd"): 1.0})
    cut = schema_text(GROUPED, 450, ranking)
    assert cut.tokens <= 450
    assert {t.full_name for t in GROUPED.schema} == set(cut.named)
    shown = cut.shown.table("measure_q", "lab")
    assert shown is not None
    assert "qvd" in [c.name for c in shown.columns]
    assert "measure_q\n" in cut.text
    assert "qvd FLOAT64" in cut.text
    total = 2 + 3 + 4 + 4 + 160
    seen = sum(max(1, len(c.nested)) for t in cut.shown for c in t.columns)
    assert cut.left_out == (f"{total - seen} of {total} columns and fields are left out.",)


def test_all_questions_share_the_beginning() -> None:
    one = schema_text(GROUPED, 450, Ranking({("lab", "measure_q"): 1.0}))
    two = schema_text(GROUPED, 450, Ranking({("orders",): 1.0}))
    shared, _, rest = one.text.partition("Columns that matter most.\n")
    assert "All tables." in shared
    assert shared.endswith("measure_p, measure_q, measure_r, measure_s\n")
    assert two.text.startswith(f"{shared}Columns that matter most.\n")
    assert not two.text.endswith(rest)


def test_names_that_do_not_fit_are_counted() -> None:
    ranking = Ranking({t.full_name: 0.1 for t in SHOP} | {("lab", "measure_r"): 1.0})
    cut = schema_text(GROUPED, 110, ranking)
    assert ("lab", "measure_r") in cut.named
    assert cut.left_out[-1] == f"{len(GROUPED.schema.tables) - len(cut.named)} tables are not named."


def test_columns_that_differ_in_dates_alone_are_a_range() -> None:
    days = tuple(Column(f"_{month}_{day}_20", "INT64") for month in (1, 2) for day in range(1, 29))
    table = Table("cases", (Column("country", "STRING"), *days, Column("_total", "INT64")))
    text = schema_text(group_tables(Schema((table,), "bigquery"))).text
    assert "\n  country STRING, _{1,2}_{1..28}_20 INT64, _total INT64" in text
    assert "each is a name of its own" in text


def test_a_budget_is_filled_though_ranges_take_little() -> None:
    wide = Table("cases", tuple(Column(f"day{day}", "INT64") for day in range(3000)))
    words = Table(
        "notes", tuple(Column(f"word{a}{b}", "STRING", comment="x " * 50) for a in "abcdef" for b in "pqrstu")
    )
    cut = schema_text(group_tables(Schema((wide, words), "bigquery")), 250)
    assert len(cut.shown.tables[0].columns) == 3000
    assert "day{0..2999} INT64" in cut.text


def test_the_default_namespace_is_not_written() -> None:
    schema = Schema((Table("t", VISITS, schema="main"), Table("u", VISITS, schema="other")), "duckdb", "", "main")
    text = schema_text(group_tables(schema)).text
    assert "In main" not in text
    assert "In other:\nu\n" in text
    assert "UNNEST" in text


@pytest.mark.parametrize("dialect", ["klingon", "snowflake", "sqlite", "duckdb", "postgres"])
def test_dialects_quote_in_their_way(dialect: str) -> None:
    assert schema_text(group_tables(Schema(SHOP.tables, dialect))).tokens > 0


@pytest.mark.parametrize(
    ("dialect", "said"), [("snowflake", "small letters"), ("postgres", "capital letters"), ("duckdb", "")]
)
def test_names_whose_case_the_engine_minds_are_told_of_once(dialect: str, said: str) -> None:
    table = Table("T_1", (Column("Id"), Column("full name")))
    text = schema_text(group_tables(Schema((table,), dialect))).text
    assert ("need double quotes" in text) == bool(said)
    assert said in text
    assert 'T_1\n  Id, "full name"' in text


def test_ranges_of_names_that_need_quotes_have_them() -> None:
    tables = tuple(Table(f"my table {number}", VISITS) for number in (1, 2, 3))
    assert "`my table {1..3}`" in schema_text(group_tables(Schema(tables, "bigquery"))).text


@pytest.mark.parametrize(
    ("column", "shown"),
    [
        (Column("doc", "jsonb", nested=(("name", "text"), ("parts[].sku", "text"))), ["array", "json"]),
        (Column("owner", "owner", nested=(("name", "text"),)), ["struct"]),
        (Column("tags", "text[]"), ["values"]),
    ],
)
def test_json_is_never_read_like_a_struct(column: Column, shown: list[str]) -> None:
    """In PostgreSQL a field of a composite type is written in another way than one of a JSON column."""
    text = schema_text(group_tables(Schema((Table("t", (column,)),), "postgres"))).text
    assert [kind for kind, way in recipes("postgres").items() if way in text] == shown


scores = st.dictionaries(st.sampled_from([t.full_name for t in GROUPED.schema]), st.floats(0, 1))


@settings(deadline=None)
@given(scores, st.integers(200, 2000), st.sampled_from([estimate_tokens, len]))
def test_the_budget_is_kept_and_the_text_is_determined(
    tables: dict[tuple[str, ...], float], budget: int, count
) -> None:  # type: ignore[no-untyped-def]
    text = schema_text(GROUPED, budget, Ranking(tables), count)
    assert text.tokens == count(text.text)
    assert text.tokens <= budget or not text.shown.tables
    assert text == schema_text(group_tables(SHOP), budget, Ranking(dict(reversed(tables.items()))), count)
