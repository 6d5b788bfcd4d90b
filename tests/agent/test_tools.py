from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from dragoman.agent import AgentLimits, Document, Toolbox, make_templates, read_documents
from dragoman.agent.tools import TOOLS, described
from dragoman.agent.tools.get_sql_pattern import patterns
from dragoman.databases import Database, Limits
from dragoman.errors import ModelUnavailable
from dragoman.models import ScriptedModel
from dragoman.questions import Example, Question
from dragoman.solver import Answer
from tests.agent.conftest import make_database
from tests.agent.script import ASKED, TODAY, call, run, tools

SUBMIT = call("submit_final_sql", "SELECT 1")


def used(database: Database, name: str, argument: str, toolbox: Toolbox = Toolbox(TODAY)) -> tuple[str, str]:
    """(outcome, text) of one use of a tool."""
    answer, _ = run(database, [call(name, argument), SUBMIT], toolbox=toolbox)
    step = tools(answer)[0]
    return str(step.data["outcome"]), step.text


def test_there_are_six_tools_each_with_one_described_argument() -> None:
    assert list(TOOLS) == list(described())
    assert len(TOOLS) == 6
    for tool in described().values():
        assert tool.offer.parameters["required"] == [tool.argument]


def test_execute_sql_shows_rows_and_tells_null_from_text(shop: Database) -> None:
    outcome, text = used(
        shop, "execute_sql", "SELECT name, country, 'NULL' AS n, '' AS e, '7' AS t, 7 AS i FROM customer"
    )
    assert outcome == "ok"
    assert "It ran: 3 rows, 6 columns." in text
    assert "Cy | NULL | 'NULL' | '' | '7' | 7" in text


def test_execute_sql_says_what_it_cuts(tmp_path: Path) -> None:
    database = make_database(tmp_path / "a.sqlite", "CREATE TABLE t (x TEXT)")
    with sqlite3.connect(tmp_path / "a.sqlite") as connection:
        connection.executemany("INSERT INTO t VALUES (?)", [("y" * 500,)] * 50)
    _, text = used(database, "execute_sql", "SELECT x FROM t", replace(Toolbox(TODAY), limits=Limits(rows=30)))
    assert "It ran: at least 30 rows, 1 column. Only the first 20 are shown" in text
    assert "yyy... (500 characters)" in text
    database.close()


def test_execute_sql_names_the_nearest_names(shop: Database) -> None:
    outcome, text = used(shop, "execute_sql", "SELECT nam FROM custommer")
    assert outcome == "unresolved"
    assert "Did you mean customer?" in text


def test_execute_sql_says_which_table_has_the_column(shop: Database) -> None:
    _, text = used(shop, "execute_sql", "SELECT o.name FROM orders o")
    assert "There is no column o.name." in text
    assert "name is a column of customer." in text


@pytest.mark.parametrize(
    ("sql", "outcome"),
    [
        ("DELETE FROM customer", "unreadable"),
        ("SELECT 1; DROP TABLE customer", "unreadable"),
        ("PRAGMA table_info(customer)", "unreadable"),
        ("SELECT FROM WHERE", "unreadable"),
        ("SELECT json('{x')", "query"),
        ("SELECT * FROM customer WHERE customer_id = 99", "empty"),
        ("```sql\nSELECT 1\n```", "ok"),
    ],
)
def test_execute_sql_gives_errors_as_values(shop: Database, sql: str, outcome: str) -> None:
    assert used(shop, "execute_sql", sql)[0] == outcome
    assert shop.execute("SELECT COUNT(*) FROM customer").rows == ((3,),)


def test_a_query_runs_once_however_often_it_is_asked_for(shop: Database) -> None:
    asked: list[str] = []

    def consent(sql: str) -> bool:
        asked.append(sql)
        return True

    sql = "SELECT COUNT(*) FROM customer"
    run(shop, [call("execute_sql", sql), call("submit_final_sql", sql)], toolbox=Toolbox(TODAY, consent=consent))
    assert asked == [sql]


def test_without_consent_nothing_runs(shop: Database) -> None:
    toolbox = Toolbox(TODAY, consent=lambda sql: False)
    answer, _ = run(shop, [call("execute_sql", "SELECT 1"), SUBMIT], toolbox=toolbox)
    assert (answer.sql, answer.rows, answer.error) == ("SELECT 1", None, None)
    assert tools(answer)[0].data["outcome"] == "held"


def test_without_values_no_cell_reaches_a_prompt(tmp_path: Path) -> None:
    database = make_database(tmp_path / "a.sqlite", "CREATE TABLE t (x TEXT); INSERT INTO t VALUES ('SECRETCELL')")
    replies = [
        call("execute_sql", "SELECT x FROM t"),
        call("execute_sql", "SELECT json(x) FROM t"),
        call("review_sql", "SELECT x FROM t"),
        "right",
        call("submit_final_sql", "SELECT json(x) FROM t"),
        call("submit_final_sql", "SELECT x FROM t"),
    ]
    toolbox = Toolbox(TODAY, match=lambda text: [("t", "x", "SECRETCELL")], values=False)
    answer, model = run(database, replies, toolbox=toolbox)
    assert answer.rows is not None
    assert not any("SECRETCELL" in message.text for request in model.requests for message in request.messages)
    assert "1 row, 1 column" in tools(answer)[0].text
    database.close()


