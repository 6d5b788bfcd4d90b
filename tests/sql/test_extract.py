"""Every way in which models are known to wrap SQL, and that prose is never taken for it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.sql import Extracted, extract, parse

CTE = "WITH x AS (\n  SELECT 1 AS a\n)\n\nSELECT a FROM x"

FOUND = {
    "plain": ("SELECT 1", "SELECT 1"),
    "semicolon": ("SELECT a FROM t;", "SELECT a FROM t"),
    "fence": ("```sql\nSELECT a FROM t;\n```", "SELECT a FROM t"),
    "fence without a language": ("Here:\n```\nSELECT a FROM t\n```", "SELECT a FROM t"),
    "fence on one line": ("```sql SELECT a FROM t```", "SELECT a FROM t"),
    "fence never closed": ("```sql\nSELECT a FROM t", "SELECT a FROM t"),
    "tilde fence": ("~~~sql\nSELECT a FROM t\n~~~", "SELECT a FROM t"),
    "two fences": ("```sql\nSELECT a FROM t\n```\nBetter:\n```sql\nSELECT b FROM t\n```", "SELECT b FROM t"),
    "last fence cut off": ("```sql\nSELECT a FROM t\n```\n```sql\nSELECT b FROM", "SELECT a FROM t"),
    "python beside it": ("```sql\nSELECT a FROM t\n```\n```python\nimport os\n```", "SELECT a FROM t"),
    "two statements in a fence": ("```sql\nSELECT a FROM t;\nSELECT b FROM t;\n```", "SELECT b FROM t"),
    "bare label": ("intermediate_sql: select a from t", "select a from t"),
    "langchain label": ("SQLQuery: SELECT a FROM t", "SELECT a FROM t"),
    "label with a space": ("Final SQL:\nSELECT a FROM t\n", "SELECT a FROM t"),
    "bold label": ("**SQL:** SELECT a FROM t", "SELECT a FROM t"),
    "heading": ("### SQL\n\nSELECT a\n\nFROM t\n\n### Why\nIt's right.", "SELECT a\n\nFROM t"),
    "language word": ("sql\nSELECT a FROM t", "SELECT a FROM t"),
    "tags": ("<sql>SELECT a FROM t</sql>", "SELECT a FROM t"),
    "backticks": ("You can run `SELECT count(*) FROM t` for that.", "SELECT count(*) FROM t"),
    "backticks within": ("Run `SELECT a FROM `t` WHERE b = 1` now", "SELECT a FROM `t` WHERE b = 1"),
    "CTE without a fence": (CTE, CTE),
    "CTE after prose": (f"Query:\n{CTE};\nDone", CTE),
    "prose after it": ("SELECT a FROM t\nThis query returns a's.", "SELECT a FROM t"),
    "prose on its line": ("SELECT a FROM t. This counts rows.", "SELECT a FROM t"),
    "prose after a semicolon": ("SELECT a FROM t; -- done\nHope that's fine!", "SELECT a FROM t"),
    "JSON": ('{"sql": "SELECT a FROM t"}', "SELECT a FROM t"),
    "JSON in a fence": ('```json\n{"thought": "x", "sql": "SELECT a\\nFROM t"}\n```', "SELECT a\nFROM t"),
    "JSON inside JSON": ('{"result": {"query": "SELECT a FROM t;"}}', "SELECT a FROM t"),
    "JSON cut off after it": ('{"sql": "SELECT a FROM t", "why": "Bec', "SELECT a FROM t"),
    "JSON cut off at a stop": ('{"sql": "SELECT a FROM t;', "SELECT a FROM t"),
    "thoughts": ("<think>SELECT x FROM y? No.</think>\nSELECT a FROM t", "SELECT a FROM t"),
    "thoughts without a start": ("SELECT x FROM y? No.</think>SELECT a FROM t", "SELECT a FROM t"),
    "template tokens": ("SELECT a FROM t<|im_end|>", "SELECT a FROM t"),
    "Chinese prose": ("SQL语句：SELECT a FROM t WHERE n = '中'\n\n说明：这个查询", "SELECT a FROM t WHERE n = '中'"),
    "French prose": ("La requête est :\n\nSELECT a FROM t\n\nVoilà, c'est tout.", "SELECT a FROM t"),
    "CRLF": ("Voilà :\r\n```sql\r\nSELECT a\r\nFROM t\r\n```\r\n", "SELECT a\nFROM t"),
    "comment before": ("-- counts\nSELECT count(*) FROM t", "SELECT count(*) FROM t"),
    "wide spaces": ("```sql\nSELECT\u00a0a,\u3000'b\u00a0c' FROM t\n```", "SELECT a, 'b\u00a0c' FROM t"),
    "byte order mark": ("\ufeffSELECT a FROM t", "SELECT a FROM t"),
    "parentheses": ("(SELECT 1) UNION (SELECT 2)", "(SELECT 1) UNION (SELECT 2)"),
}  # fmt: skip

PROSE = [
    "",
    'The "invoices" table stores the orders.',
    "Sure, I'd be happy to help! Which database do you mean?",
    "Select the table that contains the orders.",
    "Select name from the list.",
    "Select 3 items",
    "With pleasure! Which table do you mean?",
    "From which table? The orders table, from which you can select rows.",
    "Update the table settings to fix it.",
    "Delete from the list whatever you do not need.",
    "I cannot answer that from this database.",
    "这个数据库里没有这样的表。",
    "<think>SELECT x FROM y",
    '{"database_id": "X", "name": "..',
    '{"sql": "SELECT a FROM t WHERE b = 1 AND',
    '{"sql": ""}',
    "```python\nimport os\n```",
    "```\nid | name\n1  | Ann\n```",
]

HARMFUL = [
    ("DROP TABLE employee;", "DROP TABLE employee"),
    ("Sure: DELETE FROM users", "DELETE FROM users"),
    ("```sql\nINSERT INTO t VALUES (1)\n```", "INSERT INTO t VALUES (1)"),
    ("SELECT 1; DROP TABLE e; SELECT 2", "SELECT 1; DROP TABLE e; SELECT 2"),
    ("```sql\nSELECT 1;\nDROP TABLE e;\n```", "SELECT 1;\nDROP TABLE e"),
]


@pytest.mark.parametrize("case", FOUND)
def test_sql_is_found_in(case: str) -> None:
    reply, sql = FOUND[case]
    assert extract(reply).sql == sql


@pytest.mark.parametrize("reply", PROSE)
def test_prose_is_text_and_never_sql(reply: str) -> None:
    assert extract(reply).sql == ""


@pytest.mark.parametrize(("reply", "sql"), HARMFUL)
def test_a_harmful_statement_reaches_the_guard_whole(reply: str, sql: str) -> None:
    assert extract(reply).sql == sql


def test_a_statement_with_a_syntax_error_is_not_cut_to_one_without() -> None:
    broken = "SELECT a FROM t\nWHER b = 3"
    assert extract(broken).sql == broken
    assert extract("```sql\nSELECT a FRM t WHERE\n```").sql == "SELECT a FRM t WHERE"


def test_the_prose_around_sql_is_kept() -> None:
    reply = "There are two tables.\n```sql\nSELECT a FROM t\n```\nIt's ordered."
    assert extract(reply) == Extracted("SELECT a FROM t", "There are two tables.\n\nIt's ordered.")


WRAPPERS = {
    "nothing": "{}",
    "fence": "```sql\n{}\n```",
    "plain fence": "Here you are:\n\n```\n{};\n```\n\nIt's simple: the rows of the table.",
    "open fence": "```sql\n{}",
    "fence after a draft": "```sql\nSELECT draft FROM drafts\n```\nThat is wrong. Final:\n```sql\n{}\n```",
    "label": "SQLQuery: {}",
    "another label": "intermediate_sql: {};",
    "final label": "Final SQL:\n{}\n",
    "bold label": "**SQL Query:**\n\n{}\n\n**Explanation:** it's right.",
    "thoughts": "<think>\nI'd SELECT x FROM y here; no.\n</think>\n\n{}",
    "prose after": "{};\n\nThis query returns what you've asked for.",
    "prose before": "Sure, I'd be happy to help!\n\n{}",
    "Chinese": "查询如下：\n\n{};\n\n说明：完成",
    "tag": "<answer>\n{}\n</answer>",
    "CRLF": "Sure.\r\n\r\n```sql\r\n{}\r\n```\r\n",
    "template token": "{}<|im_end|>",
}

names = st.sampled_from(["a", "name", "t1", "Total", "größe", '"Order Details"', '"a""b"', '"select"', "[x y]", "`q`"])
strings = st.text(st.sampled_from("ab ;'\"-/*`\n中é%_."), max_size=12).map(lambda s: "'" + s.replace("'", "''") + "'")
conditions = st.builds("{} {} {}".format, names, st.sampled_from(["=", "<>", "LIKE"]), strings)


@st.composite
def queries(draw: st.DrawFn) -> str:
    columns = ", ".join(draw(st.lists(names, min_size=1, max_size=3)))
    gap = draw(st.sampled_from([" ", "\n", "\n  "]))
    sql = f"SELECT {columns}{gap}FROM {draw(names)}"
    if draw(st.booleans()):
        sql += f"{gap}WHERE {draw(conditions)}{gap}AND {draw(conditions)}"
    if draw(st.booleans()):
        sql += f"{gap}ORDER BY {draw(names)} DESC{gap}LIMIT 3"
    if draw(st.booleans()):
        sql = f"WITH x AS (\n  {sql}\n)\nSELECT a{gap}FROM x"
    if draw(st.booleans()):
        sql = f"{sql}\nUNION ALL\nSELECT b FROM u"
    return sql


@settings(max_examples=150, deadline=None)
@given(queries(), st.sampled_from(sorted(WRAPPERS)))
def test_wrapping_a_query_gives_it_back(sql: str, wrapper: str) -> None:
    parse(sql, "sqlite")
    assert extract(WRAPPERS[wrapper].format(sql)).sql == sql


@settings(max_examples=100, deadline=None)
@given(queries())
def test_json_gives_the_query_back(sql: str) -> None:
    assert extract(json.dumps({"thought": 'a "b"', "sql": sql})).sql == sql
    assert extract(json.dumps({"sql": sql, "why": "because"})[:-6]).sql == sql


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from("abS ELCTFROMselctfrom`\n;:'\"(){}[]<>/*-.\\"), max_size=120))
def test_any_reply_is_answered_and_the_same_way_twice(reply: str) -> None:
    found = extract(reply)
    assert found == extract(reply)
    assert extract(found.sql).sql == found.sql or not found.sql
