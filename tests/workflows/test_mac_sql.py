"""MAC-SQL: when the selector prunes and what it keeps, what the decomposer is shown, what the refiner mends."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from dragoman.databases import Database, Limits
from dragoman.models import Choice, Reply, ScriptedModel
from dragoman.models.scripted import Scripted
from dragoman.questions import Question
from dragoman.schema import Column, Schema, Table
from dragoman.solver import Answer, Draw
from dragoman.workflows.mac_sql import UNIFIED_MAC_SQL, MacSql, mac_sql
from dragoman.workflows.mac_sql_schema import Pruning, read_ddl, shown_values
from dragoman.workflows.zero_shot import Asking
from tests.workflows.shops import ASKING, ENGINES, TODAY, fenced, france, scripted, sent, shop, told

WHO = Question("Who lives in Peru?")
RIGHT = "SELECT name FROM customer WHERE country = 'Peru'"
EMPTY = "SELECT name FROM customer WHERE country = 'peru'"
BROKEN = "SELECT nmae FROM customer"
NULLS = "SELECT note FROM purchase"
SELECTED = '{"customer": ["name", "country"]}'
PRUNED = MacSql(Pruning(mean=2, total=3, columns=2))


@pytest.fixture(params=ENGINES)
def database(tmp_path: Path, request: pytest.FixtureRequest) -> Database:
    return shop(tmp_path, request.param)


def asked(
    database: Database, replies: Sequence[Scripted], how: MacSql = MacSql(), asking: Asking = ASKING
) -> tuple[Answer, ScriptedModel]:
    model, models = scripted(replies)
    return mac_sql(database, models, asking, how)(WHO, Draw(seed=5)), model


def roles(answer: Answer) -> list[str]:
    return [step.role for step in answer.steps if step.kind == "model"]


def test_a_small_schema_is_not_pruned_and_one_call_is_enough(database: Database) -> None:
    answer, model = asked(database, [fenced(RIGHT)])
    assert roles(answer) == ["generator"]
    assert answer.rows is not None
    assert sorted(answer.rows) == [("Bo",), ("Cy",)]
    assert "  (customer_id: customer id)" in sent(model)
    assert "Sub-question 2: Which members have never borrowed a tool?" in sent(model)


def test_at_most_five_calls_and_the_last_fix_is_run(database: Database) -> None:
    answer, model = asked(database, [SELECTED, *map(fenced, (BROKEN, EMPTY, NULLS, RIGHT))], PRUNED)
    assert roles(answer) == ["linker", "generator", "corrector", "corrector", "corrector"]
    assert answer.sql == RIGHT
    assert len(answer.candidates) == 4
    assert "nmae" in sent(model, 2)
    assert "It ran and gave no rows." in sent(model, 3)
    assert "It ran and gave NULL in its first rows." in sent(model, 4)
    assert {request.settings.temperature for request in model.requests} == {0.0}


def test_the_unified_form_takes_two_to_four_calls_and_lets_null_be(database: Database) -> None:
    answer, model = asked(database, [SELECTED, fenced(RIGHT)], UNIFIED_MAC_SQL)
    assert roles(answer) == ["linker", "generator"]
    assert "CREATE TABLE customer" in sent(model)
    assert "CREATE TABLE product" not in sent(model)
    assert "age" not in sent(model)
    assert "Sub-question 1" not in sent(model)
    answer, _ = asked(database, [SELECTED, fenced(NULLS)], UNIFIED_MAC_SQL)
    assert answer.sql == NULLS
    answer, _ = asked(database, [SELECTED, *map(fenced, (BROKEN, EMPTY, BROKEN))], UNIFIED_MAC_SQL)
    assert roles(answer) == ["linker", "generator", "corrector", "corrector"]


def test_a_fix_that_fails_does_not_undo_a_query_that_ran(database: Database) -> None:
    answer, _ = asked(database, [SELECTED, fenced(EMPTY), fenced(BROKEN), "I give up."], UNIFIED_MAC_SQL)
    assert (answer.sql, answer.error) == (EMPTY, None)
    assert answer.rows is not None


def test_the_rule_for_spider_asks_about_errors_alone(database: Database) -> None:
    spider = MacSql(on_empty=False, on_null=False)
    for sql in (EMPTY, NULLS):
        answer, _ = asked(database, [fenced(sql)], spider)
        assert roles(answer) == ["generator"]
    answer, _ = asked(database, [fenced(BROKEN), fenced(RIGHT)], spider)
    assert answer.sql == RIGHT


@pytest.mark.parametrize("reply", [fenced(EMPTY), "", "Nothing is wrong.", Reply((Choice(RIGHT, finish="length"),))])
def test_the_refiner_stops_where_the_reply_has_no_other_query(database: Database, reply: Scripted) -> None:
    answer, _ = asked(database, [fenced(EMPTY), reply])
    assert roles(answer) == ["generator", "corrector"]
    assert answer.sql == EMPTY
    assert told(answer, "correct")[0]["changed"] is False


def test_a_timeout_ends_the_refinement(database: Database) -> None:
    slow = (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000)"
        " SELECT COUNT(*) FROM n WHERE i % 7 = 3"
    )
    answer, _ = asked(database, [fenced(slow)], asking=Asking(TODAY, Limits(seconds=0.2)))
    assert answer.error is not None
    assert answer.error.code == "timeout"
    assert roles(answer) == ["generator"]


def test_dropped_and_forgotten_tables_keep_their_first_columns_and_keys_stay(database: Database) -> None:
    reply = 'So:\n```json\n{"customer": "keep_all", "purchase": "drop_all"}\n```'
    answer, model = asked(database, [reply, fenced(RIGHT)], PRUNED)
    lines = [line.strip().partition(":")[0] for line in sent(model).partition("The schema:")[2].splitlines()]
    columns = [line[1:] for line in lines if line.startswith("(")]
    assert columns == ["id", "name", "age", "country", "id", "title", "id", "customer_id", "product_id"]
    assert told(answer, "link")[1]["read"] == 1


@pytest.mark.parametrize("reply", ["", "keep everything", '{"ghost": "keep_all"}', "{", '["customer"]'])
def test_a_selection_that_cannot_be_read_keeps_the_whole_schema(database: Database, reply: str) -> None:
    for how in (PRUNED, UNIFIED_MAC_SQL):
        answer, model = asked(database, [reply, fenced(RIGHT)], how)
        assert all(name in sent(model) for name in ("country", "price", "amount", "note"))
        assert told(answer, "link")[1] == {"read": 0, "chosen": {}}


def test_a_schema_written_out_is_a_selection_too(database: Database) -> None:
    statements = (
        'CREATE TABLE customer (\n  name VARCHAR(40),\n  "country" VARCHAR(40)\n);\nCREATE TABLE ghost (x INT);'
    )
    reply = f"```sql\n{statements}\n```"
    _, model = asked(database, [reply, fenced(RIGHT)], UNIFIED_MAC_SQL)
    assert "country" in sent(model)
    assert "age" not in sent(model)
    assert "CREATE TABLE product" not in sent(model)
    assert read_ddl("no statement", database.schema()) == {}


def test_values_are_shown_with_leave_alone(database: Database) -> None:
    _, model = asked(database, [fenced(RIGHT)], asking=Asking(TODAY, match=france))
    assert "(name: name, values 'Ann', 'Bo', 'Cy')" in sent(model)
    assert "(price: price, values 20, 150)" in sent(model)
    _, model = asked(database, [fenced(EMPTY), fenced(RIGHT)], asking=Asking(TODAY, match=france, values=False))
    assert not any(name in sent(model, number) for number in (0, 1) for name in ("'Ann'", "gift", "150", "France"))


@pytest.mark.parametrize(
    ("type_", "values", "shown"),
    [
        ("TEXT", ["a", "b", "c", "d", "e", "f", "g"], ["'a'", "'b'", "'c'", "'d'", "'e'", "'f'"]),
        ("DATE", ["2020-01-01", "2020-01-02"], ["'2020-01-01'"]),
        ("", [datetime.date(2020, 1, 1), datetime.date(2020, 1, 2)], ["2020-01-01"]),
        ("INT", list(range(11)), []),
        ("INT", list(range(3)), ["0", "1", "2"]),
        ("TEXT", ["https://example.org/a", "b"], []),
        ("TEXT", ["ann@example.org"], []),
        ("TEXT", ["a" * 51], []),
        ("BLOB", [b"\x00\x01"], []),
    ],
)
def test_which_values_a_column_shows(type_: str, values: list[object], shown: list[str]) -> None:
    assert shown_values(Column("c", type_), values, 6) == shown


def test_names_that_need_quotes_are_read_back() -> None:
    schema = Schema((Table("order details", (Column("unit price"), Column("from"))),), "sqlite")
    text = 'CREATE TABLE "order details" (\n "unit price" REAL,\n "from" TEXT\n)'
    assert read_ddl(text, schema) == {("order details",): ("unit price", "from")}


def test_without_leave_the_refiner_is_not_told_what_the_engine_says(database: Database) -> None:
    wrong = (
        "SELECT CAST(country AS INTEGER) FROM customer"
        if database.dialect == "duckdb"
        else "SELECT json(country) FROM customer"
    )
    _, model = asked(database, [fenced(wrong), fenced(RIGHT)])
    assert "which are not shown" in sent(model)
    _, model = asked(database, [fenced(wrong), fenced(RIGHT)], asking=Asking(TODAY))
    assert "which are not shown" not in sent(model)


def test_prose_is_an_answer_and_silence_an_error(database: Database) -> None:
    answer, _ = asked(database, ["The shop keeps no reviews."])
    assert (answer.text, answer.error) == ("The shop keeps no reviews.", None)
    answer, _ = asked(database, [""])
    assert answer.error is not None
    assert answer.error.code == "no_sql"


def test_consent_is_asked_and_a_refusal_ends_it(database: Database) -> None:
    answer, _ = asked(database, [fenced(EMPTY)], asking=Asking(TODAY, consent=lambda sql: False))
    assert (answer.sql, answer.rows, answer.error) == (EMPTY, None, None)


def test_fixes_are_a_parameter(database: Database) -> None:
    answer, _ = asked(database, [fenced(BROKEN)], replace(MacSql(), fixes=0))
    assert answer.error is not None
    assert roles(answer) == ["generator"]
