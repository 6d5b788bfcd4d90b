from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.agent.templates import find_templates, make_templates, mask_question
from dragoman.demo import workload
from dragoman.questions import Example, Question
from dragoman.sql.masked import masked

QUERIES = [
    "SELECT zqname, COUNT(*) AS zqn FROM zqt AS zqa WHERE zqc = 'Zqval' AND zqd > 4711 GROUP BY zqname HAVING zqn > 12",
    "WITH zqcte AS (SELECT zqx FROM zqs.zqt) SELECT a.zqx FROM zqcte a JOIN zqb b USING (zqx) ORDER BY a.zqx LIMIT 17",
    'SELECT "zq col" FROM "zq table" WHERE "zq col" LIKE \'%Zqval%\' -- zqcomment',
    "SELECT x'2a7a71', json_extract(zqj, '$.zqpath') FROM zqt WHERE zqfun(zqc) IN ('Zqval', 'zqother')",
    "SELECT zqa FROM zqt UNION SELECT zqb FROM zqu WHERE zqd BETWEEN '2025-01-01' AND '2025-12-31'",
    "SELECT SUM(zqx) OVER zqw FROM zqt WINDOW zqw AS (PARTITION BY zqp ORDER BY zqo)",
    "SELECT t.* FROM zqt t WHERE NOT EXISTS (SELECT 1 FROM zqu u WHERE u.zqk = t.zqk)",
]


@pytest.mark.parametrize("sql", QUERIES)
def test_no_name_and_no_value_is_left(sql: str) -> None:
    text = masked(sql, "sqlite").sql.lower()
    assert "zq" not in text
    assert "2025" not in text
    assert "4711" not in text


@pytest.mark.parametrize("dialect", ["postgres", "duckdb", "snowflake", "bigquery", "mysql"])
def test_other_dialects_are_masked_too(dialect: str) -> None:
    sql = "SELECT zqa.zqb, zqf(zqc) FROM zqs.zqt AS zqa WHERE zqa.zqd = 'Zqval' AND CAST(zqe AS INTEGER) > 5"
    assert "zq" not in masked(sql, dialect).sql.lower()


def test_the_form_is_kept() -> None:
    sql = "SELECT c.name, 100.0 * SUM(o.n) AS s FROM c JOIN o ON o.k = c.k WHERE o.d > 7 GROUP BY c.name LIMIT 5"
    assert masked(sql, "sqlite").sql == (
        "SELECT table_1.column_1, 100.0 * SUM(table_2.column_2) AS name_1 FROM table_1 JOIN table_2 ON "
        "table_2.column_3 = table_1.column_3 WHERE table_2.column_4 > number_2 GROUP BY table_1.column_1 LIMIT number_1"
    )
    assert set(masked(sql, "sqlite").values) == {"5", "7"}


def test_same_names_get_the_same_mask() -> None:
    assert masked("SELECT a FROM t WHERE a = 'x' OR b = 'x'", "sqlite").sql == (
        "SELECT column_1 FROM table_1 WHERE column_1 = 'value_1' OR column_2 = 'value_1'"
    )


def test_questions_lose_what_their_query_names() -> None:
    query = masked("SELECT name FROM customers WHERE country = 'France' AND age > 30", "sqlite")
    text = mask_question("Which customers from France, signed up since 2024, are called Ann or 'Bo'?", query)
    assert text == "Which [name] from [value], signed up since [number], are called [value] or [value]?"


@given(st.text(max_size=60))
def test_any_question_can_be_masked(text: str) -> None:
    assert not any(c.isdigit() and c.isascii() for c in mask_question(text, masked("SELECT a FROM t", "sqlite")))


def test_templates_leave_out_databases_and_repeats_and_what_cannot_be_read() -> None:
    examples = [
        Example(Question("A?"), "SELECT a FROM t", "one"),
        Example(Question("B?"), "SELECT b FROM u", "one"),
        Example(Question("C?"), "SELECT COUNT(*) FROM v", "two"),
        Example(Question("D?"), "SELECT FROM", "one"),
        Example(Question("E?"), "", "one"),
    ]
    assert len(make_templates(examples, "sqlite")) == 2
    assert len(make_templates(examples, "sqlite", leave_out={"two"})) == 1
    assert make_templates(examples, "sqlite", leave_out={"one", "two"}) == ()


def test_a_whole_workload_is_masked_and_found_by_form() -> None:
    templates = make_templates(workload(), "sqlite")
    assert len(templates) > 80
    found = find_templates("ranking top limit", templates, 3)
    assert found
    assert all("LIMIT" in template.sql for template in found)
    for template in templates:
        assert "customers" not in template.sql
        assert "cents" not in template.sql