def test_lookup_docs_finds_dialect_notes_tables_and_documents(shop: Database) -> None:
    toolbox = Toolbox(TODAY, documents=(Document("terms.md", "An active customer ordered within 90 days."),))
    _, text = used(shop, "lookup_docs", "active customer: date difference in days", toolbox)
    assert "julianday" in text
    assert "\ncustomer\n" in text
    assert "\norders\n" not in text
    assert "[terms.md]\nAn active customer ordered" in text
    assert used(shop, "lookup_docs", "zzzqqq")[0] == "empty"


def test_lookup_docs_shows_a_named_table_with_what_refers_to_it(shop: Database) -> None:
    _, text = used(shop, "lookup_docs", "customer")
    assert "-- orders(customer_id) refers to customer" in text


def test_documents_are_read_from_a_folder_in_passages(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "b.md").write_text("# One\ntext\n\n# Two\n" + "\n\n".join(["word " * 100] * 5), "utf-8")
    (tmp_path / "sub" / "a.txt").write_text("plain", "utf-8")
    (tmp_path / "c.csv").write_text("1,2", "utf-8")
    found = read_documents(tmp_path)
    assert [d.name for d in found] == ["b.md"] * 4 + ["sub/a.txt"]
    assert found[0].text == "# One\ntext"


def test_review_sql_asks_the_reviewer_who_sees_no_cells(shop: Database) -> None:
    reviewer = ScriptedModel(["Ties are lost."])
    sql = "SELECT name FROM customer ORDER BY customer_id LIMIT 1"
    toolbox = Toolbox(TODAY, reviewer=reviewer)
    question = Question("Who is first?", "First means by id.")
    answer, _ = run(
        shop, [call("execute_sql", sql), call("review_sql", sql), SUBMIT], toolbox=toolbox, question=question
    )
    seen = "\n".join(message.text for message in reviewer.requests[0].messages)
    assert "\ncustomer\n" in seen
    assert "\norders\n" not in seen
    assert "First means by id." in seen
    assert "1 row, 1 column" in seen
    assert "Ann" not in seen
    assert "Ties are lost." in tools(answer)[1].text
    assert [step.role for step in answer.steps if step.kind == "model"] == [
        "generator",
        "generator",
        "reviewer",
        "generator",
    ]


def test_review_sql_without_a_reviewer_goes_on(shop: Database) -> None:
    toolbox = Toolbox(TODAY, reviewer=ScriptedModel([ModelUnavailable("gone")]))
    assert used(shop, "review_sql", "SELECT 1", toolbox)[0] == "model_unavailable"
    assert used(shop, "review_sql", "SELECT FROM", toolbox)[0] == "unreadable"


@pytest.mark.parametrize("kind", ["top 3 per group", "running total", "percentage share", "never ordered", "median"])
def test_get_sql_pattern_finds_the_kind(shop: Database, kind: str) -> None:
    outcome, text = used(shop, "get_sql_pattern", kind)
    assert outcome == "ok"
    assert text.startswith("## ")
    assert set(kind.split()) & set(text.split("\n")[0].lower().replace(",", " ").replace("(", " ").split())


def test_patterns_have_names_and_unknown_kinds_get_the_list(shop: Database) -> None:
    assert len(patterns()) >= 20
    outcome, text = used(shop, "get_sql_pattern", "zzzqqq")
    assert outcome == "empty"
    assert "Running total" in text


def test_get_sql_templates_shows_masked_examples_only(shop: Database) -> None:
    sql = "SELECT name FROM supplier WHERE city = 'Lyon' ORDER BY rating DESC LIMIT 3"
    examples = [Example(Question("Which 3 suppliers in Lyon have the best rating?"), sql, "other")]
    toolbox = Toolbox(TODAY, templates=make_templates(examples, "sqlite"))
    outcome, text = used(shop, "get_sql_templates", "ranking with a limit", toolbox)
    assert outcome == "ok"
    assert "ORDER BY column_3 DESC LIMIT number_" in text
    assert not any(word in text for word in ("Lyon", "supplier", "rating", "city", "3 suppliers"))
    assert used(shop, "get_sql_templates", "ranking")[0] == "empty"


def test_a_wide_schema_is_cut_to_what_the_question_names(tmp_path: Path) -> None:
    columns = ", ".join(f"field_{i} TEXT" for i in range(25))
    script = "".join(f"CREATE TABLE area_{i} ({columns});" for i in range(40)) + "CREATE TABLE customer (id INTEGER);"
    database = make_database(tmp_path / "wide.sqlite", script)
    _, model = run(database, [SUBMIT], AgentLimits(schema=1500))
    system = model.requests[0].messages[0].text
    assert "\ncustomer\n" in system
    assert "area_{0..39}" in system
    assert len(system) < 12_000
    database.close()


def test_values_that_the_question_names_stand_in_the_prompt(shop: Database) -> None:
    toolbox = Toolbox(TODAY, match=lambda text: [("customer", "country", "FR")])
    _, model = run(shop, [SUBMIT], toolbox=toolbox)
    assert "customer.country = 'FR'" in model.requests[0].messages[1].text


def test_todays_date_reaches_every_prompt(shop: Database) -> None:
    answer, model = run(shop, [call("review_sql", "SELECT 1"), "right", SUBMIT])
    assert isinstance(answer, Answer)
    for request in model.requests:
        assert TODAY in "".join(message.text for message in request.messages)
    assert ASKED.text in model.requests[1].messages[1].text
